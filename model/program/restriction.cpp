#include "model/program/restriction.hpp"

#include <memory>
#include <utility>

namespace ptxmc {

namespace {

class Renumbering {
 public:
  explicit Renumbering(std::vector<EventId> numbers) : numbers_(std::move(numbers)) {}

  EventId operator()(EventId id) const { return numbers_[static_cast<std::size_t>(id)]; }

  void apply_to(std::vector<EventId>& ids) const {
    std::vector<EventId> kept;
    for (const EventId id : ids)
      if ((*this)(id) >= 0) kept.push_back((*this)(id));
    ids = std::move(kept);
  }

  Pairs of(const Pairs& pairs) const {
    Pairs kept;
    for (const auto& [a, b] : pairs)
      if ((*this)(a) >= 0 && (*this)(b) >= 0) kept.emplace_back((*this)(a), (*this)(b));
    return kept;
  }

 private:
  std::vector<EventId> numbers_;
};

}  // namespace

Execution restriction(const Execution& execution, const std::vector<bool>& kept,
                      std::vector<EventId>& numbers) {
  Execution result = execution;
  result.events.clear();
  result.barrier_phase.clear();
  result.reads_from.clear();
  numbers.assign(kept.size(), -1);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (!kept[i]) continue;
    numbers[i] = static_cast<EventId>(result.events.size());
    result.events.push_back(execution.events[i]);
    if (!execution.barrier_phase.empty()) result.barrier_phase.push_back(execution.barrier_phase[i]);
  }
  const auto shared = std::make_shared<const Renumbering>(numbers);
  const Renumbering& number = *shared;
  for (Event& event : result.events) {
    if (event.rmw >= 0) event.rmw = number(event.rmw);
    number.apply_to(event.address_dependencies);
    number.apply_to(event.data_dependencies);
    number.apply_to(event.control_dependencies);
  }
  for (ReadsFrom source : execution.reads_from) {
    source.read = number(source.read);
    source.write = number(source.write);
    if (source.read >= 0 && source.write >= 0) result.reads_from.push_back(source);
  }
  result.relations =
      execution.relations.changed_by([shared](const Pairs& pairs) { return shared->of(pairs); });
  for (auto& [name, pairs] : result.choices) pairs = number.of(pairs);
  return result;
}

}  // namespace ptxmc
