#include "solver/explorer/explored_model.hpp"

#include <algorithm>

#include "model/cat/cat_polarity.hpp"
#include "semantics/language/diagnostic.hpp"
#include "solver/algebra/bit_rows.hpp"
#include "solver/encoding/encoding.hpp"
#include "solver/encoding/witness.hpp"
#include "solver/limits/event_limit.hpp"
#include "solver/smt_engine/raised_flags.hpp"

namespace ptxmc {

cat::Model with_voiding_flags(cat::Model model, bool has_mixed_sizes) {
  std::erase_if(model.flags, [&](const cat::Test& flag) {
    return !is_beyond_model(flag.name) && (!has_mixed_sizes || flag.name != mixed_size_race);
  });
  return model;
}

std::optional<std::string> voiding_flag(const EventStructure& structure, cat::Model model) {
  std::erase_if(model.flags, [](const cat::Test& flag) { return !is_beyond_model(flag.name); });
  if (model.flags.empty()) return std::nullopt;
  // Such flags depend on the program, not on the choices of an execution.
  model.axioms.clear();
  for (cat::Node& node : model.nodes)
    if (node.op == cat::Operator::orientations) node.op = cat::Operator::empty, node.operands.clear();
  const CompiledModel program(model, *structure.program, structure.events, {});
  for (std::size_t i = 0; i < model.flags.size(); ++i)
    if (program.may_be_raised(i)) return model.flags[i].name;
  return std::nullopt;
}

void note_flag(PartialExecution& execution, const EventStructure& structure, const cat::Model& model,
               std::size_t flag, std::map<std::string, Execution>& raised) {
  if (raised.contains(model.flags[flag].name) || !execution.model.is_raised(flag)) return;
  Execution witness = execution.execution();
  witness.final_memory.resize(structure.program->memory.size());
  check_witness(model, witness);
  raised.emplace(model.flags[flag].name, std::move(witness));
}

namespace {

/// Values only become more constrained: once a value satisfies this test, no later choice makes it violate
/// the test.
bool keeps(cat::Model model, cat::NodeId node, bool negated) {
  model.axioms = {
      {.form = cat::Test::Form::empty, .negated = negated, .node = node, .name = "", .place = {}}};
  const auto is_static = [](const std::string& base) { return base != "co" && base != "total_coherence"; };
  return cat::monotone_axioms(model, is_static).front();
}

}  // namespace

bool grows_with_choices(cat::Model model, cat::NodeId node) { return keeps(std::move(model), node, false); }

bool shrinks_with_choices(cat::Model model, cat::NodeId node) { return keeps(std::move(model), node, true); }

bool is_strict_order(const cat::Model& model, cat::NodeId relation) {
  const bool is_transitive = model.nodes[static_cast<std::size_t>(relation)].op == cat::Operator::closure;
  return std::ranges::any_of(model.axioms, [&](const cat::Test& axiom) {
    return axiom.node == relation && !axiom.negated &&
           (axiom.form == cat::Test::Form::acyclic ||
            (axiom.form == cat::Test::Form::irreflexive && is_transitive));
  });
}

bool may_read_from_thin_air(const EventStructure& structure, std::span<const PartialExecution::Part> parts) {
  BitMatrix feeds(structure.events.size());
  for (std::size_t i = 0; i < structure.events.size(); ++i) {
    const Event& event = structure.events[i];
    for (const auto* reads :
         {&event.address_dependencies, &event.data_dependencies, &event.control_dependencies})
      for (const EventId read : *reads) feeds.insert(static_cast<std::size_t>(read), i);
  }
  for (const auto& part : parts)
    for_each_member(part.candidates.words(), part.candidates.word_count(),
                    [&](std::size_t write) { feeds.insert(write, static_cast<std::size_t>(part.read)); });
  return !feeds.is_acyclic();
}

std::uint64_t cost_of_step(std::size_t events) {
  const std::uint64_t times_small = events / 32;
  return 1 + times_small * times_small * times_small;
}

void check_closed(const CandidateExecutions& candidates) {
  if (!candidates.are_closed()) throw Unsupported("inputs that the launch leaves open, in the explorer", {});
  const auto has_open_group = [](const Event& event) {
    return std::ranges::any_of(
        event.completes, [](const Completion& completion) { return !completion.condition.is_constant(); });
  };
  if (std::ranges::any_of(candidates.structure->events, has_open_group))
    throw Unsupported("groups of asynchronous operations that depend on reads, in the explorer", {});
  if (candidates.are_meetings_chosen)
    throw Unsupported("exchanges whose order depends on reads, in the explorer", {});
}

void check_worth_exploring(const EventStructure& structure, const DecideOptions& options) {
  constexpr std::uint64_t fewest_steps = 100;
  const std::size_t most_events = most_related_events(options.max_events, options.memory_bytes);
  if (structure.events.size() > most_events) throw TooManyEvents(most_events, {});
  if (options.max_steps > 0 && structure.events.size() > 64 &&
      cost_of_step(structure.events.size()) * fewest_steps > options.max_steps)
    throw Unsupported("so many events in the explorer under a limit on steps", {});
}

}  // namespace ptxmc
