// Kernels in which lanes that are active together add to a counter for all of them. kernels.ptx is what nvcc
// makes of this file. Names that end with `_bug` have a mistake.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

__device__ unsigned lanes_below() {
  unsigned mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}

// What lanes that are active together append to `out`: one of them takes the places of all.
#define APPEND(NAME, TAKE, PLACE)                          \
  KERNEL NAME(const int* in, int* out, int* count) {       \
    const int v = in[INDEX];                               \
    if (v > 0) {                                           \
      cg::coalesced_group g = cg::coalesced_threads();     \
      const bool is_first = g.thread_rank() == 0;          \
      int base;                                            \
      if (is_first) base = TAKE;                           \
      base = g.shfl(base, 0);                              \
      out[PLACE] = v;                                      \
    }                                                      \
  }
__device__ int plainly(int* count, int size) {
  const int before = *count;
  *count = before + size;
  return before;
}
__device__ int after_reset(int* count, int size) {
  if (INDEX == 0) *count = 0;
  return atomicAdd(count, size);
}
APPEND(append, atomicAdd(count, g.size()), base + g.thread_rank())
APPEND(rank_bug, atomicAdd(count, g.size()), base)
APPEND(plain_bug, plainly(count, g.size()), base + g.thread_rank())
APPEND(one_bug, atomicAdd(count, 1), base + g.thread_rank())
APPEND(reset_bug, after_reset(count, g.size()), base + g.thread_rank())

// The same with a mask, of which one lane adds and gives its value, or one lane leaves before.
#define APPEND_WITH(NAME, LEADER, SOURCE, LEAVES)                            \
  KERNEL NAME(const int* in, int* out, int* count) {                         \
    const int v = in[INDEX];                                                 \
    if (v > 0) {                                                             \
      const unsigned mask = __activemask(), lane = threadIdx.x % 32;         \
      int base = 0;                                                          \
      if (lane == LEADER(mask)) base = atomicAdd(count, __popc(mask));       \
      if (LEAVES) return;                                                    \
      base = __shfl_sync(mask, base, SOURCE(mask));                          \
      out[base + __popc(mask & lanes_below())] = v;                          \
    }                                                                        \
  }
__device__ unsigned lowest_of(unsigned mask) { return __ffs(mask) - 1; }
__device__ unsigned highest_of(unsigned mask) { return 31 - __clz(mask); }
APPEND_WITH(lowest, lowest_of, lowest_of, false)
APPEND_WITH(highest, highest_of, highest_of, false)
APPEND_WITH(source_bug, lowest_of, highest_of, false)
APPEND_WITH(leaves_bug, lowest_of, lowest_of, v == 7)

// Two groups add to the same counter.
KERNEL twice(const int* in, int* out, int* count) {
  const int v = in[INDEX];
  for (int sign = 0; sign < 2; sign++) {
    if (sign == 0 ? v > 0 : v < 0) {
      const unsigned mask = __activemask(), lane = threadIdx.x % 32, leader = __ffs(mask) - 1;
      int base;
      if (lane == leader) base = atomicAdd(count, __popc(mask));
      base = __shfl_sync(mask, base, leader);
      out[base + __popc(mask & lanes_below())] = v;
    }
  }
}
// The mask is of lanes of which some do not take part.
KERNEL stale_bug(const int* in, int* out, int* count) {
  const int v = in[INDEX];
  if (v > 0) {
    const unsigned mask = __activemask();
    if (v > 5) {
      const unsigned leader = __ffs(mask) - 1, own = __activemask();
      int base = 0;
      if (threadIdx.x % 32 == leader) base = atomicAdd(count, __popc(own));
      base = __shfl_sync(mask, base, leader);
      out[base + __popc(own & lanes_below())] = v;
    }
  }
}
// Each lane writes for itself whether some lane of its group has a large number.
KERNEL any_large(const int* in, int* out) {
  const int v = in[INDEX];
  if (v > 0) {
    const unsigned mask = __activemask();
    out[INDEX] = __any_sync(mask, v > 100);
  }
}
// A lane writes for the group where it has the result of a vote, which is the same in all lanes.
KERNEL vote(const int* in, int* out) {
  const int v = in[INDEX];
  if (v > 0) {
    const unsigned mask = __activemask();
    const bool all = __all_sync(mask, v > 100);
    if (all ? threadIdx.x % 32 == __ffs(mask) - 1 : threadIdx.x % 32 == 31 - __clz(mask))
      out[INDEX / 32 * 32 + __ffs(mask) - 1] = all;
  }
}
// Lanes of different iterations are together.
KERNEL loop_bug(const int* in, int* out) {
#pragma unroll 1
  for (int i = 0; i < in[INDEX] % 3; i++) {
    const unsigned mask = __activemask();
    if (__shfl_sync(mask, i, __ffs(mask) - 1) != i) __trap();
  }
}
// Fewer threads than there are.
KERNEL guarded(int n, const int* in, int* out, int* count) {
  if (INDEX >= n) return;
  const int v = in[INDEX];
  if (v > 0) {
    cg::coalesced_group g = cg::coalesced_threads();
    int base;
    if (g.thread_rank() == 0) base = atomicAdd(count, g.size());
    base = g.shfl(base, 0);
    out[base + g.thread_rank()] = v;
  }
}
KERNEL guarded_alone(int n, const int* in, int* out, int* count) {
  if (INDEX < n && in[INDEX] > 0) out[atomicAdd(count, 1)] = in[INDEX];
}
