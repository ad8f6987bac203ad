#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <unordered_map>
#include <utility>

#include "semantics/language/barrier_phase.hpp"
#include "semantics/language/effects.hpp"
#include "semantics/language/memory_access.hpp"
#include "semantics/language/misuse.hpp"
#include "semantics/language/register_hazards.hpp"
#include "semantics/language/tensor_map.hpp"
#include "semantics/language/tensor_memory.hpp"
#include "semantics/language/thread_group.hpp"
#include "src/kernel/launch/finding.hpp"
#include "src/kernel/machine/tensor_accesses.hpp"
#include "src/kernel/machine/unwritten_bytes.hpp"
#include "src/kernel/module/launched_grids.hpp"
#include "src/kernel/module/passed_parameters.hpp"

namespace ptxmc::kernel {

struct RunOptions {
  std::optional<std::uint64_t> seed;  ///< empty: round robin
  std::uint64_t step_limit = 1'000'000'000;
};

/// An open call of a thread.
struct Frame {
  const LoadedFunction* function = nullptr;
  std::vector<Bits> registers;
  Target next = 0;
  std::uint64_t stack = 0;  ///< the stack pointer of alloca at entry
};

struct Cta;
struct Cluster;

/// Whether a thread repeats its states while no thread changes memory: after Brent, Information Processing
/// Letters 20 (1980), a state is compared with one that is kept, and replaced after ever more steps.
struct Repetition {
  std::uint64_t since = 0;  ///< the last change of memory: Schedule::last_change
  std::vector<Frame> kept;  ///< a state since then
  std::uint64_t steps = 0;  ///< of the thread since this state
  std::uint64_t most = 1;   ///< steps until the next state is kept
  bool is_found = false;    ///< the thread has been in this state again
};

/// The last mbarrier operation of a thread that has read an object: a test of a phase that is not complete.
struct FailedTest {
  std::uint64_t step = 0;
  const Allocation* memory = nullptr;
  std::uint64_t offset = 0;  ///< of the object in the memory, in bytes
  Bits word;                 ///< the object
};

struct Thread {
  enum class State : std::uint8_t { unstarted, running, waiting, ended };
  State state = State::running;
  Cta* cta = nullptr;
  std::uint32_t number = 0;  ///< number in its CTA
  int number_in_cluster = 0;
  std::array<PlaceInGroup, 3> places;  ///< by ThreadGroup
  std::vector<Frame> frames;
  AddressSpace local, parameters;                  ///< at the addresses of LoadedFunction
  AddressSpace stack_memory{first_stack_address};  ///< memory of alloca, also local memory
  std::uint64_t stack = first_stack_address;       ///< the address of the next alloca
  /// Computes the results of the instruction at which the thread waits, from the result of the barrier.
  std::function<Results(const Bits&)> after_barrier;
  std::function<Results(const ExchangedValues&)> after_exchange;
  std::vector<Bits> given;                       ///< the registers that it contributes to that exchange
  std::optional<std::uint32_t> converged;        ///< the lanes of an exchange without membermask
  std::optional<std::uint64_t> cluster_arrival;  ///< the phase of barrier.cluster at which it has arrived
  std::map<AsyncGroup, std::uint64_t> groups;    ///< the number of groups of asynchronous operations so far
  RegisterHazards hazards;                       ///< of asynchronous matrix products
  unsigned products = 0;                         ///< the number of matrix products that it has started
  Repetition repetition;
  std::optional<FailedTest> failed_test;
  bool knows_of_failed_request = false;  ///< see Effects
  std::uint64_t aligned_barriers = 0;    ///< the number of aligned barriers that it has executed

  const PlaceInGroup& place_in(ThreadGroup group) const { return places[static_cast<std::size_t>(group)]; }
};

/// What the threads of a group that meet have in common.
struct MeetingName {
  std::string_view instruction;        ///< with its qualifiers
  const Instruction* place = nullptr;  ///< with `.aligned` all threads execute the instruction at one place
  ThreadGroup group = ThreadGroup::warp;
  std::uint32_t mask = 0;  ///< the membermask; 0 for groups larger than a warp

  bool operator==(const MeetingName&) const = default;
};

/// A meeting of the threads of a group, at an exchange or at a barrier of a warp. Threads are numbered as in
/// Cluster::groups.
struct GroupMeeting {
  MeetingName name;
  std::uint32_t number = 0;               ///< of the group in the cluster: place_in
  std::vector<std::vector<int>> awaited;  ///< one unit: the threads of the group, or of the mask
  BarrierPhase phase;
};

/// The aligned barriers of a warp, in the order in which each of its threads must execute them.
struct AlignedBarriers {
  std::deque<ObjectUse> uses;
  std::uint64_t first = 0;  ///< the number of the first entry; all threads have passed the earlier barriers
};

/// Threads that wait until columns of tensor memory are free: one of the CTA, or one of each CTA of a pair.
struct TensorRequest {
  struct Waiting {
    Thread* thread = nullptr;
    std::function<Results(const Bits&)> after;
  };
  std::vector<Waiting> waiting;
  unsigned columns = 0;
};

/// The tensor memory of a CTA: PTX ISA 8.7 § 9.7.16.1.
struct TensorMemory {
  AddressSpace cells;                            ///< empty until columns are allocated
  std::map<unsigned, unsigned> allocations;      ///< by first column, the number of columns
  std::vector<TensorRequest> requests;           ///< that wait; of a pair, those of the even CTA
  std::optional<std::uint32_t> allocating_warp;  ///< its number in the CTA
  unsigned last_columns = tensor_columns;        ///< of the last allocation
  bool is_relinquished = false;                  ///< tcgen05.relinquish_alloc_permit
};

struct Cta {
  const LaunchedGrid* grid = nullptr;
  Dimensions index = {};
  std::uint32_t rank = 0;  ///< in its cluster
  Cluster* cluster = nullptr;
  AddressSpace shared;
  TensorMemory tensor;
  std::vector<std::unique_ptr<Thread>> threads;
  std::vector<std::vector<int>> warps;               ///< the numbers of their threads
  std::map<std::uint64_t, BarrierPhase> barriers;    ///< by number
  std::map<std::uint32_t, AlignedBarriers> aligned;  ///< by warp
  bool allows_dependents = false;                    ///< griddepcontrol.launch_dependents
};

/// Whether all threads of the CTA have ended.
bool has_ended(const Cta&);

/// CTAs that run together, by rank, and the phase of their barrier.
struct Cluster {
  std::vector<Cta*> ctas;
  using Groups = std::vector<std::vector<int>>;  ///< by number, then rank; threads are numbered CTA by CTA
  std::map<ThreadGroup, Groups> groups;

  std::vector<Thread*> threads;  ///< by number
  BarrierPhase barrier;
  std::uint64_t phase = 0;  ///< the number of completed phases
  std::vector<Thread*> waiting;
  std::vector<GroupMeeting> meetings;
  TensorAccesses tensor_accesses;
  bool starts_late = false;  ///< clusterlaunchcontrol.try_cancel may prevent that it starts
};

/// An asynchronous operation that has been started and not performed yet.
struct StartedOperation {
  Thread* thread = nullptr;
  std::vector<CallPlace> calls;  ///< the instruction that has started it
  const Instruction* instruction = nullptr;
  AsyncGroup group = AsyncGroup::none;
  std::uint64_t number = 0;  ///< of its group in the thread, from 1; 0: in no group yet
  AsyncGroup follows = AsyncGroup::none;
  std::uint64_t order = 0;  ///< of its start among all
  bool is_product = false;  ///< wgmma.mma_async: those of a thread are in order
  TensorAccesses::Operation on_tensor_memory =
      {};  ///< of tcgen05.st, mma, cp; commit: the last that it tracks
  std::function<void(Effects&)> perform;
};

struct AsynchronousOperations {
  std::vector<StartedOperation> started;        ///< and not performed, in the order of their starts
  std::uint64_t starts = 0;                     ///< the number of operations so far
  const StartedOperation* performed = nullptr;  ///< of the operation that is being performed
  TensorAccesses::Operation load{};             ///< the tcgen05.ld that is being performed
};

/// What the instruction that is executed has loaded so far.
struct Loaded {
  bool is_any_written = false;  ///< a byte that some thread, or the launch, has written
  bool lacks_some = false;      ///< a byte without a value
};

/// The grids of the launch, and which of them and of their clusters start when others run.
struct Grids {
  std::vector<LaunchedGrid> all;
  std::vector<bool> are_early;   ///< by grid: before its prerequisite has completed, if it may
  std::size_t held_back = 0;     ///< the number of clusters that start late and have not started
  std::vector<Thread*> waiting;  ///< the threads that wait at griddepcontrol.wait
};

/// The clusters, CTAs and threads of all grids.
struct Running {
  std::vector<std::unique_ptr<Cluster>> clusters;
  std::vector<std::unique_ptr<Cta>> ctas;
  std::vector<Thread*> threads;
};

/// Which thread has the next turn, and what has happened so far.
struct Schedule {
  std::mt19937_64 random;
  std::size_t turn = 0;
  std::uint64_t steps = 0;
  std::uint64_t last_change = 0;  ///< the last step that changed memory, or what a thread waits for
};

/// What a run shows beside the final memory; see the accessors of Machine.
struct Observed {
  std::vector<Finding> findings;
  std::set<std::string> assumed_zero;
  std::vector<TensorMap> tensor_maps;
};

/// Thrown to end the launch; the reason is the last finding.
struct LaunchEnded {};

/// The number of the warp of a thread among those of its cluster.
int warp_in_cluster(const Thread&);

/// Executes the kernels of a launch under one interleaving with one sequentially consistent memory.
class Machine final : public Effects {
 public:
  /// The parameters are written to the first frame of every thread. `print` takes what vprintf prints.
  Machine(LoadedModule&, const Launch&, const RunOptions&, std::function<void(const std::string&)> print);
  ~Machine() override;

  /// Runs until all threads have ended, or until a finding ends the launch.
  void run();

  const std::vector<Finding>& findings() const { return observed_.findings; }
  std::uint64_t steps() const { return schedule_.steps; }
  /// Variables of the module that were read as 0 by default (zero_by_default), by name.
  const std::set<std::string>& assumed_zero() const { return observed_.assumed_zero; }
  /// The contents of the tensor maps that asynchronous operations have read, in the order of the operations.
  const std::vector<TensorMap>& tensor_maps() const { return observed_.tensor_maps; }
  /// The buffer of a parameter; null if the parameter is not a buffer.
  const Allocation* buffer(std::size_t parameter);

  Bits read(const Access&, const Bits& address, unsigned width) override;
  void write(const Access&, const Bits& address, const Bits& value) override;
  Bits read_modify_write(const Access&, const Bits& address, unsigned width,
                         const std::function<Update(const Bits&)>& update) override;
  void fence(const Fence&) override {}
  void wait(const Wait&) override;
  void use(const ObjectUse&) override;
  void start(const AsyncOperation&, std::function<void(Effects&)> perform) override;
  void for_each_content(std::span<const Bits> words, const ContentUse& perform) override;
  Results start_with_results(const AsyncOperation&, const std::function<Results(Effects&)>& perform) override;
  void fence_tensor_operations(bool is_before) override;
  Results allocate_tensor_memory(const Bits& columns, unsigned ctas,
                                 std::function<Results(const Bits&)> after) override;
  void free_tensor_memory(const Bits& address, const Bits& columns, unsigned ctas) override;
  void end_tensor_allocations() override { thread_->cta->tensor.is_relinquished = true; }
  std::uint32_t thread_number() override { return thread_->number; }
  Results start_on_registers(const AsyncOperation&,
                             std::function<Results(Effects&, std::span<const Bits>)> perform) override;
  void fence_registers() override { thread_->hazards.fence(); }
  void commit_group(AsyncGroup) override;
  void wait_group(AsyncGroup, std::uint64_t most, bool only_reads) override;
  Results await_barrier(const Barrier&, std::function<Results(const Bits&)> after) override;
  Results await_exchange(const Exchange&, std::function<Results(const ExchangedValues&)> after) override;
  void launch_dependents() override;
  CancelledCluster cancel_cluster() override;
  void learn_response(const Bits& succeeds) override {
    thread_->knows_of_failed_request = thread_->knows_of_failed_request || succeeds.is_false();
  }
  Bits knows_of_failed_request() override { return Bits::boolean(thread_->knows_of_failed_request); }
  std::uint32_t ctas_of_cluster() override {
    return static_cast<std::uint32_t>(thread_->cta->cluster->ctas.size());
  }
  std::vector<Bits> replicas(const Bits& address) override { return replicas_of(passed_.multimem, address); }
  Bits stack_pointer() override { return Bits(64, thread_->stack); }
  void set_stack_pointer(const Bits&) override;
  Bits allocate_on_stack(const Bits& size, const Bits& alignment) override;
  Bits address_in_cta(const Bits& address, const Bits& rank) override {
    return ptxmc::address_in_cta(address, rank);
  }
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
  Finding finding_here(const std::string& kind, const std::string& message) const;
  void note(const std::string& kind, const std::string& message);
  void note(Finding);
  [[noreturn]] void end_launch(const std::string& kind, const std::string& message);
  void end_if_misused(UsePair, const ObjectUse& own, const ObjectUse* other);
  std::vector<CallPlace> open_calls() const;
  void report_deadlock();
  std::string unfinished_phase(const Thread&) const;
  /// Memory has changed, or whether a thread goes on.
  void note_change() { schedule_.last_change = schedule_.steps; }
  bool is_quiet() const;
  bool compare_states(Thread&);
  bool all_repeat() const;
  void set_special_registers(Frame&);
  void set_clocks(Frame&);
  Bits special_value(const syntax::LoweredRegister&) const;
  void go_on(Thread&, const std::function<Results()>& after);
  // machine_memory.cpp
  Allocation& find(const Access&, const Bits& address, unsigned width, bool writes);
  AddressSpace& shared_memory(StateSpace, std::uint64_t address);
  Bits read_from(Allocation&, const Access&, const Bits& address, unsigned width);
  bool may_copy(const Access&) const;
  void write_copy(Allocation&, std::uint64_t place, const Bits& value);
  void end_if_mbarrier_is_misused(const Allocation&, const Access&, std::uint64_t offset, std::uint64_t size,
                                  bool writes);
  // machine_registers.cpp
  const RegisterUse& use_of_registers(const Instruction&);
  Bits use(const Bits&);
  void use_operands(const Instruction&, std::vector<Bits>& registers);
  void use_results(const Instruction&, std::vector<Bits>& registers);
  // machine_asynchronous.cpp
  void end_if_register_is_busy(const Instruction&);
  void finish_products(const Thread&);
  void perform(std::size_t number);
  void perform_all(const std::function<bool(const StartedOperation&)>& is_wanted);
  void perform_some();
  // machine_tensor_memory.cpp
  AddressSpace& tensor_memory(std::uint64_t address, bool writes);
  void allocate_columns(Cta& first, unsigned ctas);
  void end_if_misused(Misuse, bool is_misused);
  void note_tensor_operation(StartedOperation&);
  void end_if_tensor_access_is_unordered(std::uint64_t address, bool writes);
  void end_if_tensor_memory_is_left(const Cta&);
  // machine_barriers.cpp
  static Participants participants(std::span<const std::vector<int>> units, const Cta&);
  static Participants participants(std::span<const std::vector<int>> units, const Cluster&);
  void advance(BarrierPhase&, Cta&);
  void release(const std::vector<Arrival>&, Cta&);
  void note_aligned_barrier(const ObjectUse&);
  void note_end_without_barrier();
  Results wait_at_barrier(std::function<Results(const Bits&)> after);
  void arrive_at_cluster_barrier();
  Results cluster_barrier(const Barrier&, std::function<Results(const Bits&)> after);
  void advance_cluster_barrier(Cluster&);
  // machine_grids.cpp
  bool has_completed(int grid) const;
  bool may_start(int grid) const;
  void hold_back_clusters();
  std::vector<Cluster*> unstarted_clusters(const LaunchedGrid*) const;
  bool start_held_back_cluster();
  void advance_grids();
  Results wait_for_prerequisite(std::function<Results(const Bits&)> after);
  // machine_exchange.cpp
  std::uint32_t converged_lanes();
  GroupMeeting& meeting_of(const MeetingName&);
  void meet(const MeetingName&);
  std::optional<std::vector<Arrival>> advance(GroupMeeting&, const Cluster&);
  void advance_meetings(Cluster&, const Thread&);
  void release_group(ThreadGroup, const std::vector<Arrival>&, const Cluster&);
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

  LoadedModule& module_;
  const Launch& launch_;
  RunOptions options_;
  std::function<void(const std::string&)> print_;
  Schedule schedule_;
  Grids grids_;
  PassedParameters passed_;
  Running running_;
  AddressSpace heap_{first_heap_address, 256};
  AsynchronousOperations asynchronous_;
  Thread* thread_ = nullptr;  ///< that executes an instruction
  Loaded loaded_;
  UnwrittenBytes unwritten_;
  std::unordered_map<const Instruction*, RegisterUse> register_uses_;
  Observed observed_;
};

}  // namespace ptxmc::kernel
