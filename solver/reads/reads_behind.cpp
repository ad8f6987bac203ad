#include "solver/reads/reads_behind.hpp"

namespace ptxmc {

ReadsBehind::ReadsBehind(const EventStructure& structure) {
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
    const Event& event = structure.events[static_cast<std::size_t>(id)];
    const bool is_unknown = event.is_read() && !event.value.is_constant();
    if (is_unknown && event.value.term()->op == Operator::variable)
      read_of_.emplace(event.value.term()->variable, id);
  }
}

std::vector<EventId> ReadsBehind::operator()(const Bits& term) const {
  std::vector<EventId> reads;
  for (const VariableId variable : variables_of(term))
    if (const auto read = read_of_.find(variable); read != read_of_.end()) reads.push_back(read->second);
  return reads;
}

}  // namespace ptxmc
