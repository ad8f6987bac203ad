// Long loops of the open thread: one iteration of any stands for all (docs/soundness.md, One thread for all).
#include <algorithm>
#include <iterator>

#include "semantics/values/arithmetic.hpp"
#include "solver/unfolding/possible_inputs.hpp"
#include "src/kernel/unfolding/open_thread_unfolder.hpp"

namespace ptxmc::kernel {

namespace {

/// The reads of an iteration that is not recorded have no events on which something could depend.
void forget_sources(const Path& before, Path& path) {
  path.control = before.control;
  for (std::size_t i = 0; i < path.frames.size(); ++i) path.frames[i].sources = before.frames[i].sources;
}

bool has_barriers(const std::vector<Event>& events) {
  return std::ranges::any_of(events, [](const Event& event) { return event.kind == EventKind::barrier; });
}

}  // namespace

/// A loop that needs more iterations than the bound is unfolded by induction from the next round on, unless
/// this was so already: jumps into its middle lead to iterations that are unfolded one after the other.
void OpenThreadUnfolder::reached_bound(Target head) {
  if (is_examining_) return;
  LoopTreatment& treatment = loops_[name_of(head)];
  if (treatment == LoopTreatment::no_induction) return;
  treatment = treatment == LoopTreatment::iterations ? LoopTreatment::induction : LoopTreatment::no_induction;
  throw UnfoldAgain();
}

bool OpenThreadUnfolder::unfold_loop(Target head) {
  const LoopName loop = name_of(head);
  const auto known = loops_.find(loop);
  const bool is_wanted = known != loops_.end() && known->second == LoopTreatment::induction;
  if (known != loops_.end() && !is_wanted) return false;
  const auto examined = examine_loop(head, !is_wanted);
  if (!examined) {
    loops_[loop] = is_wanted ? LoopTreatment::no_induction : LoopTreatment::iterations;
    return false;
  }
  loops_[loop] = LoopTreatment::induction;
  try {
    if (examined->has_barriers)
      unfold_in_lockstep(*examined);
    else
      unfold_by_induction(*examined);
  } catch (const Unsupported&) {
    if (is_examining_) throw;
    loops_[loop] = LoopTreatment::no_induction;
    throw UnfoldAgain();
  }
  return true;
}

/// The registers that the loop writes, and that are read behind its head.
std::vector<RegisterId> OpenThreadUnfolder::changed_registers(Target head) const {
  const FunctionBody& body = *path_.frame().body;
  const std::size_t depth = body.flow.enclosing_heads(head).size() - 1;
  std::set<RegisterId> result;
  for (Target node = 0; node < body.code.size(); ++node) {
    const auto& heads = body.flow.enclosing_heads(node);
    if (heads.size() <= depth || heads[depth] != head) continue;
    for (const RegisterId id : body.uses[node].written)
      if (body.live[head][id]) result.insert(id);
  }
  return {result.begin(), result.end()};
}

/// The state at the head of the loop in an iteration of any: what the loop changes is unknown. A pointer
/// still points into the same memory. `changes` are the unknowns, by register.
Path OpenThreadUnfolder::any_state(const Path& before, const std::vector<RegisterId>& changed,
                                   std::vector<Bits>* changes) const {
  Path result = before;
  for (const RegisterId id : changed) {
    Bits& value = result.frame().registers[id];
    const Bits change = graph_.variable(value.width(), "change by iterations");
    value = value.width() == 1 ? change : value + change;
    if (changes != nullptr) changes->push_back(change);
  }
  return result;
}

/// Whether an iteration has changed nothing but registers, and each that is followed by another one passes a
/// barrier of the CTA, or none does.
bool OpenThreadUnfolder::is_regular(const Iteration& iteration, const Path& before) const {
  const auto is_same = [&](const Path& path) {
    return path.memory.holds_the_same(before.memory).is_true() && path.stack == before.stack &&
           path.freed.size() == before.freed.size();
  };
  if (!iteration.again || !is_same(*iteration.again)) return false;
  if (!has_barriers(iteration.events)) return true;
  Bits passes = Bits::boolean(false);
  for (const Event& event : iteration.events) {
    if (event.kind == EventKind::barrier) {
      if (event.barrier.group != Barrier::Group::cta) return false;
      passes = passes | event.condition;
    } else if (event.is_memory_access() && event.access.proxy != Proxy::generic) {
      return false;  // barriers do not order it
    }
  }
  return !is_possible(iteration.again->condition & ~passes);
}

/// One iteration of which nothing is recorded; it may not meet other lanes. That an access may be invalid is
/// left out: where it is, the thread ends in the iteration that is recorded.
ThreadUnfolder::Iteration OpenThreadUnfolder::try_alone(Path at_head) {
  const std::size_t skipped = thread_of_.skipped.size(), carried = thread_of_.carried.size(),
                    iterations = thread_of_.iterations.size();
  const auto go_back = [&] {
    --tries_;
    thread_of_.skipped.resize(skipped);
    thread_of_.carried.resize(carried);
    thread_of_.iterations.resize(iterations);
  };
  ++tries_;
  try {
    Iteration result = try_iteration(std::move(at_head));
    go_back();
    return result;
  } catch (...) {
    go_back();
    throw;
  }
}

/// Notes the registers that have changed: other iterations, or the code behind the loop, use them.
void OpenThreadUnfolder::note_carried(const Path& before, const Path& now) {
  for (std::size_t i = 0; i < now.frames.size(); ++i)
    for (RegisterId id = 0; id < now.frames[i].registers.size(); ++id)
      if (const Bits& value = now.frames[i].registers[id]; !identical(value, before.frames[i].registers[id]))
        thread_of_.carried.push_back(value);
}

/// Tries one iteration of any of the loop at whose head the path is. Empty if nothing makes the loop end, or
/// if it may be short and needs no more iterations than are unfolded for inputs.
std::optional<OpenThreadUnfolder::ExaminedLoop> OpenThreadUnfolder::examine_loop(Target head,
                                                                                 bool may_be_short) {
  const Path before = path_;
  const LoopTreatments treatments = loops_;
  const Bits facts = thread_of_.facts;
  const bool was_examining = std::exchange(is_examining_, is_examining_ || may_be_short);
  std::optional<ExaminedLoop> result;
  try {
    result = examined_loop(head, before);
    if (result && may_be_short && !is_long(*result, before)) result.reset();
  } catch (const Unsupported&) {  // an iteration of any cannot be unfolded
  }
  path_ = before;
  thread_of_.facts = facts;
  if (may_be_short) loops_ = treatments;
  is_examining_ = was_examining;
  return result;
}

std::optional<OpenThreadUnfolder::ExaminedLoop> OpenThreadUnfolder::examined_loop(Target head,
                                                                                  const Path& before) {
  constexpr unsigned most_width = 64;
  ExaminedLoop result;
  result.changed = changed_registers(head);
  const VariableId first_unknown = graph_.variable_count();
  std::vector<Bits> changes;
  const Path any = any_state(before, result.changed, &changes);
  const Iteration tried = try_alone(any);
  if (!is_regular(tried, before)) return std::nullopt;
  result.has_barriers = has_barriers(tried.events);
  std::vector<InductionVariable> variables;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const RegisterId id = result.changed[i];
    if (changes[i].width() == 1 || changes[i].width() > most_width) continue;
    const Bits stride = difference(tried.again->frame().registers[id], any.frame().registers[id]);
    const auto unknowns = variables_of(stride);
    if (!unknowns.empty() && unknowns.back() >= first_unknown) continue;
    variables.push_back({before.frame().registers[id], stride, changes[i]});
    result.by_induction.push_back(id);
  }
  result.induction.emplace(std::move(variables), before.condition, tried.again->condition,
                           [&](const Bits& condition) { return !is_possible(condition); });
  if (!result.induction->is_finite()) return std::nullopt;
  return result;
}

/// Whether an open condition may let the loop go on after more iterations than are unfolded.
bool OpenThreadUnfolder::is_long(const ExaminedLoop& loop, const Path& before) {
  const Path late = state_in(loop, before, Bits(32, bound_of(false)));
  const Iteration iteration = try_alone(late);
  return iteration.again && !identical(iteration.again->condition, before.condition) &&
         is_possible(iteration.again->condition);
}

/// The state at the head of the loop in this iteration.
Path OpenThreadUnfolder::state_in(const ExaminedLoop& loop, const Path& before, const Bits& iteration) const {
  Path result = any_state(before, loop.changed);
  for (std::size_t i = 0; i < loop.by_induction.size(); ++i)
    result.frame().registers[loop.by_induction[i]] =
        loop.induction->value_in(loop.induction->variables()[i], iteration);
  return result;
}

Bits OpenThreadUnfolder::new_input(unsigned width, const char* name) {
  const Bits result = graph_.variable(width, name);
  options_.inputs->add(result.term()->variable);
  return result;
}

/// The state at the head of the loop in an iteration of any: the first one, or one behind another.
OpenThreadUnfolder::SomeState OpenThreadUnfolder::some_state(const ExaminedLoop& loop, const Path& before) {
  const Bits number = new_input(loop.induction->iteration_width(), "iteration"),
             is_first = equal(number, Bits(number.width(), 0)), holds = loop.induction->holds_in(number);
  Path earlier = state_in(loop, before, number);
  for (std::size_t i = 0; i < loop.by_induction.size(); ++i) {
    Bits& value = earlier.frame().registers[loop.by_induction[i]];
    value = value - loop.induction->variables()[i].stride;
  }
  earlier.condition = earlier.condition & ~is_first & holds & loop.induction->held_before(number);
  Path result = before;
  result.condition = before.condition & is_first;
  if (const auto later = try_alone(std::move(earlier)).again) merge(result, *later, reads_);
  for (std::size_t i = 0; i < loop.by_induction.size(); ++i)
    result.frame().registers[loop.by_induction[i]] =
        loop.induction->value_in(loop.induction->variables()[i], number);
  forget_sources(before, result);
  return {std::move(result), number};
}

/// Two iterations of any, one behind the other. Threads of a CTA execute the same iterations between two
/// barriers, or one of them is in the next one: all others are separated from these by barriers.
void OpenThreadUnfolder::unfold_in_lockstep(const ExaminedLoop& loop) {
  if (tries_ > 0) refuse("a loop with barriers in an iteration of any");
  const Path before = path_;
  SomeState start = some_state(loop, before);
  thread_of_.common_iterations.insert(start.iteration.term()->variable);
  thread_of_.iterations.push_back(start.iteration);
  const unsigned step = take_step();
  SkippedIterations skipped{step, step};
  skipped.is_reached = start.path.condition;
  skipped.pass_barriers = start.path.condition & ~is_zero(start.iteration);
  skipped.goes_on = Bits::boolean(false);
  Iteration first = unfold_iteration(std::move(start.path));
  std::vector<Iteration::Exit> exits = std::move(first.exits);
  if (first.again) {
    skipped.goes_on = first.again->condition;
    first.again->frame().loops.back().iteration = 0;
    Iteration second = unfold_iteration(std::move(*first.again));
    std::ranges::move(second.exits, std::back_inserter(exits));
    if (second.again) note_carried(before, *second.again);
  }
  skipped.end = current_step();
  thread_of_.skipped.push_back(skipped);
  for (Iteration::Exit& exit : exits) leave_loop(std::move(exit));
}

void OpenThreadUnfolder::unfold_by_induction(const ExaminedLoop& loop) {
  const Path before = path_;
  SkippedIterations skipped{current_step(), current_step()};
  SomeState start = some_state(loop, before);
  thread_of_.iterations.push_back(start.iteration);
  const Iteration iteration = unfold_iteration(std::move(start.path));
  skipped.end = current_step();
  thread_of_.skipped.push_back(skipped);
  skipped.step = skipped.end;
  thread_of_.skipped.push_back(skipped);
  if (iteration.again) note_carried(before, *iteration.again);
  for (const Iteration::Exit& exit : iteration.exits) note_carried(before, exit.path);

  Iteration last = try_alone(some_state(loop, before).path);
  Bits ends = Bits::boolean(false);
  for (const Ending& ending : last.endings) {
    ends = ends | ending.condition;
    if (ending.kind == Ending::Kind::completed) structure_.endings.front().push_back(ending);
  }
  for (std::size_t i = 0; i < last.exits.size(); ++i) {
    Path& path = last.exits[i].path;
    const Bits own = path.condition;
    if (i + 1 == last.exits.size()) path.condition = before.condition & ~ends;
    ends = ends | own;
  }
  const Bits fact = implies(before.condition, ends);
  thread_of_.facts = thread_of_.facts & fact;
  options_.inputs->assume(fact);
  for (Iteration::Exit& exit : last.exits) {
    forget_sources(before, exit.path);
    leave_loop(std::move(exit));
  }
}

}  // namespace ptxmc::kernel
