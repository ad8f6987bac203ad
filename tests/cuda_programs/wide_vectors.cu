// Vectors of 256 bits, which nvcc prints since PTX ISA 8.8 where data are aligned to 32 bytes.
// architectures: sm_90 sm_100 sm_120a
struct alignas(32) Floats {
  float elements[8];
};
struct alignas(32) Longs {
  long long elements[4];
};

__global__ void copy(Floats* to, const Floats* __restrict__ from) { to[threadIdx.x] = from[threadIdx.x]; }

__global__ void prefix_sums(Floats* to, const Floats* from) {
  Floats sums = from[threadIdx.x];
  for (int i = 1; i < 8; ++i) sums.elements[i] += sums.elements[i - 1];
  to[threadIdx.x] = sums;
}

__global__ void doubles(double4_32a* to, const double4_32a* from) {
  double4_32a numbers = from[threadIdx.x];
  numbers.x += numbers.w;
  to[threadIdx.x] = numbers;
}

__global__ void through_shared_memory(Longs* data) {
  __shared__ Longs exchanged[64];
  exchanged[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = exchanged[threadIdx.x ^ 1];
}
