#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/unfolding/unfolding_options.hpp"
#include "solver/unfolding/unfolding_path.hpp"

namespace ptxmc {

/// Runs one thread with reads that return unknowns, and records its events in an event structure. Derived
/// classes implement what differs between litmus tests and kernels, for example memory and calls.
class ThreadUnfolder : protected Effects {
 public:
  ThreadUnfolder(const ThreadUnfolder&) = delete;
  ThreadUnfolder& operator=(const ThreadUnfolder&) = delete;

 protected:
  ThreadUnfolder(EventStructure&, TermGraph&, int thread, const UnfoldOptions&);
  ~ThreadUnfolder() override = default;

  /// The place of an access on the current path.
  struct Place {
    Bits address;                       ///< virtual, as in events
    Bits location;                      ///< physical; any value if the address is not valid
    Bits valid = Bits::boolean(false);  ///< width 1: the access is in bounds and aligned
    Bits is_own =
        Bits::boolean(false);  ///< width 1, if valid: the access is to private memory and causes no event
    std::vector<std::uint64_t> own_blocks;   ///< the private blocks that it may be in
    std::vector<std::size_t> pieces;         ///< the pieces of shared memory that it may be in, if known
    StateSpace space = StateSpace::generic;  ///< generic if several are possible
    std::uint64_t region_first = 0, region_size = 0;  ///< see Event
    bool may_outlive_cta = false;                     ///< see Event
    std::string message;                              ///< the error message if the address is not valid
  };
  virtual Place locate(const Access&, const Bits& address, unsigned size, bool writes) = 0;
  /// The value that a read of this place returns in every execution; width 0 if unknown.
  virtual Bits settled_value(const Place&, unsigned) { return {}; }
  /// What the rest of the path takes as the value of a read, given the unknown of its event.
  virtual Bits value_of_read(const Place& place, const Bits& read) {
    const Bits settled = settled_value(place, read.width());
    return settled.width() != 0 ? settled : read;
  }
  /// Called when an operation on tensor memory has been recorded, as an operation of a strand of its own that
  /// is complete together with it.
  virtual void accessed_tensor_memory(const StartedOperation&) {}
  /// Called when the event of an access has been recorded.
  virtual void recorded(const Event&, const Place&) {}
  /// Runs the current instruction on the current path. The default runs its rule.
  virtual void run_instruction(Target node);
  /// Called when the current path is at the head of a loop that it has come to from outside. Returns true if
  /// it has unfolded the loop. The default returns false: its iterations are unfolded one after the other.
  virtual bool unfold_loop(Target) { return false; }
  /// Called when a loop may need more iterations than its bound. The default does nothing.
  virtual void reached_bound(Target) {}
  /// Called when the innermost function of the current path returns, while its frame still exists. The
  /// default does nothing.
  virtual void take_results() {}

  /// Sets the thread to the beginning of its code, behind an instruction that it executes first (null: none).
  void start(Path, const Instruction* first = nullptr);
  /// Unfolds until every path has ended.
  void unfold();
  /// One iteration of a loop.
  struct Iteration {
    Target head = 0;
    std::size_t frames = 0, loops = 0;  ///< of a path that is at the head
    std::optional<Path> again;          ///< back at the head
    struct Exit {
      Target to = 0;
      bool is_back_edge = false;  ///< of an outer loop
      Path path;
    };
    std::vector<Exit> exits;      ///< to places outside of the loop
    std::vector<Ending> endings;  ///< of the thread
    std::vector<Event> events;    ///< its own
  };
  /// Unfolds one iteration from the head of a loop on.
  Iteration unfold_iteration(Path at_head);
  /// The same, but records nothing.
  Iteration try_iteration(Path at_head);
  /// Continues behind a loop.
  void leave_loop(Iteration::Exit exit) { enter(exit.to, std::move(exit.path), exit.is_back_edge); }
  /// Starts the function of the new innermost frame of `path`.
  void enter_function(Path path) { enter(0, std::move(path), false); }

  /// Whether no other path of the thread can continue or has completed. Then the thread reaches this point in
  /// every execution without an error and without a loop that waits for ever.
  bool is_only_path() const { return waiting_.empty() && completed_.empty() && !current_.is_guarded; }
  void mark_acted(const Bits& condition);
  /// The maximum number of times that a back edge is taken, or a function calls itself, while the condition
  /// is open.
  unsigned bound_of(bool is_open_to_reads) const;
  /// Whether some inputs allow the condition (width 1).
  bool is_possible(const Bits& condition) const;
  /// Whether the value, or the choice of the current path, depends on reads.
  bool depends_on_reads(const Bits& value) const;
  /// Records a decision that does not depend on inputs alone. Then the exits of enclosing loops do not depend
  /// on inputs alone either.
  void note_choice();
  unsigned current_step() const { return next_step_; }
  /// Whether an asynchronous operation is being performed.
  bool is_in_strand() const { return running_.strand != 0; }
  /// Records the value of a clock, which changes between reads.
  void note_clock(const Bits& value) { clocks_.push_back(value.term()->variable); }
  /// Records events that follow the loads and stores of tensor memory that the thread has waited for.
  void after_waited_transfers(const std::function<void()>& perform);
  void came_from(ReadSets::Id sources) { current_.read_sources.push_back(sources); }
  /// Adds what the reads of the current instruction came from to what its further events depend on.
  void depend_on_reads() {
    for (const ReadSets::Id read : current_.read_sources) path_.control = reads_.unite(path_.control, read);
  }

  /// Ends the paths on which `when` (width 1) holds and the use is a misuse after the earlier use by the same
  /// thread; see misuse.hpp.
  void leave_if_misused(ObjectUse own, const ObjectUse* earlier, const Bits& when);
  void leave_if_cluster_barrier_is_misused(const Barrier&);
  /// Notes that the content of private memory is unknown until it is written.
  void note_unwritten(const PrivateBlock&) const;
  /// Records the event of a barrier.
  Bits record_barrier(const Barrier&);
  bool has_warp_to_gather() const;  ///< the warp of the thread has other threads
  /// What a barrier may return: an unknown for a reduction, otherwise width 0.
  Bits unknown_result(Barrier::Kind);
  void end(Ending::Kind, unsigned first_step = 0, const std::string& message = {});
  /// Leaves out a step, for something that happens between two instructions. Returns its number.
  unsigned take_step() { return next_step_++; }
  void note(Violation::Kind, const Bits& condition, const std::string& message);
  ReadSets::Id sources_of(const std::vector<RegisterId>&);

  Bits read(const Access&, const Bits& address, unsigned width) override;
  void write(const Access&, const Bits& address, const Bits& value) override;
  Bits read_modify_write(const Access&, const Bits& address, unsigned width,
                         const std::function<Update(const Bits&)>& update) override;
  void fence(const Fence&) override;
  void begin_next_part() override;
  Bits barrier(const Barrier&) override;
  void wait(const Wait&) override;
  void use(const ObjectUse&) override;
  void start(const AsyncOperation&, std::function<void(Effects&)> perform) override;
  Results start_on_registers(const AsyncOperation&,
                             std::function<Results(Effects&, std::span<const Bits>)> perform) override;
  Results start_with_results(const AsyncOperation&, const std::function<Results(Effects&)>& perform) override;
  void fence_tensor_operations(bool is_before) override;
  void fence_registers() override { path_.hazards.fence(); }
  void commit_group(AsyncGroup) override;
  void wait_group(AsyncGroup, std::uint64_t most, bool only_reads) override;
  Bits unspecified(unsigned width) override { return graph_.variable(width, "unspecified"); }
  void jump(Target target) override { current_.jumps.emplace_back(Bits::boolean(true), target); }
  void jump_indexed(const Bits& index, std::span<const Target> targets) override;
  void ret() override;
  void exit() override { current_.ended = Ending::Kind::completed; }
  void trap() override { current_.ended = Ending::Kind::trapped; }

  EventStructure& structure_;
  TermGraph& graph_;
  const UnfoldOptions& options_;
  const int thread_;
  const std::size_t most_events_;
  ReadSets reads_;
  Path path_;  ///< the current one
  /// The current instruction: what is known of it, and what it has done so far.
  struct Current {
    const Instruction* instruction = nullptr;
    bool is_guarded = false;  ///< it has a guard with an open value
    ReadSets::Id address_sources = 0;
    ReadSets::Id data_sources = 0;
    std::vector<ReadSets::Id> read_sources = {};      ///< by read: what its value came from
    std::vector<std::pair<Bits, Target>> jumps = {};  ///< with their conditions
    bool returns = false;
    std::optional<Ending::Kind> ended = {};  ///< set if it ends the thread
    std::string ending_message = {};
  };
  Current current_;
  /// Paths that have completed.
  std::vector<Path> completed_;

 private:
  /// The asynchronous operation that is being performed.
  struct RunningOperation {
    unsigned strand = 0;              ///< 0: none
    std::vector<Completion> follows;  ///< the operations that its events follow
    unsigned cells_strand = 0;        ///< of its accesses to cells of tensor memory; 0: none
    std::vector<Completion> cells_follow;
    /// On tensor memory, what its writes come from: its reads, and the last one.
    ReadSets::Id gathered = 0, latest = 0;
    bool is_latest_used = false;
  };

  void step(Target node);
  bool is_first_at_head(Target node) const;
  bool is_end_of_iteration(Target node, const Path&, bool is_back_edge) const;
  bool is_outside_of_iteration(Target node, const Path&) const;
  void add_exit(Target node, bool is_back_edge, Path);
  Bits guard_value() const;
  void begin_iteration(Target node);
  void mark_open_loops(Target node, bool is_read);
  void perform(Target node, bool is_guarded);
  void go_on_behind_trap(Target trap);
  void note_sources(const RegisterUse&);
  void leave(Target from, Target to);
  void leave_by_jumps(Target from);
  void leave_function();
  bool another_iteration(Target head);
  void repeat_for_ever(Target head);
  void leave_if_register_is_busy(const RegisterUse&);
  std::vector<Completion> operations_before(const AsyncOperation&) const;
  std::vector<Completion> waited_transfers() const;
  std::vector<Completion> committed_operations() const;
  void add_pipelined_operations(const StartedOperation&);
  void gather(ReadSets::Id read);
  bool did_the_same(const IterationStart&, Target head) const;
  bool waits_for_clock(const Bits& condition, const IterationStart&) const;
  Bits is_back_at(const IterationStart&, Target head) const;
  void enter(Target node, Path, bool is_back_edge);

  Event& record(EventKind);
  EventId last_event() const { return static_cast<EventId>(structure_.events.size()) - 1; }
  Event& record_access(EventKind, const Access&, const Place&, const Bits& value);
  Bits record_read(const Access&, const Place&, unsigned width);
  void record_write(const Access&, const Place&, const Bits& value);
  Bits own_read(const Access&, const Place&, unsigned width);
  void note_unwritten_read(const Access&, const Place&, const PrivateMemory::Content&);
  Place reach(const Access&, const Bits& address, unsigned size, bool writes);

  std::map<UnrolledPlace, std::pair<Target, Path>> waiting_;
  Iteration* iteration_ = nullptr;  // that is being unfolded alone; null: none
  unsigned next_step_ = 0;
  unsigned strands_ = 0;  // the number of asynchronous operations so far
  RunningOperation running_;
  std::vector<VariableId> clocks_;
};

/// Adds one initial write for each element of memory that some access may touch, before all other events.
void add_initial_writes(EventStructure&, TermGraph&);

}  // namespace ptxmc
