#include "solver/compiled_model/compiled_model.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "model/cat/cat_graph.hpp"
#include "model/cat/cat_polarity.hpp"
#include "model/relations/base_relations.hpp"
#include "model/relations/base_sets.hpp"
#include "model/relations/related_pairs.hpp"
#include "semantics/language/diagnostic.hpp"
#include "semantics/values/check.hpp"
#include "solver/algebra/bit_rows.hpp"

// Preparation of a model: its steps, and the memory of their values.

namespace ptxmc {

using cat::NodeId;

namespace {

bool is_static_name(const std::string& name) {
  return name != "rf" && name != "syncbar" && name != "co" && name != "total_coherence";
}

bool is_choice(cat::Operator op) {
  return op == cat::Operator::orientations || op == cat::Operator::total_coherence;
}

/// Whether the value of an operator for some events depends only on its operands' values for these events.
bool is_pointwise(cat::Operator op) {
  switch (op) {
    case cat::Operator::universe:
    case cat::Operator::empty:
    case cat::Operator::unite:
    case cat::Operator::intersect:
    case cat::Operator::subtract:
    case cat::Operator::complement:
    case cat::Operator::product:
    case cat::Operator::identity:
    case cat::Operator::inverse:
    case cat::Operator::optional:
      return true;
    default:
      return false;
  }
}

/// Whether no access overlaps a read partially, so that each read has one source.
bool have_one_source(std::span<const Event> events) {
  std::set<std::pair<std::uint64_t, unsigned>> read, accessed;
  for (const Event& event : events) {
    if (!event.is_memory_access()) continue;
    if (!event.location.is_constant()) return false;
    const std::pair range{event.location.to_u64(), event.size};
    accessed.insert(range);
    if (event.is_read()) read.insert(range);
  }
  return std::all_of(read.begin(), read.end(), [&](const auto& taken) {
    const auto [first, size] = taken;
    return std::all_of(accessed.begin(), accessed.end(), [&, first = first, size = size](const auto& other) {
      const bool is_apart = other.first + other.second <= first || first + size <= other.first;
      return is_apart || (other.first <= first && first + size <= other.first + other.second);
    });
  });
}

template <class Rule>
void add_once(std::vector<Rule>& rules, Rule rule) {
  if (std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(std::move(rule));
}

}  // namespace

CompiledModel::Kinds::Kinds(std::span<const Event> events)
    : reads_have_one_source(have_one_source(events)), all(~BitSet(events.size())) {
  for (const Event& event : events)
    of.push_back(static_cast<std::uint8_t>((event.is_write() ? 1 : 0) |
                                           (event.kind == EventKind::initial_write ? 2 : 0) |
                                           (event.is_read() ? 4 : 0)));
}

CompiledModel::CompiledModel(const cat::Model& model, const Program& program, std::span<const Event> events,
                             std::span<const std::string> wanted)
    : model_(model),
      program_(program),
      size_(events.size()),
      stride_((events.size() + 63) / 64),
      kinds_(events) {
  inputs.present = BitSet(size_);
  inputs.rf = inputs.syncbar = BitMatrix(size_);
  compile(wanted);
  compile_axioms();
  mark_pruning();
  place_values();
  find_static_values(events);
  simplify(events);
  find_rules();
  find_live();
  mark_asked_statics();
  find_users();
}

// --- Steps ------------------------------------------------------------------------------------------------

void CompiledModel::compile(std::span<const std::string> wanted) {
  std::vector<NodeId> exact;
  for (const std::string& name : wanted)
    if (const cat::Definition* definition = model_.find(name)) exact.push_back(definition->node);
  const std::size_t asked = exact.size();
  for (std::size_t i = 0; i < model_.nodes.size();
       ++i)  // an execution includes all choices, even those that no axiom uses
    if (model_.nodes[i].op == cat::Operator::orientations) exact.push_back(static_cast<NodeId>(i));
  const auto uses = cat::uses(model_, exact);
  for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
    add_step(static_cast<NodeId>(i));
    Step& step = steps_.back();
    step.use.is_needed = uses[i] != cat::Use::none;
    if (!step.use.is_needed) continue;
    if (step.op == cat::Operator::partial_coherence)
      throw Unsupported("the explorer under a model of PTX that does not define co", {});
    if (!is_choice(step.op)) continue;
    const bool total = step.op == cat::Operator::total_coherence;
    const bool is_fixed = total || steps_[step.operands[0]].is_static;
    step.choice = inputs.choices.size();
    inputs.choices.push_back({.name = total ? "co" : model_.nodes[i].name,
                              .is_total_coherence = total,
                              .is_fixed = is_fixed,
                              .node = static_cast<NodeId>(i)});
  }
  for (std::size_t i = 0; i < asked; ++i) steps_[static_cast<std::size_t>(exact[i])].use.is_asked = true;
}

void CompiledModel::add_step(NodeId id) {
  const cat::Node& from = node(id);
  Step step;
  step.op = from.op;
  step.is_set = from.kind == cat::Kind::set;
  step.same_as = static_cast<std::uint32_t>(id);
  for (const NodeId part : cat::parts(from, model_.recursions))
    step.operands.push_back(static_cast<std::uint32_t>(part));
  if (from.op == cat::Operator::base) {
    step.set = step.is_set ? find_base_set(from.name) : nullptr;
    step.relation = step.is_set ? nullptr : find_base_relation(from.name);
    step.is_static = step.set || step.relation->holds;
    step.is_open = step.relation && step.relation->uses_addresses;
  }
  if (from.op == cat::Operator::total_coherence) step.relation = find_base_relation("loc");
  const auto is_identity = [&](std::uint32_t operand) {
    return steps_[operand].op == cat::Operator::identity;
  };
  if (is_pointwise(from.op) || (from.op == cat::Operator::compose &&
                                (is_identity(step.operands[0]) || is_identity(step.operands[1])))) {
    step.is_static = std::all_of(step.operands.begin(), step.operands.end(),
                                 [&](std::uint32_t operand) { return steps_[operand].is_static; });
    step.is_open = std::any_of(step.operands.begin(), step.operands.end(),
                               [&](std::uint32_t operand) { return steps_[operand].is_open; });
  }
  steps_.push_back(std::move(step));
}

void CompiledModel::compile_axioms() {
  const auto monotone = cat::monotone_axioms(model_, is_static_name);
  for (std::size_t i = 0; i < model_.axioms.size(); ++i)
    add_axiom(tests_.axioms, model_.axioms[i], monotone[i]);
  for (const Choice& choice : inputs.choices) {
    if (!choice.is_total_coherence) continue;
    tests_.coherence.form = cat::Test::Form::acyclic;
    tests_.coherence.node = choice.node;
    add_axiom(tests_.axioms, tests_.coherence, true);
  }
  for (const cat::Test& flag : model_.flags) add_axiom(tests_.flags, flag, false);
}

/// Adds a step for the closure of a relation that must be acyclic.
void CompiledModel::add_axiom(std::vector<Axiom>& list, const cat::Test& test, bool prunes) {
  auto tested = static_cast<std::uint32_t>(test.node);
  if (test.form == cat::Test::Form::acyclic && steps_[tested].op != cat::Operator::closure) {
    Step closure;
    closure.op = cat::Operator::closure;
    closure.use.is_needed = true;
    closure.operands = {tested};
    closure.same_as = tested = static_cast<std::uint32_t>(steps_.size());
    steps_.push_back(std::move(closure));
  }
  list.push_back({&test, prunes, tested});
}

void CompiledModel::mark_pruning() {
  for (const Axiom& axiom : tests_.axioms)
    if (axiom.prunes) steps_[axiom.tested].use.prunes = true;
  for (const Choice& choice : inputs.choices) steps_[static_cast<std::size_t>(choice.node)].use.prunes = true;
  for (std::size_t i = steps_.size(); i-- > 0;) {  // users follow their operands
    if (!steps_[i].use.prunes) continue;
    if (steps_[i].op == cat::Operator::fixpoint && node(static_cast<NodeId>(i)).index > 0)
      steps_[i - static_cast<std::size_t>(node(static_cast<NodeId>(i)).index)].use.prunes = true;
    for (const std::uint32_t operand : steps_[i].operands) steps_[operand].use.prunes = true;
  }
}

void CompiledModel::place_values() {
  std::size_t words = 0, static_words = 0, most = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    Step& step = steps_[i];
    if (!step.use.is_needed && step.op != cat::Operator::fixpoint) continue;
    step.memory.count = words_in(step);
    step.memory.place = words;
    if (is_choice(step.op)) step.memory.count *= 3;  // the value, the open pairs, the chosen pairs
    words += step.memory.count;
    // The names of a recursion are adjacent, and are saved together.
    if (step.op == cat::Operator::fixpoint && node(static_cast<NodeId>(i)).index > 0) {
      Step& first = steps_[i - static_cast<std::size_t>(node(static_cast<NodeId>(i)).index)];
      first.memory.count = words - first.memory.place;
    }
    if (!step.is_static && !step.relation) continue;
    step.memory.static_place = static_words;
    static_words += words_in(step);
  }
  for (const Step& step : steps_) most = std::max(most, step.memory.count);
  values_.resize(words);
  statics_.words.resize(static_words);
  scratch_.resize(most);
}

namespace {

bool has_known_address(const Event& event) {
  const auto is_known = [](const Bits& bits) { return bits.width() == 0 || bits.is_constant(); };
  return is_known(event.location) && is_known(event.address);
}

}  // namespace

/// The sets and relations of events. Where relations use addresses, those of open addresses are left out.
void CompiledModel::find_static_values(std::span<const Event> all) {
  for (Step& step : steps_) {
    if (!step.use.is_needed) continue;
    Word* rows = static_rows(step);
    for (std::size_t i = 0; step.set && i < size_; ++i)
      if (step.set->contains(all[i])) insert_bit(rows, i);
    const BaseRelation* relation = step.relation;
    if (!relation || !relation->holds) continue;
    for_each_related(
        *relation, program_, all,
        [&](EventId a, EventId b, const Bits& holds) {
          if (holds.is_true())
            insert_bit(rows + static_cast<std::size_t>(a) * stride_, static_cast<std::size_t>(b));
        },
        relation->uses_addresses ? has_known_address : nullptr);
  }
  statics_.are_stale = true;
}

void CompiledModel::locate(std::span<const Event> all, EventId id) {
  const auto i = static_cast<std::size_t>(id);
  const auto is_open = [&](EventId event) {
    return !has_known_address(all[static_cast<std::size_t>(event)]);
  };
  for (Step& step : steps_) {
    if (!step.use.is_needed) continue;
    Word* rows = static_rows(step);
    if (step.set && step.set->contains(all[i])) insert_bit(rows, i);
    if (!step.relation || !step.relation->uses_addresses) continue;
    for (EventId other = 0; other < static_cast<EventId>(size_); ++other) {
      if (is_open(id) || is_open(other)) continue;
      const auto relate = [&](EventId a, EventId b) {
        Word* row = rows + static_cast<std::size_t>(a) * stride_;
        const auto to = static_cast<std::size_t>(b);
        erase_bit(row, to);
        if (step.relation->holds(program_, all, a, b).is_true()) insert_bit(row, to);
      };
      relate(id, other);
      if (other != id) relate(other, id);
    }
  }
  statics_.are_stale = true;
}

// --- Rules ------------------------------------------------------------------------------------------------

void CompiledModel::find_rules() {
  for (const Axiom& axiom : tests_.axioms) {
    if (!axiom.prunes || axiom.test->negated) continue;
    const cat::Node& tested = node(axiom.test->node);
    if (axiom.test->form == cat::Test::Form::acyclic) {
      find_rules(axiom.test->node, axiom.tested, {});
    } else if (axiom.test->form == cat::Test::Form::irreflexive) {
      if (tested.op == cat::Operator::closure) find_rules(axiom.test->node, axiom.tested, {});
      if (tested.op == cat::Operator::compose)
        for (const int i : {0, 1}) find_rules(tested.operands[i], step_of(tested.operands[1 - i]), {});
    }
  }
}

/// Finds the choices, reads-from and from-reads in a relation, with the filters that restrict them.
void CompiledModel::find_rules(NodeId id, std::uint32_t before, std::vector<NodeId> filters) {
  const cat::Node& from = node(id);
  const Step& step = steps_[static_cast<std::size_t>(id)];
  if (from.owner >= 0 || steps_[before].is_void) return;
  switch (from.op) {
    case cat::Operator::orientations:
    case cat::Operator::total_coherence:
      if (inputs.choices[step.choice].is_fixed && !step.is_void)
        add_once(rules_.orientations, {step.choice, before, std::move(filters)});
      break;
    case cat::Operator::base:
      if (from.name == "rf") add_once(rules_.sources, {before, std::nullopt, std::move(filters)});
      break;
    case cat::Operator::from_reads:
      if (!step.is_void) add_once(rules_.sources, {before, step_of(from.operands[0]), std::move(filters)});
      break;
    case cat::Operator::unite:
      for (const NodeId operand : from.operands) find_rules(operand, before, filters);
      break;
    case cat::Operator::closure:
    case cat::Operator::optional:
      find_rules(from.operands[0], before, std::move(filters));
      break;
    case cat::Operator::intersect:
      for (const int i : {0, 1}) {
        const NodeId filter = from.operands[1 - i];
        if (!steps_[static_cast<std::size_t>(filter)].is_static) continue;
        auto more = filters;
        more.push_back(filter);
        find_rules(from.operands[i], before, std::move(more));
      }
      break;
    default:
      break;
  }
}

/// The names of base relations and choices that are subsets of a relation.
void CompiledModel::contained(NodeId id, std::vector<std::string>& names) const {
  const cat::Node& from = node(id);
  if (from.op == cat::Operator::base || from.op == cat::Operator::orientations) names.push_back(from.name);
  if (from.op == cat::Operator::total_coherence) names.push_back("co");
  if (from.op == cat::Operator::unite || from.op == cat::Operator::closure ||
      from.op == cat::Operator::optional)
    for (const NodeId operand : from.operands) contained(operand, names);
}

bool CompiledModel::reveals(std::string_view name, std::size_t choice) const {
  const cat::Definition* definition = model_.find(name);
  if (!definition) return false;
  std::vector<std::string> names;
  contained(definition->node, names);
  return std::find(names.begin(), names.end(), inputs.choices[choice].name) != names.end();
}

bool CompiledModel::forbids_thin_air() const {
  return std::any_of(model_.axioms.begin(), model_.axioms.end(), [&](const cat::Test& axiom) {
    if (axiom.form != cat::Test::Form::acyclic || axiom.negated) return false;
    std::vector<std::string> names;
    contained(axiom.node, names);
    const auto has_name = [&](const char* name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    return has_name("rf") && (has_name("po") || (has_name("addr") && has_name("data") && has_name("ctrl")));
  });
}

}  // namespace ptxmc
