#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "solver/encoding/final_state.hpp"
#include "solver/explorer/final_values.hpp"
#include "solver/explorer/partial_execution.hpp"
#include "solver/explorer/shared_states.hpp"
#include "solver/smt_engine/answers.hpp"

namespace ptxmc {

/// Collects the final states of complete executions.
class Outcomes {
 public:
  /// The number of executions for each state, and of all executions.
  struct Tally {
    std::map<const FinalState*, std::uint64_t> states;
    std::uint64_t executions = 0;
  };

  /// The arguments must outlive it.
  Outcomes(const Question&, const cat::Model&, const EventStructure&, const DecideOptions&);

  const std::vector<FinalTerm>& shown() const { return asked_.shown; }

  /// Begins a new choice of events, sources and barriers, which the executions added next share.
  void begin(const PartialExecution&);
  /// Whether all states that further coherence orders could give are known already, and executions are not
  /// counted.
  bool has_everything();
  /// Whether only registers are shown, and their values give a state that is known already.
  bool knows_registers(const PartialExecution&);
  /// Adds an execution that the model accepts, with its coherence order. `may_repeat`: other executions of
  /// this choice may have the same coherence order.
  void add(const PartialExecution&, const BitMatrix& coherence, bool may_repeat);

  /// Enters a part of the tree. States that were found in other parts count as new there.
  void enter_part(std::size_t number);
  /// Shares states with threads that search other parts. `all` must outlive the search.
  void share(SharedStates& all) { searched_.shared = &all; }
  /// Adds the states of other parts. Of several witnesses that of the first part is kept.
  void merge(const Outcomes&);

  /// Starts a separate tally. `close_tally` returns it, and `add` adds it to the enclosing tally, possibly
  /// several times.
  void open_tally() { counted_.tallies.emplace_back(); }
  Tally close_tally();
  void add(const Tally&, std::uint64_t times);

  /// Whether some state satisfies the condition (for forall: violates it).
  bool is_condition_met() const { return wanted_ != states_.end(); }
  /// Whether there are more states than may be shown, counting this part and earlier parts.
  bool are_too_many_states() const { return searched_.states_until_here > options_.max_states; }

  /// The answer from all executions, or from some of them because of `reason` (if it is empty, because of the
  /// bound on loops). The states are moved into the answer.
  Answer answer(bool has_seen_all, const std::string& reason, VoidingRace);

 private:
  using States = std::map<std::vector<std::int64_t>, FinalState>;

  /// The parts of the tree in which a state was found.
  struct Parts {
    std::size_t first = 0, last = 0;
    std::size_t order = 0;  ///< the order of discovery within `first`
  };
  /// What is asked about final states.
  struct Asked {
    const Question& question;
    const std::vector<FinalTerm> shown;
    const StateProposition condition{question.condition, shown};
    const StateProposition filter{question.filter, shown};
  };
  /// The part of the tree that is searched.
  struct Searched {
    std::size_t number = 0;
    SharedStates* shared = nullptr;     // of all parts
    std::size_t states_until_here = 0;  // in this part and earlier ones
    std::map<const FinalState*, Parts> of_state;
  };
  /// The counts of executions.
  struct Counted {
    std::vector<Tally> tallies{1};
    bool are_too_many = false;  // their number does not fit 64 bits
  };

  /// What tells a state with these values from others; if not all states are asked for, only whether it
  /// satisfies the condition.
  std::vector<std::int64_t> key_of(const std::vector<std::int64_t>& values) const;
  bool is_known_here(const std::vector<std::int64_t>& values) const;
  void leave_wanted_only();
  void leave_first_states();
  void move_into(Answer&);
  bool add_state(const PartialExecution&, const std::vector<std::int64_t>& values);
  Execution witness(const PartialExecution&, const std::vector<std::int64_t>& values) const;

  const Asked asked_;
  const cat::Model& model_;
  const EventStructure& structure_;
  const DecideOptions& options_;
  const PartialExecution* current_ = nullptr;
  FinalValues final_values_;
  std::set<std::vector<std::uint64_t>> coherences_;  // of the current choice
  States states_;
  States::const_iterator wanted_ = states_.end();
  FinalState* by_condition_[2] = {};  // unless all states are asked for
  Searched searched_;
  Counted counted_;
};

}  // namespace ptxmc
