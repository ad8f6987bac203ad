// Four warps multiply a tile of 32 x 32: two stages of shared memory, filled by cp.async, read by ldmatrix.
#include <cuda_fp16.h>

constexpr int k_step = 16, steps = 3, stride = 24;  // in halves; rows of shared memory are padded

#ifndef STAGE_IS_READ
#define STAGE_IS_READ __syncthreads()
#endif
#ifndef PENDING
#define PENDING 1
#endif

__device__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__device__ void copy(__half* to, const __half* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
}

extern "C" __global__ void gemm(const __half* a, const __half* b, float* d) {
  __shared__ __align__(16) __half as[2][32][stride];
  __shared__ __align__(16) __half bs[2][32][stride];  // by column of B
  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const int row = 16 * (warp / 2), column = 16 * (warp % 2);
  float sum[2][4] = {};
  // 32 rows of 16 halves are 64 pieces of 16 bytes for each matrix.
  const auto load = [&](int step) {
    const int piece = thread % 64, line = piece / 2, half = 8 * (piece % 2);
    if (thread < 64)
      copy(&as[step % 2][line][half], a + line * k_step * steps + step * k_step + half);
    else
      copy(&bs[step % 2][line][half], b + line * k_step * steps + step * k_step + half);
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  load(0);
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    if (step + 1 < steps) {
      load(step + 1);
      asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
    } else {
      asm volatile("cp.async.wait_group 0;" ::: "memory");
    }
    __syncthreads();
    unsigned x[4], y[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(shared_address(&as[step % 2][row + lane % 16][8 * (lane / 16)]))
                 : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(y[0]), "=r"(y[1]), "=r"(y[2]), "=r"(y[3])
                 : "r"(shared_address(&bs[step % 2][column + lane % 8 + 8 * (lane / 16)][8 * (lane / 8 % 2)]))
                 : "memory");
    for (int n = 0; n < 2; ++n)
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
          "{%0, %1, %2, %3};"
          : "+f"(sum[n][0]), "+f"(sum[n][1]), "+f"(sum[n][2]), "+f"(sum[n][3])
          : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[2 * n]), "r"(y[2 * n + 1]));
    STAGE_IS_READ;
  }
  for (int n = 0; n < 2; ++n)
    for (int i = 0; i < 4; ++i)
      d[(row + lane / 4 + 8 * (i / 2)) * 32 + column + 8 * n + 2 * (lane % 4) + i % 2] = sum[n][i];
}
