// cuda::pipeline with two stages, of one thread and of a block.
// architectures: sm_80 sm_90
#include <cooperative_groups.h>
#include <cuda/pipeline>

__global__ void sum(const float4* in, float* out, int batches) {
  extern __shared__ float4 stage[];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cooperative_groups::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  float total = 0;
  for (int i = 0; i < batches; ++i) {
    pipeline.producer_acquire();
    cuda::memcpy_async(block, stage + (i % 2) * blockDim.x, in + i * blockDim.x,
                       cuda::aligned_size_t<16>(sizeof(float4) * blockDim.x), pipeline);
    pipeline.producer_commit();
    pipeline.consumer_wait();
    total += stage[(i % 2) * blockDim.x + threadIdx.x].x;
    pipeline.consumer_release();
  }
  out[threadIdx.x] = total;
}

__global__ void alone(const int* in, int* out) {
  __shared__ int place[64];
  auto pipeline = cuda::make_pipeline();
  pipeline.producer_acquire();
  cuda::memcpy_async(place + threadIdx.x, in + threadIdx.x, sizeof(int), pipeline);
  pipeline.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(pipeline);
  out[threadIdx.x] = place[threadIdx.x];
  pipeline.consumer_release();
}
