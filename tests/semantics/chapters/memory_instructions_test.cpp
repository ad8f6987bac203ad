// What loads, stores, atomics, fences and barriers ask of the world: PTX ISA 8.7 § 9.7.9.8 to § 9.7.9.11 and
// § 9.7.13.1 to § 9.7.13.6.
#include <doctest/doctest.h>

#include <optional>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/instruction_set.hpp"
#include "tests/semantics/recorded_effects.hpp"

using namespace ptxmc;
using test::RecordedEffects;

namespace {

constexpr u128 base = 0x1000;

Operand reg(RegisterId id) { return {Operand::Register{id}}; }
Operand number(std::uint64_t value) { return {Operand::Immediate{Bits(64, value)}}; }
/// `[%r0 + offset]`; register 0 holds `base`.
Operand address(std::uint64_t offset = 0) { return {Operand::Address{RegisterId{0}, Bits(64, offset)}}; }
Operand vector(std::vector<Operand> elements) { return {Operand::Vector{std::move(elements)}}; }

Instruction instruction(const std::string& spelling, std::vector<Operand> operands) {
  std::vector<OperandShape> shapes;
  for (const Operand& operand : operands) shapes.push_back(shape_of(operand));
  const Match match = ptx().match(spelling, shapes);
  INFO(spelling << ": " << match.error);
  REQUIRE(match);
  Instruction result;
  result.form = match.form;
  result.operands = std::move(operands);
  return result;
}

struct Outcome {
  RecordedEffects effects;
  std::vector<Bits> registers;
};

/// Registers: 0 the base address, 1 to 3 of 64 bits with 11, 22, 33; 4 of 32 bits with 44; 5 a true
/// predicate.
Outcome run(const std::string& spelling, std::vector<Operand> operands, Bits memory = Bits(128, 0)) {
  Outcome outcome;
  outcome.effects.memory = memory;
  outcome.registers = {Bits(64, base), Bits(64, 11), Bits(64, 22), Bits(64, 33), Bits(32, 44), Bits(1, 1)};
  execute(instruction(spelling, std::move(operands)), outcome.registers, outcome.effects);
  return outcome;
}

Access access_of(const std::string& spelling, std::vector<Operand> operands) {
  const Outcome outcome = run(spelling, std::move(operands));
  REQUIRE(outcome.effects.accesses.size() >= 1);
  return outcome.effects.accesses[0].access;
}

Fence fence_of(const std::string& spelling, std::vector<Operand> operands = {}) {
  const Outcome outcome = run(spelling, std::move(operands));
  REQUIRE(outcome.effects.fences.size() == 1);
  return outcome.effects.fences[0];
}

Barrier barrier_of(const std::string& spelling, std::vector<Operand> operands) {
  const Outcome outcome = run(spelling, std::move(operands));
  const auto& barriers = outcome.effects.barriers;
  REQUIRE(!barriers.empty());
  // A thread that does not wait for other warps waits for its own.
  const bool gathers = barriers[0].kind == Barrier::Kind::arrive || barriers[0].kind == Barrier::Kind::wait;
  REQUIRE(barriers.size() == (gathers ? 2 : 1));
  if (gathers) CHECK((barriers[1].gathers_warp() && barriers[1].group == Barrier::Group::warp));
  return barriers[0];
}

}  // namespace

TEST_CASE("ld and st: order and scope") {
  const std::vector<Operand> load = {reg(1), address()};
  const std::vector<Operand> store = {address(), reg(1)};
  const auto is = [](const Access& access, Sem sem, Scope scope) {
    return access.sem == sem && access.scope == scope && access.proxy == Proxy::generic;
  };
  CHECK(is(access_of("ld.u64", load), Sem::weak, Scope::none));
  CHECK(is(access_of("ld.weak.global.u64", load), Sem::weak, Scope::none));
  CHECK(is(access_of("ld.relaxed.cta.u64", load), Sem::relaxed, Scope::cta));
  CHECK(is(access_of("ld.acquire.cluster.u64", load), Sem::acquire, Scope::cluster));
  CHECK(is(access_of("ld.shared.acquire.gpu.u64", load), Sem::acquire, Scope::gpu));
  CHECK(is(access_of("st.release.sys.u64", store), Sem::release, Scope::sys));
  CHECK(is(access_of("st.u64", store), Sem::weak, Scope::none));

  const Access is_volatile = access_of("st.volatile.shared.u64", store);
  CHECK(is(is_volatile, Sem::relaxed, Scope::sys));
  CHECK(is_volatile.is_volatile);
  CHECK(is_volatile.space == StateSpace::shared_cta);
  const Access mmio = access_of("ld.mmio.relaxed.sys.global.u64", load);
  CHECK(is(mmio, Sem::relaxed, Scope::sys));
  CHECK(mmio.is_mmio);
  CHECK(mmio.space == StateSpace::global);
  CHECK(access_of("ld.shared::cluster.u64", load).space == StateSpace::shared_cluster);
  CHECK(access_of("ld.param::entry.u64", load).space == StateSpace::param);
  CHECK(access_of("ld.global.nc.u64", load).proxy == Proxy::texture);
}

TEST_CASE("combinations that the manual excludes") {
  const std::vector<OperandShape> load = {shape_of(reg(1)), shape_of(address())};
  for (const char* spelling :
       {"ld.volatile.local.u32", "ld.relaxed.gpu.const.u32", "ld.relaxed.u32", "ld.acquire.gpu.cg.u32",
        "ld.release.gpu.u32", "ld.gpu.u32", "ld.weak.gpu.u32", "ld.mmio.relaxed.gpu.u32",
        "ld.mmio.relaxed.sys.shared.u32", "ld.u4", "ld.f16", "ld.shared.L2::64B.u32",
        "ld.volatile.relaxed.sys.u32", "ld.global.shared.u32"}) {
    CAPTURE(std::string(spelling));
    CHECK_FALSE(ptx().match(spelling, load));
  }
}

TEST_CASE("a wider destination is extended as the type says, a wider source is cut off") {
  const Bits memory(128, 0x80);
  CHECK(run("ld.s8", {reg(1), address()}, memory).registers[1].to_s64() == -128);
  CHECK(run("ld.u8", {reg(1), address()}, memory).registers[1].value() == 0x80);
  CHECK(run("ld.b8", {reg(4), address()}, memory).registers[4].value() == 0x80);
  CHECK(run("st.b8", {address(), reg(4)}).effects.accesses[0].value.width() == 8);
}

TEST_CASE("a vector is as many accesses as it has elements") {
  const Outcome load = run("ld.v2.u32", {vector({reg(4), {Operand::Sink{}}}), address(8)}, Bits(128, 5));
  REQUIRE(load.effects.accesses.size() == 2);
  CHECK(load.effects.accesses[0].address == base + 8);
  CHECK(load.effects.accesses[1].address == base + 12);
  CHECK(load.registers[4].value() == 5);
  const Outcome store = run("st.relaxed.gpu.v2.b64", {address(), vector({reg(1), reg(2)})});
  REQUIRE(store.effects.accesses.size() == 2);
  CHECK(store.effects.accesses[1].address == base + 8);
  CHECK(store.effects.accesses[1].value.value() == 22);
  CHECK(store.effects.accesses[1].access.sem == Sem::relaxed);
}

TEST_CASE("vectors of 256 bits are eight or four accesses, the first aligned to 32 bytes") {
  const Operand sink{Operand::Sink{}};
  const std::vector<Operand> eight = {sink, sink, sink, sink, sink, sink, sink, reg(4)};
  for (const char* spelling : {"ld.global.v8.f32", "ld.global.nc.v8.b32", "ld.acquire.gpu.global.v8.u32",
                               "ld.global.L1::evict_first.L2::evict_last.v8.s32"}) {
    CAPTURE(spelling);
    const Outcome load = run(spelling, {vector(eight), address(32)}, Bits(128, 5));
    REQUIRE(load.effects.accesses.size() == 8);
    CHECK(load.effects.accesses[7].address == base + 60);
    CHECK(load.effects.accesses[0].access.alignment_of(4) == 32);
    CHECK(load.registers[4].value() == 5);
  }
  const Outcome store = run("st.global.v4.f64", {address(), vector({reg(1), reg(2), reg(1), reg(2)})});
  REQUIRE(store.effects.accesses.size() == 4);
  CHECK(store.effects.accesses[3].address == base + 24);
  CHECK(store.effects.accesses[3].value.value() == 22);
  for (const char* spelling : {"ld.shared.v8.b32", "ld.v8.b16", "ldu.v8.b32", "ld.mmio.relaxed.sys.v8.b32"})
    CHECK_FALSE(ptx().match(spelling, std::vector{shape_of(vector(eight)), shape_of(address())}));
}

TEST_CASE("cache hints are operands without consequence") {
  const Outcome outcome = run("ld.global.L2::cache_hint.u64", {reg(1), address(), reg(2)}, Bits(128, 9));
  CHECK(outcome.effects.accesses.size() == 1);
  CHECK(outcome.registers[1].value() == 9);
}

TEST_CASE("atom: relaxed and gpu scope where nothing is said") {
  const std::vector<Operand> operands = {reg(1), address(), reg(2)};
  CHECK(access_of("atom.add.u32", operands).sem == Sem::relaxed);
  CHECK(access_of("atom.add.u32", operands).scope == Scope::gpu);
  CHECK(access_of("atom.add.release.cta.u32", operands).sem == Sem::release);
  CHECK(access_of("atom.acquire.add.u32", operands).scope == Scope::gpu);
  CHECK(access_of("atom.global.sys.add.u32", operands).scope == Scope::sys);
  CHECK(access_of("atom.acq_rel.cluster.shared::cluster.add.u32", operands).space ==
        StateSpace::shared_cluster);
  CHECK_FALSE(access_of("atom.add.u32", operands).is_reduction);
  CHECK(access_of("red.release.gpu.add.u32", {address(), reg(2)}).is_reduction);
}

TEST_CASE("atom: every integer operation returns the old value") {
  const auto update = [](const char* spelling, u128 old, u128 b) {
    const Outcome outcome =
        run(spelling, {reg(1), address(), number(static_cast<std::uint64_t>(b))}, Bits(128, old));
    REQUIRE(outcome.effects.accesses.size() == 1);
    CHECK(outcome.effects.accesses[0].happens);
    CHECK(outcome.registers[1].value() == old);
    return outcome.effects.accesses[0].value.value();
  };
  CHECK(update("atom.add.u32", 0xffffffff, 2) == 1);
  CHECK(update("atom.add.s32", 5, 2) == 7);
  CHECK(update("atom.add.u64", 5, ~0ull) == 4);
  CHECK(update("atom.and.b32", 6, 3) == 2);
  CHECK(update("atom.or.b64", 6, 3) == 7);
  CHECK(update("atom.xor.b32", 6, 3) == 5);
  CHECK(update("atom.exch.b64", 6, 3) == 3);
  CHECK(update("atom.min.u32", 0xffffffff, 3) == 3);
  CHECK(update("atom.max.u64", 1, 3) == 3);
  CHECK(update("atom.inc.u32", 3, 3) == 0);
  CHECK(update("atom.inc.u32", 2, 3) == 3);
  CHECK(update("atom.dec.u32", 0, 3) == 3);
  CHECK(update("atom.dec.u32", 4, 3) == 3);
  CHECK(update("atom.dec.u32", 3, 3) == 2);
}

TEST_CASE("atom.min and atom.max of signed types compare signed") {
  const Outcome outcome = run("atom.min.s32", {reg(4), address(), number(3)}, Bits(128, 0xffffffff));
  CHECK(outcome.effects.accesses[0].value.value() == 0xffffffff);
  CHECK(outcome.registers[4].value() == 0xffffffff);
}

TEST_CASE("atom.cas writes only when the values are equal") {
  const Outcome hit = run("atom.cas.b32", {reg(1), address(), number(5), number(6)}, Bits(128, 5));
  CHECK(hit.effects.accesses[0].happens);
  CHECK(hit.effects.accesses[0].value.value() == 6);
  const Outcome miss = run("atom.cas.b16", {reg(1), address(), number(4), number(6)}, Bits(128, 5));
  CHECK_FALSE(miss.effects.accesses[0].happens);
  CHECK(miss.registers[1].value() == 5);
}

TEST_CASE("atom takes `_` as destination; a form without a meaning is not executable") {
  CHECK(run("atom.add.u32", {{Operand::Sink{}}, address(), number(1)}).effects.accesses.size() == 1);
  CHECK_THROWS_AS(run("tcgen05.shift.cta_group::1.down", {address()}), Unsupported);
  const std::vector<OperandShape> shapes = {shape_of(reg(1)), shape_of(address()), shape_of(reg(1))};
  for (const char* spelling :
       {"atom.and.u32", "atom.inc.s32", "atom.add.s64", "atom.max.f32", "atom.sc.gpu.add.u32"})
    CHECK_FALSE(ptx().match(spelling, shapes));
  CHECK_FALSE(ptx().match("red.acquire.gpu.add.u32", std::span(shapes).subspan(1)));
}

TEST_CASE("fence and membar") {
  CHECK(fence_of("fence.gpu").sem == Sem::acq_rel);
  CHECK(fence_of("fence.acq_rel.cta").scope == Scope::cta);
  CHECK(fence_of("fence.sc.cluster").sem == Sem::sc);
  CHECK(fence_of("fence.acquire.sys").sem == Sem::acquire);
  CHECK(fence_of("fence.cluster.acq_rel").scope == Scope::cluster);
  CHECK_FALSE(fence_of("fence.sc.sys").is_proxy_fence);
  CHECK(fence_of("membar.gl").sem == Sem::sc);
  CHECK(fence_of("membar.gl").scope == Scope::gpu);
  CHECK(fence_of("membar.cta").scope == Scope::cta);
  CHECK(fence_of("membar.sys").scope == Scope::sys);

  const Fence restricted = fence_of("fence.release.sync_restrict::shared::cta.cluster");
  CHECK(restricted.sem == Sem::release);
  CHECK(restricted.scope == Scope::cluster);
  CHECK(restricted.restriction == Fence::Restriction::shared_cta);
  CHECK(fence_of("fence.mbarrier_init.release.cluster").restriction == Fence::Restriction::mbarrier_init);
  CHECK_FALSE(ptx().match("fence.sc", {}));
  CHECK_FALSE(ptx().match("fence.relaxed.gpu", {}));
}

TEST_CASE("proxy fences") {
  const Fence alias = fence_of("fence.proxy.alias");
  CHECK(alias.is_proxy_fence);
  CHECK(alias.to == Proxy::alias);
  CHECK(alias.sem == Sem::weak);
  CHECK(fence_of("membar.proxy.alias").to == Proxy::alias);
  CHECK(fence_of("fence.proxy.async").space == StateSpace::generic);
  CHECK(fence_of("fence.proxy.async.shared::cta").space == StateSpace::shared_cta);
  CHECK(fence_of("fence.proxy.async.global").space == StateSpace::global);
  const Fence release = fence_of("fence.proxy.tensormap::generic.release.gpu");
  CHECK(release.to == Proxy::tensormap);
  CHECK(release.sem == Sem::release);
  CHECK(release.scope == Scope::gpu);
  CHECK(fence_of("fence.proxy.tensormap::generic.acquire.gpu", {address(), number(128)}).sem == Sem::acquire);
  const Fence one_way = fence_of("fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster");
  CHECK(one_way.to == Proxy::async);
  CHECK(one_way.restriction == Fence::Restriction::shared_cluster);
}

TEST_CASE("barriers") {
  const Barrier all = barrier_of("bar.sync", {number(3)});
  CHECK(all.kind == Barrier::Kind::sync);
  CHECK(all.group == Barrier::Group::cta);
  CHECK(all.aligned);
  CHECK(all.id.value() == 3);
  CHECK_FALSE(all.count.has_value());
  const Barrier some = barrier_of("barrier.cta.arrive", {number(3), number(64)});
  CHECK(some.kind == Barrier::Kind::arrive);
  CHECK_FALSE(some.aligned);
  CHECK(some.count->value() == 64);
  CHECK(barrier_of("barrier.sync.aligned", {reg(4), number(64)}).id.value() == 44);
  CHECK(barrier_of("bar.warp.sync", {number(0xffffffff)}).group == Barrier::Group::warp);
  const Barrier cluster = barrier_of("barrier.cluster.arrive.relaxed.aligned", {});
  CHECK(cluster.group == Barrier::Group::cluster);
  CHECK(cluster.kind == Barrier::Kind::arrive);
  CHECK(cluster.is_relaxed);
  CHECK(barrier_of("barrier.cluster.wait.acquire", {}).kind == Barrier::Kind::wait);
}

TEST_CASE("barriers that reduce") {
  const Outcome popc = run("bar.red.popc.u32", {reg(4), number(1), reg(5)});
  CHECK(popc.effects.barriers[0].kind == Barrier::Kind::reduce_popc);
  CHECK(popc.effects.barriers[0].predicate.is_true());
  CHECK_FALSE(popc.effects.barriers[0].count.has_value());
  CHECK(popc.registers[4].value() == 7);
  const Operand negated{Operand::Register{5, true}};
  const Outcome conjunction = run("barrier.cta.red.and.pred", {reg(5), number(1), number(32), negated});
  CHECK(conjunction.effects.barriers[0].kind == Barrier::Kind::reduce_and);
  CHECK(conjunction.effects.barriers[0].predicate.is_false());
  CHECK(conjunction.effects.barriers[0].count->value() == 32);
}

TEST_CASE("control flow") {
  const Operand label{Operand::Label{7}};
  CHECK(run("bra.uni", {label}).effects.others == std::vector<std::string>{"jump 7"});
  const Operand table = vector({{Operand::Label{7}}, {Operand::Label{9}}});
  CHECK(run("brx.idx", {number(1), table}).effects.others == std::vector<std::string>{"jump 9"});
  CHECK(run("ret", {}).effects.others == std::vector<std::string>{"ret"});
  CHECK(run("exit", {}).effects.others == std::vector<std::string>{"exit"});
  CHECK(run("trap", {}).effects.others == std::vector<std::string>{"trap"});

  Instruction branch = instruction("bra", {label});
  CHECK_FALSE(control_flow(branch).falls_through);
  CHECK(control_flow(branch).targets == std::vector<Target>{7});
  branch.guard = Guard{5};
  CHECK(control_flow(branch).falls_through);
  CHECK(control_flow(instruction("brx.idx", {reg(4), table})).targets == std::vector<Target>{7, 9});
  CHECK_FALSE(control_flow(instruction("exit", {})).falls_through);
  CHECK(control_flow(instruction("membar.gl", {})).falls_through);
}

TEST_CASE("which registers an instruction uses, and for what") {
  const RegisterUse atom = register_use(instruction("atom.cas.b64", {reg(1), address(), reg(2), reg(3)}));
  CHECK(atom.written == std::vector<RegisterId>{1});
  CHECK(atom.address == std::vector<RegisterId>{0});
  CHECK(atom.data == std::vector<RegisterId>{2, 3});
  const RegisterUse store = register_use(instruction("st.v2.u64", {address(), vector({reg(1), reg(1)})}));
  CHECK(store.written.empty());
  CHECK(store.data == std::vector<RegisterId>{1});
  const Instruction sleep = instruction("nanosleep.u32", {reg(4)});
  CHECK(only_waits(sleep));
  CHECK_FALSE(only_waits(instruction("bar.sync", {number(0)})));
}

// PTX ISA 8.7 § 9.7.9.17: the 128 bytes have an undetermined value; generic addresses must lead to global
// memory.
TEST_CASE("discard writes values that are not determined to 128 bytes of global memory") {
  for (const char* spelling : {"discard.global.L2", "discard.L2"}) {
    const Outcome outcome = run(spelling, {address(), number(128)});
    REQUIRE(outcome.effects.accesses.size() == 8);
    for (std::size_t i = 0; i < 8; ++i) {
      const auto& write = outcome.effects.accesses[i];
      CHECK(write.kind == RecordedEffects::MemoryEffect::Kind::write);
      CHECK(write.address == base + 16 * i);
      CHECK(write.value.width() == 128);
      CHECK(write.access.is_indeterminate);
      CHECK(write.access.space == StateSpace::global);
      CHECK(write.access.sem == Sem::weak);
    }
    CHECK(outcome.effects.accesses[0].access.alignment_of(16) == 128);
  }
}
