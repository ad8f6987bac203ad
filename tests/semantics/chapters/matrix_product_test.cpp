// Products of matrices that are distributed and computed here by the formulas and sentences of PTX ISA 8.7
// § 9.7.14.3, § 9.7.14.5 and § 9.7.14.6.
#include "semantics/chapters/matrix_product.hpp"

#include <doctest/doctest.h>

#include <array>
#include <bit>

#include "tests/semantics/recorded_effects.hpp"
#include "tests/semantics/run_instruction.hpp"

using namespace ptxmc;

namespace {

using Registers = std::vector<Bits>;

/// A warp in which every lane gives registers; absent lanes give none.
class Warp final : public test::RecordedEffects {
 public:
  explicit Warp(std::vector<Registers> registers) : given_(std::move(registers)) {}

  unsigned own = 0;

  ExchangedValues exchange(const Exchange& exchange) override {
    CHECK(exchange.members->value() == 0xffffffff);
    ExchangedValues lanes(lanes_per_warp, exchange.values.size());
    lanes.own = Bits(32, own);
    for (unsigned lane = 0; lane < given_.size(); ++lane) lanes.add(lane, given_[lane]);
    return lanes;
  }

 private:
  std::vector<Registers> given_;
};

/// An instruction with `counts` registers in d, a, b, c, then constants.
Instruction instruction_of(const std::string& spelling, const std::vector<unsigned>& counts,
                           const std::vector<Operand>& rest) {
  Instruction instruction;
  std::vector<OperandShape> shapes;
  RegisterId next = 0;
  for (const unsigned count : counts) {
    Operand::Vector vector;
    for (unsigned i = 0; i < count; ++i) vector.elements.push_back({Operand::Register{next++}});
    instruction.operands.push_back({vector});
    shapes.push_back({OperandShape::Kind::vector, OperandPattern::Link::comma, false, count});
  }
  for (const Operand& operand : rest) {
    OperandShape shape;
    if (std::holds_alternative<Operand::Immediate>(operand.is)) shape.kind = OperandShape::Kind::immediate;
    if (std::holds_alternative<Operand::Vector>(operand.is))
      shape = {OperandShape::Kind::vector, OperandPattern::Link::comma, false, 2};
    shapes.push_back(shape);
    instruction.operands.push_back(operand);
  }
  const Match match = ptx().match(spelling, shapes);
  INFO(spelling << ": " << match.error);
  REQUIRE(match);
  instruction.form = match.form;
  instruction.text = spelling;
  return instruction;
}

/// The registers d of a lane. The sources are the registers after d in the order of the operands.
Registers product(const Instruction& instruction, unsigned results, Warp& warp, const Registers& own) {
  Registers registers(results, Bits(32, 0));
  registers.insert(registers.end(), own.begin(), own.end());
  execute(instruction, registers, warp);
  return {registers.begin(), registers.begin() + results};
}

Operand immediate(std::uint64_t value) { return {Operand::Immediate{Bits(32, value)}}; }
Operand pair(std::uint64_t byte, std::uint64_t thread) {
  return {Operand::Vector{{immediate(byte), immediate(thread)}}};
}

Bits f32(float value) { return {32, std::bit_cast<std::uint32_t>(value)}; }

/// Small whole numbers, which every format holds.
int a_at(unsigned row, unsigned k) { return static_cast<int>((3 * row + 5 * k) % 5) - 2; }
int b_at(unsigned k, unsigned column) { return static_cast<int>((7 * k + 2 * column + 1) % 4) - 1; }
int c_at(unsigned row, unsigned column) { return static_cast<int>(row * 8 + column) - 50; }

int dense(unsigned row, unsigned column, unsigned depth) {
  int sum = c_at(row, column);
  for (unsigned k = 0; k < depth; ++k) sum += a_at(row, k) * b_at(k, column);
  return sum;
}

/// § 9.7.14.5.10: four elements of 8 bits a register; `of_row` for A and `of_column` for B.
Registers registers_of_m16n8k32(unsigned lane, unsigned (*encode)(int)) {
  const unsigned group = lane >> 2, in_group = lane % 4;
  Registers registers;
  for (unsigned r = 0; r < 4; ++r) {
    std::uint32_t word = 0;
    for (unsigned i = 0; i < 4; ++i)
      word |= encode(a_at(group + 8 * (r & 1), in_group * 4 + i + 16 * (r >> 1))) << (8 * i);
    registers.emplace_back(32, word);
  }
  for (unsigned r = 0; r < 2; ++r) {
    std::uint32_t word = 0;
    for (unsigned i = 0; i < 4; ++i) word |= encode(b_at(in_group * 4 + i + 16 * r, group)) << (8 * i);
    registers.emplace_back(32, word);
  }
  return registers;
}

template <class Encode>
void add_c(Registers& registers, unsigned lane, Encode encode) {
  for (unsigned i = 0; i < 4; ++i)
    registers.push_back(encode(c_at((lane >> 2) + 8 * (i >> 1), lane % 4 * 2 + (i & 1))));
}

unsigned as_s8(int value) { return static_cast<std::uint8_t>(value); }
/// § 5.2.3: e4m3 has a bias of 7.
unsigned as_e4m3(int value) {
  constexpr std::array<unsigned, 3> magnitudes = {0, 7u << 3, 8u << 3};
  return magnitudes[static_cast<unsigned>(std::abs(value))] | (value < 0 ? 0x80 : 0);
}

}  // namespace

TEST_CASE("mma of integers: all elements of D") {
  std::vector<Registers> lanes;
  for (unsigned lane = 0; lane < 32; ++lane) {
    lanes.push_back(registers_of_m16n8k32(lane, as_s8));
    add_c(lanes.back(), lane, [](int c) { return Bits(32, static_cast<std::uint32_t>(c)); });
  }
  const Instruction mma = instruction_of("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", {4, 4, 2, 4}, {});
  Warp warp(lanes);
  for (warp.own = 0; warp.own < 32; ++warp.own) {
    const Registers d = product(mma, 4, warp, lanes[warp.own]);
    for (unsigned i = 0; i < 4; ++i)
      CHECK(static_cast<std::int32_t>(d[i].to_u64()) ==
            dense((warp.own >> 2) + 8 * (i >> 1), warp.own % 4 * 2 + (i & 1), 32));
  }
  CHECK(warp.uses.empty());
}

TEST_CASE("mma of e4m3, with sums of f32") {
  std::vector<Registers> lanes;
  for (unsigned lane = 0; lane < 32; ++lane) {
    lanes.push_back(registers_of_m16n8k32(lane, as_e4m3));
    add_c(lanes.back(), lane, [](int c) { return f32(static_cast<float>(c)); });
  }
  const Instruction mma =
      instruction_of("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", {4, 4, 2, 4}, {});
  Warp warp(lanes);
  for (warp.own = 0; warp.own < 32; ++warp.own) {
    const Registers d = product(mma, 4, warp, lanes[warp.own]);
    for (unsigned i = 0; i < 4; ++i)
      CHECK(std::bit_cast<float>(static_cast<std::uint32_t>(d[i].to_u64())) ==
            static_cast<float>(dense((warp.own >> 2) + 8 * (i >> 1), warp.own % 4 * 2 + (i & 1), 32)));
  }
}

TEST_CASE("mma of unknown integers is a term") {
  TermGraph graph;
  const Instruction mma = instruction_of("mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32", {2, 1, 1, 2}, {});
  std::vector<Registers> constants, unknowns;
  Substitution substitution;
  for (unsigned lane = 0; lane < 32; ++lane) {
    constants.push_back(
        {Bits(32, 0x01020304u * (lane + 1)), Bits(32, 0x80ff0011 + lane), Bits(32, lane), Bits(32, 7)});
    unknowns.emplace_back();
    for (const Bits& value : constants.back()) {
      unknowns.back().push_back(graph.variable(32, "x"));
      substitution.set(unknowns.back().back().term()->variable, value);
    }
  }
  Warp known(constants), unknown(unknowns);
  known.own = unknown.own = 13;
  const Registers values = product(mma, 2, known, constants[13]),
                  terms = product(mma, 2, unknown, unknowns[13]);
  for (unsigned i = 0; i < 2; ++i) {
    CHECK_FALSE(terms[i].is_constant());
    CHECK(substitution.apply(terms[i]).value() == values[i].value());
  }
}

// § 9.7.14.5.14: with .satfinite the result is clamped to the range of .s32, otherwise it wraps around.
TEST_CASE("mma of integers: overflow") {
  const auto sum = [](const std::string& satfinite) {
    const std::vector<Registers> lanes(
        32, {Bits(32, 0xffffffff), Bits(32, 0xffffffff), Bits(32, 0x7fffffff), Bits(32, 0x7fffffff)});
    Warp warp(lanes);
    const Instruction mma =
        instruction_of("mma.sync.aligned.m8n8k16.row.col" + satfinite + ".s32.u8.u8.s32", {2, 1, 1, 2}, {});
    return product(mma, 2, warp, lanes[0])[0].to_u64();
  };
  CHECK(sum(".satfinite") == 0x7fffffff);
  CHECK(sum("") == 0x7fffffffu + 16 * 255 * 255);
}

// § 9.7.14.3: D = (A · scale_A) · (B · scale_B) + C. Byte 2 of thread-id 1 has the scales of A.
TEST_CASE("mma with a scale for each row and column") {
  std::vector<Registers> lanes;
  const Bits ones(32, 0x38383838);  // e4m3: 1
  for (unsigned lane = 0; lane < 32; ++lane) {
    Registers registers(6, ones);
    registers.insert(registers.end(), 4, f32(0.5F));
    const unsigned row = lane / 4 + 8 * (lane & 1);
    const bool has_scale_a = lane % 4 >= 2, has_scale_b = lane % 4 == 3;
    // 2^(row - 8) for A, 2^column for B; other bytes are not looked at.
    registers.emplace_back(32, has_scale_a ? (127 + row - 8) << 16 | 0xaa00bbcc : 0xdeadbeef);
    registers.emplace_back(32, has_scale_b ? (127 + lane / 4) | 0x11223300 : 0xdeadbeef);
    lanes.push_back(registers);
  }
  const Operand scale_a{Operand::Register{14}}, scale_b{Operand::Register{15}};
  const Instruction mma = instruction_of(
      "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0",
      {4, 4, 2, 4}, {scale_a, pair(2, 1), scale_b, pair(0, 3)});
  Warp warp(lanes);
  warp.own = 9;  // group 2, thread 1
  const Registers d = product(mma, 4, warp, lanes[9]);
  CHECK(identical(d[0], f32(32 * 4 / 64.0F + 0.5F)));  // row 2, column 2
  CHECK(identical(d[1], f32(32 * 8 / 64.0F + 0.5F)));  // row 2, column 3
  CHECK(identical(d[3], f32(32 * 8 * 4.0F + 0.5F)));   // row 10, column 3
}

// § 9.7.14.6.1: of four columns two are held, and metadata say which. Thread 1 of each group has them.
TEST_CASE("mma.sp: the columns that metadata name") {
  std::vector<Registers> lanes;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const Bits one(32, 0x3c003c00);  // f16: 1, 1
    Registers registers(2, one);
    for (unsigned r = 0; r < 2; ++r) {  // B: the number of the row in every column
      const unsigned k = lane % 4 * 2 + 8 * r;
      const auto f16 = [](unsigned value) {
        return static_cast<unsigned>(std::bit_width(value) == 0
                                         ? 0
                                         : (14 + std::bit_width(value)) << 10 |
                                               ((value << (11 - std::bit_width(value))) & 0x3ff));
      };
      registers.emplace_back(32, f16(k) | f16(k + 1) << 16);
    }
    registers.insert(registers.end(), 4, f32(0));
    // 0b1110: columns 2 and 3; 0b0100: columns 0 and 1. Rows g below, rows g + 8 above.
    registers.emplace_back(32, lane % 4 == 1 ? 0x4444eeee : 0);
    lanes.push_back(registers);
  }
  const std::string name = "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
  const Operand metadata{Operand::Register{12}};
  const Instruction mma = instruction_of(name, {4, 2, 2, 4}, {metadata, immediate(1)});
  Warp warp(lanes);
  warp.own = 6;
  const Registers d = product(mma, 4, warp, lanes[6]);
  CHECK(identical(d[0], f32(2 + 3 + 6 + 7 + 10 + 11 + 14 + 15)));
  CHECK(identical(d[2], f32(0 + 1 + 4 + 5 + 8 + 9 + 12 + 13)));
  CHECK(warp.uses.empty());
  // "any other value results in undefined behaviour": 0b0000 names one column twice.
  const Instruction other = instruction_of(name, {4, 2, 2, 4}, {metadata, immediate(0)});
  product(other, 4, warp, lanes[6]);
  REQUIRE_FALSE(warp.uses.empty());
  CHECK(warp.uses[0].of_operand == Misuse::sparse_metadata);
}

// § 9.7.14.5.14: "if any thread in the warp has exited, the behaviour is undefined".
TEST_CASE("mma without all threads of the warp is a misuse") {
  Warp warp(std::vector<Registers>(31, Registers(4, Bits(32, 0))));
  const Instruction mma = instruction_of("mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32", {2, 1, 1, 2}, {});
  product(mma, 2, warp, Registers(4, Bits(32, 0)));
  REQUIRE(warp.uses.size() == 1);
  CHECK(warp.uses[0].of_operand == Misuse::incomplete_warp);
  CHECK(warp.uses[0].is_outside_of_range.is_true());
}
