#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "solver/encoding/candidate_executions.hpp"
#include "solver/encoding/encoding.hpp"
#include "solver/encoding/witness.hpp"
#include "solver/smt_engine/answers.hpp"

namespace ptxmc {

/// Whether some execution has a property.
struct Existence {
  Verdict verdict = Verdict::unknown;  ///< allowed: there is one
  std::string reason;                  ///< of unknown
};

/// A search with Z3 among the executions of a litmus test or a launch. Every question of the SMT engine is
/// a condition on the encoding, and its answer an execution that satisfies it.
class ExecutionSearch {
 public:
  using Result = SmtSolver::Result;
  /// The flags of the model that conditions mention, by name. Fewer flags are searched faster: see
  /// with_flags.
  using Flags = std::function<bool(const std::string&)>;

  /// The model, the options and the graph must outlive the search, which ends within the time limit of this
  /// thread.
  ExecutionSearch(SettledCandidates, const cat::Model&, const Flags&, const DecideOptions&, TermGraph&);
  /// No flag.
  static bool none(const std::string&) { return false; }

  const Encoding& encoding() const { return encoding_; }
  const EventStructure& structure() const { return encoding_.structure(); }
  const SymbolicAlgebra& algebra() const { return encoding_.algebra(); }

  /// Requires the constraints of every candidate. Without the axioms of the model, which
  /// `require_executions` requires too, candidates may break them.
  void require_executions();
  void require_candidates();
  /// Requires a further condition (width 1).
  void require(const Bits& condition) { solver_.add(condition); }

  /// Whether some execution satisfies all these conditions.
  Result find(std::span<const Bits> conditions) { return solver_.check(conditions); }
  /// Why the last search was undecided.
  const std::string& reason() const { return solver_.reason(); }
  /// The same; forbidden only if the bound on loops cuts off no execution that satisfies `cut_off`.
  Existence exists(std::span<const Bits> conditions, std::span<const Bits> cut_off);
  /// Why some execution may need more iterations than the bound; empty if none does.
  std::optional<std::string> incomplete(std::span<const Bits> cut_off);

  /// Adds a term that `found` and `found_candidate` must evaluate.
  void include(const Bits& term) { reader_.include(term); }
  /// The execution of the last successful search. It has the relations of the model, and the judge has
  /// accepted it; otherwise throws std::logic_error.
  Witness found() const;
  /// The same without the judge.
  Witness found_candidate() const { return reader_.read(solver_); }

 private:
  const cat::Model& model_;
  const DecideOptions& options_;
  const Bits assumption_;
  const Encoding encoding_;
  SmtSolver solver_;
  WitnessReader reader_;
};

}  // namespace ptxmc
