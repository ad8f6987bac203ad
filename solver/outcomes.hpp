#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "solver/decide.hpp"
#include "solver/final_state.hpp"
#include "solver/partial_execution.hpp"
#include "solver/shared_states.hpp"

namespace ptxmc {

/// The final states of complete executions, as they are found one after the other.
class Outcomes {
 public:
  /// How many executions ended in each state, and all that did.
  struct Tally {
    std::map<const FinalState*, std::uint64_t> states;
    std::uint64_t executions = 0;
  };

  /// The arguments outlive it.
  Outcomes(const Program&, const Question&, const cat::Model&, const EventStructure&, const DecideOptions&);

  const std::vector<FinalTerm>& shown() const { return shown_; }

  /// A new choice of events, sources and barriers; the executions added next share it.
  void begin(const PartialExecution&);
  /// All that orders of coherence could still show is known already, and nothing is counted.
  bool has_everything();
  /// Only registers are shown, and what is known of them already makes a state that is known too.
  bool knows_registers(const PartialExecution&);
  /// An execution that the model accepts; its coherence order. `may_repeat`: others of this choice may have
  /// the same.
  void add(const PartialExecution&, const BitMatrix& coherence, bool may_repeat);

  /// What is found from here on is found in this part of the tree; what was found in others is not known
  /// there.
  void enter_part(std::size_t number);
  /// Others look for states in other parts; they outlive the search.
  void share(SharedStates& all) { shared_ = &all; }
  /// Puts to this what was found in other parts. Witnesses are those of the first part that has them.
  void merge(const Outcomes&);

  /// What is found from here on is tallied by itself; `close` gives it, `add` puts it to the rest, several
  /// times.
  void open_tally() { tallies_.emplace_back(); }
  Tally close_tally();
  void add(const Tally&, std::uint64_t times);

  /// Some state satisfies the condition (forall: violates it).
  bool is_condition_met() const { return wanted_ != states_.end(); }
  /// There are more than may be shown, as far as it is known in this part and those before.
  bool are_too_many_states() const { return states_until_here_ > options_.max_states; }

  /// Races between accesses that overlap partially void the axioms (PTX ISA 8.7 § 8.7.2).
  struct Voiding {
    bool has_race = false;
    bool checks_race = false;  ///< there may be one, also where nobody has looked
  };
  /// What follows from all executions, or from some of them: for this reason, or where that is empty because
  /// of the bound on loops. Afterwards there are no states here.
  Answer answer(bool has_seen_all, const std::string& reason, Voiding);

 private:
  using States = std::map<std::vector<std::int64_t>, FinalState>;

  /// What a shown term may be at the end of the current choice: of memory, one for each write that may be
  /// last.
  struct Possible {
    const Bits* register_value = nullptr;
    bool is_simple = true;  // a register, or one atom
    std::size_t atom = 0;
    std::vector<std::size_t> writes;
    std::vector<std::int64_t> values;
  };

  /// Where in the tree a state was found.
  struct Parts {
    std::size_t first = 0, last = 0;
    std::size_t order = 0;  ///< in the first
  };

  bool is_known_here(const std::vector<std::int64_t>& values) const;
  void leave_wanted_only();
  void leave_first_states();
  void move_into(Answer&);
  void find_atoms(const PartialExecution&);
  void find_possible(const PartialExecution&, std::size_t shown);
  std::uint64_t first_byte(const FinalTerm&) const;
  void find_values(const PartialExecution&, std::size_t shown, const BitMatrix* coherence);
  template <class Visit>
  bool for_each_state(const PartialExecution&, const BitMatrix* coherence, const Visit&);
  bool add_state(const PartialExecution&, const std::vector<std::int64_t>& values);
  Execution witness(const PartialExecution&, const std::vector<std::int64_t>& values) const;

  const Program& program_;
  const Question& question_;
  const cat::Model& model_;
  const EventStructure& structure_;
  const DecideOptions& options_;
  const std::vector<FinalTerm> shown_;
  const StateProposition condition_, filter_;
  const bool tells_states_apart_;  // not only those that satisfy the condition from the others
  const PartialExecution* current_ = nullptr;
  std::vector<Possible> possible_;                      // by shown term
  std::vector<std::span<const std::int64_t>> found_;    // by shown term: its values
  std::vector<std::vector<std::int64_t>> found_below_;  // where not all that are possible
  std::vector<std::size_t> which_;
  std::vector<std::int64_t> values_;
  std::set<std::vector<std::uint64_t>> coherences_;  // of the current choice
  States states_;
  States::const_iterator wanted_ = states_.end();
  FinalState* by_condition_[2] = {};  // where states are not told apart
  std::size_t part_ = 0;
  SharedStates* shared_ = nullptr;
  std::size_t states_until_here_ = 0;
  std::map<const FinalState*, Parts> parts_;
  std::vector<Tally> tallies_{1};
  bool are_too_many_ = false;  // to be counted
};

}  // namespace ptxmc
