// Eight numbers at once, which nvcc loads and stores as one vector since PTX ISA 8.8.
#ifndef PLACE
#define PLACE threadIdx.x
#endif

struct alignas(32) Eight {
  int numbers[8];
};

extern "C" __global__ void prefix_sums(Eight *to, const Eight *from) {
  Eight sums = from[threadIdx.x];
  for (int i = 1; i < 8; ++i) sums.numbers[i] += sums.numbers[i - 1];
  if (sums.numbers[7] != 36) __trap();
  to[PLACE] = sums;
}
