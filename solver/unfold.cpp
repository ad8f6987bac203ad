#include "solver/unfold.hpp"

#include <map>
#include <optional>
#include <set>

#include "semantics/diagnostic.hpp"
#include "semantics/instruction_set.hpp"
#include "solver/address_space.hpp"
#include "solver/control_flow_graph.hpp"
#include "solver/read_sets.hpp"

namespace ptxmc {
namespace {

/// One loop that a path is in.
struct LoopVisit {
  Target head = 0;
  unsigned iteration = 0;
  unsigned open_iterations = 0;       // those that the bound counts
  bool open = false;                  // this iteration could have been left on a condition that is open
  Bits acted = Bits::boolean(false);  // when this iteration has written or met a barrier
  unsigned first_step = 0;
  std::vector<Bits> start_registers;
};

/// All paths of a thread that lead to one instruction in one iteration of each loop around it.
struct Path {
  Bits condition = Bits::boolean(true);
  std::vector<Bits> registers;
  std::vector<ReadSets::Id> sources;  // by register: the reads that its value came from
  ReadSets::Id control = 0;           // the reads that branches and guards have looked at
  std::vector<LoopVisit> loops;
};

/// Orders the unrolled instructions: all iterations of a loop come before what follows it.
using Place = std::vector<unsigned>;

class ThreadUnfolder : private Effects {
 public:
  ThreadUnfolder(EventStructure& structure, TermGraph& graph, const AddressSpace& addresses, int thread,
                 const UnfoldOptions& options)
      : structure_(structure),
        graph_(graph),
        addresses_(addresses),
        options_(options),
        thread_(thread),
        code_(structure.program->threads[thread].code),
        flow_(code_) {
    const auto& registers = structure.program->threads[thread].initial_registers;
    std::vector<RegisterId> observed;
    if (!options.observed.empty()) observed = options.observed[thread];
    live_ = live_registers(code_, flow_, registers.size(), observed);
    Path start;
    start.registers = registers;
    start.sources.assign(registers.size(), 0);
    if (!options.started.empty()) {
      start.condition = options.started[thread];
      path_.condition = ~start.condition;
      end(Ending::Kind::not_started);
    }
    enter(0, std::move(start), 0);
  }

  void run() {
    for (std::size_t steps = 0; !waiting_.empty(); ++steps) {
      if (steps == options_.max_steps) throw Unsupported("a thread of more than the step limit", {});
      auto next = waiting_.extract(waiting_.begin());
      const Target node = next.mapped().first;
      path_ = std::move(next.mapped().second);
      if (node == code_.size())
        end(Ending::Kind::completed);
      else
        step(node);
    }
    finish();
  }

 private:
  void step(Target node) {
    instruction_ = &code_[node];
    begin_iteration(node);
    const Bits guard = guard_value();
    if (guard.is_false()) return leave(node, node + 1);
    if (guard.is_true()) return perform(node);
    path_.control = reads_.unite(path_.control, path_.sources[instruction_->guard->predicate]);
    mark_open_loops(node);
    Path skipped = path_;
    skipped.condition = path_.condition & ~guard;
    path_.condition = path_.condition & guard;
    perform(node);
    path_ = std::move(skipped);
    leave(node, node + 1);
  }

  Bits guard_value() const {
    if (!instruction_->guard) return Bits::boolean(true);
    const Bits& predicate = path_.registers[instruction_->guard->predicate];
    return instruction_->guard->negated ? ~predicate : predicate;
  }

  /// The head of a loop: remember the state that the iteration starts from.
  void begin_iteration(Target node) {
    if (path_.loops.empty() || path_.loops.back().head != node) return;
    LoopVisit& loop = path_.loops.back();
    loop.start_registers = path_.registers;
    loop.first_step = next_step_;
    loop.open = false;
    loop.acted = Bits::boolean(false);
  }

  /// A guard whose value is open decides whether loops around it are left.
  void mark_open_loops(Target node) {
    for (std::size_t depth = 0; depth < path_.loops.size(); ++depth)
      for (Target next : flow_.successors(node)) {
        const auto& heads = flow_.enclosing_heads(next);
        if (depth >= heads.size() || heads[depth] != path_.loops[depth].head) path_.loops[depth].open = true;
      }
  }

  /// Runs the rule of the current instruction on the current path, whose condition includes the guard.
  void perform(Target node) {
    if (path_.condition.is_false()) return;
    const RegisterUse use = register_use(*instruction_);
    address_sources_ = sources_of(use.address);
    data_sources_ = sources_of(use.data);
    performed_reads_.clear();
    jumps_to_.reset();
    ended_.reset();
    execute(*instruction_, path_.registers, *this);
    ++next_step_;
    note_sources(use);
    if (ended_) return end(*ended_);
    leave(node, jumps_to_.value_or(node + 1));
  }

  ReadSets::Id sources_of(const std::vector<RegisterId>& registers) {
    ReadSets::Id all = 0;
    for (RegisterId id : registers) all = reads_.unite(all, path_.sources[id]);
    return all;
  }

  /// A result comes from the reads that the instruction performed (element by element when there are
  /// as many), and if there are none from all of its operands.
  void note_sources(const RegisterUse& use) {
    const auto operands = reads_.unite(address_sources_, data_sources_);
    for (std::size_t i = 0; i < use.written.size(); ++i) {
      ReadSets::Id sources = operands;
      if (performed_reads_.size() == use.written.size()) {
        sources = reads_.single(performed_reads_[i]);
      } else if (!performed_reads_.empty()) {
        sources = 0;
        for (EventId read : performed_reads_) sources = reads_.unite(sources, reads_.single(read));
      }
      path_.sources[use.written[i]] = sources;
    }
  }

  /// The current path goes from one instruction to another.
  void leave(Target from, Target to) {
    if (path_.condition.is_false()) return;
    if (flow_.is_back_edge(from, to) && !another_iteration(to)) return;
    enter(to, std::move(path_), flow_.is_back_edge(from, to) ? 1 : 0);
  }

  /// The current path has come back to the head of a loop; whether it goes on.
  bool another_iteration(Target head) {
    const std::size_t depth = flow_.enclosing_heads(head).size() - 1;
    LoopVisit& loop = path_.loops[depth];
    Bits idle = ~loop.acted;
    for (RegisterId id = 0; id < path_.registers.size() && !idle.is_false(); ++id)
      if (live_[head][id]) idle = idle & equal(path_.registers[id], loop.start_registers[id]);
    const Bits all = path_.condition;
    path_.condition = all & idle;
    end(Ending::Kind::spinning, loop.first_step);
    path_.condition = all & ~idle;
    if (path_.condition.is_false()) return false;
    if (loop.open && ++loop.open_iterations > options_.bound) {
      end(Ending::Kind::bound_reached);
      return false;
    }
    return true;
  }

  /// Puts a path in front of an instruction, together with those that are there.
  void enter(Target node, Path path, unsigned iterations) {
    const auto& heads = flow_.enclosing_heads(node);
    std::size_t common = 0;
    while (common < heads.size() && common < path.loops.size() && path.loops[common].head == heads[common])
      ++common;
    path.loops.resize(common);
    if (iterations > 0)
      path.loops.back().iteration += iterations;
    else
      for (; common < heads.size(); ++common)
        path.loops.push_back({.head = heads[common], .start_registers = {}});
    Place place;
    for (const LoopVisit& loop : path.loops) {
      place.push_back(flow_.position(loop.head));
      place.push_back(loop.iteration);
    }
    place.push_back(flow_.position(node));
    auto [there, is_new] = waiting_.try_emplace(std::move(place), node, Path{});
    if (is_new)
      there->second.second = std::move(path);
    else
      merge(there->second.second, path);
  }

  void merge(Path& into, const Path& other) {
    for (std::size_t i = 0; i < into.registers.size(); ++i) {
      into.registers[i] = ite(into.condition, into.registers[i], other.registers[i]);
      into.sources[i] = reads_.unite(into.sources[i], other.sources[i]);
    }
    into.control = reads_.unite(into.control, other.control);
    for (std::size_t i = 0; i < into.loops.size(); ++i) {
      into.loops[i].acted = into.loops[i].acted | other.loops[i].acted;
      into.loops[i].open = into.loops[i].open || other.loops[i].open;
      into.loops[i].open_iterations = std::max(into.loops[i].open_iterations, other.loops[i].open_iterations);
    }
    into.condition = into.condition | other.condition;
  }

  void end(Ending::Kind kind, unsigned first_step = 0) {
    if (path_.condition.is_false()) return;
    structure_.endings[thread_].push_back(
        {kind, path_.condition, first_step, instruction_ ? instruction_->where : SourcePosition{}});
    if (kind == Ending::Kind::completed) completed_.push_back(path_);
  }

  /// The registers at the end, over all paths that end there.
  void finish() {
    auto& registers = structure_.final_registers[thread_];
    registers = structure_.program->threads[thread_].initial_registers;
    for (const Path& path : completed_)
      for (std::size_t i = 0; i < registers.size(); ++i)
        registers[i] = ite(path.condition, path.registers[i], registers[i]);
  }

  // What rules do: events.

  Event& record(EventKind kind) {
    if (structure_.events.size() >= options_.max_events) throw Unsupported("more events than the limit", {});
    Event& event = structure_.events.emplace_back();
    event.kind = kind;
    event.thread = thread_;
    event.step = next_step_;
    event.condition = path_.condition;
    event.instruction = instruction_;
    event.control_dependencies = reads_.elements(path_.control);
    return event;
  }

  EventId last_event() const { return static_cast<EventId>(structure_.events.size()) - 1; }

  /// Ends the paths on which the address is wrong; where it leads on the others.
  AddressSpace::Place locate(const Bits& address, unsigned size) {
    const AddressSpace::Place place = addresses_.find(address, size);
    const Bits all = path_.condition;
    path_.condition = all & ~place.valid;
    end(Ending::Kind::stray_access);
    path_.condition = all & place.valid;
    return place;
  }

  Event& record_access(EventKind kind, const Access& access, const Bits& address,
                       const AddressSpace::Place& place, const Bits& value) {
    Event& event = record(kind);
    event.access = access;
    if (access.space == StateSpace::generic) event.access.space = place.space;
    event.address = address;
    event.location = place.location;
    event.size = value.width() / 8;
    event.value = value;
    event.address_dependencies = reads_.elements(address_sources_);
    return event;
  }

  Bits record_read(const Access& access, const Bits& address, const AddressSpace::Place& place,
                   unsigned width) {
    const Bits value = graph_.variable(width, "read" + std::to_string(structure_.events.size()));
    record_access(EventKind::read, access, address, place, value);
    performed_reads_.push_back(last_event());
    return value;
  }

  void mark_acted(const Bits& condition) {
    for (LoopVisit& loop : path_.loops) loop.acted = loop.acted | condition;
  }

  Bits read(const Access& access, const Bits& address, unsigned width) override {
    return record_read(access, address, locate(address, width / 8), width);
  }

  void write(const Access& access, const Bits& address, const Bits& value) override {
    const auto place = locate(address, value.width() / 8);
    Event& event = record_access(EventKind::write, access, address, place, value);
    event.data_dependencies = reads_.elements(data_sources_);
    mark_acted(path_.condition);
  }

  Bits read_modify_write(const Access& access, const Bits& address, unsigned width,
                         const std::function<Update(const Bits&)>& update) override {
    const auto place = locate(address, width / 8);
    const Bits old = record_read(access, address, place, width);
    const EventId read = last_event();
    const Update updated = update(old);
    Event& event = record_access(EventKind::write, access, address, place, updated.value);
    event.condition = path_.condition & updated.happens;
    event.rmw = read;
    structure_.events[read].rmw = last_event();
    // PTX ISA 8.7 § 9.7.13.5 calls it a dependent write, whatever the operation does with what was read.
    const auto own = reads_.single(read);
    event.data_dependencies = reads_.elements(reads_.unite(data_sources_, own));
    if (!updated.happens.is_true())
      event.control_dependencies = reads_.elements(reads_.unite(path_.control, own));
    mark_acted(event.condition);
    return old;
  }

  void fence(const Fence& fence) override { record(EventKind::fence).fence = fence; }

  Bits reduction_result(Barrier::Kind kind) {
    if (kind == Barrier::Kind::reduce_popc) return graph_.variable(32, "popc");
    if (kind == Barrier::Kind::reduce_and || kind == Barrier::Kind::reduce_or)
      return graph_.variable(1, "reduction");
    return {};
  }

  Bits barrier(const Barrier& barrier) override {
    const Bits result = reduction_result(barrier.kind);
    Event& event = record(EventKind::barrier);
    event.value = result;
    event.barrier = barrier;
    event.data_dependencies = reads_.elements(data_sources_);
    mark_acted(path_.condition);
    if (options_.may_wait_for_ever && barrier.kind != Barrier::Kind::arrive) {
      const Bits all = path_.condition;
      event.goes_on = graph_.variable(1, "goes on");
      path_.condition = all & ~event.goes_on;
      end(Ending::Kind::waiting, event.step);
      path_.condition = all & event.goes_on;
    }
    return result;
  }

  void jump(Target target) override { jumps_to_ = target; }
  void exit() override { ended_ = Ending::Kind::completed; }
  void trap() override { ended_ = Ending::Kind::trapped; }

  EventStructure& structure_;
  TermGraph& graph_;
  const AddressSpace& addresses_;
  const UnfoldOptions& options_;
  const int thread_;
  const std::vector<Instruction>& code_;
  const ControlFlowGraph flow_;
  std::vector<std::vector<bool>> live_;
  ReadSets reads_;

  std::map<Place, std::pair<Target, Path>> waiting_;
  std::vector<Path> completed_;
  Path path_;
  unsigned next_step_ = 0;

  const Instruction* instruction_ = nullptr;
  ReadSets::Id address_sources_ = 0;
  ReadSets::Id data_sources_ = 0;
  std::vector<EventId> performed_reads_;
  std::optional<Target> jumps_to_;
  std::optional<Ending::Kind> ended_;
};

/// One initial write for each element of memory that some access may touch.
std::vector<Event> initial_writes(const EventStructure& structure, TermGraph& graph) {
  std::vector<Event> writes;
  for (const Variable& variable : structure.program->memory) {
    if (variable.location != variable.address || variable.proxy != Proxy::generic) continue;
    for (std::size_t i = 0; i < variable.initial.size(); ++i) {
      const std::uint64_t location = variable.location + i * variable.element_size;
      const bool touched = std::any_of(structure.events.begin(), structure.events.end(), [&](const Event& e) {
        return e.is_memory_access() &&
               (!e.location.is_constant() || (e.location.to_u64() < location + variable.element_size &&
                                              location < e.location.to_u64() + e.size));
      });
      if (!touched) continue;
      Event& event = writes.emplace_back();
      event.kind = EventKind::initial_write;
      event.location = event.address = Bits(64, location);
      event.size = variable.element_size;
      event.value = variable.initial[i].width() == 0
                        ? graph.variable(8 * variable.element_size, "initial " + variable.name)
                        : variable.initial[i];
    }
  }
  return writes;
}

void put_first(std::vector<Event> initial, std::vector<Event>& events) {
  const auto shift = static_cast<EventId>(initial.size());
  for (Event& event : events) {
    if (event.rmw >= 0) event.rmw += shift;
    for (auto* dependencies :
         {&event.address_dependencies, &event.data_dependencies, &event.control_dependencies})
      for (EventId& read : *dependencies) read += shift;
  }
  events.insert(events.begin(), std::make_move_iterator(initial.begin()),
                std::make_move_iterator(initial.end()));
}

}  // namespace

EventStructure unfold(const Program& program, TermGraph& graph, const UnfoldOptions& options) {
  EventStructure structure;
  structure.program = &program;
  structure.endings.resize(program.threads.size());
  structure.final_registers.resize(program.threads.size());
  const AddressSpace addresses(program);
  for (int thread = 0; thread < static_cast<int>(program.threads.size()); ++thread)
    ThreadUnfolder(structure, graph, addresses, thread, options).run();
  put_first(initial_writes(structure, graph), structure.events);
  return structure;
}

}  // namespace ptxmc
