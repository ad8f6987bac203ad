#include "solver/unfolding/thread_unfolder.hpp"

#include <algorithm>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/instruction_set.hpp"
#include "solver/algebra/simplify_under.hpp"
#include "solver/limits/event_limit.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/unfolding/possible_inputs.hpp"

namespace ptxmc {

namespace {

/// The maximum number of times that a back edge is taken, or a function calls itself, while its condition
/// depends on inputs alone.
constexpr unsigned input_bound = 64;

}  // namespace

ThreadUnfolder::ThreadUnfolder(EventStructure& structure, TermGraph& graph, int thread,
                               const UnfoldOptions& options)
    : structure_(structure),
      graph_(graph),
      options_(options),
      thread_(thread),
      most_events_(most_unfolded_events(options.max_events)) {}

void ThreadUnfolder::start(Path path, const Instruction* first) {
  if (!options_.started.empty()) {
    path.condition = options_.started[static_cast<std::size_t>(thread_)];
    path_.condition = ~path.condition;
    end(Ending::Kind::not_started);
  }
  if (first != nullptr) {
    path_ = std::move(path);
    current_ = {.instruction = first};
    execute(*first, path_.frame().registers, *this);
    ++next_step_;
    path = std::move(path_);
  }
  enter(0, std::move(path), false);
}

void ThreadUnfolder::unfold() {
  for (std::size_t steps = 0; !waiting_.empty(); ++steps) {
    TimeLimit::check();
    if (steps == options_.max_steps) throw Unsupported("a thread of more than the step limit", {});
    auto next = waiting_.extract(waiting_.begin());
    const Target node = next.mapped().first;
    path_ = std::move(next.mapped().second);
    if (is_first_at_head(node) && unfold_loop(node)) continue;
    if (node < path_.frame().body->code.size())
      step(node);
    else if (path_.frames.size() > 1)
      leave_function();
    else
      end(Ending::Kind::completed);
  }
}

void ThreadUnfolder::step(Target node) {
  current_.instruction = &path_.frame().body->code[node];
  begin_iteration(node);
  const Bits guard = guard_value();
  // Dependencies are syntactic, so a guard counts that has one value for all values of the reads.
  if (current_.instruction->guard)
    path_.control =
        reads_.unite(path_.control, path_.frame().sources[current_.instruction->guard->predicate]);
  if (guard.is_false()) return leave(node, node + 1);
  if (guard.is_true()) return perform(node, false);
  mark_open_loops(node, path_.control != 0 && depends_on_reads(guard));
  Path skipped = path_;
  skipped.condition = path_.condition & ~guard;
  path_.condition = path_.condition & guard;
  perform(node, true);
  path_ = std::move(skipped);
  leave(node, node + 1);
}

Bits ThreadUnfolder::guard_value() const {
  if (!current_.instruction->guard) return Bits::boolean(true);
  const Bits& predicate = path_.frame().registers[current_.instruction->guard->predicate];
  return current_.instruction->guard->negated ? ~predicate : predicate;
}

/// Saves the state at the start of an iteration, at the head of a loop.
void ThreadUnfolder::begin_iteration(Target node) {
  UnfoldingFrame& frame = path_.frame();
  if (frame.loops.empty() || frame.loops.back().head != node) return;
  LoopVisit& loop = frame.loops.back();
  if (!loop.open_to_reads && !loop.starts.empty()) loop.starts.pop_back();
  std::erase_if(loop.starts, [&](const IterationStart& start) {
    return simplify_under(path_.condition, start.acted).is_true();
  });
  loop.starts.push_back({next_step_, clocks_.size(), frame.registers, path_.memory, Bits::boolean(false)});
  loop.open = loop.open_to_reads = false;
}

/// Records that a guard with an open value decides whether enclosing loops are left.
void ThreadUnfolder::mark_open_loops(Target node, bool is_read) {
  UnfoldingFrame& frame = path_.frame();
  for (std::size_t depth = 0; depth < frame.loops.size(); ++depth)
    if (frame.body->flow.decides_about(node, depth)) {
      frame.loops[depth].open = true;
      frame.loops[depth].open_to_reads = frame.loops[depth].open_to_reads || is_read;
    }
}

/// Runs the rule of the current instruction on the current path, whose condition includes the guard.
void ThreadUnfolder::perform(Target node, bool is_guarded) {
  if (path_.condition.is_false()) return;
  const RegisterUse& use = path_.frame().body->uses[node];
  current_ = {.instruction = current_.instruction, .is_guarded = is_guarded};
  current_.address_sources = sources_of(use.address);
  current_.data_sources = sources_of(use.data);
  leave_if_register_is_busy(use);
  if (path_.condition.is_false()) return;
  run_instruction(node);
  ++next_step_;
  if (path_.condition.is_false()) return;
  note_sources(use);
  if (current_.ended) {
    end(*current_.ended, next_step_, current_.ending_message);
    if (*current_.ended == Ending::Kind::trapped && options_.traps_go_on) go_on_behind_trap(node);
    return;
  }
  if (current_.returns) return leave_function();
  if (current_.jumps.empty()) return leave(node, node + 1);
  leave_by_jumps(node);
}

/// Continues after a trap at the next instruction, if other paths lead there later than the trap. A trap at
/// the end of its part of the code ends the thread.
void ThreadUnfolder::go_on_behind_trap(Target trap) {
  if (!path_.frame().body->flow.is_back_edge(trap, trap + 1)) return leave(trap, trap + 1);
  end(Ending::Kind::completed);
}

void ThreadUnfolder::run_instruction(Target) {
  execute(*current_.instruction, path_.frame().registers, *this);
}

ReadSets::Id ThreadUnfolder::sources_of(const std::vector<RegisterId>& registers) {
  ReadSets::Id all = 0;
  for (RegisterId id : registers) all = reads_.unite(all, path_.frame().sources[id]);
  return all;
}

/// Records the sources of results: the reads of the instruction (element by element if there are as many),
/// or, if it has none, all its operands.
void ThreadUnfolder::note_sources(const RegisterUse& use) {
  const auto operands = reads_.unite(current_.address_sources, current_.data_sources);
  for (std::size_t i = 0; i < use.written.size(); ++i) {
    ReadSets::Id sources = operands;
    if (current_.read_sources.size() == use.written.size()) {
      sources = current_.read_sources[i];
    } else if (!current_.read_sources.empty()) {
      sources = 0;
      for (const ReadSets::Id read : current_.read_sources) sources = reads_.unite(sources, read);
    }
    path_.frame().sources[use.written[i]] = sources;
  }
}

void ThreadUnfolder::leave_by_jumps(Target from) {
  const auto jumps = std::move(current_.jumps);
  const Path before = std::move(path_);
  for (const auto& [condition, target] : jumps) {
    path_ = before;
    path_.condition = before.condition & condition;
    leave(from, target);
  }
}

/// Moves the current path from one instruction to another of its function.
void ThreadUnfolder::leave(Target from, Target to) {
  if (path_.condition.is_false()) return;
  const bool is_back_edge = path_.frame().body->flow.is_back_edge(from, to);
  if (is_back_edge && !is_end_of_iteration(to, path_, true) && !another_iteration(to)) return;
  enter(to, std::move(path_), is_back_edge);
}

void ThreadUnfolder::leave_function() {
  take_results();
  path_.hazards.leave(path_.frames.size());
  path_.frames.pop_back();
  const Target call = path_.frame().call;
  leave(call, call + 1);
}

/// Whether the condition depends on a clock value that was read since the iteration started.
bool ThreadUnfolder::waits_for_clock(const Bits& condition, const IterationStart& start) const {
  if (start.clock == clocks_.size() || condition.is_constant()) return false;
  const auto variables = variables_of(condition);
  return std::any_of(clocks_.begin() + static_cast<std::ptrdiff_t>(start.clock), clocks_.end(),
                     [&](VariableId clock) { return std::ranges::binary_search(variables, clock); });
}

/// The condition that nothing has been written since an iteration began and that the live state is the same.
Bits ThreadUnfolder::is_back_at(const IterationStart& start, Target head) const {
  const UnfoldingFrame& frame = path_.frame();
  const auto& live = frame.body->live[head];
  Bits result = ~start.acted;
  for (RegisterId id = 0; id < frame.registers.size() && !result.is_false(); ++id)
    if (live[id]) result = result & equal(frame.registers[id], start.registers[id]);
  if (!result.is_false()) result = result & path_.memory.holds_the_same(start.memory);
  return simplify_under(path_.condition, result);
}

/// Called when the current path returns to the head of a loop. Returns whether it continues.
bool ThreadUnfolder::another_iteration(Target head) {
  UnfoldingFrame& frame = path_.frame();
  const std::size_t depth = frame.body->flow.enclosing_heads(head).size() - 1;
  LoopVisit& loop = frame.loops[depth];
  for (auto start = loop.starts.rbegin(); start != loop.starts.rend(); ++start) {
    TimeLimit::check();
    const Bits all = path_.condition, idle = is_back_at(*start, head);
    path_.condition = all & idle;
    // The loop may end because time passes, which is unknown.
    const bool is_timed = waits_for_clock(path_.condition, *start);
    end(is_timed ? Ending::Kind::bound_reached : Ending::Kind::spinning, start->step);
    path_.condition = all & ~idle;
    if (path_.condition.is_false()) return false;
  }
  const bool is_endless = options_.may_wait_for_ever && !frame.body->flow.can_be_left(head);
  if (is_endless && loop.iteration >= options_.bound) {
    repeat_for_ever(head);
    return false;
  }
  if (!loop.open) return true;
  ++loop.open_iterations;
  if (!loop.open_to_reads && !is_possible(path_.condition)) return false;
  if (loop.open_iterations > bound_of(loop.open_to_reads)) {
    reached_bound(head);
    end(Ending::Kind::bound_reached);
    return false;
  }
  return true;
}

/// Whether the last iteration has read nothing and left the state unchanged, so that the next one writes the
/// same.
bool ThreadUnfolder::did_the_same(const IterationStart& start, Target head) const {
  for (auto event = structure_.events.rbegin(); event != structure_.events.rend(); ++event) {
    if (event->thread != thread_ || event->step < start.step) break;
    if (event->kind != EventKind::write) return false;
  }
  IterationStart idle = start;
  idle.acted = Bits::boolean(false);
  return is_back_at(idle, head).is_true();
}

/// Ends a loop without an exit. The effect of further iterations is known if they are all the same.
void ThreadUnfolder::repeat_for_ever(Target head) {
  const auto& starts = path_.frame().loops[path_.frame().body->flow.enclosing_heads(head).size() - 1].starts;
  const bool is_all = !starts.empty() && did_the_same(starts.back(), head);
  const Bits all = path_.condition;
  const Bits is_left_out = is_all ? Bits::boolean(false) : graph_.variable(1, "further iterations");
  path_.condition = all & ~is_left_out;
  end(Ending::Kind::spinning, next_step_);
  path_.condition = all & is_left_out;
  end(Ending::Kind::bound_reached);
}

/// The bound is larger if only inputs decide, since inputs do not change; only new reads can continue a loop
/// for ever.
unsigned ThreadUnfolder::bound_of(bool is_open_to_reads) const {
  return is_open_to_reads ? options_.bound : std::max(options_.bound, input_bound);
}

bool ThreadUnfolder::is_possible(const Bits& condition) const {
  return options_.inputs == nullptr || options_.inputs->allow(condition);
}

bool ThreadUnfolder::depends_on_reads(const Bits& value) const {
  return options_.inputs == nullptr || !options_.inputs->decide(value);
}

/// Adds a path at an instruction, and merges it with paths that are there.
void ThreadUnfolder::enter(Target node, Path path, bool is_back_edge) {
  if (iteration_ != nullptr && is_end_of_iteration(node, path, is_back_edge)) {
    enter_loops(path.frame(), node, is_back_edge);
    if (iteration_->again)
      merge(*iteration_->again, path, reads_);
    else
      iteration_->again = std::move(path);
    return;
  }
  if (iteration_ != nullptr && is_outside_of_iteration(node, path))
    return add_exit(node, is_back_edge, std::move(path));
  enter_loops(path.frame(), node, is_back_edge);
  auto [there, is_new] = waiting_.try_emplace(place_of(path, node), node, Path{});
  if (is_new)
    there->second.second = std::move(path);
  else
    merge(there->second.second, path, reads_);
}

void ThreadUnfolder::end(Ending::Kind kind, unsigned first_step, const std::string& message) {
  if (path_.condition.is_false()) return;
  structure_.endings[static_cast<std::size_t>(thread_)].push_back(
      {kind, path_.condition, first_step,
       current_.instruction ? current_.instruction->where : SourcePosition{}, message});
  if (kind == Ending::Kind::completed) completed_.push_back(path_);
}

void ThreadUnfolder::note(Violation::Kind kind, const Bits& condition, const std::string& message) {
  if (condition.is_false()) return;
  structure_.violations.push_back(
      {kind, thread_, condition, next_step_, current_.instruction->where, message});
}

// ---- effects of rules ----

void ThreadUnfolder::jump_indexed(const Bits& index, std::span<const Target> targets) {
  path_.control = reads_.unite(path_.control, current_.data_sources);
  if (index.is_constant() && index.to_u64() < targets.size()) return jump(targets[index.to_u64()]);
  for (LoopVisit& loop : path_.frame().loops) loop.open = loop.open_to_reads = true;
  for (std::size_t i = 0; i < targets.size(); ++i)
    current_.jumps.emplace_back(equal(index, Bits(index.width(), i)), targets[i]);
  const Bits all = path_.condition;
  const Bits is_inside = less_unsigned(index, Bits(index.width(), targets.size()));
  path_.condition = all & ~is_inside;
  end(Ending::Kind::stray_access, 0, "the index of brx.idx is beyond its targets");
  path_.condition = all & is_inside;
}

void ThreadUnfolder::ret() {
  if (path_.frames.size() > 1)
    current_.returns = true;
  else
    exit();
}

void ThreadUnfolder::note_choice() {
  for (UnfoldingFrame& frame : path_.frames)
    for (LoopVisit& loop : frame.loops) loop.open_to_reads = true;
}

void ThreadUnfolder::mark_acted(const Bits& condition) {
  for (UnfoldingFrame& frame : path_.frames)
    for (LoopVisit& loop : frame.loops)
      for (IterationStart& start : loop.starts) start.acted = start.acted | condition;
}

}  // namespace ptxmc
