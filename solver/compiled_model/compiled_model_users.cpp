#include <algorithm>
#include <numeric>

#include "semantics/values/check.hpp"
#include "solver/algebra/bit_rows.hpp"
#include "solver/compiled_model/compiled_model.hpp"

// The values of a compiled model that are used, and the changes that affect each of them.

namespace ptxmc {

using cat::NodeId;

/// Whether a step ignores the events of an operand that are not present, because its other operands relate
/// only present events.
bool CompiledModel::passes_whole(const Step& step, std::size_t i) const {
  if (step.is_static || step.is_set || step.operands.size() != 2 || !steps_[step.operands[i]].is_static)
    return false;
  switch (step.op) {
    case cat::Operator::intersect:
      return true;
    case cat::Operator::subtract:
      return i == 1;
    case cat::Operator::compose:
      return steps_[step.operands[i]].op == cat::Operator::identity;
    default:
      return false;
  }
}

/// Marks the required steps and, transitively, their operands.
void CompiledModel::find_live() {
  const auto make_live = [this](std::uint32_t i) { steps_[steps_[i].same_as].use.is_live = true; };
  for (const Axiom& axiom : tests_.axioms) make_live(axiom.tested);
  for (const Choice& choice : inputs.choices) make_live(static_cast<std::uint32_t>(choice.node));
  for (const OrientationRule& rule : rules_.orientations) make_live(rule.before);
  for (const SourceRule& rule : rules_.sources) {
    make_live(rule.before);
    if (rule.coherence) make_live(*rule.coherence);
  }
  for (std::uint32_t i = static_cast<std::uint32_t>(steps_.size()); i-- > 0;) {
    Step& step = steps_[i];
    const bool is_in_recursion = step.op == cat::Operator::fixpoint || step.op == cat::Operator::variable ||
                                 (i < model_.nodes.size() && node(static_cast<NodeId>(i)).owner >= 0);
    step.use.is_live =
        step.use.is_live || is_in_recursion || step.use.is_asked || (step.use.is_needed && !step.use.prunes);
    if (step.use.is_asked) make_live(i);
    if (!step.use.is_live || step.is_void) continue;
    for (std::size_t k = 0; k < step.operands.size(); ++k) {
      const bool is_whole = !is_in_recursion && passes_whole(step, k);
      if (k < 2) step.is_whole[k] = is_whole;
      if (!is_whole) make_live(step.operands[k]);
    }
  }
}

void CompiledModel::mark_asked_statics() {
  const auto read = [this](std::uint32_t i) { steps_[i].use.is_read = steps_[i].is_static; };
  for (std::uint32_t i = 0; i < steps_.size(); ++i) {
    if (!steps_[i].use.is_live || steps_[i].is_void || steps_[i].same_as != i) continue;
    read(i);
    if (steps_[i].is_static) continue;
    for (const std::uint32_t operand : steps_[i].operands) read(operand);
  }
  for (const OrientationRule& rule : rules_.orientations)
    for (const NodeId filter : rule.filters) read(static_cast<std::uint32_t>(filter));
  for (const SourceRule& rule : rules_.sources)
    for (const NodeId filter : rule.filters) read(static_cast<std::uint32_t>(filter));
}

bool CompiledModel::cannot_tell_apart(std::span<const std::size_t> a, std::span<const std::size_t> b) const {
  if (a.size() != b.size()) return false;
  std::vector<std::size_t> image(size_);
  std::iota(image.begin(), image.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    image[a[i]] = b[i];
    image[b[i]] = a[i];
  }
  return std::all_of(steps_.begin(), steps_.end(), [&](const Step& step) {
    return !step.use.is_read || (!step.is_open && is_symmetric(step, image));
  });
}

bool CompiledModel::is_symmetric(const Step& step, std::span<const std::size_t> image) const {
  const Word* value = static_rows(step);
  for (std::size_t x = 0; x < (step.is_set ? 1 : size_); ++x) {
    const Word* row = value + x * stride_;
    const Word* renamed = value + (step.is_set ? 0 : image[x]) * stride_;
    for (std::size_t y = 0; y < size_; ++y)
      if (contains_bit(row, y) != contains_bit(renamed, image[y])) return false;
  }
  return true;
}

void CompiledModel::find_users() {
  outdated_ = OutdatedSteps(steps_.size(), stride_);
  OutdatedSteps::Set live = outdated_.no_steps();
  for (auto& users : users_.of_change) users = outdated_.no_steps();
  users_.of_step.resize(steps_.size());
  for (auto* row : {&rows_.to_compute, &rows_.changed, &rows_.gained, &rows_.entered, &rows_.left})
    row->assign(stride_, 0);
  const auto computed = [&](const Step& step) {
    return step.use.is_needed && step.use.is_live && step.use.prunes && !step.is_void && !step.is_static;
  };
  const auto is_in_recursion = [&](std::uint32_t i) {
    return i < model_.nodes.size() && node(static_cast<NodeId>(i)).owner >= 0;
  };
  const auto first_of = [&](std::uint32_t i) {  // the step that computes it
    return steps_[i].op == cat::Operator::fixpoint
               ? i - static_cast<std::uint32_t>(node(static_cast<NodeId>(i)).index)
               : i;
  };
  const auto make_live = [&](std::uint32_t i) {
    if (steps_[i].is_void || is_in_recursion(i)) return;
    insert_bit(live.data(), i);
    if (!steps_[i].is_static || contains_bit(users_.of_change[events].data(), i)) return;
    insert_bit(users_.of_change[events].data(), i);
    users_.of_event.push_back({i, steps_[i].is_set ? StepUser::whole : 0});
  };
  for (std::uint32_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    if (!computed(step) || step.same_as != i || step.op == cat::Operator::variable) continue;
    // Changes in the bodies of a recursion affect its first name.
    std::uint32_t target = first_of(i);
    while (is_in_recursion(target))
      target = static_cast<std::uint32_t>(fixpoint_node(node(static_cast<NodeId>(target)).owner));
    if (target == i) make_live(i);
    for (std::uint32_t k = 0; k < step.operands.size(); ++k) {
      if (k < 2 && step.is_whole[k]) continue;
      const std::uint32_t operand = steps_[step.operands[k]].same_as;
      make_live(operand);
      const std::uint32_t from = first_of(operand);
      const bool is_plain =
          target == i && steps_[operand].op != cat::Operator::fixpoint && k < StepUser::whole;
      if (from != target)
        users_.of_step[from].push_back({target, is_plain && !steps_[operand].is_set ? k : StepUser::whole});
    }
    if (step.op == cat::Operator::base)
      insert_bit(users_.of_change[model_.nodes[i].name == "rf" ? reads_from : barriers].data(), target);
    if (step.op == cat::Operator::base && model_.nodes[i].name == "rf")
      users_.of_source_by_write.push_back({i, 0});
    if (step.op == cat::Operator::from_reads) {
      users_.of_source_by_read.push_back({target, target == i ? 1 : StepUser::whole});
      insert_bit(users_.of_change[reads_from].data(), target);
      insert_bit(users_.of_change[events].data(), target);
    }
    if (step.op == cat::Operator::complement || step.op == cat::Operator::optional ||
        step.op == cat::Operator::total_coherence) {
      insert_bit(users_.of_change[events].data(), target);
      const bool is_by_rows = step.op == cat::Operator::optional && !step.is_set && target == i;
      users_.of_event.push_back({target, is_by_rows ? 0 : StepUser::whole});
    }
  }
  for (Axiom& axiom : tests_.axioms) {
    axiom.tested = steps_[axiom.tested].same_as;
    if (!axiom.prunes) continue;
    make_live(axiom.tested);
    const auto number = static_cast<std::uint32_t>(&axiom - tests_.axioms.data());
    steps_[first_of(axiom.tested)].axioms.push_back(number);
  }
  outdated_.add_entirely(live);
  for (Axiom& flag : tests_.flags) flag.tested = steps_[flag.tested].same_as;
}

NodeId CompiledModel::fixpoint_node(cat::RecursionId id) const {
  for (std::size_t i = 0; i < model_.nodes.size(); ++i)
    if (model_.nodes[i].op == cat::Operator::fixpoint && model_.nodes[i].recursion == id)
      return static_cast<NodeId>(i) - model_.nodes[i].index;
  fail_check("cat: a recursion without a name");
}

}  // namespace ptxmc
