#include "src/library/compared_sides.hpp"

namespace ptxmc {

void compare_sides(ComparedSides& pair, const DecideOptions& decide, Engine engine,
                   const RefinementOptions& options) {
  pair.asked_source = compared_program(pair.source, decide, engine);
  pair.asked_target = compared_program(pair.target, decide, engine);
  RefinementReport& report = pair.report;
  report.observed = pair.source.names;
  report.source_model = pair.source.model.name;
  report.target_model = pair.target.model.name;
  report.refinement = decide_refinement(pair.asked_source, pair.asked_target, options);
  if (report.refinement.extra.empty() || !pair.source.test) return;
  const Outcome& outcome = report.refinement.target.values[report.refinement.extra.front()];
  report.explanation = explain_forbidden(pair.source.test->program, question_of(pair.source, outcome),
                                         pair.source.model, decide);
}

}  // namespace ptxmc
