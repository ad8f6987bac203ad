#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "solver/explorer/execution_walk.hpp"
#include "solver/explorer/explored_barriers.hpp"
#include "solver/launch/defined_part.hpp"
#include "solver/launch/final_condition_observer.hpp"

namespace ptxmc {

/// Evaluates the properties of a question on the complete executions of a launch, one after the other. The
/// definition of a property (property_definition.hpp) says what violates it.
class LaunchObserver final : public ExecutionObserver {
 public:
  /// It is constructed before the executions, which must know the relations and terms to evaluate.
  LaunchObserver(const LaunchQuestion&, const EventStructure&, const cat::Model&, const ExploredBarriers&,
                 TermGraph&);

  /// The relations of the model and the conditions that it evaluates.
  std::vector<std::string> relations() const;
  std::vector<Bits> conditions() const;

  bool may_show_something(const PartialExecution&) override;
  bool begin(PartialExecution&) override;
  /// Whether some orders of an execution with these sources and barriers may violate a property and others
  /// may not.
  bool depends_on_orders(PartialExecution&) override;
  Next look(PartialExecution&, bool) override;
  std::uint64_t executions() const override { return counted_.executions; }

  /// Writes that leave no value: the launch does not determine what a read takes from them.
  const BitSet& gives_no_value() const { return gives_no_value_; }

  /// What keeps the findings from being all that there are.
  struct Gaps {
    bool reads_open_content = false;  ///< some read takes a value that the launch does not determine
    bool has_open_end = false;        ///< the final condition depends on such a value
    bool has_mixed_race = false;      ///< a race between accesses that overlap partially: nothing is found
    bool reaches_bound = false;       ///< some loop needs more iterations than the bound
  };
  Gaps gaps() const;
  /// Whether all threads have run to their end in some execution.
  bool has_complete_execution() const { return has_complete_execution_; }
  std::vector<LaunchFinding> take_findings();

 private:
  /// A suspect that is evaluated without relations of the model.
  struct Visible {
    LaunchProperty property;
    Suspect suspect;
  };
  /// A relation of the model on which properties depend.
  struct Relation {
    const char* name;
    bool shrinks;  ///< each further orientation can only remove pairs
  };
  /// The executions that differ in sources, coherence order or barriers.
  struct Counted {
    std::set<std::vector<std::uint64_t>> coherences;  ///< of the current choice of sources and barriers
    std::uint64_t executions = 0;
  };
  /// What has been derived from the current execution.
  struct CurrentExecution {
    BitMatrix coherence;
    std::optional<Execution> witness;         ///< if it is shown
    std::optional<DefinedPart> defined_part;  ///< if it is asked for
  };
  /// The findings so far, one for each pair of lines.
  struct Found {
    std::set<std::pair<LaunchProperty, SuspectLines>> lines;
    std::vector<LaunchFinding> findings;
  };

  void count();
  void look_at_properties(const ObservedExecution&);
  void look_at_end(const ObservedExecution&);
  bool is_open(LaunchProperty, const Suspect&) const;
  void note(LaunchProperty, const Suspect&, const ObservedExecution&);
  const Execution& witness(PartialExecution&);
  const DefinedPart& defined_part(const ObservedExecution&);

  const LaunchQuestion& question_;
  const EventStructure& structure_;
  const cat::Model& model_;
  const ExploredBarriers& barriers_;
  std::vector<Relation> relations_;
  const bool checks_mixed_race_, has_mbarriers_;
  std::vector<Visible> visible_;
  BitSet gives_no_value_;
  FinalConditionObserver final_condition_;

  CurrentExecution current_;
  Counted counted_;
  Found found_;
  Gaps gaps_;
  bool has_complete_execution_ = false;
};

}  // namespace ptxmc
