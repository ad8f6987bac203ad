// Two passes of a filter along the rows of an image. The first reads a texture and writes a surface; the second
// reads that surface through the surface proxy, which orders its accesses in one block. Reading the same memory
// through a texture is another proxy, and no fence of PTX orders it: the texture may give what was there before.
__device__ float first_pass(cudaSurfaceObject_t half_way, cudaTextureObject_t half_way_texture, int x, int y) {
#ifdef BY_TEXTURE
  return tex2D<float>(half_way_texture, x + 0.5f, y + 0.5f);
#else
  return surf2Dread<float>(half_way, x * sizeof(float), y, cudaBoundaryModeClamp);
#endif
}

extern "C" __global__ void filter(cudaTextureObject_t in, cudaSurfaceObject_t half_way,
                                  cudaTextureObject_t half_way_texture, float *out) {
  const int x = threadIdx.x, y = threadIdx.y;
  // The linear filter weights two neighbours: this is the mean of the texels x and x + 1.
  surf2Dwrite(tex2D<float>(in, x + 1.0f, y + 0.5f), half_way, x * sizeof(float), y);
  __syncthreads();
  out[y * blockDim.x + x] = 0.5f * (first_pass(half_way, half_way_texture, x, y) +
                                    first_pass(half_way, half_way_texture, x + 1, y));
}
