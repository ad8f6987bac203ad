// cuda::atomic_ref: every order, scopes, and operations without an instruction of their own.
// architectures: sm_75 sm_80 sm_90 sm_100
#include <cuda/atomic>

template <cuda::thread_scope scope>
__device__ void operations(int* word, unsigned long long* wide, double* real) {
  cuda::atomic_ref<int, scope> a(*word);
  a.store(1, cuda::memory_order_release);
  int seen = a.load(cuda::memory_order_acquire) + a.load(cuda::memory_order_seq_cst);
  seen += a.fetch_add(1, cuda::memory_order_acq_rel) + a.fetch_sub(1, cuda::memory_order_relaxed);
  seen += a.exchange(3, cuda::memory_order_seq_cst) + a.fetch_max(4, cuda::memory_order_acquire);
  a.compare_exchange_strong(seen, 5, cuda::memory_order_acq_rel, cuda::memory_order_relaxed);
  cuda::atomic_ref<unsigned long long, scope> b(*wide);
  b.fetch_or(8, cuda::memory_order_release);
  cuda::atomic_ref<double, scope>(*real).fetch_add(1.5, cuda::memory_order_relaxed);
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, scope);
  *word = seen;
}

__global__ void atomics(int* word, unsigned long long* wide, double* real) {
  operations<cuda::thread_scope_block>(word, wide, real);
  operations<cuda::thread_scope_device>(word, wide, real);
  operations<cuda::thread_scope_system>(word, wide, real);
}
