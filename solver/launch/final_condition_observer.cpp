#include "solver/launch/final_condition_observer.hpp"

#include "solver/explorer/explored_ends.hpp"
#include "solver/explorer/final_contents.hpp"
#include "solver/limits/time_limit.hpp"

namespace ptxmc {

FinalConditionObserver::FinalConditionObserver(const LaunchQuestion& question,
                                               const EventStructure& structure, TermGraph& graph)
    : structure_(structure) {
  if (!question.final_condition) return;
  holds_ = question.final_condition([&](int variable, std::size_t element) {
    for (const Element& known : elements_)
      if (known.variable == variable && known.element == element) return known.unknown;
    const unsigned size = structure_.program->memory[index(variable)].element_size;
    elements_.push_back({variable, element, graph.variable(8 * size, "final"), {}});
    return elements_.back().unknown;
  });
}

std::optional<std::vector<FinalContent>> FinalConditionObserver::violation(const ObservedExecution& observed,
                                                                           const BitMatrix& coherence) {
  if (holds_.width() == 0 || !all_end(structure_, observed.execution, {Ending::Kind::completed})) return {};
  for (Element& element : elements_) {
    element.contents = final_contents(observed.execution, structure_.program->memory[index(element.variable)],
                                      element.element, &coherence);
    const bool is_unknown = element.contents.front().width() == 0;
    if (is_unknown || may_be_left(element, observed, coherence)) has_open_end_ = true;
    if (is_unknown) return {};
  }
  return try_contents();
}

/// Whether the last write of some byte of the element may be one that leaves no value.
bool FinalConditionObserver::may_be_left(const Element& element, const ObservedExecution& observed,
                                         const BitMatrix& coherence) const {
  const PartialExecution& execution = observed.execution;
  const Variable& variable = structure_.program->memory[index(element.variable)];
  const std::uint64_t first = variable.location + element.element * variable.element_size;
  for (std::size_t atom = 0; atom < execution.atoms().size(); ++atom) {
    const Atom& place = execution.atoms()[atom];
    if (place.first + place.count <= first || first + variable.element_size <= place.first) continue;
    const BitSet open = execution.writers(atom) & observed.gives_no_value;
    for (std::size_t write = 0; write < open.size(); ++write) {
      if (!open.contains(write)) continue;
      bool is_followed = false;
      coherence.for_each_successor(write, [&](std::size_t later) {
        is_followed = is_followed || execution.writers(atom).contains(later);
      });
      if (!is_followed) return true;
    }
  }
  return false;
}

/// Tries each combination of contents of the elements; the last one changes first.
std::optional<std::vector<FinalContent>> FinalConditionObserver::try_contents() const {
  std::vector<std::size_t> chosen(elements_.size());
  for (;;) {
    TimeLimit::check();
    Substitution values;
    std::vector<FinalContent> contents;
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      const Element& element = elements_[i];
      contents.push_back({element.variable, element.element, element.contents[chosen[i]]});
      values.set(element.unknown.term()->variable, contents.back().value);
    }
    if (values.apply(holds_).is_false()) return contents;
    std::size_t i = elements_.size();
    while (i > 0 && ++chosen[i - 1] == elements_[i - 1].contents.size()) chosen[--i] = 0;
    if (i == 0) return {};
  }
}

}  // namespace ptxmc
