// A pipeline of block scope of libcu++: the threads copy rows into stages of shared memory, and each reads the element of
// its neighbour. Its destructor invalidates the mbarriers when the last thread has left.
#include <cooperative_groups.h>
#include <cuda/pipeline>

#ifndef ACQUIRE
#define ACQUIRE pipe.producer_acquire();
#endif
#ifndef RELEASE
#define RELEASE pipe.consumer_release();
#endif
#ifndef STAGE
#define STAGE row % stages
#endif
constexpr int rows = 5, stages = 2, threads = 40;

extern "C" __global__ void blockpipe(const int* in, int* out) {
  __shared__ int stage[stages][threads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  const int t = threadIdx.x;
  int sum = 0, copied = 0;
#pragma unroll 1
  for (int row = 0; row < rows; ++row) {
    for (; copied < rows && copied < row + stages; ++copied) {
      ACQUIRE
      cuda::memcpy_async(&stage[copied % stages][t], in + copied * threads + t, sizeof(int), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += stage[STAGE][(t + 1) % threads];
    RELEASE
  }
  out[t] = sum;
}
