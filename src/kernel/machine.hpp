#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <utility>

#include "semantics/effects.hpp"
#include "semantics/misuse.hpp"
#include "src/kernel/finding.hpp"
#include "src/kernel/launched_grids.hpp"
#include "src/kernel/passed_parameters.hpp"

namespace ptxmc::kernel {

struct RunOptions {
  std::optional<std::uint64_t> seed;  ///< none: round robin
  std::uint64_t step_limit = 1'000'000'000;
};

/// A call that a thread is in.
struct Frame {
  const LoadedFunction* function = nullptr;
  std::vector<Bits> registers;
  Target next = 0;
  std::uint64_t stack = 0;  ///< of alloca, at entry
};

struct Cta;
struct Cluster;

struct Thread {
  enum class State : std::uint8_t { running, waiting, ended };
  State state = State::running;
  Cta* cta = nullptr;
  std::uint32_t number = 0;  ///< in its CTA
  std::vector<Frame> frames;
  AddressSpace local, parameters;                  ///< at the addresses of LoadedFunction
  AddressSpace stack_memory{first_stack_address};  ///< of alloca, local memory too
  std::uint64_t stack = first_stack_address;       ///< where alloca allocates next
  std::optional<Bits> barrier_result;  ///< of a barrier that it has passed and whose instruction is not done
  std::unique_ptr<Lanes> exchanged;    ///< of an exchange that is complete, its instruction is not done
  std::optional<std::uint32_t> converged;        ///< lanes of an exchange without membermask to be met
  std::optional<std::uint64_t> cluster_arrival;  ///< phase of barrier.cluster to be waited for
  std::uint64_t aligned_barriers = 0;            ///< how many it has executed
  bool waits_for_cluster = false;                ///< at barrier.cluster.wait
};

/// A barrier of a CTA: § 9.7.13.1.
struct BarrierState {
  struct Arrival {
    std::uint32_t thread = 0;
    bool predicate = false;
    Barrier::Kind kind = Barrier::Kind::sync;
    bool is_aligned = false;
  };
  /// By warp: of threads whose warp has not arrived, because others of it are missing.
  std::map<std::uint32_t, std::vector<Arrival>> pending;
  std::vector<Arrival> counted;  ///< in this phase
  std::uint64_t arrivals = 0;    ///< a warp counts as 32
  std::uint64_t count = 0;       ///< threads wanted; 0: all warps of the CTA
};

/// Threads of a warp that exchange values.
struct ExchangeState {
  std::string_view instruction;
  std::uint32_t warp = 0, mask = 0;
  std::map<std::uint32_t, Bits> values;  ///< by lane, of those that are there
};

/// The aligned barriers of a warp, in the order in which each of its threads is to execute them.
struct AlignedBarriers {
  struct Place {
    const LoadedFunction* function = nullptr;
    Target at = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };
  std::deque<Place> places;
  std::uint64_t first = 0;  ///< number of the first place, those before it being past for all
};

struct Cta {
  const LaunchedGrid* grid = nullptr;
  Dimensions index = {};
  std::uint32_t rank = 0;  ///< in its cluster
  Cluster* cluster = nullptr;
  AddressSpace shared;
  std::vector<std::unique_ptr<Thread>> threads;
  std::map<std::uint64_t, BarrierState> barriers;    ///< by number
  std::map<std::uint32_t, AlignedBarriers> aligned;  ///< by warp
  std::vector<ExchangeState> exchanges;
};

/// CTAs that run together, by rank, and the phase of their barrier.
struct Cluster {
  std::vector<Cta*> ctas;
  std::uint64_t phase = 0;
  std::set<const Thread*> arrived;  ///< in this phase
};

/// Thrown where the launch ends: what ended it is the last finding.
struct LaunchEnded {};
/// Thrown by an instruction that waits: it is executed again when its barrier is complete.
struct Blocked {};

/// Executes the kernels of a launch under one interleaving with one sequentially consistent memory.
class Machine final : public Effects {
 public:
  /// The parameters are written to the first frame of every thread. `print` takes what vprintf prints.
  Machine(LoadedModule&, const Launch&, const RunOptions&, std::function<void(const std::string&)> print);
  ~Machine() override;

  /// Until all threads have ended, or something ends the launch.
  void run();

  const std::vector<Finding>& findings() const { return findings_; }
  std::uint64_t steps() const { return steps_; }
  /// Variables of the module that were read as 0 by default (zero_by_default), by name.
  const std::set<std::string>& assumed_zero() const { return assumed_zero_; }
  /// The buffer of a parameter; null for one that is none.
  const Allocation* buffer(std::size_t parameter);

  Bits read(const Access&, const Bits& address, unsigned width) override;
  void write(const Access&, const Bits& address, const Bits& value) override;
  Bits read_modify_write(const Access&, const Bits& address, unsigned width,
                         const std::function<Update(const Bits&)>& update) override;
  void fence(const Fence&) override {}
  Bits barrier(const Barrier&) override;
  Lanes exchange(const Exchange&) override;
  Bits stack_pointer() override { return Bits(64, thread_->stack); }
  void set_stack_pointer(const Bits&) override;
  Bits allocate_on_stack(const Bits& size, const Bits& alignment) override;
  Bits cta_rank() override { return Bits(32, thread_->cta->rank); }
  Bits unspecified(unsigned width) override { return Bits(width, 0); }
  void jump(Target target) override { frame().next = target; }
  void jump_indexed(const Bits& index, std::span<const Target> targets) override;
  void call() override;
  void ret() override;
  void exit() override;
  [[noreturn]] void trap() override;

 private:
  // machine.cpp
  void make_cta(const LaunchedGrid&, std::uint64_t number);
  void make_thread(Cta&);
  void step(Thread&);
  void execute_in(Frame&, const Instruction&);
  Thread* choose();
  Frame& frame() { return thread_->frames.back(); }
  void note(const std::string& kind, const std::string& message);
  [[noreturn]] void end_launch(const std::string& kind, const std::string& message);
  void end_if_misused(const Bits& is_misused, Misuse);
  void report_deadlock();
  // machine_memory.cpp
  Allocation& find(const Access&, const Bits& address, unsigned width, bool writes);
  AddressSpace& shared_memory(StateSpace, std::uint64_t address);
  Bits read_from(Allocation&, const Bits& address, unsigned width);
  // machine_barriers.cpp
  bool count_warp(BarrierState&, std::uint32_t warp);
  bool is_complete(const BarrierState&, const Cta&) const;
  void release(BarrierState&, Cta&);
  void look_at_barriers(Cta&, std::uint32_t warp);
  void note_aligned_barrier();
  void note_end_without_barrier();
  void cluster_barrier(const Barrier&);
  void look_at_cluster_barrier(Cluster&);
  // machine_exchange.cpp
  std::uint32_t converged_lanes();
  bool is_complete(const ExchangeState&) const;
  void complete(const ExchangeState&);
  void look_at_exchanges(Cta&);
  // machine_calls.cpp
  void enter(const syntax::Function&);
  void leave();
  void call_runtime(const syntax::Function&, const syntax::LoweredCall&);
  void free(std::uint64_t address);
  std::vector<std::uint8_t> passed_bytes(const Frame&, const syntax::PassedValue&,
                                         const syntax::PassedValue& wanted);
  void receive(Frame&, const syntax::PassedValue&, const std::vector<std::uint8_t>&);
  void print_formatted(std::uint64_t format, std::uint64_t arguments);
  std::string string_at(std::uint64_t address);
  Bits generic_read(std::uint64_t address, unsigned width);
  // special_register_values.cpp
  void set_special_registers(Frame&);
  void set_clocks(Frame&);
  std::uint64_t special_value(const syntax::LoweredRegister&) const;

  LoadedModule& module_;
  const Launch& launch_;
  RunOptions options_;
  std::function<void(const std::string&)> print_;
  std::mt19937_64 random_;
  std::vector<LaunchedGrid> grids_;
  PassedParameters passed_;
  std::vector<std::unique_ptr<Cluster>> clusters_;
  std::vector<std::unique_ptr<Cta>> ctas_;
  std::vector<Thread*> threads_;
  AddressSpace heap_{first_heap_address, 256};
  Thread* thread_ = nullptr;
  std::size_t turn_ = 0;
  std::uint64_t steps_ = 0;
  std::vector<Finding> findings_;
  std::set<std::string> assumed_zero_;
};

}  // namespace ptxmc::kernel
