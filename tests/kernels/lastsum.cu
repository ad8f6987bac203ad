// The last block adds up what all have written. Thread 0 counts its block, and tells the others by a flag in
// shared memory whether it was the last one.

/// Each thread writes a number and executes a fence; thread 0 counts for all of them.
extern "C" __global__ void fence_of_each(int *numbers, int *sums, unsigned *count) {
  __shared__ bool is_last;
  const int t = threadIdx.x, threads = gridDim.x * blockDim.x;
  numbers[blockIdx.x * blockDim.x + t] = t;
  __threadfence();
  __syncthreads();
  if (t == 0) is_last = atomicAdd(count, 1) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  int sum = 0;
  for (int i = t; i < threads; i += blockDim.x) sum += numbers[i];
  sums[t] = sum;
}

/// The fences are those of thread 0, and the last block has barriers of its own.
extern "C" __global__ void fence_of_first(const int *numbers, int *parts, int *sum, unsigned *count) {
  __shared__ int all[256];
  __shared__ bool is_last;
  const int t = threadIdx.x;
  all[t] = numbers[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) all[t] += all[t + half];
    __syncthreads();
  }
  if (t == 0) {
    parts[blockIdx.x] = all[0];
    __threadfence();
    is_last = atomicAdd(count, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  if (t == 0) __threadfence();
  __syncthreads();
  if (t < gridDim.x) all[t] = parts[t];
  __syncthreads();
  if (t == 0) {
    *sum = 0;
    for (int i = 0; i < gridDim.x; ++i) *sum += all[i];
  }
}

/// Thread 0 alone executes a fence, before the barrier.
extern "C" __global__ void fence_before_barrier(int *numbers, int *sums, unsigned *count) {
  __shared__ bool is_last;
  const int t = threadIdx.x, threads = gridDim.x * blockDim.x;
  numbers[blockIdx.x * blockDim.x + t] = t;
  if (t == 0) __threadfence();
  __syncthreads();
  if (t == 0) {
    is_last = atomicAdd(count, 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last) return;
  int sum = 0;
  for (int i = t; i < threads; i += blockDim.x) sum += numbers[i];
  sums[t] = sum;
}

/// The last block has barriers of its own, but no fence: what it reads is not acquired.
extern "C" __global__ void no_fence_behind(const int *numbers, int *parts, int *sum, unsigned *count) {
  __shared__ int all[64];
  __shared__ bool is_last;
  const int t = threadIdx.x;
  all[t] = numbers[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) all[t] += all[t + half];
    __syncthreads();
  }
  if (t == 0) parts[blockIdx.x] = all[0];
  __threadfence();
  if (t == 0) is_last = atomicInc(count, gridDim.x) == gridDim.x - 1;
  __syncthreads();
  if (is_last) {
    if (t < gridDim.x) all[t] = parts[t];
    __syncthreads();
    if (t == 0) {
      *sum = 0;
      for (int i = 0; i < gridDim.x; ++i) *sum += all[i];
      *count = 0;
    }
  }
}
