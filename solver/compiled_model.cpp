#include "solver/compiled_model.hpp"

#include <algorithm>
#include <bit>

#include "model/base_relations.hpp"
#include "model/cat_graph.hpp"
#include "model/cat_polarity.hpp"
#include "semantics/check.hpp"
#include "semantics/diagnostic.hpp"

namespace ptxmc {

using cat::NodeId;

namespace {

bool is_static(const std::string& name) {
  return name != "rf" && name != "syncbar" && name != "co" && name != "total_coherence";
}

bool has(const std::uint64_t* row, std::size_t i) { return (row[i / 64] >> (i % 64) & 1) != 0; }
void put(std::uint64_t* row, std::size_t i) { row[i / 64] |= std::uint64_t{1} << (i % 64); }

/// Calls `visit(i)` for every member of a row.
template <class Visit>
void for_each_member(const std::uint64_t* row, std::size_t stride, Visit visit) {
  for (std::size_t w = 0; w < stride; ++w)
    for (std::uint64_t word = row[w]; word != 0; word &= word - 1)
      visit(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
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
    if (step.set && step.set->contains(all[i])) put(rows, i);
    if (!step.relation || !step.relation->holds) continue;
    for (EventId other = 0; other < static_cast<EventId>(size_); ++other) {
      if (step.relation->uses_addresses && (is_open(id) || is_open(other))) continue;
      const auto relate = [&](EventId a, EventId b) {
        std::uint64_t* row = rows + static_cast<std::size_t>(a) * stride_;
        const auto to = static_cast<std::size_t>(b);
        row[to / 64] &= ~(std::uint64_t{1} << (to % 64));
        if (step.relation->holds(program_, all, a, b).is_true()) put(row, to);
      };
      relate(id, other);
      if (other != id) relate(other, id);
    }
  }
}

// --- Evaluation -------------------------------------------------------------------------------------------

void CompiledModel::note(std::uint32_t changes) {
  stale_pruning_ |= changes;
  stale_rest_ |= changes;
}

void CompiledModel::evaluate(bool pruning_only) {
  if (pruning_only ? stale_pruning_ == 0 : (stale_pruning_ | stale_rest_) == 0) return;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    Step& step = steps_[i];
    if (!step.is_needed || model_.nodes[i].owner >= 0 || (pruning_only && !step.prunes)) continue;
    stale_ = step.depends & (step.prunes ? stale_pruning_ : stale_rest_);
    if (stale_ != 0) compute(static_cast<NodeId>(i));
  }
  stale_pruning_ = 0;
  if (!pruning_only) stale_rest_ = 0;
}

void CompiledModel::compute(NodeId id) {
  Step& step = steps_[static_cast<std::size_t>(id)];
  if (!step.is_needed) return;
  if (step.op == cat::Operator::fixpoint) {
    if (node(id).index == 0) compute_fixpoint(id);
  } else if (step.op == cat::Operator::variable) {
    const NodeId current = fixpoint_node(node(id).recursion) + node(id).index;
    std::copy_n(rows(current), words_of(id), rows(id));
  } else if (step.op == cat::Operator::base) {
    compute_base(step);
  } else if (step.is_set) {
    compute_set(node(id), step);
  } else {
    compute_relation(node(id), step);
  }
}

void CompiledModel::compute_base(Step& step) {
  Word* result = words_.data() + step.place;
  const Word* present = inputs.present.words();
  const Word* from = static_words_.data() + step.static_rows;
  if (step.set) {
    for (std::size_t w = 0; w < stride_; ++w) result[w] = from[w] & present[w];
    return;
  }
  std::fill_n(result, size_ * stride_, 0);
  if (!step.relation->holds) {
    const BitMatrix& relation = (step.depends & reads_from) != 0 ? inputs.rf : inputs.syncbar;
    std::copy_n(relation.words(), size_ * stride_, result);
    return;
  }
  for_each_member(present, stride_, [&](std::size_t a) {
    for (std::size_t w = 0; w < stride_; ++w) result[a * stride_ + w] = from[a * stride_ + w] & present[w];
  });
}

void CompiledModel::compute_set(const cat::Node& from, Step& step) {
  Word* result = words_.data() + step.place;
  const Word* present = inputs.present.words();
  const auto operand = [&](int i) { return rows(from.operands[static_cast<std::size_t>(i)]); };
  const auto each = [&](auto word) {
    for (std::size_t w = 0; w < stride_; ++w) result[w] = word(w);
  };
  switch (from.op) {
    case cat::Operator::universe:
      return each([&](std::size_t w) { return present[w]; });
    case cat::Operator::empty:
      return each([&](std::size_t) { return Word{0}; });
    case cat::Operator::unite:
      return each([a = operand(0), b = operand(1)](std::size_t w) { return a[w] | b[w]; });
    case cat::Operator::intersect:
      return each([a = operand(0), b = operand(1)](std::size_t w) { return a[w] & b[w]; });
    case cat::Operator::subtract:
      return each([a = operand(0), b = operand(1)](std::size_t w) { return a[w] & ~b[w]; });
    case cat::Operator::complement:
      return each([a = operand(0), present](std::size_t w) { return present[w] & ~a[w]; });
    case cat::Operator::domain:
      std::fill_n(result, stride_, 0);
      for (std::size_t a = 0; a < size_; ++a)
        if (std::any_of(operand(0) + a * stride_, operand(0) + (a + 1) * stride_, [](Word w) { return w; }))
          put(result, a);
      return;
    case cat::Operator::range:
      std::fill_n(result, stride_, 0);
      for (std::size_t a = 0; a < size_; ++a)
        for (std::size_t w = 0; w < stride_; ++w) result[w] |= operand(0)[a * stride_ + w];
      return;
    default:
      fail_check("cat: an operator that makes no set");
  }
}

void CompiledModel::compute_relation(const cat::Node& from, Step& step) {
  Word* result = words_.data() + step.place;
  const Word* present = inputs.present.words();
  const std::size_t count = size_ * stride_;
  const auto operand = [&](int i) { return rows(from.operands[static_cast<std::size_t>(i)]); };
  const auto each = [&](auto word) {
    for (std::size_t w = 0; w < count; ++w) result[w] = word(w);
  };
  switch (from.op) {
    case cat::Operator::empty:
      std::fill_n(result, count, 0);
      return;
    case cat::Operator::unite:
      return each([a = operand(0), b = operand(1)](std::size_t w) { return a[w] | b[w]; });
    case cat::Operator::intersect:
      return each([a = operand(0), b = operand(1)](std::size_t w) { return a[w] & b[w]; });
    case cat::Operator::subtract:
      return each([a = operand(0), b = operand(1)](std::size_t w) { return a[w] & ~b[w]; });
    case cat::Operator::complement:
      std::fill_n(result, count, 0);
      return for_each_member(present, stride_, [&](std::size_t a) {
        for (std::size_t w = 0; w < stride_; ++w)
          result[a * stride_ + w] = present[w] & ~operand(0)[a * stride_ + w];
      });
    case cat::Operator::product:
      std::fill_n(result, count, 0);
      return for_each_member(operand(0), stride_,
                             [&](std::size_t a) { std::copy_n(operand(1), stride_, result + a * stride_); });
    case cat::Operator::identity:
      std::fill_n(result, count, 0);
      return for_each_member(operand(0), stride_, [&](std::size_t a) { put(result + a * stride_, a); });
    case cat::Operator::compose:
      return compose(operand(0), operand(1), result);
    case cat::Operator::inverse:
      std::fill_n(result, count, 0);
      for (std::size_t a = 0; a < size_; ++a)
        for_each_member(operand(0) + a * stride_, stride_,
                        [&](std::size_t b) { put(result + b * stride_, a); });
      return;
    case cat::Operator::optional:
      std::copy_n(operand(0), count, result);
      return for_each_member(present, stride_, [&](std::size_t a) { put(result + a * stride_, a); });
    case cat::Operator::closure:
      std::copy_n(operand(0), count, result);
      return close(result);
    case cat::Operator::from_reads:
      return compute_from_reads(operand(0), result);
    case cat::Operator::orientations:
    case cat::Operator::total_coherence:
      return compute_choice(from, step);
    default:
      fail_check("cat: an operator that makes no relation");
  }
}

void CompiledModel::compose(const Word* a, const Word* b, Word* result) const {
  std::fill_n(result, size_ * stride_, 0);
  for (std::size_t i = 0; i < size_; ++i)
    for_each_member(a + i * stride_, stride_, [&](std::size_t k) {
      for (std::size_t w = 0; w < stride_; ++w) result[i * stride_ + w] |= b[k * stride_ + w];
    });
}

/// S. Warshall 1962.
void CompiledModel::close(Word* relation) const {
  for (std::size_t k = 0; k < size_; ++k) {
    const Word* through = relation + k * stride_;
    if (std::none_of(through, through + stride_, [](Word w) { return w; })) continue;
    for (std::size_t a = 0; a < size_; ++a)
      if (has(relation + a * stride_, k))
        for (std::size_t w = 0; w < stride_; ++w) relation[a * stride_ + w] |= through[w];
  }
}

void CompiledModel::compute_choice(const cat::Node& from, Step& step) {
  Choice& choice = inputs.choices[step.choice];
  Word* result = words_.data() + step.place;
  if ((stale_ & ~choice_change(step.choice)) != 0) {
    std::fill_n(choice.pairs.words(), size_ * stride_, 0);
    std::fill_n(choice.always.words(), size_ * stride_, 0);
    find_pairs(from, step, choice);
  }
  for (std::size_t w = 0; w < size_ * stride_; ++w)
    result[w] = choice.always.words()[w] | choice.chosen.words()[w];
}

void CompiledModel::find_pairs(const cat::Node& from, const Step& step, Choice& choice) {
  if (choice.is_total_coherence) {
    const Word* overlap = static_words_.data() + step.static_rows;
    const auto writes = [&](std::size_t event) { return (kinds_[event] & 1) != 0; };
    const auto is_initial = [&](std::size_t event) { return (kinds_[event] & 2) != 0; };
    for_each_member(inputs.present.words(), stride_, [&](std::size_t a) {
      if (!writes(a)) return;
      for_each_member(overlap + a * stride_, stride_, [&](std::size_t b) {
        if (a == b || !writes(b) || !inputs.present.contains(b) || is_initial(b)) return;
        if (is_initial(a))
          choice.always.insert(a, b);
        else
          choice.pairs.insert(a, b);
      });
    });
  } else {
    const Word* related = rows(from.operands[0]);
    for (std::size_t a = 0; a < size_; ++a)
      for_each_member(related + a * stride_, stride_, [&](std::size_t b) {
        if (a == b) return;
        choice.pairs.insert(a, b);
        choice.pairs.insert(b, a);
      });
  }
}

void CompiledModel::compute_from_reads(const Word* coherence, Word* result) {
  std::fill_n(result, size_ * stride_, 0);
  for (const Source& source : inputs.sources)
    for (std::size_t w = 0; w < stride_; ++w)
      result[source.read * stride_ + w] |= coherence[source.write * stride_ + w] & source.writers->words()[w];
}

void CompiledModel::compute_fixpoint(NodeId first) {
  const cat::Recursion& recursion = model_.recursions[static_cast<std::size_t>(node(first).recursion)];
  const auto count = static_cast<NodeId>(recursion.bodies.size());
  for (NodeId i = 0; i < count; ++i) std::fill_n(rows(first + i), words_of(first + i), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (const NodeId id : recursion.dependents) compute(id);
    for (NodeId i = 0; i < count; ++i) {
      const Word* body = rows(recursion.bodies[static_cast<std::size_t>(i)]);
      if (std::equal(body, body + words_of(first + i), rows(first + i))) continue;
      std::copy_n(body, words_of(first + i), rows(first + i));
      changed = true;
    }
  }
}

std::size_t CompiledModel::words_of(NodeId id) const {
  return steps_[static_cast<std::size_t>(id)].is_set ? stride_ : size_ * stride_;
}

NodeId CompiledModel::fixpoint_node(cat::RecursionId id) const {
  for (std::size_t i = 0; i < model_.nodes.size(); ++i)
    if (model_.nodes[i].op == cat::Operator::fixpoint && model_.nodes[i].recursion == id)
      return static_cast<NodeId>(i) - model_.nodes[i].index;
  fail_check("cat: a recursion without a name");
}

// --- Judgement --------------------------------------------------------------------------------------------

bool CompiledModel::holds(const Axiom& axiom) {
  const cat::Test& test = *axiom.test;
  const Word* tested = rows(test.node);
  bool holds = true;
  if (test.form == cat::Test::Form::empty) {
    const std::size_t count = words_of(test.node);
    holds = std::none_of(tested, tested + count, [](Word w) { return w; });
  } else {
    if (test.form == cat::Test::Form::acyclic) {
      Word* closure = words_.data() + axiom.closure;
      std::copy_n(tested, size_ * stride_, closure);
      close(closure);
      tested = closure;
    }
    for (std::size_t a = 0; a < size_ && holds; ++a) holds = !has(tested + a * stride_, a);
  }
  return holds != test.negated;
}

bool CompiledModel::may_become_consistent() {
  do {
    evaluate(true);
    for (const Axiom& axiom : axioms_)
      if (axiom.prunes && !holds(axiom)) return false;
  } while (orient_forced());
  return true;
}

/// Orients the open pairs of which one way would close a cycle. Returns whether there were any.
bool CompiledModel::orient_forced() {
  bool any = false;
  for (const Rule& rule : rules_) {
    Choice& choice = inputs.choices[rule.choice];
    const Word* before = words_.data() + rule.before;
    for (std::size_t a = 0; a < size_; ++a)
      for (std::size_t w = 0; w < stride_; ++w) {
        Word open = before[a * stride_ + w] & choice.pairs.words()[a * stride_ + w] &
                    ~choice.chosen.words()[a * stride_ + w];
        for (; open != 0; open &= open - 1) {
          const std::size_t b = w * 64 + static_cast<std::size_t>(std::countr_zero(open));
          const bool forced = !choice.chosen.contains(b, a) &&
                              std::all_of(rule.filters.begin(), rule.filters.end(),
                                          [&](NodeId id) { return has(rows(id) + b * stride_, a); });
          if (!forced) continue;
          choice.chosen.insert(a, b);
          note(choice_change(rule.choice));
          any = true;
        }
      }
  }
  return any;
}

bool CompiledModel::is_consistent() {
  evaluate(false);
  return std::all_of(axioms_.begin(), axioms_.end(), [this](const Axiom& axiom) { return holds(axiom); });
}

bool CompiledModel::is_raised(std::size_t flag) {
  evaluate(false);
  return holds(flags_[flag]);
}

BitMatrix CompiledModel::value(std::string_view name) {
  evaluate(false);
  const cat::Definition* definition = model_.find(name);
  check(definition != nullptr, "a name that the model does not have");
  const Word* found = rows(definition->node);
  BitMatrix result(size_);
  if (steps_[static_cast<std::size_t>(definition->node)].is_set)
    for_each_member(found, stride_, [&](std::size_t a) { result.insert(a, a); });
  else
    std::copy_n(found, size_ * stride_, result.words());
  return result;
}

BitMatrix CompiledModel::value_at_most(std::string_view name) {
  std::vector<BitMatrix> chosen;
  std::uint32_t changes = 0;
  for (std::size_t i = 0; i < inputs.choices.size(); ++i) {
    Choice& choice = inputs.choices[i];
    chosen.push_back(choice.chosen);
    choice.chosen = choice.pairs;
    changes |= choice_change(i);
  }
  note(changes);
  const BitMatrix result = value(name);
  for (std::size_t i = 0; i < inputs.choices.size(); ++i) inputs.choices[i].chosen = std::move(chosen[i]);
  note(changes);
  return result;
}

}  // namespace ptxmc
