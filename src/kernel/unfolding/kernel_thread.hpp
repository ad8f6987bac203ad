#pragma once

#include <memory>
#include <utility>

#include "semantics/language/memory_access.hpp"
#include "semantics/language/misuse.hpp"
#include "solver/meetings/departures.hpp"
#include "solver/unfolding/thread_unfolder.hpp"
#include "src/kernel/module/called_function.hpp"
#include "src/kernel/module/passed_parameters.hpp"
#include "src/kernel/module/special_register_values.hpp"
#include "src/kernel/unfolding/cancel_request.hpp"
#include "src/kernel/unfolding/departing_code.hpp"
#include "src/kernel/unfolding/group_meetings.hpp"
#include "src/kernel/unfolding/launch_memory.hpp"
#include "src/kernel/unfolding/launch_part.hpp"
#include "src/kernel/unfolding/tensor_allocations.hpp"
#include "src/kernel/unfolding/tensor_map_contents.hpp"
#include "src/kernel/unfolding/warpgroup_instructions.hpp"

namespace ptxmc::kernel {

/// A function at one depth of calls, ready to be unfolded.
struct KernelFunction : FunctionBody {
  const LoadedFunction* loaded = nullptr;
};

/// How long the CTAs of clusters exist, as far as the previous round has determined.
struct ClusterEnds {
  struct Cta {
    unsigned waits = 0;  ///< one of its threads waits at barrier.cluster at least so often before it ends
    friend bool operator==(const Cta&, const Cta&) = default;
  };
  std::vector<Cta> known, now;  ///< by CTA

  bool take_changed() { return std::exchange(known, now) != now; }
};

/// State that the threads of a launch share while they are unfolded.
struct UnfoldingLaunch {
  LoadedModule& module;
  LaunchMemory& memory;
  GroupMeetings& meetings;
  ClusterEnds& clusters;
  std::vector<CancelRequest>& requests;
  TensorMapContents& tensor_maps;
  TensorAllocations& tensor_memory;
  WarpgroupInstructions& warpgroups;
  std::map<const LoadedFunction*, std::unique_ptr<KernelFunction>> functions = {};
  std::vector<std::shared_ptr<const PrivateBlock>> constants = {};  ///< constant memory
  /// By address of constant memory that is zero_by_default: whether some thread reads it (width 1).
  std::map<std::uint64_t, Bits> zero_constants = {};
  std::vector<MultimemRange> multimem = {};
  /// Departures are left out: the code that begins them, and where they are noted.
  DepartingCodes* departing_codes = nullptr;
  std::vector<Departure>* departures = nullptr;

  /// The analysis of a function, computed once for all threads.
  const KernelFunction& function(const LoadedFunction&);
};

/// The position of a thread in the launch, and its parameters.
struct KernelThreadStart {
  const syntax::Function* entry = nullptr;
  ThreadContext context;
  CtaPlace place;
  int cta = 0;                                  ///< its number in the launch
  std::vector<std::vector<Bits>> parameters;    ///< by parameter, its bytes
  std::optional<FollowedThread> followed = {};  ///< in a part of a launch
  const Instruction* first = nullptr;           ///< is executed before the kernel; null: none
};

/// Unfolds one thread of a kernel, with calls, private memory and special registers.
class KernelThread : public ThreadUnfolder {
 public:
  KernelThread(EventStructure&, TermGraph&, int thread, const UnfoldOptions&, UnfoldingLaunch&,
               const KernelThreadStart&);
  void run();

 protected:
  Place locate(const Access&, const Bits& address, unsigned size, bool writes) override;
  Bits settled_value(const Place&, unsigned width) override;
  void run_instruction(Target node) override;
  /// The call instructions of the current path, and the current instruction.
  std::vector<const Instruction*> calls() const;

  UnfoldingLaunch& launch_;

 private:
  void recorded(const Event&, const Place&) override;
  void take_results() override;

  const LoadedFunction& loaded() const {
    return *static_cast<const KernelFunction*>(path_.frame().body)->loaded;
  }
  const syntax::Symbol& symbol(syntax::SymbolId id) const { return launch_.module.module().symbols[id]; }

  void call() override { call_at(node_); }
  void for_each_content(std::span<const Bits> words, const ContentUse& perform) override;
  ExchangedValues exchange(const Exchange&) override;
  Bits barrier(const Barrier&) override;
  void use(const ObjectUse& own) override { leave_if_misused(own, nullptr, Bits::boolean(true)); }
  Bits address_in_cta(const Bits& address, const Bits& rank) override {
    return ptxmc::address_in_cta(address, rank);
  }
  std::vector<Bits> replicas(const Bits& address) override { return replicas_of(launch_.multimem, address); }
  CancelledCluster cancel_cluster() override;
  void learn_response(const Bits& succeeds) override {
    path_.knows_of_failed_request = path_.knows_of_failed_request | ~succeeds;
  }
  Bits knows_of_failed_request() override { return path_.knows_of_failed_request; }
  std::uint32_t ctas_of_cluster() override {
    return static_cast<std::uint32_t>(volume(start_.context.cluster));
  }
  std::uint32_t thread_number() override;
  Bits value_of_read(const Place&, const Bits& read) override;
  void accessed_tensor_memory(const StartedOperation&) override;
  Results allocate_tensor_memory(const Bits& columns, unsigned ctas,
                                 std::function<Results(const Bits&)> after) override;
  void free_tensor_memory(const Bits& address, const Bits& columns, unsigned ctas) override;
  void end_tensor_allocations() override;
  void exit() override;
  Bits cta_rank() override { return Bits(32, start_.place.rank); }

  // kernel_thread.cpp
  void push_frame(Path&, const LoadedFunction&) const;
  void add_variables(Path&, const LoadedFunction&) const;
  Bits initial_register(const syntax::LoweredRegister&, bool may_be_read) const;
  void read_clocks();
  void divide();

  // kernel_thread_memory.cpp
  void add_piece(Place&, PieceId, unsigned size, bool writes) const;
  void add_own_block(Place&, const PrivateBlock&, unsigned size) const;
  void locate_open(Place&, StateSpace, unsigned size, bool writes) const;
  void locate_constant(Place&, StateSpace, unsigned size, bool writes) const;
  void note_zero_constants(const Place&);
  Bits is_not_freed(PieceId) const;
  bool may_outlive_cta(PieceId, bool writes) const;

  // kernel_thread_meetings.cpp
  unsigned lane() const { return launch_.meetings.groups().rank_of(ThreadGroup::warp, thread_); }
  Stop stop_at(const Exchange&);
  ExchangedValues exchange_with_active(const Exchange&);
  ExchangedValues exchange_in_warpgroup(const Exchange&);
  ExchangedValues wait_for_mask(const Exchange&);
  ExchangedValues alone(const Exchange&) const;
  ExchangedValues values_at(Stop&, bool& all_arrive);
  void meet(Stop, bool all_arrive);
  void stop_at(const Barrier&);
  void stop_following();
  void depart();
  std::uint64_t location_of(const DepartingCode::Place&, unsigned size);
  void note_end();

  // kernel_thread_tensor.cpp
  void note_tensor_access(const Event&);
  void use_of_tensor_memory(Misuse, const Bits& is_wrong);
  void add_tensor_memory(unsigned ctas);
  void wait_for_peer(TensorAllocations::Cta&, unsigned columns);
  void leave_out(const Bits& condition, const char* reason);
  std::optional<TensorColumns> allocated_columns(unsigned count);
  void wait_for_others_to_free(const TensorColumns&);
  void locate_tensor_memory(Place&);
  void note_open_free(const Bits& address, const Bits& columns);
  void set_allocated(const TensorColumns&, bool is_allocated);
  void leave_if_not_freed();

  // kernel_thread_calls.cpp
  void call_at(Target node);
  void call_function(const syntax::Function&, const syntax::LoweredCall&, Target node);
  void call_runtime(const syntax::Function&, const syntax::LoweredCall&);
  void call_indirectly(const syntax::LoweredCall&, Target node);
  std::vector<PrivateByte> passed_bytes(const syntax::PassedValue&, const syntax::PassedValue& wanted) const;
  Bits argument_value(const syntax::LoweredCall&, std::size_t index, unsigned width) const;
  void receive(const syntax::PassedValue&, const std::vector<PrivateByte>&);
  void give_result(const syntax::LoweredCall&, const Bits&);
  std::optional<std::string> string_at(const Bits& address) const;
  std::uint64_t largest_block(const Bits& size) const;
  void return_anything(const syntax::Function&, const syntax::LoweredCall&);
  void allocate(const syntax::LoweredCall&);
  void free(const syntax::LoweredCall&);
  void stack_instruction();

  const KernelThreadStart& start_;
  Target node_ = 0;  // of the current instruction
  unsigned heap_blocks_ = 0;
  std::set<std::uint64_t> accessed_units_;  // of tensor memory, by the current operation: addresses of states
  std::optional<std::uint64_t> allocated_;  // the address that tcgen05.alloc writes now
  std::vector<TensorColumns> allocations_;  // of this thread
  unsigned last_columns_ = tensor_columns;  // of its last allocation
};

}  // namespace ptxmc::kernel
