// mma.h: matrices of several types held by a warp.
// architectures: sm_75 sm_80 sm_90
#include <mma.h>

using namespace nvcuda;

template <class Factor, class Sum, int m, int n, int k>
__device__ void multiply(const Factor* a, const Factor* b, Sum* c) {
  wmma::fragment<wmma::matrix_a, m, n, k, Factor, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, m, n, k, Factor, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, m, n, k, Sum> sum;
  wmma::fill_fragment(sum, Sum(0));
  wmma::load_matrix_sync(left, a, k);
  wmma::load_matrix_sync(right, b, k);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(c, sum, n, wmma::mem_row_major);
}

__global__ void products(const half* h, float* f, const signed char* bytes, int* words, half* sums) {
  multiply<half, float, 16, 16, 16>(h, h, f);
  multiply<half, half, 8, 32, 16>(h, h, sums);
  multiply<signed char, int, 32, 8, 16>(bytes, bytes, words);
#if __CUDA_ARCH__ >= 800
  multiply<double, double, 8, 8, 4>(reinterpret_cast<const double*>(h), reinterpret_cast<const double*>(h),
                                    reinterpret_cast<double*>(f));
#endif
}
