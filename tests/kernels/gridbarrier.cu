// Barriers of a grid: thread 0 of each block adds to a counter and waits until all blocks have. Behind it each
// thread reads what a thread of the next block has written before.
#include <cooperative_groups.h>

#include <cuda/atomic>

using Counter = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__device__ void meet(unsigned *arrived, unsigned enough, cuda::memory_order order) {
  __syncthreads();
  if (threadIdx.x == 0) {
    Counter counter(*arrived);
    counter.fetch_add(1, order);
    while (counter.load(cuda::memory_order_acquire) < enough) {
    }
  }
  __syncthreads();
}

#define PLACES \
  const int threads = gridDim.x * blockDim.x; \
  const int i = blockIdx.x * blockDim.x + threadIdx.x; \
  const int next = (i + blockDim.x) % threads

/// Two barriers at one counter.
extern "C" __global__ void twice(int *x, int *y, unsigned *arrived) {
  PLACES;
  x[i] = i;
  meet(arrived, gridDim.x, cuda::memory_order_release);
  y[i] = x[next];
  meet(arrived, 2 * gridDim.x, cuda::memory_order_release);
  x[i] = y[next];
}

/// A counter that counts down, which is polled by additions of 0, between fences.
extern "C" __global__ void count_down(int *x, int *y, unsigned *missing) {
  PLACES;
  x[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicSub(missing, 1);
    while (atomicAdd(missing, 0) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  y[i] = x[next];
}

extern "C" __global__ void cooperative(int *x, int *y) {
  PLACES;
  const auto grid = cooperative_groups::this_grid();
  x[i] = i;
  grid.sync();
  const int read = x[next];
  grid.sync();
  x[i] = read;
  grid.sync();
  y[i] = x[next];
}

extern "C" __global__ void cooperative_once_less(int *x, int *y) {
  PLACES;
  const auto grid = cooperative_groups::this_grid();
  x[i] = i;
  grid.sync();
  x[i] = x[next];
  grid.sync();
  y[i] = x[next];
}

extern "C" __global__ void relaxed(int *x, int *y, unsigned *arrived) {
  PLACES;
  x[i] = i;
  meet(arrived, gridDim.x, cuda::memory_order_relaxed);
  y[i] = x[next];
}

extern "C" __global__ void one_less(int *x, int *y, unsigned *arrived) {
  PLACES;
  x[i] = i;
  meet(arrived, gridDim.x - 1, cuda::memory_order_release);
  y[i] = x[next];
}
