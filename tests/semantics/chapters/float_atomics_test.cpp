// Atomic operations on floating-point numbers: PTX ISA 8.7 § 9.7.13.5 and § 9.7.13.6. Addresses in a cluster:
// § 9.7.9.19, § 9.7.9.23, § 9.7.9.24.
#include <doctest/doctest.h>

#include "semantics/language/address_windows.hpp"
#include "tests/semantics/recorded_effects.hpp"
#include "tests/semantics/run_instruction.hpp"

using namespace ptxmc;
using test::RecordedEffects;

namespace {

constexpr std::uint64_t global_address = 0x7000'0000'1000;

/// What `[address] = [address] op b` does where memory holds `memory`.
RecordedEffects updated(const std::string& spelling, u128 memory, Bits b,
                        std::uint64_t address = global_address) {
  const bool is_reduction = spelling.starts_with("red");
  Instruction instruction;
  if (!is_reduction) instruction.operands.push_back({Operand::Register{0}});
  instruction.operands.push_back({Operand::Address{std::nullopt, Bits(64, address)}});
  instruction.operands.push_back({Operand::Immediate{b}});
  std::vector<OperandShape> shapes;
  for (const Operand& operand : instruction.operands) shapes.push_back(shape_of(operand));
  const Match match = ptx().match(spelling, shapes);
  INFO(spelling << ": " << match.error);
  REQUIRE(match);
  instruction.form = match.form;
  RecordedEffects effects;
  effects.memory = Bits(128, memory);
  std::vector<Bits> registers = {Bits(64, 0)};
  execute(instruction, registers, effects);
  return effects;
}

u128 written(const RecordedEffects& effects, std::size_t i = 0) {
  return effects.accesses.at(i).value.value();
}

constexpr std::uint32_t one = 0x3f800000, two = 0x40000000, subnormal = 0x00000001, smallest = 0x00800000;

}  // namespace

TEST_CASE("atom.add.f32 flushes subnormal numbers in global memory, not in shared memory") {
  CHECK(written(updated("atom.global.add.f32", one, Bits(32, one))) == two);
  CHECK(written(updated("atom.global.add.f32", subnormal, Bits(32, subnormal))) == 0);
  CHECK(written(updated("atom.shared.add.f32", subnormal, Bits(32, subnormal), 0x100)) == 2);
  CHECK(written(updated("atom.add.f32", subnormal, Bits(32, subnormal))) == 0);
  const std::uint64_t shared = window_of(StateSpace::shared_cta) + 0x100;
  CHECK(written(updated("atom.add.f32", subnormal, Bits(32, subnormal), shared)) == 2);
  CHECK(written(updated("red.global.add.f32", smallest, Bits(32, 0x80000001))) == smallest);
  CHECK(updated("red.global.add.f32", one, Bits(32, one)).accesses.at(0).access.is_reduction);
}

TEST_CASE("atom.add.f64, .f16, .bf16 keep subnormal numbers") {
  CHECK(written(updated("atom.global.add.f64", 1, Bits(64, 1))) == 2);
  CHECK(written(updated("atom.global.add.noftz.f16", 0x3c00, Bits(16, 0x0001))) == 0x3c00);
  CHECK(written(updated("atom.global.add.noftz.f16", 1, Bits(16, 1))) == 2);
  CHECK(written(updated("atom.global.add.noftz.bf16", 0x3f80, Bits(16, 0x3f80))) == 0x4000);
}

TEST_CASE("packed types: each scalar element is updated by itself") {
  const RecordedEffects effects = updated("atom.global.add.noftz.f16x2", 0x3c00, Bits(32, 0x40003c00));
  REQUIRE(effects.accesses.size() == 2);
  CHECK(effects.accesses[0].address == global_address);
  CHECK(effects.accesses[1].address == global_address + 2);
  CHECK(written(effects, 0) == 0x4000);  // 1 + 1
  CHECK(written(effects, 1) == 0x4200);  // 1 + 2
}

TEST_CASE("vectors: one update an element") {
  std::vector<Operand> registers, numbers;
  for (RegisterId i = 0; i < 4; ++i) {
    registers.push_back({Operand::Register{i}});
    numbers.push_back({Operand::Immediate{Bits(16, 0xbc00 + i)}});
  }
  Instruction instruction;
  instruction.operands = {{Operand::Vector{registers}},
                          {Operand::Address{std::nullopt, Bits(64, global_address)}},
                          {Operand::Vector{numbers}}};
  std::vector<OperandShape> shapes;
  for (const Operand& operand : instruction.operands) shapes.push_back(shape_of(operand));
  const Match match = ptx().match("atom.global.v4.f16.max.noftz", shapes);
  INFO(match.error);
  REQUIRE(match);
  instruction.form = match.form;
  RecordedEffects effects;
  effects.memory = Bits(128, 0x8000);  // -0 is more than -1
  std::vector<Bits> old(4, Bits(16, 0));
  execute(instruction, old, effects);
  REQUIRE(effects.accesses.size() == 4);
  CHECK(effects.accesses[3].address == global_address + 6);
  CHECK(written(effects, 3) == 0x8000);
  CHECK(old[3].value() == 0x8000);
}

TEST_CASE("mapa and getctarank are inverse; shared::cta is the own part of shared::cluster") {
  using test::evaluate;
  const std::uint64_t generic = window_of(StateSpace::shared_cta) + 0x140;
  const auto mapped = evaluate("mapa.u64", {generic, 3});
  CHECK(evaluate("getctarank.u64", {mapped}) == 3);
  CHECK(evaluate("getctarank.u64", {generic}) == 0);
  CHECK(evaluate("mapa.u64", {mapped, 0}) == generic);
  const auto in_space = evaluate("mapa.shared::cluster.u32", {0x140, 7});
  CHECK(evaluate("getctarank.shared::cluster.u32", {in_space}) == 7);
  CHECK(evaluate("isspacep.shared", {generic}) == 1);
  CHECK(evaluate("isspacep.shared::cta", {mapped}) == 0);
  CHECK(evaluate("isspacep.shared::cluster", {mapped}) == 1);
  CHECK(evaluate("isspacep.shared", {global_address}) == 0);
}
