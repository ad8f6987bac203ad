// ptxmc::explain: why a condition is forbidden.
#include "src/library/default_model.hpp"
#include "src/library/handles.hpp"
#include "src/library/litmus_drawing.hpp"
#include "src/library/public_errors.hpp"
#include "src/library/shown_execution.hpp"
#include "src/library/watched_work.hpp"
#include "src/report/explanation_text.hpp"

namespace ptxmc {

namespace {

v1::Explanation shown(const std::shared_ptr<v1::Explanation::Data>& data, bool with_executions) {
  const Explanation& found = data->found;
  v1::Explanation result;
  for (const BrokenAxiom& axiom : found.axioms)
    result.axioms.push_back({axiom.name, axiom.breaks_no_other, std::nullopt});
  if (with_executions && !found.axioms.empty()) {
    const std::vector<DrawnExecution> drawn = drawn_explanation(*data->test, *data->model, found);
    for (std::size_t i = 0; i < drawn.size(); ++i)
      result.axioms[i].execution = shown_execution(drawn[i], data->test);
  }
  result.reason = found.reason;
  result.text = explanation_text(found, *data->model);
  result.data = data;
  return result;
}

}  // namespace

namespace v1 {

Explanation explain(const LitmusTest& test, const Options& options) {
  return with_public_errors(test.file(), [&] {
    const Model model = chosen_model(options, test.data()->language);
    require_model_for(*test.data(), *model.data());
    const auto data = std::make_shared<Explanation::Data>(Explanation::Data{test.data(), model.data(), {}});
    const auto work = [&](const DecideOptions& decide) {
      data->found = explain_forbidden(test.data()->program, test.data()->question, *model.data(), decide);
    };
    run_watched(options, work, [&](const std::string& reason, double) { data->found.reason = reason; });
    return shown(data, options.executions);
  });
}

}  // namespace v1

}  // namespace ptxmc
