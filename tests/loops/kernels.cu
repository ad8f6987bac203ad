// Kernels with loops of any length. kernels.ptx is what nvcc makes of this file.
// Names that end with `_bug` have a mistake.
#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define THREADS (blockDim.x * gridDim.x)

// The grid strides over an array.
KERNEL saxpy(int n, float a, const float *x, float *y) {
  for (int i = INDEX; i < n; i += THREADS) y[i] = a * x[i] + y[i];
}
KERNEL saxpy_unsigned(unsigned n, float a, const float *x, float *y) {
  for (unsigned i = INDEX; i < n; i += THREADS) y[i] = a * x[i] + y[i];
}
KERNEL saxpy_wide(size_t n, float a, const float *x, float *y) {
  for (size_t i = INDEX; i < n; i += THREADS) y[i] = a * x[i] + y[i];
}
KERNEL saxpy_half_bug(int n, float a, const float *x, float *y) {
  for (int i = INDEX; i < n; i += THREADS) y[i / 2] = a * x[i];
}
KERNEL saxpy_behind_bug(int n, float a, const float *x, float *y) {
  for (int i = INDEX; i <= n; i += THREADS) y[i] = a * x[0];
}
KERNEL saxpy_stride_bug(int n, float a, const float *x, float *y) {
  for (int i = INDEX; i < n; i += blockDim.x) y[i] = a;
}
KERNEL downwards(int n, const float *x, float *y) {
  for (int i = n - 1 - (int)INDEX; i >= 0; i -= THREADS) y[i] = x[i];
}

// One thread for a row
KERNEL sum_of_row(int n, int m, const float *x, float *y) {
  float sum = 0;
  if (INDEX >= n) return;
  for (int j = 0; j < m; ++j) sum += x[j];
  y[INDEX] = sum;
}

// Data decides when a loop ends.
KERNEL find(int n, const int *x, int *at) {
  int i = threadIdx.x;
  while (i < n && x[i] != 7) i += blockDim.x;
  at[INDEX] = i;
}
KERNEL find_bug(int n, const int *x, int *at) {
  int i = threadIdx.x;
  while (i < n && x[i] != 7) i += blockDim.x;
  at[i] = 1;
}
KERNEL segments(int n, const int *first, const float *x, float *y) {
  float sum = 0;
  if (INDEX >= n) return;
  for (int j = first[INDEX]; j < first[INDEX + 1]; ++j)
    if (j >= 0 && j < n) sum += x[j];
  y[INDEX] = sum;
}

// What iterations leave behind
KERNEL sums_of_blocks(int n, const float *x, float *y) {
  __shared__ float s[64];
  float sum = 0;
  for (int i = INDEX; i < n; i += THREADS) sum += x[i];
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int d = 32; d > 0; d >>= 1) {
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = s[0];
}
KERNEL sums_in_place_bug(int n, const float *x, float *y) {
  __shared__ float s[64];
  s[threadIdx.x] = 0;
  for (int i = INDEX; i < n; i += THREADS) s[threadIdx.x ^ 1] += x[i];
  __syncthreads();
  if (threadIdx.x == 0) y[blockIdx.x] = s[0];
}
KERNEL last_value_bug(int n, const int *x) {
  __shared__ int s[64];
  s[threadIdx.x] = 0;
  for (int i = INDEX; i < n; i += THREADS) s[threadIdx.x] = x[i];
  if (s[threadIdx.x] == 5) __trap();
}
KERNEL largest_bug(int n, const int *x, int *y) {
  int largest = 0;
  for (int i = INDEX; i < n; i += THREADS)
    if (x[i] > largest) largest = x[i];
  y[largest] = 1;
}
KERNEL late_trap_bug(int n, const int *x) {
  for (int i = INDEX; i < n; i += THREADS)
    if (i == 1000 && x[i] == 3) __trap();
}
KERNEL appends_bug(int n, const int *x, int *count, int *y) {
  for (int i = INDEX; i < n; i += THREADS)
    if (x[i] > 0) y[atomicAdd(count, 1)] = i;
}
KERNEL histogram(int n, const unsigned char *x, int *count) {
  __shared__ int s[256];
  for (int k = 0; k < 4; ++k) s[threadIdx.x + 64 * k] = 0;
  __syncthreads();
  for (int i = INDEX; i < n; i += THREADS) atomicAdd(&s[x[i]], 1);
  __syncthreads();
  for (int k = 0; k < 4; ++k) atomicAdd(&count[threadIdx.x + 64 * k], s[threadIdx.x + 64 * k]);
}

// All threads of a CTA meet in each iteration.
template <bool meets_before, bool meets_again>
__device__ void shift(int n, int *x) {
  __shared__ int s[64];
  s[threadIdx.x] = x[threadIdx.x];
  if (meets_before) __syncthreads();
  for (int i = 0; i < n; ++i) {
    int next = s[(threadIdx.x + 1) % 64];
    __syncthreads();
    s[threadIdx.x] = next;
    if (meets_again) __syncthreads();
  }
  x[threadIdx.x] = s[threadIdx.x];
}
KERNEL shifts(int n, int *x) { shift<true, true>(n, x); }
KERNEL shifts_again_bug(int n, int *x) { shift<true, false>(n, x); }    // with the next iteration
KERNEL shifts_at_once_bug(int n, int *x) { shift<false, true>(n, x); }  // with the code before the loop
KERNEL tiles(int n, const float *x, float *y) {
  __shared__ float s[64];
  float sum = 0;
  for (int t = 0; t < n; t += 64) {
    s[threadIdx.x] = t + threadIdx.x < n ? x[t + threadIdx.x] : 0;
    __syncthreads();
    for (int k = 0; k < 64; ++k) sum += s[k];
    __syncthreads();
  }
  y[INDEX] = sum;
}
