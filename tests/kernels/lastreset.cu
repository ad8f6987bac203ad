// The last block adds up what all have written, and the counter is set back for the next launch.

__device__ void write_part(int *part) {
  part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
  __threadfence();
  __syncthreads();
}

__device__ void add_all(const int *part, int *sum) {
  __threadfence();
  int all = 0;
  for (int i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x) all += part[i];
  sum[threadIdx.x] = all;
}

/// One thread of the last block sets the counter back.
extern "C" __global__ void by_one(int *part, int *sum, unsigned *count) {
  __shared__ bool is_last;
  write_part(part);
  if (threadIdx.x == 0) is_last = atomicAdd(count, 1) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return;
  add_all(part, sum);
  if (threadIdx.x == blockDim.x - 1) *count = 0;
}

/// All threads of the last block do.
extern "C" __global__ void by_all(int *part, int *sum, unsigned *count) {
  __shared__ bool is_last;
  write_part(part);
  if (threadIdx.x == 0) is_last = atomicAdd(count, 1) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return;
  add_all(part, sum);
  *count = 0;
}

/// The last but one block does, when another one may add.
extern "C" __global__ void too_early(int *part, int *sum, unsigned *count) {
  __shared__ bool is_last;
  write_part(part);
  if (threadIdx.x == 0) {
    const unsigned before = atomicInc(count, gridDim.x);
    is_last = before == gridDim.x - 1;
    if (before == gridDim.x - 2) *count = 0;
  }
  __syncthreads();
  if (is_last) add_all(part, sum);
}

/// The last addition itself does.
extern "C" __global__ void wraps(int *part, int *sum, unsigned *count) {
  __shared__ bool is_last;
  write_part(part);
  if (threadIdx.x == 0) is_last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (is_last) add_all(part, sum);
}

/// The counter wraps around one block too early: this block takes itself for the last one.
extern "C" __global__ void wraps_early(int *part, int *sum, unsigned *count) {
  __shared__ bool is_last;
  write_part(part);
  if (threadIdx.x == 0) is_last = atomicInc(count, gridDim.x - 2) == gridDim.x - 2;
  __syncthreads();
  if (is_last) add_all(part, sum);
}
