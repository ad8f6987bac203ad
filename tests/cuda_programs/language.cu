// What the language becomes: calls, recursion, pointers to functions, switches, printf, malloc, textures,
// constants, volatile, managed and static variables.
// architectures: sm_75 sm_90
#include <cstdio>

__constant__ int table[8] = {1, 2, 3, 5, 8, 13, 21, 34};
__managed__ int shared_with_host;
__device__ int (*operation)(int);
static __device__ double total = 0.5;

struct Shape {
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float side;
  __device__ float area() const override { return side * side; }
};

__noinline__ __device__ int twice(int x) { return 2 * x; }
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__global__ void language(cudaTextureObject_t texture, cudaSurfaceObject_t surface, volatile int* flags, int n) {
  operation = twice;
  Square square;
  square.side = tex2D<float>(texture, 0.5f, 1.5f);
  const Shape* shape = &square;
  int* list = new int[n];
  switch (n) {
    case 0: list[0] = table[n]; break;
    case 1: list[0] = operation(n); break;
    case 2: list[0] = fibonacci(n); break;
    case 3: list[0] = __clz(n); break;
    case 4: list[0] = __brev(n) + __popcll(n); break;
    case 5: list[0] = clock64() + flags[n]; break;
    default: list[0] = static_cast<int>(shape->area());
  }
  printf("%d %f\n", list[0], total);
  surf2Dwrite(list[0], surface, 4, 5);
  shared_with_host = __shfl_sync(0xffffffff, list[0], 3);
  delete[] list;
}
