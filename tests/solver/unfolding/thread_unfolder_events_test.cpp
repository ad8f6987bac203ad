// The events of accesses and barriers, and accesses to private memory, which cause none.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "solver/limits/event_limit.hpp"
#include "solver/unfolding/address_space.hpp"
#include "solver/unfolding/thread_unfolder.hpp"
#include "solver/unfolding/unfold.hpp"
#include "tests/solver/thread_code.hpp"

using namespace ptxmc;

namespace {

constexpr std::uint64_t private_address = 0x100000;

/// What an access to `x` reaches: private memory of four bytes if `is_own`, otherwise `x` itself if `valid`.
struct PlaceOfX {
  Bits is_own = Bits::boolean(true);
  Bits valid = Bits::boolean(true);
  bool may_be_unwritten = false;
};

/// A thread whose accesses to `x` may be to private memory.
class ThreadWithPrivateMemory final : public ThreadUnfolder {
 public:
  ThreadWithPrivateMemory(EventStructure& structure, TermGraph& graph, const UnfoldOptions& options,
                          PlaceOfX place_of_x, PrivateBlock block)
      : ThreadUnfolder(structure, graph, 0, options),
        source_(structure.program->threads[0]),
        addresses_(*structure.program),
        body_(function_body(source_.code, register_uses(source_.code), source_.initial_registers.size(), {},
                            0)),
        place_of_x_(std::move(place_of_x)),
        block_(std::move(block)) {}

  void run() {
    Path path;
    UnfoldingFrame& frame = path.frames.emplace_back();
    frame.body = &body_;
    frame.registers = source_.initial_registers;
    frame.sources.assign(frame.registers.size(), 0);
    path.memory.add(block_);
    start(std::move(path));
    unfold();
  }

 private:
  Place locate(const Access&, const Bits& address, unsigned size, bool) override {
    const AddressSpace::Place found = addresses_.find(address, size);
    Place place;
    place.address = address;
    place.location = found.location;
    place.valid = found.valid;
    place.space = found.space;
    if (address.to_u64() != structure_.program->memory[0].address) return place;
    place.address = ite(place_of_x_.is_own, Bits(64, private_address), address);
    place.valid = place_of_x_.valid;
    place.is_own = place_of_x_.is_own;
    place.own_blocks = {private_address};
    place.message = "an access beside x";
    return place;
  }

  const Thread& source_;
  const AddressSpace addresses_;
  const FunctionBody body_;
  const PlaceOfX place_of_x_;
  const PrivateBlock block_;
};

/// The events of a thread with this code.
struct UnfoldedCode {
  UnfoldedCode(const std::string& code, TermGraph& graph, PlaceOfX place)
      : test(with_thread(code)), block(private_block("x", private_address, 4, graph)) {
    block.may_be_unwritten = place.may_be_unwritten;
    structure.program = &test.program;
    structure.endings.resize(1);
    structure.final_registers.resize(1);
    ThreadWithPrivateMemory(structure, graph, options, std::move(place), block).run();
  }
  UnfoldedCode(const UnfoldedCode&) = delete;
  UnfoldedCode& operator=(const UnfoldedCode&) = delete;

  const Event& event(std::size_t number) const { return structure.events.at(number); }

  LitmusTest test;
  PrivateBlock block;
  UnfoldOptions options;
  EventStructure structure;
};

const std::string store_7 = " st.weak.u32 [x], 7; ;\n";
const std::string load = " ld.weak.u32 r1, [x]; ;\n";
const std::string show = " st.weak.u32 [y], r1; ;\n";

using Reads = std::vector<EventId>;

}  // namespace

TEST_CASE("accesses to private memory cause no events") {
  TermGraph graph;
  const UnfoldedCode unfolded(store_7 + load + show, graph, {});
  REQUIRE(unfolded.structure.events.size() == 1);
  CHECK(unfolded.event(0).is_write());
  CHECK(identical(unfolded.event(0).value, Bits(32, 7)));
  CHECK(unfolded.structure.violations.empty());
}

TEST_CASE("a value in private memory keeps the reads that it was computed from") {
  TermGraph graph;
  const UnfoldedCode unfolded(
      " ld.weak.u32 r2, [y]; ;\n add.u32 r2, r2, 1; ;\n st.weak.u32 [x], r2; ;\n" + load + show, graph, {});
  REQUIRE(unfolded.structure.events.size() == 2);
  CHECK(identical(unfolded.event(1).value, unfolded.event(0).value + Bits(32, 1)));
  CHECK(unfolded.event(1).data_dependencies == Reads{0});
  CHECK(unfolded.event(1).address_dependencies.empty());
}

TEST_CASE("a read of private memory before it is written is a violation") {
  TermGraph graph;
  const UnfoldedCode unwritten(load + show, graph, {.may_be_unwritten = true});
  REQUIRE(unwritten.structure.violations.size() == 1);
  const Violation& violation = unwritten.structure.violations.front();
  CHECK(violation.kind == Violation::Kind::uninitialized);
  CHECK(violation.condition.is_true());
  CHECK(violation.message == "a read of x before it is written");

  CHECK(UnfoldedCode(load + show, graph, {}).structure.violations.empty());
  CHECK(UnfoldedCode(store_7 + load + show, graph, {.may_be_unwritten = true}).structure.violations.empty());

  const UnfoldedCode guarded(
      " ld.weak.u32 r2, [y]; ;\n setp.eq.u32 p0, r2, 3; ;\n @p0 st.weak.u32 [x], 7; ;\n" + load + show, graph,
      {.may_be_unwritten = true});
  REQUIRE(guarded.structure.violations.size() == 1);
  CHECK(
      identical(guarded.structure.violations.front().condition, ~equal(guarded.event(0).value, Bits(32, 3))));
}

TEST_CASE("an access that may be to private memory is an event where it is not") {
  TermGraph graph;
  const Bits is_own = graph.variable(1, "is own");
  const UnfoldedCode unfolded(store_7 + load + show, graph, {.is_own = is_own});
  REQUIRE(unfolded.structure.events.size() == 3);
  const Event &written = unfolded.event(0), &read = unfolded.event(1), &shown = unfolded.event(2);
  CHECK(written.is_write());
  CHECK(identical(written.condition, ~is_own));
  CHECK(identical(written.value, Bits(32, 7)));
  CHECK(read.is_read());
  CHECK(identical(read.condition, ~is_own));

  ReadSets reads;
  PrivateMemory memory;
  memory.add(unfolded.block);
  memory.write(written.address, Bits(32, 7), 0, {private_address}, reads);
  const Bits own = memory.read(read.address, 4, {private_address}, reads).value;
  CHECK(identical(shown.value, ite(is_own, own, read.value)));
  CHECK(shown.condition.is_true());
  CHECK(shown.data_dependencies == Reads{1});
}

TEST_CASE("an atomic operation on private memory reads and writes it") {
  TermGraph graph;
  const std::string add = " atom.relaxed.gpu.add.u32 r1, [x], 5; ;\n";
  const UnfoldedCode old(store_7 + add + show, graph, {});
  REQUIRE(old.structure.events.size() == 1);
  CHECK(identical(old.event(0).value, Bits(32, 7)));
  const UnfoldedCode sum(store_7 + add + load + show, graph, {});
  CHECK(identical(sum.event(0).value, Bits(32, 12)));
  const UnfoldedCode failed(store_7 + " atom.relaxed.gpu.cas.b32 r2, [x], 8, 9; ;\n" + load + show, graph,
                            {});
  CHECK(identical(failed.event(0).value, Bits(32, 7)));
  CHECK_THROWS_AS(UnfoldedCode(add, graph, {.is_own = graph.variable(1, "is own")}), Unsupported);
}

TEST_CASE("an invalid address ends the path") {
  TermGraph graph;
  const Bits valid = graph.variable(1, "valid");
  const UnfoldedCode open(load + show, graph, {.is_own = Bits::boolean(false), .valid = valid});
  REQUIRE(open.structure.events.size() == 2);
  CHECK(identical(open.event(0).condition, valid));
  CHECK(identical(open.event(1).condition, valid));
  const auto& endings = open.structure.endings[0];
  const auto stray = std::ranges::find(endings, Ending::Kind::stray_access, &Ending::kind);
  REQUIRE(stray != endings.end());
  CHECK(identical(stray->condition, ~valid));
  CHECK(stray->message == "an access beside x");

  const UnfoldedCode never(load + show, graph, {.valid = Bits::boolean(false)});
  CHECK(never.structure.events.empty());
}

TEST_CASE("a read-modify-write is a read and a dependent write") {
  TermGraph graph;
  const UnfoldedCode added(" atom.relaxed.gpu.add.u32 r1, [y], 5; ;\n", graph, {});
  REQUIRE(added.structure.events.size() == 2);
  CHECK(added.event(0).rmw == 1);
  CHECK(added.event(1).rmw == 0);
  CHECK(added.event(1).combines == Combination::add);
  CHECK(added.event(1).condition.is_true());
  CHECK(added.event(1).data_dependencies == Reads{0});
  CHECK(added.event(1).control_dependencies.empty());

  const UnfoldedCode compared(" atom.relaxed.gpu.cas.b32 r1, [y], 0, 1; ;\n", graph, {});
  REQUIRE(compared.structure.events.size() == 2);
  CHECK(compared.event(1).combines == Combination::none);
  CHECK(identical(compared.event(1).condition, equal(compared.event(0).value, Bits(32, 0))));
  CHECK(compared.event(1).control_dependencies == Reads{0});
}

TEST_CASE("more events than the limit are not recorded") {
  TermGraph graph;
  const LitmusTest test = with_thread(load + show);
  UnfoldOptions options;
  options.max_events = 2;
  CHECK_NOTHROW(unfold(test.program, graph, options));
  options.max_events = 1;
  CHECK_THROWS_WITH_AS(unfold(test.program, graph, options), "events: 1", TooManyEvents);
  options.max_events = 0;
  CHECK_NOTHROW(unfold(test.program, graph, options));
}

TEST_CASE("a thread may wait for ever at a barrier, but not where it only arrives") {
  TermGraph graph;
  const LitmusTest test = with_thread(" barrier.cta.arrive 0, 64; ;\n bar.sync 1; ;\n" + load);
  UnfoldOptions options;
  options.may_wait_for_ever = true;
  const EventStructure structure = unfold(test.program, graph, options);
  std::vector<Event> own;
  for (const Event& event : structure.events)
    if (event.thread == 0) own.push_back(event);
  REQUIRE(own.size() == 3);
  CHECK(own[0].goes_on.width() == 0);
  CHECK(own[0].value.width() == 0);
  REQUIRE(own[1].goes_on.width() == 1);
  CHECK(identical(own[2].condition, own[1].goes_on));
  const auto& endings = structure.endings[0];
  REQUIRE(std::ranges::count(endings, Ending::Kind::waiting, &Ending::kind) == 1);
  const auto waiting = std::ranges::find(endings, Ending::Kind::waiting, &Ending::kind);
  CHECK(identical(waiting->condition, ~own[1].goes_on));
  CHECK(waiting->first_step == own[1].step);
}
