#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "solver/exploration_watch.hpp"
#include "solver/explored_arrivals.hpp"
#include "solver/flags.hpp"
#include "solver/next_step.hpp"
#include "solver/orientations.hpp"
#include "solver/outcomes.hpp"
#include "solver/partial_execution.hpp"
#include "solver/thread_renaming.hpp"
#include "solver/tree_places.hpp"

namespace ptxmc {

/// The tree of choices that lead to the executions of a program, and the way through it.
class Exploration {
 public:
  /// What was seen on the way.
  struct Course : ptxmc::Course {
    std::uint64_t blocked = 0;
    bool was_cut_off = false;
    bool has_race = false;
    /// It has come to where the result of a barrier is needed to know who comes to one like it: what it has
    /// found is not all. See phase_by_phase.hpp.
    bool needs_reduction = false;
    std::map<std::string, Execution> raised = {};  ///< what is sought, by name

    /// What was seen after that.
    void add(Course);
  };

  /// The arguments outlive it. Throws Unsupported for what only the other engine does. `sought`: flags of the
  /// model that are looked for, and nothing else.
  Exploration(const Program&, const Question&, const cat::Model&, const DecideOptions&, const EventStructure&,
              ExplorationWatch&, std::vector<std::string> sought = {});

  /// The question has no answer: why.
  std::optional<std::string> void_reason() const { return void_reason_; }
  bool has_interchangeable_threads() const { return !renaming_.is_trivial(); }

  /// How many executions there are, by some random ways through the tree (D. E. Knuth, Estimating the
  /// efficiency of backtrack programs, 1975). The same every time. None: that takes too long.
  std::optional<double> estimate(const StepLimit&);
  /// Places that have no choice in common, and between them have all executions, in the order in which
  /// `explore` comes to them: at least so many, if there are. And what was seen before them.
  std::pair<std::vector<Place>, Course> split(std::size_t at_least);
  /// Goes through everything, with at most so many steps.
  Course explore(const StepLimit&);
  /// Through what is behind one place; `number` tells which of several.
  Course explore(const Place&, std::size_t number, const AreTooMany&);

  /// Others explore other places.
  void share(SharedStates& all) { outcomes_.share(all); }
  /// Puts to this one the states that another one has found, in a different part of the tree.
  void merge(const Exploration& other) { outcomes_.merge(other.outcomes_); }
  /// To be asked once, of all that was seen.
  Answer answer(const Course&);
  /// Of what is sought.
  std::vector<FlagFinding> flag_findings(const Course&) const;

 private:
  // Where reads read from, and which barriers meet: exploration.cpp.
  Course explore();
  void start();
  void rule_out_sources();
  void extend();
  void branch_up_to_renaming(const Step&);
  bool advance(Step&);
  bool can_skip_states() const;
  bool orient_updates_of_one_write();
  bool is_update(const PartialExecution::Part&) const;
  bool orient_if_forced(std::size_t choice, std::size_t a, std::size_t b);
  bool can_orient(std::size_t choice, std::size_t from, std::size_t to);
  void branch_anew(const Step&);
  void branch(const Step&);
  void branch_over_sources(const Step&);
  void end(const Step&);
  void choose(const Step&, EventId source);
  template <class Choose>
  void follow(std::uint32_t number, const Choose&);
  bool must_stop();
  void look_at_watch();

  // The orders that the model chooses: exploration_orders.cpp.
  void complete();
  bool looks_for_flags() const { return !sought_.empty(); }
  bool checks_race() const { return !looks_for_flags() && has_mixed_sizes_ && !model_.flags.empty(); }
  bool looks_at_flag(const std::string& name) const;
  bool barriers_can_follow_each_other() const;
  bool may_raise_flag();
  void stop_at_most_states();
  bool can_orient_suspects();
  void found(bool is_final);
  void note_flags();

  // exploration_estimate.cpp
  double probe(std::mt19937_64&);
  double probe_orders(std::mt19937_64&);
  std::uint32_t choose_at_random(const Step&, std::mt19937_64&);

  const DecideOptions& options_;
  const EventStructure& structure_;
  ExplorationWatch& watch_;
  const bool has_mixed_sizes_;
  const std::optional<ReadsBehind> reads_behind_;  // where somebody waits because of what is read
  const std::vector<std::string> sought_;
  const cat::Model model_;
  const std::optional<std::string> void_reason_;
  PartialExecution execution_;
  Orientations orientations_{execution_, model_};
  NextStep next_;
  ThreadRenaming renaming_;
  std::deque<Step> steps_at_;                                  // by depth: nothing is allocated the next time
  std::unordered_map<std::string, Outcomes::Tally> explored_;  // by key, where threads can change places
  Outcomes outcomes_;
  const Quantifier quantifier_;
  std::vector<bool> flag_falls_;     // by flag: the more is oriented, the less it can be raised
  bool coherence_tells_all_ = true;  // how each choice is oriented
  const std::uint32_t coherence_step_ = execution_.model.find_step("co");
  BitMatrix coherence_;
  bool has_started_ = false;

  std::vector<std::uint32_t> place_;  // only what is behind it
  std::size_t depth_ = 0;
  std::vector<std::uint32_t> path_;       // of a tree that is split
  std::vector<Place>* places_ = nullptr;  // found by splitting, at this depth
  std::size_t split_depth_ = 0;

  const std::uint64_t step_cost_;
  Course course_;
  StepLimit limit_;
  const AreTooMany* are_too_many_ = nullptr;  // in place of the limit
  double share_ = 1;         // of the tree, behind the place at hand: each way of a choice has the same
  double done_ = 0;          // of the tree
  std::uint64_t found_ = 0;  // and not noted

  // Of the current choice of sources and barriers.
  bool leave_here_ = false;
  std::size_t found_here_ = 0;
  bool has_one_coherence_ = false;

  int chosen_thread_ = -1;  // of the last read that was given a source
};

}  // namespace ptxmc
