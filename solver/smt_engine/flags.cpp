#include "solver/smt_engine/flags.hpp"

#include <algorithm>

#include "model/relations/base_relations.hpp"
#include "solver/encoding/encoding.hpp"
#include "solver/encoding/witness.hpp"
#include "solver/smt_engine/question.hpp"

namespace ptxmc {
namespace {

FlagFinding find_flag(const Encoding& encoding, const cat::Model& model, SmtSolver& solver,
                      const WitnessReader& reader, std::size_t index, unsigned bound) {
  FlagFinding finding;
  finding.name = model.flags[index].name;
  const Bits wanted[] = {encoding.all_completed(), encoding.outcome().flags[index]};
  switch (solver.check(wanted)) {
    case SmtSolver::Result::satisfiable:
      finding.raised = Verdict::allowed;
      finding.witness = reader.read(solver).execution;
      check_witness(model, *finding.witness);
      break;
    case SmtSolver::Result::unsatisfiable: {
      finding.raised = Verdict::forbidden;
      const Bits more[] = {encoding.bound_reached()};
      const auto unfolded = solver.check(more);
      if (unfolded == SmtSolver::Result::unsatisfiable) break;
      finding.raised = Verdict::unknown;
      finding.reason = unfolded == SmtSolver::Result::satisfiable ? "loop bound " + std::to_string(bound)
                                                                  : solver.reason();
      break;
    }
    case SmtSolver::Result::unknown:
      finding.reason = solver.reason();
      break;
  }
  return finding;
}

}  // namespace

std::vector<FlagFinding> find_flags(const Program& program, const cat::Model& model,
                                    const DecideOptions& options, const std::vector<std::string>& names) {
  const auto is_wanted = [&](const std::string& name) {
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
  };
  const cat::Model wanted = with_flags(model, is_wanted);
  TermGraph graph;
  const Encoding encoding(program, wanted, unfold_options(program, {}, model, options), graph);
  SmtSolver solver({options.timeout_seconds, options.memory_bytes, options.interrupted});
  encoding.assert_executions(solver);
  const WitnessReader reader(encoding.structure(), encoding.algebra(), graph);
  std::vector<FlagFinding> findings;
  const auto beyond = encoding.beyond_model();
  for (std::size_t i = 0; i < wanted.flags.size(); ++i) {
    const std::string& name = wanted.flags[i].name;
    if (!is_wanted(name)) continue;
    if (beyond && name != *beyond)
      findings.push_back({name, Verdict::unknown, *beyond, {}, "smt"});
    else
      findings.push_back(find_flag(encoding, wanted, solver, reader, i, options.bound));
  }
  return findings;
}

std::optional<std::string> why_void(const std::vector<FlagFinding>& mixed_size_races) {
  for (const FlagFinding& finding : mixed_size_races) {
    if (finding.raised == Verdict::allowed) return mixed_size_race_reason;
    if (finding.raised == Verdict::unknown) return finding.reason;
  }
  return std::nullopt;
}

bool may_overlap_partially(const EventStructure& structure) {
  const auto& events = structure.events;
  const auto accesses = [](const Event& event) {
    return event.kind == EventKind::read || event.kind == EventKind::write;
  };
  for (const Event& a : events)
    for (const Event& b : events) {
      if (!accesses(a) || !accesses(b) || a.thread >= b.thread) continue;
      if (!overlap_partially(a, b).is_false()) return true;
    }
  return false;
}

}  // namespace ptxmc
