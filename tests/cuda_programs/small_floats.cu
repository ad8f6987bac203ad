// cuda_fp8.h, cuda_fp6.h, cuda_fp4.h, cuda_bf16.h, cuda_fp16.h: conversions and arithmetic.
// architectures: sm_75 sm_89 sm_90 sm_100a
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

__global__ void conversions(const float2* in, __nv_fp8x2_e4m3* e4, __nv_fp8x2_e5m2* e5, __nv_fp6x2_e3m2* e3,
                            __nv_fp4x2_e2m1* e2, __half2* halves, __nv_bfloat162* brains) {
  const float2 value = in[threadIdx.x];
  e4[threadIdx.x] = __nv_fp8x2_e4m3(value);
  e5[threadIdx.x] = __nv_fp8x2_e5m2(value);
  e3[threadIdx.x] = __nv_fp6x2_e3m2(value);
  e2[threadIdx.x] = __nv_fp4x2_e2m1(value);
  const __half2 half = __float22half2_rn(value);
  halves[threadIdx.x] = __hfma2_relu(half, half, __hmax2(half, static_cast<__half2>(e4[0])));
  const __nv_bfloat162 brain = __float22bfloat162_rn(value);
  brains[threadIdx.x] = __hadd2(__hmul2(brain, h2exp2(brain)), h2rsqrt(brain));
  if (__hbgt2(half, half) && __heq(halves[1].x, half.y)) halves[0] = h2tanh(half);
}
