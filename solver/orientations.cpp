#include "solver/orientations.hpp"

namespace ptxmc {

void for_each_orientation(PartialExecution& execution, const std::function<bool()>& must_stop,
                          const std::function<void()>& found) {
  if (must_stop()) return;
  for (std::size_t i = 0; i < execution.model.inputs.choices.size(); ++i) {
    std::size_t a = 0, b = 0;
    if (!execution.model.find_open_pair(i, a, b)) continue;
    for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
      const std::size_t mark = execution.mark();
      execution.model.orient(i, from, to);
      if (execution.model.may_become_consistent()) for_each_orientation(execution, must_stop, found);
      execution.undo_to(mark);
    }
    return;
  }
  if (execution.model.is_consistent()) found();
}

}  // namespace ptxmc
