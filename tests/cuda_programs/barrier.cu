// cuda::barrier: arrival, waiting, dropping, parity.
// architectures: sm_75 sm_80 sm_90 sm_100
#include <cuda/barrier>

__global__ void rotate(int* data) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int row[256];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  row[threadIdx.x] = data[threadIdx.x];
  auto token = barrier.arrive();
  barrier.wait(std::move(token));
  data[threadIdx.x] = row[(threadIdx.x + 1) % blockDim.x];
  if (threadIdx.x == 7) {
    barrier.arrive_and_drop();
    return;
  }
  barrier.arrive_and_wait();
  barrier.wait_parity(true);
}
