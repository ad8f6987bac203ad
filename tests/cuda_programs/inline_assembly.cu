// PTX written by hand, as libraries of kernels do.
// architectures: sm_80 sm_90a
#include <cstdint>

__global__ void written_by_hand(uint32_t* words, float* sums, const void* source) {
  __shared__ alignas(128) unsigned char tile[4096];
  const uint32_t address = static_cast<uint32_t>(__cvta_generic_to_shared(tile));
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(address), "l"(source) : "memory");
  asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 0;" ::: "memory");
  uint32_t a[4], b[2] = {words[0], words[1]};
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
               : "r"(address));
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
               "{%0,%1,%2,%3};"
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  uint32_t picked;
  asm("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %1, 0;\n\t@p prmt.b32 %0, %1, %2, 0x5410;\n\t@!p mov.b32 %0, 7;\n\t}"
      : "=r"(picked)
      : "r"(a[0]), "r"(a[1]));
  asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(words), "r"(picked) : "memory");
  asm volatile("st.global.L1::no_allocate.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(words), "r"(a[0]), "r"(a[1]),
               "r"(a[2]), "r"(a[3]));
#if __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("wgmma.fence.sync.aligned;\n\t"
               "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, 1, 1, 1, 0;\n\t"
               "wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;"
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(1ull));
#endif
}
