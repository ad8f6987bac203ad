// Structures with padding: a thread that copies one copies bytes that no thread has written. That is no mistake as
// long as no thread uses them.
// clang++ -x cuda -O1 -nocudainc -nocudalib --cuda-gpu-arch=sm_70 --cuda-device-only -S padding.cu
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))

__device__ inline int thread() { return __nvvm_read_ptx_sreg_tid_x(); }
__device__ inline void synchronize() { asm volatile("bar.sync 0;" ::: "memory"); }

struct Tagged {
  char tag;
  int value;
};

// Each thread copies the structure of another one: 4 bytes at a time, of which one may be written.
extern "C" __global__ void padding(Tagged* out) {
  __shared__ Tagged all[64];
  const int t = thread();
  all[t].tag = static_cast<char>(t);
  all[t].value = 3 * t;
  synchronize();
  out[t] = all[63 - t];
}

// The padding goes into a sum.
extern "C" __global__ void padding_used(int* out) {
  __shared__ Tagged all[64];
  const int t = thread();
  all[t].tag = static_cast<char>(t);
  all[t].value = 3 * t;
  synchronize();
  out[t] = reinterpret_cast<int*>(&all[63 - t])[0] + 1;
}

// The padding goes into a sum after it was copied to global memory.
extern "C" __global__ void padding_used_later(Tagged* out, int* sums) {
  __shared__ Tagged all[64];
  const int t = thread();
  all[t].tag = static_cast<char>(t);
  all[t].value = 3 * t;
  synchronize();
  out[t] = all[63 - t];
  synchronize();
  sums[t] = reinterpret_cast<volatile int*>(&out[63 - t])[0] + 1;
}

// The tag alone goes into a sum.
extern "C" __global__ void padding_masked(int* out) {
  __shared__ Tagged all[64];
  const int t = thread();
  all[t].tag = static_cast<char>(t);
  all[t].value = 3 * t;
  synchronize();
  out[t] = (*reinterpret_cast<volatile int*>(&all[63 - t]) & 255) + 1;
}

// Nobody has written the structure that thread 0 copies.
extern "C" __global__ void padding_forgotten(Tagged* out) {
  __shared__ Tagged all[64];
  const int t = thread();
  if (t != 63) {
    all[t].tag = static_cast<char>(t);
    all[t].value = 3 * t;
  }
  synchronize();
  out[t] = all[63 - t];
}

struct __attribute__((aligned(16))) Point {
  float x, y, z;
};

// A vector of four elements, of which one is padding.
extern "C" __global__ void padding_vector(Point* out) {
  __shared__ Point all[64];
  const int t = thread();
  all[t].x = 1;
  all[t].y = 2;
  all[t].z = 3;
  synchronize();
  Point copied;
  asm volatile(
      "{ .reg .b32 x, y, z, w; .reg .u64 a; cvta.to.shared.u64 a, %0; ld.shared.v4.b32 {x, y, z, w}, [a];"
      "st.global.v4.b32 [%1], {x, y, z, w}; }" ::"l"(&all[63 - t]),
      "l"(&out[t])
      : "memory");
}

// In local memory.
__device__ inline void fill(Tagged* all) {
  for (int i = 0; i < 4; ++i) {
    volatile Tagged& one = all[i];
    one.tag = static_cast<char>(thread());
    one.value = i;
  }
}

extern "C" __global__ void padding_local(Tagged* out, int which) {
  Tagged all[4];
  fill(all);
  out[thread()] = all[which & 3];
}

extern "C" __global__ void padding_local_used(int* out, int which) {
  Tagged all[4];
  fill(all);
  out[thread()] = *reinterpret_cast<volatile int*>(&all[which & 3]) + 1;
}
