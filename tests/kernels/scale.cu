// One thread an element; n need not be a multiple of the block.
#ifndef IN_RANGE
#define IN_RANGE i < n
#endif

extern "C" __global__ void scale(int n, float factor, float *x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (IN_RANGE) x[i] = factor * x[i];
}
