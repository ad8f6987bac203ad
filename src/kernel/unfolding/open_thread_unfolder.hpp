#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "solver/threads/loop_induction.hpp"
#include "solver/threads/open_thread.hpp"
#include "src/kernel/unfolding/kernel_thread.hpp"

namespace ptxmc::kernel {

/// The values of memory that no thread writes, by location and width: an unknown for each.
using UnwrittenValues = std::map<std::pair<std::uint64_t, unsigned>, Bits>;

/// A loop: the number of its function, and its head.
using LoopName = std::pair<unsigned, Target>;

/// How a loop is unfolded.
enum class LoopTreatment : std::uint8_t {
  iterations,    ///< its iterations are unfolded one after the other
  induction,     ///< one iteration of any stands for all
  no_induction,  ///< iterations, since nothing is known of any iteration
};
using LoopTreatments = std::map<LoopName, LoopTreatment>;

/// Thrown if the thread must be unfolded once more, with other treatments of loops.
struct UnfoldAgain {};

/// Unfolds the open thread of a launch. Other threads are represented by unknowns. What can make threads wait
/// for each other, except barriers and exchanges of all threads of a CTA or warp, is unsupported.
class OpenThreadUnfolder final : public KernelThread {
 public:
  OpenThreadUnfolder(OpenThread& thread, TermGraph& graph, const UnfoldOptions& options,
                     UnfoldingLaunch& launch, const KernelThreadStart& start, UnwrittenValues& unwritten,
                     LoopTreatments& loops)
      : KernelThread(thread.structure, graph, 0, options, launch, start),
        thread_of_(thread),
        unwritten_(unwritten),
        loops_(loops) {}

 private:
  Place locate(const Access&, const Bits& address, unsigned size, bool writes) override;
  Bits settled_value(const Place&, unsigned width) override;
  void run_instruction(Target node) override;
  bool unfold_loop(Target head) override;
  void reached_bound(Target head) override;
  Results await_exchange(const Exchange&, std::function<Results(const ExchangedValues&)> after) override;
  Bits barrier(const Barrier&) override;
  void use(const ObjectUse&) override;
  void wait(const Wait&) override { refuse("a wait for an mbarrier"); }
  void start(const AsyncOperation&, std::function<void(Effects&)>) override {
    refuse("an asynchronous operation");
  }
  Results start_on_registers(const AsyncOperation&,
                             std::function<Results(Effects&, std::span<const Bits>)>) override {
    refuse("an asynchronous operation");
  }
  void fence_registers() override { refuse("an asynchronous operation"); }
  void commit_group(AsyncGroup) override { refuse("an asynchronous operation"); }
  void wait_group(AsyncGroup, std::uint64_t, bool) override { refuse("an asynchronous operation"); }
  void fence_tensor_operations(bool) override { refuse("tensor memory"); }
  Results allocate_tensor_memory(const Bits&, unsigned, std::function<Results(const Bits&)>) override {
    refuse("tensor memory");
  }
  void free_tensor_memory(const Bits&, const Bits&, unsigned) override { refuse("tensor memory"); }
  void end_tensor_allocations() override { refuse("tensor memory"); }
  CancelledCluster cancel_cluster() override { refuse("the cancelling of clusters"); }

  [[noreturn]] void refuse(const char* what) const;

  // open_thread_loops.cpp
  /// What is known of the iterations of a loop.
  struct ExaminedLoop {
    std::vector<RegisterId> changed, by_induction;
    std::optional<LoopInduction> induction;  ///< of the registers `by_induction`
    bool has_barriers = false;
  };
  /// A state at the head of a loop, and the number of the iteration that begins.
  struct SomeState {
    Path path;
    Bits iteration;
  };
  LoopName name_of(Target head) const { return {path_.frame().body->number, head}; }
  std::vector<RegisterId> changed_registers(Target head) const;
  Path any_state(const Path& before, const std::vector<RegisterId>& changed,
                 std::vector<Bits>* changes = nullptr) const;
  bool is_regular(const Iteration&, const Path& before) const;
  Iteration try_alone(Path at_head);
  void note_carried(const Path& before, const Path& now);
  std::optional<ExaminedLoop> examine_loop(Target head, bool may_be_short);
  std::optional<ExaminedLoop> examined_loop(Target head, const Path& before);
  bool is_long(const ExaminedLoop&, const Path& before);
  Path state_in(const ExaminedLoop&, const Path& before, const Bits& iteration) const;
  SomeState some_state(const ExaminedLoop&, const Path& before);
  Bits new_input(unsigned width, const char* name);
  void unfold_in_lockstep(const ExaminedLoop&);
  void unfold_by_induction(const ExaminedLoop&);

  void leave_outside_of(std::uint32_t members);
  std::vector<Bits> lanes_of(std::uint32_t members);
  Bits active_lanes();
  bool is_part_of_group(const Bits&) const;
  Bits count_of(const Bits&);
  std::optional<std::size_t> group_of(const Bits& members) const;
  Results exchange_in_group(std::size_t group, const Exchange&,
                            const std::function<Results(const ExchangedValues&)>& after);

  OpenThread& thread_of_;
  UnwrittenValues& unwritten_;
  LoopTreatments& loops_;
  bool is_examining_ = false;  // a loop whose treatment is not known
  unsigned tries_ = 0;         // the depth of try_alone
};

}  // namespace ptxmc::kernel
