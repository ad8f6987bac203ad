// Kernels for launches of any size. kernels.ptx is what nvcc makes of this file.
// Names that end with `_bug` have a mistake.
#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

// Offsets
KERNEL own(int *x) { x[INDEX] = INDEX; }
KERNEL next_bug(int *x) { x[INDEX] = x[INDEX + 1]; }
KERNEL other_half(int *x, const int *y) { x[blockDim.x * gridDim.x + INDEX] = y[INDEX]; }
KERNEL behind_bug(int *x) { x[INDEX + 1] = 1; }
KERNEL guarded(int n, float a, const float *x, float *y) {
  if (INDEX < n) y[INDEX] = a * x[INDEX] + y[INDEX];
}
KERNEL guarded_bug(int n, float a, const float *x, float *y) {
  if (INDEX <= n) y[INDEX] = a * x[INDEX] + y[INDEX];
}

// Strides
KERNEL pairs(int *x) {
  x[2 * INDEX] = 1;
  x[2 * INDEX + 1] = 2;
}
KERNEL pairs_bug(int *x) {
  x[2 * INDEX] = 1;
  x[2 * INDEX + 2] = 2;
}
KERNEL triples(int *x) {
  for (int i = 0; i < 3; i++) x[3 * INDEX + i] = i;
}
KERNEL columns(int *x) {
  for (int i = 0; i < 4; i++) x[i * (blockDim.x * gridDim.x) + INDEX] = i;
}
KERNEL columns_bug(int *x) {
  for (int i = 0; i < 4; i++) x[i * blockDim.x + INDEX] = i;
}

// Permutations
KERNEL reverse(int *x) {
  extern __shared__ int s[];
  s[threadIdx.x] = x[INDEX];
  __syncthreads();
  x[INDEX] = s[blockDim.x - 1 - threadIdx.x];
}
KERNEL reverse_bug(int *x) {
  extern __shared__ int s[];
  s[threadIdx.x] = x[INDEX];
  x[INDEX] = s[blockDim.x - 1 - threadIdx.x];
}
KERNEL reverse_all(const int *x, int *y) { y[blockDim.x * gridDim.x - 1 - INDEX] = x[INDEX]; }
KERNEL neighbours_swap(int *x) { x[INDEX ^ 1] = INDEX; }
KERNEL collide_bug(int *x) { x[INDEX / 2] = INDEX; }
KERNEL scatter_bug(const int *p, int *x) {
  if (p[INDEX] >= 0 && p[INDEX] < 64) x[p[INDEX]] = INDEX;
}

// Phases with barriers
KERNEL two_phases(int *x) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int t = s[(threadIdx.x + 1) % blockDim.x];
  __syncthreads();
  s[threadIdx.x] = t;
  x[INDEX] = s[threadIdx.x];
}
KERNEL two_phases_bug(int *x) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int t = s[(threadIdx.x + 1) % blockDim.x];
  s[threadIdx.x] = t;
  x[INDEX] = s[threadIdx.x];
}
KERNEL tree(const int *in, int *out) {
  extern __shared__ int s[];
  s[threadIdx.x] = in[INDEX];
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
KERNEL tree_bug(const int *in, int *out) {
  extern __shared__ int s[];
  s[threadIdx.x] = in[INDEX];
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2)
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
KERNEL scan(const int *in, int *out) {
  extern __shared__ int s[];
  s[threadIdx.x] = in[INDEX];
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    int v = threadIdx.x >= d ? s[threadIdx.x - d] : 0;
    __syncthreads();
    s[threadIdx.x] += v;
    __syncthreads();
  }
  out[INDEX] = s[threadIdx.x];
}
KERNEL scan_bug(const int *in, int *out) {
  extern __shared__ int s[];
  s[threadIdx.x] = in[INDEX];
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    if (threadIdx.x >= d) s[threadIdx.x] += s[threadIdx.x - d];
    __syncthreads();
  }
  out[INDEX] = s[threadIdx.x];
}

// Tiles
KERNEL transpose(int n, const int *in, int *out) {
  __shared__ int tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < n && y < n) out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
KERNEL transpose_bug(int n, const int *in, int *out) {
  __shared__ int tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < n && y < n) out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
KERNEL rows(int width, int height, float *x) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < width && row < height) x[row * width + column] *= 2;
}
KERNEL rows_bug(int width, int height, float *x) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column <= width && row < height) x[row * width + column] *= 2;
}

// Barriers in branches
KERNEL uniform_branch(int n, int *x) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;
  if (n > 3) {
    __syncthreads();
    x[INDEX] = s[blockDim.x - 1 - threadIdx.x];
  }
}
KERNEL divergent_bug(int n, int *x) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < n) {
    __syncthreads();
    x[INDEX] = s[threadIdx.x];
  }
}
KERNEL early_exit_bug(int n, int *x) {
  if (INDEX >= n) return;
  x[INDEX] = 1;
  __syncthreads();
  x[INDEX] += 1;
}
KERNEL nested(int rounds, int *x) {
  extern __shared__ int s[];
  s[threadIdx.x] = 0;
  for (int i = 0; i < 4; i++) {
    __syncthreads();
    if (i < rounds) {
      if (threadIdx.x == i) s[0] = i;
      __syncthreads();
    }
  }
  __syncthreads();
  x[INDEX] = s[0];
}

// Atomics
KERNEL count(const int *in, int *total) {
  if (in[INDEX] > 0) atomicAdd(total, 1);
}
KERNEL count_bug(const int *in, int *total) {
  if (in[INDEX] > 0) *total += 1;
}
KERNEL histogram(const unsigned *in, int *bins) { atomicAdd(&bins[in[INDEX] % 16], 1); }
KERNEL histogram_bug(const unsigned *in, int *bins) { atomicAdd(&bins[in[INDEX] % 17], 1); }
KERNEL compact(const int *in, int *total, int *out) {
  if (in[INDEX] > 0) out[atomicAdd(total, 1)] = in[INDEX];
}
KERNEL compact_bug(const int *in, int *total, int *out) {
  if (in[INDEX] > 0) out[atomicAdd(total, 1) + 1] = in[INDEX];
}

// Assertions
KERNEL checked(int *x) {
  if (INDEX >= blockDim.x * gridDim.x) __trap();
  x[INDEX] = 0;
}
KERNEL checked_bug(int *x) {
  if (INDEX == 40) __trap();
  x[INDEX] = 0;
}
