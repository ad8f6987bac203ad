#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "solver/unfold.hpp"
#include "solver/unfolding_path.hpp"

namespace ptxmc {

/// Runs one thread with reads that return unknowns, and records what it does in an event structure. What
/// depends on where the thread comes from (its memory, calls) is said by those who derive from it.
class ThreadUnfolder : protected Effects {
 public:
  ThreadUnfolder(const ThreadUnfolder&) = delete;
  ThreadUnfolder& operator=(const ThreadUnfolder&) = delete;

 protected:
  ThreadUnfolder(EventStructure&, TermGraph&, int thread, const UnfoldOptions&);
  ~ThreadUnfolder() override = default;

  /// Where an access leads on the current path.
  struct Place {
    Bits address;                            ///< virtual, as events have it
    Bits location;                           ///< physical; any value where the address is not valid
    Bits valid = Bits::boolean(false);       ///< width 1: the access is in bounds and aligned
    Bits is_own = Bits::boolean(false);      ///< width 1, where valid: in private memory, not an event
    std::vector<std::uint64_t> own_blocks;   ///< that it may be in
    std::vector<std::size_t> pieces;         ///< of shared memory, that it may be in, where pieces are known
    StateSpace space = StateSpace::generic;  ///< generic when several are possible
    std::uint64_t region_first = 0, region_size = 0;  ///< as in Event
    std::string message;                              ///< what is wrong when it is not valid
  };
  virtual Place locate(const Access&, const Bits& address, unsigned size, bool writes) = 0;
  /// What a read there must return, whatever happens; width 0: not known.
  virtual Bits settled_value(const Place&, unsigned) { return {}; }
  /// An event of an access has been recorded.
  virtual void recorded(const Event&, const Place&) {}
  /// Runs the current instruction on the current path. As it stands: its rule.
  virtual void run_instruction(Target node);
  /// The innermost function of the current path returns: its frame is still there. As it stands, nothing.
  virtual void take_results() {}

  /// Puts the thread at the beginning of its code.
  void start(Path);
  /// Until every path has ended.
  void unfold();
  /// `path` has a new frame, whose function begins.
  void enter_function(Path path) { enter(0, std::move(path), false); }

  /// No other path of the thread can go on or has completed: it comes here in every execution in which
  /// nothing is wrong and no loop waits for ever.
  bool is_only_path() const { return waiting_.empty() && completed_.empty() && !is_guarded_; }
  void mark_acted(const Bits& condition);
  /// How often a back edge is taken, or a function calls itself, while the condition for it is open.
  unsigned bound_of(bool is_open_to_reads) const;
  /// Some inputs allow the condition (width 1).
  bool is_possible(const Bits& condition) const;
  /// What is read decides about the value, or decided that the current path is taken.
  bool depends_on_reads(const Bits& value) const;
  /// Something else than inputs has been decided anew: loops around it are not left because of inputs alone.
  void note_choice();
  unsigned current_step() const { return next_step_; }
  /// A value of a clock: it will be greater at another time.
  void note_clock(const Bits& value) { clocks_.push_back(value.term()->variable); }
  void came_from(ReadSets::Id sources) { performed_.push_back(sources); }

  void end(Ending::Kind, unsigned first_step = 0, const std::string& message = {});
  void note(Violation::Kind, const Bits& condition, const std::string& message);
  ReadSets::Id sources_of(const std::vector<RegisterId>&);

  Bits read(const Access&, const Bits& address, unsigned width) override;
  void write(const Access&, const Bits& address, const Bits& value) override;
  Bits read_modify_write(const Access&, const Bits& address, unsigned width,
                         const std::function<Update(const Bits&)>& update) override;
  void fence(const Fence&) override;
  Bits barrier(const Barrier&) override;
  Bits unspecified(unsigned width) override { return graph_.variable(width, "unspecified"); }
  void jump(Target target) override { jumps_.emplace_back(Bits::boolean(true), target); }
  void jump_indexed(const Bits& index, std::span<const Target> targets) override;
  void ret() override;
  void exit() override { ended_ = Ending::Kind::completed; }
  void trap() override { ended_ = Ending::Kind::trapped; }

  EventStructure& structure_;
  TermGraph& graph_;
  const UnfoldOptions& options_;
  const int thread_;
  ReadSets reads_;
  Path path_;  ///< the current one
  const Instruction* instruction_ = nullptr;
  ReadSets::Id address_sources_ = 0;  ///< of the current instruction
  ReadSets::Id data_sources_ = 0;
  std::optional<Ending::Kind> ended_;  ///< the current instruction ends the thread
  std::string ending_message_;
  /// Paths that have completed.
  std::vector<Path> completed_;

 private:
  void step(Target node);
  Bits guard_value() const;
  void begin_iteration(Target node);
  void mark_open_loops(Target node, bool is_read);
  void perform(Target node);
  void go_on_behind_trap(Target trap);
  void note_sources(const RegisterUse&);
  void leave(Target from, Target to);
  void leave_by_jumps(Target from);
  void leave_function();
  bool another_iteration(Target head);
  void repeat_for_ever(Target head);
  bool did_the_same(const IterationStart&, Target head) const;
  bool waits_for_clock(const Bits& condition, const IterationStart&) const;
  Bits is_back_at(const IterationStart&, Target head) const;
  void enter(Target node, Path, bool is_back_edge);

  Event& record(EventKind);
  EventId last_event() const { return static_cast<EventId>(structure_.events.size()) - 1; }
  Event& record_access(EventKind, const Access&, const Place&, const Bits& value);
  Bits record_read(const Access&, const Place&, unsigned width);
  void record_write(const Access&, const Place&, const Bits& value);
  Bits own_read(const Place&, unsigned width);
  Place reach(const Access&, const Bits& address, unsigned size, bool writes);

  std::map<UnrolledPlace, std::pair<Target, Path>> waiting_;
  unsigned next_step_ = 0;
  std::vector<VariableId> clocks_;
  std::vector<ReadSets::Id> performed_;  // what each read of the current instruction came from
  std::vector<std::pair<Bits, Target>> jumps_;
  bool returns_ = false;
  bool is_guarded_ = false;  // the current instruction has a guard that is open
};

/// One initial write for each element of memory that some access may touch, in front of all events.
void add_initial_writes(EventStructure&, TermGraph&);

}  // namespace ptxmc
