#include "solver/explorer/termination_exploration.hpp"

#include <algorithm>
#include <functional>
#include <memory>

#include "model/cat/cat_rewriting.hpp"
#include "semantics/language/diagnostic.hpp"
#include "solver/encoding/encoding.hpp"
#include "solver/encoding/witness.hpp"
#include "solver/explorer/explore_together.hpp"
#include "solver/explorer/explored_ends.hpp"
#include "solver/explorer/explored_model.hpp"
#include "solver/explorer/explored_structure.hpp"
#include "solver/explorer/explorer.hpp"
#include "solver/explorer/open_values.hpp"
#include "solver/smt_engine/raised_flags.hpp"

namespace ptxmc {

namespace {

using Kind = Ending::Kind;

/// Searches for an execution in which no thread can continue and some thread has not ended, and for one that
/// the loop bound cuts off.
class HangObserver final : public ExecutionObserver {
 public:
  HangObserver(const EventStructure& structure, const cat::Model& model)
      : structure_(structure),
        model_(model),
        coherence_grows_(grows_with_choices(model, model.find("co")->node)) {}

  bool may_show_something(const PartialExecution& execution) override {
    if (some_ends_launch(structure_, execution)) return false;
    if (some_ends(execution, Kind::bound_reached)) return !reaches_bound_;
    return is_some_stuck(execution) || !all_end(structure_, execution, {Kind::completed, Kind::not_started});
  }

  bool begin(PartialExecution& execution) override {
    if (is_cut_off(execution)) return !reaches_bound_;
    if (!is_some_stuck(execution)) return false;
    if (coherence_grows_) {
      execution.model.copy_value(execution.model.find_step("co"), coherence_);
      if (!repeats_fairly(structure_, execution, coherence_)) return false;
    }
    return true;
  }

  bool depends_on_orders(PartialExecution&) override { return false; }

  Next look(PartialExecution& execution, bool) override {
    ++executions_;
    if (is_cut_off(execution)) {
      reaches_bound_ = true;
      return Next::all;
    }
    execution.model.copy_value(execution.model.find_step("co"), coherence_);
    if (!repeats_fairly(structure_, execution, coherence_)) return Next::all;
    witness_ = execution.execution();
    witness_->final_memory.resize(structure_.program->memory.size());
    check_witness(model_, *witness_);
    stuck_ = stuck_threads(structure_,
                           [&](const Bits& condition) { return execution.values().is_true(condition); });
    return Next::nothing;
  }

  std::uint64_t executions() const override { return executions_; }

  bool reaches_bound() const { return reaches_bound_; }
  std::optional<Execution>& witness() { return witness_; }
  std::vector<StuckThread>& stuck() { return stuck_; }

 private:
  bool some_ends(const PartialExecution& execution, Kind kind) const {
    return ptxmc::some_ends(structure_, execution, kind);
  }
  bool is_some_stuck(const PartialExecution& execution) const {
    return some_ends(execution, Kind::spinning) || some_ends(execution, Kind::waiting);
  }
  /// Whether the loop bound cuts off the execution, and the other threads have ended, wait, or never start.
  bool is_cut_off(const PartialExecution& execution) const {
    return some_ends(execution, Kind::bound_reached);
  }

  const EventStructure& structure_;
  const cat::Model& model_;
  const bool coherence_grows_;
  BitMatrix coherence_;
  bool reaches_bound_ = false;
  std::uint64_t executions_ = 0;
  std::optional<Execution> witness_;
  std::vector<StuckThread> stuck_;
};

/// The distinct unknowns for the start of threads.
std::vector<Bits> open_starts(const UnfoldOptions& unfolding) {
  std::vector<Bits> result;
  for (const Bits& started : unfolding.started)
    if (std::ranges::none_of(result, [&](const Bits& other) { return identical(other, started); }))
      result.push_back(started);
  return result;
}

/// Explores the executions of a structure whose threads may wait for ever: see explore_together.hpp.
class HangExploration {
 public:
  struct Course : ExecutionWalk::Course {
    bool reaches_bound = false;
    std::optional<Execution> witness = {};
    std::vector<StuckThread> stuck = {};

    void add(Course next) {
      ExecutionWalk::Course::add(next);
      reaches_bound |= next.reaches_bound;
      if (witness || !next.witness) return;
      witness = std::move(next.witness);
      stuck = std::move(next.stuck);
    }
  };

  HangExploration(const ExploredStructure& explored, const cat::Model& model, ProgressReport& report,
                  std::span<const Bits> starts)
      : structure_(explored.events()),
        model_(model),
        execution_(structure_, model, std::vector<std::string>{"co"}, PartialExecution::Ends::any, {},
                   explored.barriers().terms()),
        walk_(structure_, model, execution_, explored.barriers(), explored.counted(), report, starts) {}

  Course explore(const StepLimit& limit) {
    return observed([&](HangObserver& observer) { return walk_.run(observer, limit); });
  }
  Course explore(const Place& place, std::size_t, const AreTooMany& are_too_many) {
    return observed([&](HangObserver& observer) { return walk_.run(observer, place.path, are_too_many); });
  }
  std::pair<std::vector<Place>, Course> split(std::size_t at_least) {
    std::vector<Place> places;
    Course course = observed([&](HangObserver& observer) {
      auto [found, walked] = walk_.divide(at_least, observer);
      places = std::move(found);
      return walked;
    });
    return {std::move(places), std::move(course)};
  }

  bool is_alone() const { return false; }
  void share(const std::vector<std::unique_ptr<HangExploration>>&, std::size_t) {}
  void end_place(std::size_t, const Course&) {}
  void merge(const HangExploration&) {}

 private:
  /// The result of a walk with an observer of its own.
  Course observed(const std::function<ExecutionWalk::Course(HangObserver&)>& walk) {
    HangObserver observer(structure_, model_);
    Course course;
    course.ExecutionWalk::Course::add(walk(observer));
    course.reaches_bound = observer.reaches_bound();
    course.witness = std::move(observer.witness());
    course.stuck = std::move(observer.stuck());
    return course;
  }

  const EventStructure& structure_;
  const cat::Model& model_;
  PartialExecution execution_;
  ExecutionWalk walk_;
};

void look_for_hang(const EventStructure& structure, const std::vector<Bits>& starts, const cat::Model& model,
                   const DecideOptions& options, Termination& answer) {
  if (const auto reason = voiding_flag(structure, model)) {
    answer.reason = *reason;
    return;
  }
  const ExploredStructure explored(structure);
  ProgressReport report(options);
  const std::function another = [&] {
    return std::make_unique<HangExploration>(explored, model, report, starts);
  };
  auto exploration = another();
  HangExploration::Course course =
      explore_together(exploration, another, ExecutionWalk::step_limit(options.max_steps), report, options);
  if (course.witness) {
    answer.hangs = Verdict::allowed;
    answer.witness = std::move(course.witness);
    answer.stuck = std::move(course.stuck);
  } else if (!course.reason.empty()) {
    answer.reason = course.reason;
  } else if (course.lacked_values || (course.was_blocked && has_open_values(structure, {}, starts))) {
    throw Unsupported("values that no choice determines, in the explorer", {});
  } else if (course.reaches_bound) {
    answer.reason = "loop bound " + std::to_string(options.bound);
  } else {
    answer.hangs = Verdict::forbidden;
  }
}

void explore(const Program& program, const cat::Model& model, const DecideOptions& options,
             const Progress& progress, Termination& answer) {
  TermGraph graph;
  const UnfoldOptions unfolding = unfold_options(program, model, options, progress, graph);
  const std::vector<Bits> starts = open_starts(unfolding);
  const EventStructure structure = unfold(program, graph, unfolding);
  check_contents(structure);
  if (may_overlap_partially(structure))
    if (const auto reason = why_void(explore_flags(program, model, options, {mixed_size_race}))) {
      answer.reason = *reason;
      return;
    }
  check_worth_exploring(structure, options);
  look_for_hang(structure, starts, cat::specialized(with_voiding_flags(model, false), structure.events),
                options, answer);
}

}  // namespace

Termination explore_termination(const Program& program, const cat::Model& model, const DecideOptions& options,
                                const Progress& progress) {
  return within_limits(options, [&](Termination& answer) {
    answer.engine = "explorer";
    explore(program, model, options, progress, answer);
  });
}

}  // namespace ptxmc
