#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "solver/execution_walk.hpp"
#include "solver/explored_barriers.hpp"
#include "solver/launch_suspects.hpp"

namespace ptxmc {

/// Looks at the complete executions of a launch, one after the other, for all that a question asks for.
class LaunchObserver final : public ExecutionObserver {
 public:
  /// What is to be evaluated of executions is to be known before there is one.
  LaunchObserver(const LaunchQuestion&, const EventStructure&, const cat::Model&, const ExploredBarriers&,
                 TermGraph&);

  /// The relations of the model, and the conditions, that it looks at.
  const std::vector<std::string>& relations() const { return relations_; }
  std::vector<Bits> conditions() const;

  bool may_show_something(const PartialExecution&) override;
  bool begin(PartialExecution&) override;
  /// One of those that share sources and barriers may race.
  bool depends_on_orders(PartialExecution&) override;
  bool look(PartialExecution&) override;
  std::uint64_t executions() const override { return executions_; }

  /// Writes that leave no value: what a read takes from them is nothing that the launch says.
  const BitSet& gives_no_value() const { return gives_no_value_; }

  bool reads_open_content() const { return reads_open_content_; }  ///< some read takes what nobody says
  bool has_mixed_race() const { return has_mixed_race_; }
  bool reaches_bound() const { return reaches_bound_; }  ///< some loop wants more iterations
  bool has_open_end() const { return has_open_end_; }    ///< the final condition depends on what nobody says
  std::vector<LaunchFinding> take_findings();

 private:
  /// An element of memory that the final condition speaks of.
  struct FinalElement {
    int variable = 0;
    std::size_t element = 0;
    Bits unknown;                ///< in the condition
    std::vector<Bits> contents;  ///< at the end of the execution at hand
  };
  /// Something that is seen without relations.
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
  void try_contents(std::vector<Bits>&);
  void show_final_memory(const std::vector<Bits>& contents);
  const Execution& witness();
  EventId number_in_witness(EventId) const;

  const LaunchQuestion& question_;
  const EventStructure& structure_;
  const cat::Model& model_;
  const ExploredBarriers& barriers_;
  std::vector<std::string> relations_;
  bool races_shrink_ = false;  ///< the more the model orients, the fewer
  std::vector<Visible> visible_;
  BitSet gives_no_value_;
  std::vector<FinalElement> finals_;
  Bits holds_at_end_;  // width 0: nothing is asked of the end

  PartialExecution* execution_ = nullptr;  // at hand
  std::optional<Execution> witness_;       // of it
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
