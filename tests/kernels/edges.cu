// A barrier that only part of a warp reaches.
#ifndef INSIDE
#define INSIDE 0
#endif

extern "C" __global__ void edges(int *out) {
  __shared__ int left[4];
  const int t = threadIdx.x;
  left[t] = t;
  if (t > 0) {
#if INSIDE
    __syncthreads();
#endif
  }
#if !INSIDE
  __syncthreads();
#endif
  out[t] = left[(t + 3) & 3];
}
