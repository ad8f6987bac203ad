
// ---- values ----

/// A number of a floating-point format, from its bits.
double number(long long bits, Format format) {
  switch (format) {
    case Format::f64: {
      double value;
      std::memcpy(&value, &bits, sizeof value);
      return value;
    }
    case Format::bf16:
      bits <<= 16;
      [[fallthrough]];
    case Format::f32: {
      float value;
      std::memcpy(&value, &bits, sizeof value);
      return value;
    }
    case Format::f16: {
      const int exponent = static_cast<int>(bits >> 10 & 31), fraction = static_cast<int>(bits & 1023);
      const double sign = bits >> 15 & 1 ? -1 : 1;
      if (exponent == 31) return fraction == 0 ? sign * HUGE_VAL : NAN;
      return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
    }
    case Format::integer:
      break;
  }
  return static_cast<double>(bits);
}

/// The value of an element in memory, with 64 bits.
long long element(const char* place, std::size_t size, bool is_signed) {
  unsigned long long value = 0;
  std::memcpy(&value, place, size);
  if (is_signed && size < 8) {
    const unsigned unused = 64 - 8 * static_cast<unsigned>(size);
    return static_cast<long long>(value << unused) >> unused;
  }
  return static_cast<long long>(value);
}

/// An address in the memory of an execution becomes the address of the same variable in the test.
long long without_placement(long long value, unsigned long long memory) {
  for (const Variable& variable : variables) {
    const unsigned long long distance = static_cast<unsigned long long>(value) - memory - variable.offset;
    if (distance < variable.size) return variable.address + static_cast<long long>(distance);
  }
  return value;
}

// ---- one launch ----

/// What a cluster of CTAs does: a part of an execution of the test, or stress.
struct Role {
  int execution;  ///< -1: stress
  int cluster;    ///< of the test
};

struct Launch {
  const Role* roles;  ///< by cluster
  char* global;       ///< by execution: global_bytes
  long long* registers;
  char* shared;                ///< by execution, cluster and rank: shared_bytes, for final values
  unsigned* arrived;           ///< by execution: threads that are ready
  unsigned* ended;             ///< by CTA: threads that have ended
  const unsigned* delays;      ///< by execution and thread
  unsigned* scratch;           ///< that stress accesses
  unsigned scratch_words, stress_steps, patience;
};

__device__ void stress(const Launch& launch) {
  unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) * 97u;
  for (unsigned i = 0; i < launch.stress_steps; ++i) {
    volatile unsigned* const word = &launch.scratch[at % launch.scratch_words];
    if (i % 3 == 0)
      *word = at;
    else
      at += *word + 1;
    at = at * 1664525u + 1013904223u;
  }
}

__device__ void store(char* place, std::size_t size, unsigned long long value) {
  for (std::size_t i = 0; i < size; ++i) place[i] = static_cast<char>(value >> 8 * i);
}

__device__ void initialise_mbarrier(char* object, unsigned count) {
  const auto place = static_cast<unsigned>(__cvta_generic_to_shared(object));
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(place), "r"(count) : "memory");
}

/// All threads of the cluster that are there meet, and see the initial values.
__device__ void meet() {
  if (cluster_size == 1) {
    __syncthreads();
    return;
  }
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("barrier.cluster.arrive.release;\n barrier.cluster.wait.acquire;" ::: "memory");
#endif
}

__global__ void run_test(Launch launch) {
  __shared__ __align__(1024) char shared[shared_bytes == 0 ? 1 : shared_bytes];
  const int rank = static_cast<int>(blockIdx.x) % cluster_size;
  const Role role = launch.roles[blockIdx.x / cluster_size];
  if (role.execution < 0) return stress(launch);
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  int own = -1, in_cta = 0;
  for (int i = 0; i < threads; ++i) {
    const Place place = place_of_thread[i];
    if (place.cluster != role.cluster || place.rank != rank) continue;
    ++in_cta;
    if (place.warp == warp && place.lane == lane) own = i;
  }
  if (own < 0) return;
  bool is_first = true;
  for (int i = 0; i < own; ++i)
    is_first = is_first && (place_of_thread[i].cluster != role.cluster || place_of_thread[i].rank != rank);
  if (is_first) initialise_shared(role.cluster, rank, shared);
  meet();
  // The threads of the execution begin together, if they run at the same time.
  volatile unsigned* const arrived = &launch.arrived[role.execution];
  atomicAdd(&launch.arrived[role.execution], 1);
  for (unsigned i = 0; i < launch.patience && *arrived < threads; ++i) {
  }
  const std::size_t execution = static_cast<std::size_t>(role.execution);
  for (volatile unsigned i = launch.delays[execution * threads + static_cast<std::size_t>(own)]; i > 0; i = i - 1) {
  }
  run_thread(own, launch.global + execution * global_bytes, shared, launch.registers + execution * (values + 1));
  __threadfence();
  // The last thread of the CTA saves the final values in shared memory.
  if (atomicAdd(&launch.ended[blockIdx.x], 1) + 1 < static_cast<unsigned>(in_cta)) return;
  __threadfence();
  const std::size_t cta = (execution * clusters + static_cast<std::size_t>(role.cluster)) * cluster_size +
                          static_cast<std::size_t>(rank);
  for (std::size_t i = 0; i != shared_bytes; ++i) launch.shared[cta * shared_bytes + i] = shared[i];
}

// ---- many launches ----

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s: %s\n", test_name, what, cudaGetErrorString(status));
  std::exit(2);
}

template <typename T>
T* on_gpu(std::size_t count) {
  T* memory = nullptr;
  check(cudaMalloc(&memory, std::max<std::size_t>(count, 1) * sizeof(T)), "memory of the GPU");
  return memory;
}

template <typename T>
void to_gpu(T* gpu, const std::vector<std::remove_const_t<T>>& host) {
  check(cudaMemcpy(const_cast<std::remove_const_t<T>*>(gpu), host.data(), host.size() * sizeof(T),
                   cudaMemcpyHostToDevice),
        "copy to the GPU");
}

template <typename T>
void from_gpu(std::vector<T>& host, const T* gpu) {
  check(cudaMemcpy(host.data(), gpu, host.size() * sizeof(T), cudaMemcpyDeviceToHost), "copy from the GPU");
}

struct Settings {
  unsigned long runs = 1000;  ///< launches
  unsigned seed = 1;
  unsigned blocks = 0;  ///< 0: as many as the GPU has multiprocessors
};

class Runs {
 public:
  explicit Runs(const Settings& settings) : random_(settings.seed) {
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0), "properties of the GPU");
    std::printf("// GPU %s, seed %u\n", properties.name, settings.seed);
    const unsigned blocks = settings.blocks != 0 ? settings.blocks : static_cast<unsigned>(properties.multiProcessorCount);
    places_ = std::max<std::size_t>(blocks / cluster_size, clusters);
    executions_ = std::max<std::size_t>(places_ * 3 / 4 / clusters, 1);  // the other CTAs stress memory
    launch_.roles = on_gpu<Role>(places_);
    launch_.global = on_gpu<char>(executions_ * global_bytes);
    launch_.registers = on_gpu<long long>(executions_ * (values + 1));
    launch_.shared = on_gpu<char>(executions_ * clusters * cluster_size * shared_bytes);
    launch_.arrived = on_gpu<unsigned>(executions_);
    launch_.ended = on_gpu<unsigned>(places_ * cluster_size);
    launch_.delays = on_gpu<unsigned>(executions_ * threads);
    launch_.scratch_words = 1u << 16;
    launch_.scratch = on_gpu<unsigned>(launch_.scratch_words);
    make_initial_memory();
  }

  void run() {
    prepare();
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(static_cast<unsigned>(places_ * cluster_size));
    config.blockDim = dim3(warps * 32);
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {cluster_size, 1, 1};
    config.attrs = &cluster;
    config.numAttrs = cluster_size > 1 ? 1 : 0;
    check(cudaLaunchKernelEx(&config, run_test, launch_), "launch");
    check(cudaDeviceSynchronize(), "execution");
    collect();
  }

  const std::map<std::vector<long long>, unsigned long long>& histogram() const { return histogram_; }

 private:
  /// The global memory of all executions before the threads start.
  void make_initial_memory() {
    initial_.assign(executions_ * global_bytes, 0);
    for (std::size_t i = 0; i < executions_; ++i)
      for (const Initial& one : initial_values) {
        const auto base = reinterpret_cast<unsigned long long>(launch_.global + i * global_bytes);
        const unsigned long long value = one.value + (one.is_address ? base : 0);
        std::memcpy(&initial_[i * global_bytes + one.offset], &value, one.size);
      }
  }

  void prepare() {
    to_gpu(launch_.global, initial_);
    check(cudaMemset(launch_.arrived, 0, executions_ * sizeof(unsigned)), "memset");
    check(cudaMemset(launch_.ended, 0, places_ * cluster_size * sizeof(unsigned)), "memset");
    std::vector<Role> roles(places_, Role{-1, 0});
    for (std::size_t i = 0; i < executions_ * clusters; ++i)
      roles[i] = {static_cast<int>(i / clusters), static_cast<int>(i % clusters)};
    std::shuffle(roles.begin(), roles.end(), random_);
    to_gpu(launch_.roles, roles);
    std::vector<unsigned> delays(executions_ * threads);
    const unsigned longest = 1u << random_() % 8;
    for (unsigned& delay : delays) delay = random_() % longest;
    to_gpu(launch_.delays, delays);
    launch_.stress_steps = random_() % 2 == 0 ? 0 : 1u << random_() % 12;
    launch_.patience = 1u << 16;
  }

  void collect() {
    std::vector<char> global(executions_ * global_bytes),
        shared(executions_ * clusters * cluster_size * shared_bytes);
    std::vector<long long> registers(executions_ * (values + 1));
    from_gpu(global, launch_.global);
    from_gpu(shared, launch_.shared);
    from_gpu(registers, launch_.registers);
    for (std::size_t i = 0; i < executions_; ++i) {
      std::vector<long long> state;
      for (std::size_t k = 0; k < shown_values.size(); ++k) {
        const Shown& shown = shown_values[k];
        const char* const place = shown.kind == Kind::in_global
                                      ? &global[i * global_bytes]
                                      : shared.data() + i * clusters * cluster_size * shared_bytes;
        const long long value = shown.kind == Kind::in_register
                                    ? registers[i * (values + 1) + k]
                                    : element(place + shown.offset, shown.size, shown.is_signed);
        state.push_back(shown.format == Format::integer
                            ? without_placement(value, reinterpret_cast<unsigned long long>(
                                                           launch_.global + i * global_bytes))
                            : value);
      }
      if (satisfies_filter(state)) ++histogram_[state];
    }
  }

  Launch launch_ = {};
  std::size_t places_, executions_;  ///< clusters of the grid; executions of the test in a launch
  std::vector<char> initial_;
  std::mt19937 random_;
  std::map<std::vector<long long>, unsigned long long> histogram_;
};

// ---- the report ----

std::string text_of(const std::vector<long long>& state) {
  std::string text;
  for (std::size_t i = 0; i < state.size(); ++i) {
    char value[32];
    std::snprintf(value, sizeof value, shown_values[i].format != Format::integer ? "%#llx" : shown_values[i].is_signed ? "%lld" : "%llu", state[i]);
    text += (i == 0 ? "" : " ") + std::string(shown_values[i].name) + "=" + value + ";";
  }
  return text;
}

/// Prints the histogram as litmus7 does. Returns the number of observed states that the model does not allow.
unsigned report(const std::map<std::vector<long long>, unsigned long long>& histogram) {
  unsigned not_allowed = 0;
  unsigned long long satisfying = 0, others = 0;
  std::printf("Test %s %s\nHistogram (%zu states)\n", test_name, test_kind, histogram.size());
  for (const auto& [state, count] : histogram) {
    const auto allowed = allowed_states.find(state);
    const bool is_allowed = allowed != allowed_states.end(), satisfies = satisfies_condition(state);
    (satisfies ? satisfying : others) += count;
    if (!is_allowed && all_states_are_known) ++not_allowed;
    std::printf("%-10llu%s%s%s\n", count, satisfies ? "*>" : ":>", is_allowed ? allowed->second : text_of(state).c_str(),
                is_allowed || !all_states_are_known ? "" : "  (not allowed)");
  }
  const bool holds = quantifier == Quantifier::exists       ? satisfying > 0
                     : quantifier == Quantifier::not_exists ? satisfying == 0
                                                            : others == 0;
  std::printf("%s\nWitnesses\nPositive: %llu, Negative: %llu\nCondition %s\n", holds ? "Ok" : "No",
              quantifier == Quantifier::not_exists ? others : satisfying,
              quantifier == Quantifier::not_exists ? satisfying : others, question);
  std::printf("Observation %s %s %llu %llu\n", test_name,
              satisfying == 0 ? "Never" : others == 0 ? "Always" : "Sometimes", satisfying, others);
  std::size_t observed = 0;
  for (const auto& [state, text] : allowed_states) observed += histogram.count(state);
  std::printf("Model %s allows %zu%s states: %zu of them observed, %u others observed\n", model_name,
              allowed_states.size(), all_states_are_known ? "" : " or more", observed, not_allowed);
  return not_allowed;
}

}  // namespace litmus

/// Exit status: 0 every observed state is allowed, 1 some is not, 2 wrong arguments or no GPU.
int main(int argc, char** argv) {
  litmus::Settings settings;
  for (int i = 1; i < argc; i += 2) {
    const std::string flag = argv[i];
    char* end = nullptr;
    const unsigned long value = i + 1 < argc ? std::strtoul(argv[i + 1], &end, 10) : 0;
    const bool is_number = end != nullptr && end != argv[i + 1] && *end == '\0';
    if (is_number && flag == "--runs") {
      settings.runs = value;
    } else if (is_number && flag == "--seed") {
      settings.seed = static_cast<unsigned>(value);
    } else if (is_number && flag == "--blocks") {
      settings.blocks = static_cast<unsigned>(value);
    } else {
      std::fprintf(stderr, "usage: %s [--runs N] [--seed N] [--blocks N]\n", argv[0]);
      return 2;
    }
  }
  litmus::Runs runs(settings);
  for (unsigned long i = 0; i < settings.runs; ++i) runs.run();
  return litmus::report(runs.histogram()) == 0 ? 0 : 1;
}
