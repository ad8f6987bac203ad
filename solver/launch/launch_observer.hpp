#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "solver/explorer/execution_walk.hpp"
#include "solver/explorer/explored_barriers.hpp"
#include "solver/launch/launch_suspects.hpp"

namespace ptxmc {

/// Evaluates the properties of a question on the complete executions of a launch, one after the other.
class LaunchObserver final : public ExecutionObserver {
 public:
  /// It is constructed before the executions, which must know the relations and terms to evaluate.
  LaunchObserver(const LaunchQuestion&, const EventStructure&, const cat::Model&, const ExploredBarriers&,
                 TermGraph&);

  /// The relations of the model and the conditions that it evaluates.
  const std::vector<std::string>& relations() const { return relations_; }
  std::vector<Bits> conditions() const;

  bool may_show_something(const PartialExecution&) override;
  bool begin(PartialExecution&) override;
  /// Whether an execution with these sources and barriers may have a race.
  bool depends_on_orders(PartialExecution&) override;
  Next look(PartialExecution&, bool) override;
  std::uint64_t executions() const override { return executions_; }

  /// Writes that leave no value: the launch does not determine what a read takes from them.
  const BitSet& gives_no_value() const { return gives_no_value_; }

  bool reads_open_content() const {
    return reads_open_content_;
  }  ///< some read takes a value that the launch does not determine
  bool has_mixed_race() const { return has_mixed_race_; }
  bool reaches_bound() const { return reaches_bound_; }  ///< some loop needs more iterations than the bound
  bool has_open_end() const {
    return has_open_end_;
  }  ///< the final condition depends on a value that the launch does not determine
  std::vector<LaunchFinding> take_findings();

 private:
  /// An element of memory that the final condition names.
  struct FinalElement {
    int variable = 0;
    std::size_t element = 0;
    Bits unknown;                ///< represents the element in the condition
    std::vector<Bits> contents;  ///< at the end of the current execution
  };
  /// A suspect that is evaluated without relations of the model.
  struct Visible {
    LaunchProperty property;
    Suspect suspect;
  };

  const Event& event(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }
  bool asks(LaunchProperty) const;
  void find_final_condition(TermGraph&);
  void note(LaunchProperty, const Suspect&);
  void note_pairs(const char* relation);
  void note_uninitialized();
  void note_mixed_reductions();
  void note_deadlock();
  void count();
  void look_at_end();
  bool may_be_left(const FinalElement&) const;
  void try_contents();
  void show_final_memory(const std::vector<Bits>& contents);
  const Execution& witness();
  EventId number_in_witness(EventId) const;

  const LaunchQuestion& question_;
  const EventStructure& structure_;
  const cat::Model& model_;
  const ExploredBarriers& barriers_;
  std::vector<std::string> relations_;
  bool races_shrink_ = false;  ///< each further orientation can only remove races
  std::vector<Visible> visible_;
  BitSet gives_no_value_;
  std::vector<FinalElement> finals_;
  Bits holds_at_end_;  // width 0: there is no final condition

  PartialExecution* execution_ = nullptr;  // the current execution
  std::optional<Execution> witness_;       // of the current execution
  BitMatrix coherence_, pairs_;
  std::set<std::vector<std::uint64_t>> coherences_;  // of the current choice
  std::set<std::pair<LaunchProperty, SuspectLines>> noted_;
  std::vector<LaunchFinding> findings_;
  std::uint64_t executions_ = 0;
  bool reads_open_content_ = false;
  bool has_mixed_race_ = false;
  bool reaches_bound_ = false;
  bool has_open_end_ = false;
};

}  // namespace ptxmc
