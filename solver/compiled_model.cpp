#include "solver/compiled_model.hpp"

#include <algorithm>

#include "model/base_relations.hpp"
#include "model/cat_graph.hpp"
#include "model/cat_polarity.hpp"
#include "semantics/check.hpp"
#include "semantics/diagnostic.hpp"
#include "solver/bit_rows.hpp"

namespace ptxmc {

using cat::NodeId;

namespace {

bool is_static(const std::string& name) {
  return name != "rf" && name != "syncbar" && name != "co" && name != "total_coherence";
}

}  // namespace

CompiledModel::CompiledModel(const cat::Model& model, const Program& program, std::span<const Event> events,
                             std::span<const std::string> wanted)
    : model_(model), program_(program), size_(events.size()), stride_((events.size() + 63) / 64) {
  inputs.present = BitSet(size_);
  inputs.rf = inputs.syncbar = BitMatrix(size_);
  for (const Event& event : events)
    kinds_.push_back(static_cast<std::uint8_t>((event.is_write() ? 1 : 0) |
                                               (event.kind == EventKind::initial_write ? 2 : 0)));
  compile(wanted);
  compile_axioms();
  find_rules();
  for (EventId id = 0; id < static_cast<EventId>(size_); ++id) locate(events, id);
}

// --- Before the first evaluation --------------------------------------------------------------------------

void CompiledModel::compile(std::span<const std::string> wanted) {
  std::vector<NodeId> exact;
  for (const std::string& name : wanted)
    if (const cat::Definition* definition = model_.find(name)) exact.push_back(definition->node);
  for (std::size_t i = 0; i < model_.nodes.size();
       ++i)  // an execution has all choices, whatever they are for
    if (model_.nodes[i].op == cat::Operator::orientations) exact.push_back(static_cast<NodeId>(i));
  const auto uses = cat::uses(model_, exact);
  steps_.resize(model_.nodes.size());
  std::size_t words = 0, static_words = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const cat::Node& from = model_.nodes[i];
    Step& step = steps_[i];
    step.op = from.op;
    step.is_set = from.kind == cat::Kind::set;
    step.is_needed = uses[i] != cat::Use::none;
    step.depends = events;
    for (const NodeId part : cat::parts(from, model_.recursions))
      step.depends |= steps_[static_cast<std::size_t>(part)].depends;
    step.place = words;
    words += step.is_set ? stride_ : size_ * stride_;
    if (from.op == cat::Operator::base) {
      if (from.name == "rf") step.depends |= reads_from;
      if (from.name == "syncbar") step.depends |= barriers;
      step.set = step.is_set ? find_base_set(from.name) : nullptr;
      step.relation = step.is_set ? nullptr : find_base_relation(from.name);
    }
    if (from.op == cat::Operator::from_reads) step.depends |= reads_from;
    const bool is_choice =
        from.op == cat::Operator::orientations || from.op == cat::Operator::total_coherence;
    if (is_choice && step.is_needed) {
      step.choice = inputs.choices.size();
      const bool total = from.op == cat::Operator::total_coherence;
      inputs.choices.push_back({.name = total ? "co" : from.name,
                                .is_total_coherence = total,
                                .is_fixed = step.depends == events,
                                .node = static_cast<NodeId>(i),
                                .pairs = BitMatrix(size_),
                                .always = BitMatrix(size_),
                                .chosen = BitMatrix(size_)});
      step.depends |= choice_change(step.choice);
      if (total) step.relation = find_base_relation("loc");
    }
    if (from.op == cat::Operator::partial_coherence && step.is_needed)
      throw Unsupported("the explorer under a model of PTX that does not define co", {});
    if (step.set || (step.relation && step.relation->holds)) {
      step.static_rows = static_words;
      static_words += step.set ? stride_ : size_ * stride_;
    }
  }
  words_.resize(words);
  static_words_.resize(static_words);
}

void CompiledModel::compile_axioms() {
  const auto monotone = cat::monotone_axioms(model_, is_static);
  const auto add = [&](std::vector<Axiom>& list, const cat::Test& test, bool prunes) {
    Axiom& axiom = list.emplace_back();
    axiom.test = &test;
    axiom.prunes = prunes;
    axiom.depends = steps_[static_cast<std::size_t>(test.node)].depends;
    if (test.form == cat::Test::Form::acyclic) {
      axiom.closure = words_.size();
      words_.resize(words_.size() + size_ * stride_);
    }
    if (prunes) steps_[static_cast<std::size_t>(test.node)].prunes = true;
  };
  for (std::size_t i = 0; i < model_.axioms.size(); ++i) add(axioms_, model_.axioms[i], monotone[i]);
  for (const cat::Test& flag : model_.flags) add(flags_, flag, false);
  for (const Choice& choice : inputs.choices) {
    if (!choice.is_total_coherence) continue;
    coherence_.form = cat::Test::Form::acyclic;
    coherence_.node = choice.node;
    add(axioms_, coherence_, true);
  }
  for (const Choice& choice : inputs.choices) steps_[static_cast<std::size_t>(choice.node)].prunes = true;
  for (std::size_t i = steps_.size(); i-- > 0;) {  // users stand after their operands
    if (!steps_[i].prunes) continue;
    const cat::Node& user = model_.nodes[i];
    if (user.op == cat::Operator::fixpoint && user.index > 0)
      steps_[i - static_cast<std::size_t>(user.index)].prunes = true;
    for (const NodeId part : cat::parts(user, model_.recursions))
      steps_[static_cast<std::size_t>(part)].prunes = true;
  }
}

void CompiledModel::find_rules() {
  for (const Axiom& axiom : axioms_) {
    if (!axiom.prunes || axiom.test->negated) continue;
    const cat::Node& tested = node(axiom.test->node);
    const auto place = [&](NodeId id) { return steps_[static_cast<std::size_t>(id)].place; };
    if (axiom.test->form == cat::Test::Form::acyclic) {
      find_rules(axiom.test->node, axiom.closure, {});
    } else if (axiom.test->form == cat::Test::Form::irreflexive) {
      if (tested.op == cat::Operator::closure) find_rules(axiom.test->node, place(axiom.test->node), {});
      if (tested.op == cat::Operator::compose)
        for (const int i : {0, 1}) find_rules(tested.operands[i], place(tested.operands[1 - i]), {});
    }
  }
}

/// Where a relation contains a choice, as far as filters say.
void CompiledModel::find_rules(NodeId id, std::size_t before, std::vector<NodeId> filters) {
  const cat::Node& from = node(id);
  const Step& step = steps_[static_cast<std::size_t>(id)];
  if (from.owner >= 0) return;
  switch (from.op) {
    case cat::Operator::orientations:
    case cat::Operator::total_coherence:
      if (inputs.choices[step.choice].is_fixed) rules_.push_back({step.choice, before, std::move(filters)});
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
        if (steps_[static_cast<std::size_t>(filter)].depends != events) continue;
        auto more = filters;
        more.push_back(filter);
        find_rules(from.operands[i], before, std::move(more));
      }
      break;
    default:
      break;
  }
}

/// The names of base relations and choices that a relation contains whole.
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

void CompiledModel::locate(std::span<const Event> all, EventId id) {
  const auto i = static_cast<std::size_t>(id);
  const auto is_open = [&](EventId event) {
    const Bits& location = all[static_cast<std::size_t>(event)].location;
    return location.width() != 0 && !location.is_constant();
  };
  for (Step& step : steps_) {
    if (!step.is_needed) continue;
    std::uint64_t* rows = static_words_.data() + step.static_rows;
    if (step.set && step.set->contains(all[i])) insert_bit(rows, i);
    if (!step.relation || !step.relation->holds) continue;
    for (EventId other = 0; other < static_cast<EventId>(size_); ++other) {
      if (step.relation->uses_addresses && (is_open(id) || is_open(other))) continue;
      const auto relate = [&](EventId a, EventId b) {
        std::uint64_t* row = rows + static_cast<std::size_t>(a) * stride_;
        const auto to = static_cast<std::size_t>(b);
        row[to / 64] &= ~(std::uint64_t{1} << (to % 64));
        if (step.relation->holds(program_, all, a, b).is_true()) insert_bit(row, to);
      };
      relate(id, other);
      if (other != id) relate(other, id);
    }
  }
}

}  // namespace ptxmc
