// What operations on mbarrier objects read, write and return: PTX ISA 8.7 § 9.7.13.15.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "semantics/language/instruction_set.hpp"
#include "semantics/language/mbarrier_state.hpp"
#include "tests/semantics/recorded_effects.hpp"

using namespace ptxmc;
using test::RecordedEffects;

namespace {

/// An object in phase 2 that expects 3 arrivals in each phase.
Bits object(std::uint64_t pending, std::int64_t bytes = 0, std::uint64_t phase = 2) {
  return word_of({.pending = Bits(20, pending),
                  .expected = Bits(20, 3),
                  .transactions = Bits(21, static_cast<std::uint64_t>(bytes)),
                  .phase = Bits(3, phase)});
}

struct Outcome {
  RecordedEffects effects;
  Bits result;  ///< the register %r1

  const RecordedEffects::MemoryEffect& access() const {
    REQUIRE(effects.accesses.size() == 1);
    return effects.accesses[0];
  }
  MbarrierState next() const { return mbarrier_state(access().value); }
  const MbarrierUse& use() const {
    REQUIRE(effects.uses.size() == 1);
    REQUIRE(effects.uses[0].mbarrier != nullptr);
    return *effects.uses[0].mbarrier;
  }
};

const Operand place{Operand::Address{RegisterId{0}, Bits(64, 0)}};
const Operand sink{Operand::Sink{}};
const Operand result{Operand::Register{RegisterId{1}}};
const Operand predicate{Operand::Register{RegisterId{2}}};
const Operand token{Operand::Register{RegisterId{3}}};
Operand number(std::uint64_t value) { return {Operand::Immediate{Bits(64, value)}}; }

/// Executes an instruction on an object at 0x1000. Register 3 holds `state`.
Outcome run(const std::string& spelling, std::vector<Operand> operands, const Bits& memory = object(3),
            const Bits& state = Bits(64, 0)) {
  std::vector<OperandShape> shapes;
  for (const Operand& operand : operands) shapes.push_back(shape_of(operand));
  const Match match = ptx().match(spelling, shapes);
  INFO(spelling << ": " << match.error);
  REQUIRE(match);
  Instruction instruction;
  instruction.form = match.form;
  instruction.operands = std::move(operands);
  std::vector<Bits> registers = {Bits(64, 0x1000), Bits(64, 0), Bits(1, 0), state};
  Outcome outcome;
  outcome.effects.memory = memory.zero_extend(128);
  execute(instruction, registers, outcome.effects);
  const bool is_wait = spelling.find("_wait") != std::string::npos;
  outcome.result = registers[is_wait ? 2 : 1];
  return outcome;
}

bool is(const Access& access, Sem sem, Scope scope, StateSpace space) {
  return access.sem == sem && access.scope == scope && access.space == space &&
         access.proxy == Proxy::generic;
}

constexpr auto update = RecordedEffects::MemoryEffect::Kind::update;

}  // namespace

// § 9.7.13.15.9.
TEST_CASE("mbarrier.init writes an object and reads nothing") {
  const Outcome outcome = run("mbarrier.init.shared::cta.b64", {place, number(5)});
  CHECK(outcome.access().kind == RecordedEffects::MemoryEffect::Kind::write);
  CHECK(outcome.access().address == 0x1000);
  CHECK(outcome.access().access.mbarrier == MbarrierAccess::init);
  CHECK(is(outcome.access().access, Sem::weak, Scope::none, StateSpace::shared_cta));
  CHECK(identical(outcome.access().value, word_of(initial_mbarrier_state(Bits(32, 5)))));
  CHECK(outcome.use().word.width() == 0);
  CHECK(outcome.use().counts_arrivals);
  CHECK(outcome.use().step.arrivals.to_u64() == 5);
}

// § 9.7.13.15.10: the memory may be used for other things; what it contains is not said.
TEST_CASE("mbarrier.inval ends the object and leaves no value") {
  const Outcome outcome = run("mbarrier.inval.b64", {place});
  CHECK(outcome.access().kind == RecordedEffects::MemoryEffect::Kind::write);
  CHECK(outcome.access().access.mbarrier == MbarrierAccess::inval);
  CHECK(outcome.access().access.is_indeterminate);
  CHECK(is(outcome.access().access, Sem::weak, Scope::none, StateSpace::generic));
}

// § 9.7.13.15.13: ".sem … defaults to .release"; ".scope … defaults to .cta". `.shared::cluster` is a space.
TEST_CASE("the order, scope and space of an arrival") {
  const auto access = [](const std::string& spelling) {
    return run(spelling, {sink, place}).access().access;
  };
  CHECK(is(access("mbarrier.arrive.b64"), Sem::release, Scope::cta, StateSpace::generic));
  CHECK(is(access("mbarrier.arrive.shared.b64"), Sem::release, Scope::cta, StateSpace::shared_cta));
  CHECK(is(access("mbarrier.arrive.shared::cluster.b64"), Sem::release, Scope::cta,
           StateSpace::shared_cluster));
  CHECK(is(access("mbarrier.arrive.release.cluster.shared::cluster.b64"), Sem::release, Scope::cluster,
           StateSpace::shared_cluster));
  CHECK(is(access("mbarrier.arrive.relaxed.cta.b64"), Sem::relaxed, Scope::cta, StateSpace::generic));
  CHECK(is(access("mbarrier.arrive_drop.relaxed.cluster.b64"), Sem::relaxed, Scope::cluster,
           StateSpace::generic));
  CHECK(access("mbarrier.arrive.b64").mbarrier == MbarrierAccess::operation);
  // An arrival reads the object, and acquires nothing.
  CHECK(access("mbarrier.arrive.b64").is_reduction);
}

TEST_CASE("an arrival counts 1, or its operand, and returns the state before it") {
  const Outcome one = run("mbarrier.arrive.b64", {result, place});
  CHECK(one.access().kind == update);
  CHECK(one.next().pending.to_u64() == 2);
  CHECK(identical(one.result, object(3)));
  CHECK_FALSE(one.use().counts_arrivals);
  const Outcome two = run("mbarrier.arrive.b64", {result, place, number(2)});
  CHECK(two.next().pending.to_u64() == 1);
  CHECK(two.use().counts_arrivals);
  const Outcome last = run("mbarrier.arrive.b64", {result, place, number(3)});
  CHECK(last.next().pending.to_u64() == 3);
  CHECK(last.next().phase.to_u64() == 3);
  CHECK(mbarrier_state(last.result).phase.to_u64() == 2);
}

// § 9.7.13.15.13: "an expect-tx operation is performed prior to the arrive-on operation".
TEST_CASE("arrive.expect_tx expects its operand in bytes and arrives once") {
  const Outcome outcome = run("mbarrier.arrive.expect_tx.b64", {result, place, number(64)}, object(1));
  CHECK(outcome.next().pending.to_u64() == 0);
  CHECK(outcome.next().transactions.to_s64() == 64);
  CHECK(outcome.next().phase.to_u64() == 2);
  CHECK_FALSE(outcome.use().counts_arrivals);  // 0 bytes are none too few
  const Outcome drop = run("mbarrier.arrive_drop.expect_tx.b64", {result, place, number(64)}, object(2));
  CHECK(drop.next().pending.to_u64() == 1);
  CHECK(drop.next().expected.to_u64() == 2);
  CHECK(drop.next().transactions.to_s64() == 64);
}

// § 9.7.13.15.14.
TEST_CASE("arrive_drop expects fewer arrivals in the next phase") {
  const Outcome one = run("mbarrier.arrive_drop.b64", {result, place}, object(1));
  CHECK(one.next().pending.to_u64() == 2);
  CHECK(one.next().expected.to_u64() == 2);
  CHECK(one.next().phase.to_u64() == 3);
  const Outcome two = run("mbarrier.arrive_drop.b64", {result, place, number(2)});
  CHECK(two.next().expected.to_u64() == 1);
}

TEST_CASE(".noComplete only forbids") {
  const Outcome outcome = run("mbarrier.arrive.noComplete.b64", {result, place, number(2)});
  CHECK(outcome.use().must_not_complete);
  CHECK(outcome.next().pending.to_u64() == 1);
  CHECK(run("mbarrier.arrive_drop.noComplete.b64", {result, place, number(1)}).use().must_not_complete);
  CHECK_FALSE(run("mbarrier.arrive.b64", {result, place}).use().must_not_complete);
}

// § 9.7.13.15.11, § 9.7.13.15.12.
TEST_CASE("expect_tx and complete_tx are relaxed and count bytes") {
  for (const char* spelling :
       {"mbarrier.expect_tx.b64", "mbarrier.expect_tx.relaxed.cta.b64", "mbarrier.complete_tx.b64"})
    CHECK(
        is(run(spelling, {place, number(8)}).access().access, Sem::relaxed, Scope::cta, StateSpace::generic));
  CHECK(is(run("mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64", {place, number(8)}).access().access,
           Sem::relaxed, Scope::cluster, StateSpace::shared_cluster));
  const Outcome expects = run("mbarrier.expect_tx.b64", {place, number(8)}, object(0, -8));
  CHECK(expects.next().transactions.to_s64() == 0);
  CHECK(expects.next().phase.to_u64() == 2);
  const Outcome early = run("mbarrier.complete_tx.b64", {place, number(8)});
  CHECK(early.next().transactions.to_s64() == -8);
  CHECK(early.next().phase.to_u64() == 2);
  const Outcome last = run("mbarrier.complete_tx.b64", {place, number(8)}, object(0, 8));
  CHECK(last.next().transactions.to_s64() == 0);
  CHECK(last.next().phase.to_u64() == 3);
}

// § 9.7.13.15.16: the phase of the state, or the one with the parity, is complete when a later one is
// current.
TEST_CASE("a wait is True when the phase of its operand is complete") {
  for (const char* wait : {"mbarrier.test_wait", "mbarrier.try_wait"}) {
    CAPTURE(wait);
    const auto by_token = [&](std::uint64_t phase) {
      return run(fmt::format("{}.b64", wait), {predicate, place, token}, object(3), object(1, 8, phase))
          .result;
    };
    CHECK(by_token(2).is_false());
    CHECK(by_token(1).is_true());
    const auto by_parity = [&](std::uint64_t parity) {
      return run(fmt::format("{}.parity.b64", wait), {predicate, place, number(parity)}).result;
    };
    CHECK(by_parity(0).is_false());  // the current phase is 2
    CHECK(by_parity(1).is_true());
  }
  const auto hinted = {predicate, place, number(1), number(1000)};
  CHECK(run("mbarrier.try_wait.parity.b64", hinted).result.is_true());
}

TEST_CASE("a wait reads the object, and its success has the order of the instruction") {
  const auto wait_of = [](const std::string& spelling, std::uint64_t parity = 1) {
    const Outcome outcome = run(spelling, {predicate, place, number(parity)});
    CHECK(outcome.access().kind == RecordedEffects::MemoryEffect::Kind::read);
    CHECK(outcome.access().access.sem == Sem::relaxed);
    CHECK(outcome.access().access.mbarrier == MbarrierAccess::operation);
    CHECK_FALSE(outcome.access().access.is_reduction);
    REQUIRE(outcome.effects.waits.size() == 1);
    CHECK(outcome.effects.waits[0].scope == outcome.access().access.scope);
    CHECK(identical(outcome.effects.waits[0].succeeds, outcome.result));
    return outcome.effects.waits[0];
  };
  CHECK(wait_of("mbarrier.test_wait.parity.b64").sem == Sem::acquire);
  CHECK(wait_of("mbarrier.test_wait.parity.b64").scope == Scope::cta);
  CHECK(wait_of("mbarrier.try_wait.parity.acquire.cluster.b64").scope == Scope::cluster);
  CHECK(wait_of("mbarrier.try_wait.parity.relaxed.cluster.b64").sem == Sem::relaxed);
  CHECK(wait_of("mbarrier.test_wait.parity.b64", 0).succeeds.is_false());
  const Outcome outcome = run("mbarrier.test_wait.parity.shared::cta.b64", {predicate, place, number(1)});
  CHECK(outcome.access().access.space == StateSpace::shared_cta);
  CHECK(outcome.use().parity.to_u64() == 1);
  CHECK(outcome.use().token.width() == 0);
  CHECK(identical(outcome.use().word, object(3)));
}

// § 9.7.13.15.17.
TEST_CASE("pending_count returns the pending arrivals of a state") {
  const Outcome outcome = run("mbarrier.pending_count.b64", {result, token}, object(3), object(2, 16, 1));
  CHECK(outcome.effects.accesses.empty());
  CHECK(outcome.result.to_u64() == 2);
}
