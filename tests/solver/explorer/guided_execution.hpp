#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "solver/explorer/partial_execution.hpp"
#include "tests/solver/all_executions.hpp"

namespace ptxmc::test {

/// A partial execution that grows towards a known one.
class GuidedExecution {
 public:
  GuidedExecution(const EventStructure& structure, const cat::Model& model, const Execution& known)
      : execution(structure, model, std::vector<std::string>{"co"}) {
    const auto ids = ids_in(structure, known);
    is_known_.resize(structure.events.size());
    for (const EventId id : ids) is_known_[static_cast<std::size_t>(id)] = true;
    for (const ReadsFrom& from : known.reads_from)
      sources_[{ids[static_cast<std::size_t>(from.read)], from.first}] =
          ids[static_cast<std::size_t>(from.write)];
  }

  PartialExecution execution;

  /// Whether the event happens in the known execution.
  bool happens(EventId id) const { return is_known_[static_cast<std::size_t>(id)]; }
  /// The source of an active part in the known execution.
  EventId source(std::size_t part) const {
    const PartialExecution::Part& open = execution.parts()[part];
    return sources_.at({open.read, execution.atoms()[open.atom].first});
  }
  /// The active parts without a source.
  std::vector<std::size_t> open_parts() const {
    std::vector<std::size_t> result;
    for (std::size_t part = 0; part < execution.parts().size(); ++part)
      if (execution.parts()[part].is_active && execution.parts()[part].source < 0) result.push_back(part);
    return result;
  }
  /// Those whose source exists. There is one as long as there are open parts: no value comes out of thin air.
  std::vector<std::size_t> ready_parts() const {
    std::vector<std::size_t> result = open_parts();
    std::erase_if(result, [&](std::size_t part) {
      return execution.state(source(part)) != PartialExecution::State::present;
    });
    return result;
  }
  /// Chooses the remaining sources in a random order.
  void complete(std::mt19937& random) {
    for (auto ready = ready_parts(); !ready.empty(); ready = ready_parts()) {
      const std::size_t part = ready[random() % ready.size()];
      execution.choose_source(part, source(part));
      execution.settle();
    }
  }

 private:
  std::vector<bool> is_known_;
  std::map<std::pair<EventId, std::uint64_t>, EventId> sources_;  // by read and first byte
};

/// Calls `visit(model, program, execution)` for the executions of all small programs, without orientations.
template <class Visit>
void for_each_execution(std::initializer_list<const char*> models, const Visit& visit) {
  for (const char* name : models) {
    const cat::Model model = cat::load(name);
    for (const auto& program : small_programs(name))
      for (const Execution& execution : program->all.accepted_sources) {
        CAPTURE(model.name);
        CAPTURE(program->text);
        CAPTURE(key_of_sources(execution));
        visit(model, *program, execution);
      }
  }
}

}  // namespace ptxmc::test
