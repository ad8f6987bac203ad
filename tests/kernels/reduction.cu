// A tree reduction in shared memory.
#ifndef SYNC
#define SYNC __syncthreads()
#endif

extern "C" __global__ void reduction(const int *in, int *out) {
  __shared__ int sums[4];
  const int t = threadIdx.x;
  sums[t] = in[t];
  __syncthreads();
  for (int half = 2; half > 0; half /= 2) {
    if (t < half) sums[t] += sums[t + half];
    SYNC;
  }
  if (t == 0) *out = sums[0];
}
