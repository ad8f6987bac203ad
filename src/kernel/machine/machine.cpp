#include "src/kernel/machine/machine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "semantics/language/address_windows.hpp"
#include "semantics/language/form.hpp"
#include "src/kernel/module/launch_shape.hpp"
#include "src/kernel/module/special_register_values.hpp"

namespace ptxmc::kernel {

namespace {

constexpr std::uint64_t most_threads = std::uint64_t{1} << 20;

std::string text_of(const Dimensions& d) { return fmt::format("({}, {}, {})", d[0], d[1], d[2]); }

}  // namespace

Machine::Machine(LoadedModule& module, const Launch& launch, const RunOptions& options,
                 std::function<void(const std::string&)> print)
    : module_(module), launch_(launch), options_(options), print_(std::move(print)) {
  if (options_.seed) schedule_.random.seed(*options_.seed);
  grids_.all = launched_grids(launch, module);
  std::uint64_t threads = 0;
  for (const LaunchedGrid& grid : grids_.all) {
    if (volume(grid.grid) > (most_threads - threads) / volume(grid.block))
      throw Unsupported(fmt::format("a launch of more than {} threads", most_threads), {});
    threads += volume(grid.grid) * volume(grid.block);
  }
  passed_ = pass_parameters(launch, module);
  for (const LaunchedGrid& grid : grids_.all)
    for (std::uint64_t c = 0; c < volume(grid.grid); ++c) make_cta(grid, c);
  for (const LaunchedGrid& grid :
       std::span(grids_.all).first(grids_.all.back().prerequisite < 0 ? 0 : grids_.all.size()))
    grids_.are_early.push_back(!grid.starts_late && (!options_.seed || schedule_.random() % 2 == 0));
  hold_back_clusters();
}

Machine::~Machine() = default;

/// Creates a CTA. CTAs are created in the order of their numbers, clusters in the order of their first CTAs.
void Machine::make_cta(const LaunchedGrid& grid, std::uint64_t number) {
  auto cta = std::make_unique<Cta>();
  cta->grid = &grid;
  cta->index = position_in(number, grid.grid);
  const Dimensions& shape = grid.cluster;
  const auto in_cluster = [&](std::size_t i) { return cta->index[i] % shape[i]; };
  cta->rank = in_cluster(0) + shape[0] * (in_cluster(1) + shape[1] * in_cluster(2));
  if (cta->rank == 0) {
    running_.clusters.push_back(std::make_unique<Cluster>());
    cta->cluster = running_.clusters.back().get();
    cta->cluster->ctas.resize(volume(shape));
  } else {
    const Cta& first = *std::ranges::find_if(running_.ctas, [&](const auto& other) {
                          return other->grid == &grid && other->index[0] == cta->index[0] - in_cluster(0) &&
                                 other->index[1] == cta->index[1] - in_cluster(1) &&
                                 other->index[2] == cta->index[2] - in_cluster(2);
                        })->get();
    cta->cluster = first.cluster;
  }
  cta->cluster->ctas[cta->rank] = cta.get();
  const std::uint64_t base = cta->rank * shared_memory_of_cta;
  for (const Allocation& variable : module_.shared.all())
    cta->shared.allocate_at(variable.name, base + variable.base,
                            module_.shared_bytes(variable, grid.dynamic_shared));
  for (std::uint32_t t = 0; t < volume(grid.block); ++t) make_thread(*cta);
  running_.ctas.push_back(std::move(cta));
}

void Machine::make_thread(Cta& cta) {
  auto thread = std::make_unique<Thread>();
  thread->cta = &cta;
  if (cta.grid->prerequisite >= 0) thread->state = Thread::State::unstarted;
  thread->number = static_cast<std::uint32_t>(cta.threads.size());
  if (thread->number % lanes_per_warp == 0) cta.warps.emplace_back();
  cta.warps.back().push_back(static_cast<int>(thread->number));
  const PlaceInCluster place = {cta.rank, thread->number,
                                static_cast<std::uint32_t>(volume(cta.grid->block))};
  thread->number_in_cluster = static_cast<int>(place.number());
  for (const ThreadGroup group : all_thread_groups) {
    const PlaceInGroup in_group = place_in(group, place);
    thread->places[static_cast<std::size_t>(group)] = in_group;
    Cluster::Groups& groups = cta.cluster->groups[group];
    if (groups.size() <= in_group.group) groups.resize(in_group.group + 1);
    groups[in_group.group].push_back(thread->number_in_cluster);
  }
  thread_ = thread.get();
  enter(*cta.grid->entry);
  const LoadedFunction& loaded = *frame().function;
  for (std::size_t i = 0; i < cta.grid->parameter_count; ++i) {
    Allocation& place = *thread->parameters.at(loaded.variables[i].address);
    place.bytes = passed_.values[cta.grid->first_parameter + i];
  }
  auto& of_cluster = cta.cluster->threads;
  of_cluster.resize(std::max<std::size_t>(of_cluster.size(), place.number() + 1));
  of_cluster[place.number()] = thread.get();
  running_.threads.push_back(thread.get());
  cta.threads.push_back(std::move(thread));
}

Thread* Machine::choose() {
  if (options_.seed) schedule_.turn = schedule_.random();
  for (std::size_t tried = 0; tried < running_.threads.size(); ++tried) {
    Thread* thread = running_.threads[schedule_.turn++ % running_.threads.size()];
    if (thread->state == Thread::State::running) return thread;
  }
  return nullptr;
}

void Machine::run() {
  try {
    for (Thread* thread = choose();; thread = choose()) {
      if (thread == nullptr) {
        if (!asynchronous_.started.empty()) {
          perform(0);
        } else if (!start_held_back_cluster()) {
          break;
        }
        continue;
      }
      if (options_.seed && grids_.held_back != 0 && schedule_.random() % (8 * running_.threads.size()) == 0)
        (void)start_held_back_cluster();
      perform_some();
      // A single thread has every turn.
      const unsigned turns = running_.threads.size() == 1 ? 1U << 16 : 1;
      unsigned i = 0;
      do step(*thread);
      while (++i < turns && asynchronous_.started.empty() && thread->state == Thread::State::running);
      if (is_quiet() && compare_states(*thread) && all_repeat() && !start_held_back_cluster()) break;
    }
    const bool all_ended = std::ranges::all_of(
        running_.threads, [](const Thread* t) { return t->state == Thread::State::ended; });
    if (!all_ended) report_deadlock();
  } catch (const LaunchEnded&) {
  }
}

void Machine::step(Thread& thread) {
  thread_ = &thread;
  Frame& current = frame();
  const auto& code = current.function->lowered.code;
  if (current.next >= code.size()) {
    ret();
    return;
  }
  if (++schedule_.steps > options_.step_limit)
    end_launch("step-limit", fmt::format("given up after {} instructions: a loop that never ends, or a "
                                         "launch that needs more (--steps)",
                                         options_.step_limit));
  const Instruction& instruction = code[current.next++];
  if (instruction.guard) {
    const bool holds = current.registers[instruction.guard->predicate].is_true();
    if (holds == instruction.guard->negated) return;
  }
  end_if_register_is_busy(instruction);
  execute_in(current, instruction);
}

/// Completes the instruction at which the thread has waited.
void Machine::go_on(Thread& thread, const std::function<Results()>& after) {
  Thread* const current = std::exchange(thread_, &thread);
  const Instruction& instruction = frame().function->lowered.code[frame().next - 1];
  thread.state = Thread::State::running;
  note_change();
  const Results results = after();
  if (!results.is_pending()) write_results(instruction, results, frame().registers);
  thread_ = current;
}

void Machine::execute_in(Frame& current, const Instruction& instruction) {
  if (!current.function->clocks.empty()) set_clocks(current);
  if (unwritten_.is_any()) use_operands(instruction, current.registers);
  loaded_ = {};
  if (current.function->treatments[current.next - 1] == Treatment::integer_division) {
    const Operand& divisor = instruction.operands[2];
    const auto* r = std::get_if<Operand::Register>(&divisor.is);
    const auto* number = std::get_if<Operand::Immediate>(&divisor.is);
    const Bits value = r != nullptr ? current.registers[r->id] : number->value;
    if (value.value() == 0) note("division-by-zero", "the result of a division by zero is unspecified");
  }
  if (current.function->treatments[current.next - 1] == Treatment::other_fragment)
    use(use_of_operand(Misuse::different_matrix_operands, Bits::boolean(true)));
  if (current.function->treatments[current.next - 1] == Treatment::other_cta_group)
    use(use_of_operand(Misuse::different_cta_groups, Bits::boolean(true)));
  const Target executed = current.next - 1;
  const std::size_t depth = thread_->frames.size();
  current.function->prepared[executed].execute(current.registers, *this);
  // A call or a return has changed the frames, and neither has results of its own.
  if (unwritten_.is_any() && thread_->frames.size() == depth) use_results(instruction, current.registers);
}

// ---- special registers ----

Bits Machine::special_value(const syntax::LoweredRegister& r) const {
  const LaunchedGrid& grid = *thread_->cta->grid;
  return special_register_value(
      r, {launch_, module_, position_of(grid.grid, grid.block, thread_->cta->index, thread_->number),
          grid.cluster, grid.has_explicit_clusters, passed_.grid_workspace, grid.dynamic_shared});
}

void Machine::set_special_registers(Frame& entered) {
  const auto& registers = entered.function->lowered.registers;
  for (RegisterId id = 0; id < registers.size(); ++id)
    if (registers[id].special != nullptr) entered.registers[id] = special_value(registers[id]);
}

/// Clocks and timers: unknown values that do not decrease; here, the instructions executed so far.
void Machine::set_clocks(Frame& current) {
  for (const RegisterId id : current.function->clocks) {
    const syntax::LoweredRegister& r = current.function->lowered.registers[id];
    const bool is_upper_half = r.special->name.ends_with("_hi");
    current.registers[id] = Bits(r.width, is_upper_half ? schedule_.steps >> 32 : schedule_.steps);
  }
}

// ---- findings ----

/// The instruction that the thread executes, and the calls that led to it.
std::vector<CallPlace> Machine::open_calls() const {
  std::vector<CallPlace> result;
  for (auto frame = thread_->frames.rbegin(); frame != thread_->frames.rend(); ++frame) {
    const auto& lowered = frame->function->lowered;
    const std::size_t at = frame->next == 0 ? 0 : frame->next - 1;
    if (at >= lowered.code.size()) continue;
    result.push_back(
        {std::string(frame->function->function->name.text), lowered.code[at].where, lowered.lines[at]});
  }
  return result;
}

Finding Machine::finding_here(const std::string& kind, const std::string& message) const {
  Finding finding = {kind, message, "", {}};
  if (thread_ != nullptr) {
    finding.thread =
        fmt::format("thread {} of CTA {}", text_of(position_in(thread_->number, thread_->cta->grid->block)),
                    text_of(thread_->cta->index));
    if (grids_.all.size() > 1) finding.thread += fmt::format(" of {}", thread_->cta->grid->entry->name.text);
    finding.calls = asynchronous_.performed != nullptr ? asynchronous_.performed->calls : open_calls();
  }
  return finding;
}

void Machine::note(const std::string& kind, const std::string& message) { note(finding_here(kind, message)); }

/// The same finding at the same position is reported once.
void Machine::note(Finding finding) {
  for (const Finding& known : observed_.findings)
    if (known.kind == finding.kind && known.message == finding.message && !known.calls.empty() &&
        !finding.calls.empty() && known.calls[0].where.line == finding.calls[0].where.line)
      return;
  observed_.findings.push_back(std::move(finding));
}

void Machine::end_launch(const std::string& kind, const std::string& message) {
  note(kind, message);
  throw LaunchEnded();
}

void Machine::end_if_misused(UsePair pair, const ObjectUse& own, const ObjectUse* other) {
  if (const auto found = misuse(pair, own, other))
    end_launch(is_divergence(found->misuse) ? "divergence" : "undefined",
               std::string(sentence_of(found->misuse)));
}

void Machine::trap() { end_launch("assertion", "trap"); }

void Machine::jump_indexed(const Bits& index, std::span<const Target> targets) {
  if (index.to_u64() >= targets.size())
    end_launch("out-of-bounds", "the index of brx.idx is beyond its targets");
  jump(targets[index.to_u64()]);
}

void Machine::exit() {
  note_end_without_barrier();
  thread_->state = Thread::State::ended;
  note_change();
  end_if_tensor_memory_is_left(*thread_->cta);
  for (auto& [number, barrier] : thread_->cta->barriers) advance(barrier, *thread_->cta);
  advance_meetings(*thread_->cta->cluster, *thread_);
  advance_cluster_barrier(*thread_->cta->cluster);
  advance_grids();
}

void Machine::ret() {
  if (thread_->frames.size() > 1) {
    leave();
  } else {
    exit();
  }
}

const Allocation* Machine::buffer(std::size_t parameter) {
  const std::uint64_t base = passed_.buffers[parameter];
  if (base == 0) return nullptr;
  const bool is_constant = space_of_generic(base) == StateSpace::constant;
  return is_constant ? passed_.constant.at(base - window_of(StateSpace::constant)) : passed_.global.at(base);
}

}  // namespace ptxmc::kernel
