// Each thread of random programs, executed with random values of its reads: the events that happen with these
// values must be what it does, with the reads that each depends on.
#include "solver/unfolding/thread_unfolder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

#include "tests/campaign/random_litmus.hpp"
#include "tests/solver/thread_code.hpp"

using namespace ptxmc;

namespace {

/// What a thread does in one step. Reads are known by their order.
struct Action {
  EventKind kind;
  Access access = {};
  std::uint64_t address = 0;
  Bits value = {};  ///< read, written, or the result of a barrier
  std::set<std::size_t> address_sources = {}, data_sources = {}, control_sources = {};
};

/// Executes the code of a thread. Every read returns a random small number, and what a register or the way
/// through the code depends on is kept as the manual's syntactic dependencies (PTX ISA 8.7 § 8.10.4).
class ConcreteThread : Effects {
 public:
  using Sources = std::set<std::size_t>;

  ConcreteThread(const Thread& thread, std::mt19937& random)
      : thread_(thread), random_(random), registers(thread.initial_registers), sources_(registers.size()) {
    for (std::size_t steps = 0; next_ < thread.code.size() && steps < 200; ++steps) step();
    has_ended = next_ >= thread.code.size();
  }

 private:
  const Thread& thread_;
  std::mt19937& random_;

 public:
  std::vector<Bits> registers;
  std::vector<Action> actions;
  std::size_t reads = 0;
  bool has_ended = false;

 private:
  static void add(Sources& to, const Sources& from) { to.insert(from.begin(), from.end()); }

  Sources of(const std::vector<RegisterId>& ids) const {
    Sources result;
    for (const RegisterId id : ids) add(result, sources_[id]);
    return result;
  }

  void step() {
    const Instruction& instruction = thread_.code[next_++];
    if (instruction.guard) {
      add(control_, sources_[instruction.guard->predicate]);
      if (registers[instruction.guard->predicate].is_true() == instruction.guard->negated) return;
    }
    const RegisterUse use = register_use(instruction);
    address_ = of(use.address);
    data_ = of(use.data);
    const std::size_t before = reads;
    execute(instruction, registers, *this);
    Sources results = address_;
    add(results, data_);
    if (reads > before) results = {before};
    for (const RegisterId id : use.written) sources_[id] = results;
  }

  Action& act(EventKind kind) {
    return actions.emplace_back(Action{.kind = kind, .control_sources = control_});
  }

  Action& access(EventKind kind, const Access& access, const Bits& address, const Bits& value) {
    Action& action = act(kind);
    action.access = access;
    action.address = address.to_u64();
    action.value = value;
    action.address_sources = address_;
    return action;
  }

  Bits read(const Access& how, const Bits& address, unsigned width) override {
    const Bits value(width, random_() % 3);
    access(EventKind::read, how, address, value);
    ++reads;
    return value;
  }
  void write(const Access& how, const Bits& address, const Bits& value) override {
    access(EventKind::write, how, address, value).data_sources = data_;
  }
  Bits read_modify_write(const Access& how, const Bits& address, unsigned width,
                         const std::function<Update(const Bits&)>& update) override {
    const std::size_t own = reads;
    const Bits old = read(how, address, width);
    const Update updated = update(old);
    if (!updated.happens.is_true()) return old;
    Action& write = access(EventKind::write, how, address, updated.value);
    write.data_sources = data_;
    write.data_sources.insert(own);
    return old;
  }
  void fence(const Fence&) override { act(EventKind::fence); }
  Bits barrier(const Barrier& barrier) override {
    const bool counts = barrier.kind == Barrier::Kind::reduce_popc;
    const bool reduces =
        barrier.kind == Barrier::Kind::reduce_and || barrier.kind == Barrier::Kind::reduce_or;
    Action& action = act(EventKind::barrier);
    action.data_sources = data_;
    if (counts || reduces) action.value = Bits(counts ? 32 : 1, random_() % 2);
    return action.value;
  }
  void jump(Target target) override { next_ = target; }
  void ret() override { next_ = thread_.code.size(); }
  void exit() override { next_ = thread_.code.size(); }
  void trap() override { next_ = thread_.code.size(); }
  Bits unspecified(unsigned width) override { return Bits(width, 0); }

  std::size_t next_ = 0;
  std::vector<Sources> sources_;  // by register
  Sources control_, address_, data_;
};

/// The events of a thread that happen when its reads return the values of an execution.
struct Unfolded {
  std::vector<const Event*> events;
  std::vector<EventId> reads;  // by order
  std::map<VariableId, Bits> values;

  Substitution known() const {
    Substitution result;
    for (const auto& [variable, value] : values) result.set(variable, value);
    return result;
  }

  Unfolded(const EventStructure& structure, int thread, const std::vector<Action>& actions) {
    for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
      const Event& event = structure.events[static_cast<std::size_t>(id)];
      if (event.thread != thread) continue;
      const Bits happens = known().apply(event.condition);
      REQUIRE(happens.is_constant());
      if (!happens.is_true()) continue;
      const std::size_t which = events.size();
      events.push_back(&event);
      if (event.is_read()) reads.push_back(id);
      const bool returns = event.is_read() || (event.kind == EventKind::barrier && event.value.width() != 0);
      if (returns && which < actions.size() && actions[which].value.width() == event.value.width())
        values.emplace(event.value.term()->variable, actions[which].value);
    }
  }

  /// Which reads of this path, in their order, are among the dependencies.
  std::set<std::size_t> orders(const std::vector<EventId>& dependencies) const {
    std::set<std::size_t> result;
    for (const EventId id : dependencies)
      if (const auto read = std::ranges::find(reads, id); read != reads.end())
        result.insert(static_cast<std::size_t>(read - reads.begin()));
    return result;
  }
};

void check_same(const Unfolded& unfolded, const Event& event, const Action& action, bool has_branches) {
  Substitution known = unfolded.known();
  REQUIRE(event.kind == action.kind);
  if (event.is_memory_access()) {
    CHECK(known.apply(event.address).to_u64() == action.address);
    CHECK(8 * event.size == action.value.width());
    CHECK(identical(known.apply(event.value), action.value));
    CHECK(event.access.sem == action.access.sem);
    CHECK(event.access.scope == action.access.scope);
    CHECK(event.access.proxy == action.access.proxy);
  }
  const auto check_sources = [&](const std::vector<EventId>& found, const std::set<std::size_t>& expected) {
    const auto orders = unfolded.orders(found);
    CHECK(std::ranges::includes(orders, expected));
    // Where paths have merged, a value depends on what it would be on the other path, too.
    if (!has_branches) CHECK(orders == expected);
  };
  check_sources(event.address_dependencies, action.address_sources);
  check_sources(event.data_dependencies, action.data_sources);
  if (event.rmw < 0) check_sources(event.control_dependencies, action.control_sources);
}

/// An iteration that is repeated for ever writes nothing and arrives at no barrier.
void check_idle(const Unfolded& unfolded, unsigned first_step) {
  for (const Event* event : unfolded.events)
    if (event->step >= first_step) CHECK((event->kind == EventKind::read || event->kind == EventKind::fence));
}

/// Returns how the thread ends.
Ending::Kind compare(const EventStructure& structure, int thread, std::mt19937& random) {
  const Thread& code = structure.program->threads[static_cast<std::size_t>(thread)];
  const ConcreteThread concrete(code, random);
  const Unfolded unfolded(structure, thread, concrete.actions);
  const bool has_branches =
      std::ranges::any_of(code.code, [](const Instruction& i) { return i.guard.has_value(); });
  REQUIRE(unfolded.events.size() <= concrete.actions.size());
  for (std::size_t i = 0; i < unfolded.events.size(); ++i)
    check_same(unfolded, *unfolded.events[i], concrete.actions[i], has_branches);

  Substitution known = unfolded.known();
  std::vector<Ending::Kind> endings;
  for (const Ending& ending : structure.endings[static_cast<std::size_t>(thread)])
    if (known.apply(ending.condition).is_true()) {
      endings.push_back(ending.kind);
      if (ending.kind == Ending::Kind::spinning) check_idle(unfolded, ending.first_step);
    }
  REQUIRE(endings.size() == 1);
  if (endings.front() != Ending::Kind::completed) return endings.front();
  CHECK(concrete.has_ended);
  CHECK(unfolded.events.size() == concrete.actions.size());
  const auto& last = structure.final_registers[static_cast<std::size_t>(thread)];
  for (std::size_t id = 0; id < last.size(); ++id)
    CHECK(identical(known.apply(last[id]), concrete.registers[id]));
  return endings.front();
}

}  // namespace

TEST_CASE("what a thread does with any values of its reads is among its events") {
  std::mt19937 random(2);
  std::map<Ending::Kind, int> endings;
  for (std::uint64_t seed = 0; seed < 250; ++seed) {
    CAPTURE(seed);
    const LitmusTest test = parse_litmus(random_litmus(seed), "random.litmus");
    TermGraph graph;
    const EventStructure structure = unfold(test.program, graph, {});
    for (int thread = 0; thread < static_cast<int>(test.program.threads.size()); ++thread)
      for (int round = 0; round < 4; ++round) {
        CAPTURE(thread);
        ++endings[compare(structure, thread, random)];
      }
  }
  CHECK(endings[Ending::Kind::completed] > 1000);
  CHECK(endings[Ending::Kind::spinning] > 20);
  CHECK(endings[Ending::Kind::bound_reached] > 20);
}

TEST_CASE("loops in loops, and branches into loops, with any values") {
  const std::string codes[] = {
      "L: ld.relaxed.gpu r0, x ; st.relaxed.gpu y, r0 ; M: atom.relaxed.gpu.add r1, y, r0 ; "
      "beq r1, 1, M ; add r3, r3, 1 ; blt r3, 3, L ; st.relaxed.gpu x, r3 ;",
      "ld.relaxed.gpu r0, x ; mov.u64 r3, 5 ; beq r0, 0, A ; mov.u64 r3, 6 ; beq r0, 1, A ; st.weak x, r3 ; "
      "A: st.weak y, r3 ; ld.weak r1, y ; xor r2, r1, r1 ; st.weak x, r2 ;",
      "L: ld.relaxed.gpu r0, x ; beq r0, 1, E ; ld.relaxed.gpu r1, y ; beq r1, 1, L ; st.weak x, 2 ; "
      "bne r1, 0, L ; E: st.weak y, r0 ;",
      // a branch whose condition is the same for all values
      "ld.relaxed.gpu r0, x ; xor r1, r0, r0 ; bne r1, 0, L ; st.weak y, 1 ; L: st.weak x, 1 ;",
      "ld.relaxed.gpu r0, x ; and r1, r0, 0 ; beq r1, 0, L ; st.weak y, 1 ; L: st.weak x, 1 ;"};
  std::mt19937 random(3);
  for (const std::string& code : codes)
    for (const unsigned bound : {1, 3}) {
      CAPTURE(code);
      const LitmusTest test = with_thread(code);
      TermGraph graph;
      UnfoldOptions options;
      options.bound = bound;
      const EventStructure structure = unfold(test.program, graph, options);
      for (int round = 0; round < 60; ++round) compare(structure, 0, random);
    }
}
