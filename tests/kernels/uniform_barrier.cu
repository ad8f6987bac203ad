// All threads pass the barrier, or none: a parameter says which.
extern "C" __global__ void uniform_barrier(int* out, int mode) {
  __shared__ int shared[256];
  shared[threadIdx.x] = threadIdx.x;
  if (mode == 0) __syncthreads();
  out[threadIdx.x] = mode == 0 ? shared[(threadIdx.x + 1) % blockDim.x] : shared[threadIdx.x];
}

// The neighbour is read where nobody has passed the barrier.
extern "C" __global__ void uniform_barrier_bug(int* out, int mode) {
  __shared__ int shared[256];
  shared[threadIdx.x] = threadIdx.x;
  if (mode == 0) __syncthreads();
  out[threadIdx.x] = shared[(threadIdx.x + 1) % blockDim.x];
}
