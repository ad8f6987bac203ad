// Intrinsics of warps and of integer arithmetic.
// architectures: sm_75 sm_80 sm_90
__global__ void warps(unsigned* data, long long* wide, float* real) {
  const unsigned all = 0xffffffffu, lane = threadIdx.x % 32;
  unsigned value = __shfl_down_sync(all, data[lane], 4) + __ballot_sync(all, lane & 1) + __activemask();
  value += __all_sync(all, value > 1) + __any_sync(all, value > 2) + __match_any_sync(all, value);
  int same;
  value += __match_all_sync(all, value, &same) + __byte_perm(value, lane, 0x3210) + __funnelshift_lc(value, lane, 3);
#if __CUDA_ARCH__ >= 800
  value += __reduce_add_sync(all, value) + __reduce_xor_sync(all, value);
#endif
  value += __dp4a(value, lane, 3u) + __vadd4(value, lane) + __vabsdiffu4(value, lane) + __umulhi(value, lane);
  value += __fns(value, 0, 3) + __ffs(value) + __usad(value, lane, 7u) + __mul24(value, lane);
  wide[lane] = __mul64hi(wide[lane], 12345) + __clzll(wide[lane]) % 7 / (wide[lane] | 1);
  real[lane] = __fdividef(real[lane], 3.f) + __sinf(real[lane]) + rsqrtf(real[lane]) + __frcp_rd(real[lane]) +
               __fmaf_rz(real[lane], 2.f, 1.f) + __saturatef(real[lane]) + sqrtf(real[lane]) + erff(real[lane]);
  __nanosleep(100);
  __threadfence_system();
  __syncwarp();
  data[lane] = value + same + __ldg(data + 1) + __ldcg(data + 2) + __syncthreads_count(value);
  __stwt(data + 3, value);
  if (value == 77) __trap();
}
