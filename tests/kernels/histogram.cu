// Threads count into bins.
#ifndef COUNT
#define COUNT(bin) atomicAdd(&bins[bin], 1)
#endif

extern "C" __global__ void histogram(const unsigned char *values, int *bins) {
  COUNT(values[blockIdx.x * blockDim.x + threadIdx.x] & 1);
}
