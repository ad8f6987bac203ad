// Figures 104 to 109 of PTX ISA 8.7, in words: § 9.7.14.5.15 to § 9.7.14.5.17, and wmma.load, wmma.store of
// § 9.7.14.4: a store writes what a load of the same matrix has read.
#include "semantics/chapters/warp_matrix.hpp"

#include <doctest/doctest.h>

#include <map>

#include "tests/semantics/recorded_effects.hpp"
#include "tests/semantics/run_instruction.hpp"

using namespace ptxmc;

namespace {

/// Memory whose byte at address a is a modulo 251, and a warp that gives registers.
class Warp final : public test::RecordedEffects {
 public:
  std::vector<std::vector<Bits>> given{lanes_per_warp};
  unsigned own = 0;
  std::map<std::uint64_t, std::uint8_t> written;

  static std::uint64_t byte_at(std::uint64_t address) { return address % 251; }

  ExchangedValues exchange(const Exchange& exchange) override {
    ExchangedValues lanes(lanes_per_warp, exchange.values.size());
    lanes.own = Bits(32, own);
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) lanes.add(lane, given[lane]);
    return lanes;
  }
  Bits read(const Access& access, const Bits& address, unsigned width) override {
    CHECK(address.to_u64() % access.alignment_of(width / 8) == 0);
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width / 8; ++i) value |= byte_at(address.to_u64() + i) << (8 * i);
    return {width, value};
  }
  void write(const Access&, const Bits& address, const Bits& value) override {
    for (unsigned i = 0; i < value.width() / 8; ++i)
      CHECK(written.emplace(address.to_u64() + i, value.extract(8 * i, 8).to_u64()).second);
  }
};

/// Executes with `count` registers beside the address, or beside a second register.
std::vector<Bits> run(const std::string& spelling, unsigned count, bool loads, Warp& warp,
                      std::optional<unsigned> stride = std::nullopt) {
  Operand::Vector vector;
  std::vector<Bits> registers;
  for (unsigned i = 0; i < count; ++i) {
    vector.elements.push_back({Operand::Register{i}});
    registers.push_back(loads ? Bits(32, 0) : warp.given[warp.own].at(i + (stride ? 2 : 1)));
  }
  registers.push_back(warp.given[warp.own][0]);
  Instruction instruction;
  instruction.operands = {{vector}, {Operand::Address{count, Bits(64, 0)}}};
  std::vector<OperandShape> shapes = {{OperandShape::Kind::vector, OperandPattern::Link::comma, false, count},
                                      {OperandShape::Kind::address}};
  if (!loads) std::swap(instruction.operands[0], instruction.operands[1]);
  if (!loads) std::swap(shapes[0], shapes[1]);
  if (stride) {
    instruction.operands.push_back({Operand::Immediate{Bits(32, *stride)}});
    shapes.push_back({OperandShape::Kind::immediate});
  }
  const Match match = ptx().match(spelling, shapes);
  INFO(spelling << ": " << match.error);
  REQUIRE(match);
  instruction.form = match.form;
  instruction.text = spelling;
  execute(instruction, registers, warp);
  registers.pop_back();
  return registers;
}

/// The address of the row that a lane names.
std::uint64_t row(unsigned lane) { return 4096 + (lane * 7 % 32) * 16; }

Warp with_rows() {
  Warp warp;
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane) warp.given[lane] = {Bits(64, row(lane))};
  return warp;
}

std::uint64_t half_at(std::uint64_t address) {
  return Warp::byte_at(address) | Warp::byte_at(address + 1) << 8;
}

}  // namespace

TEST_CASE("ldmatrix.m8n8: four consecutive threads hold a row, two elements each") {
  Warp warp = with_rows();
  for (warp.own = 0; warp.own < lanes_per_warp; ++warp.own) {
    const auto r = run("ldmatrix.sync.aligned.m8n8.x4.shared.b16", 4, true, warp);
    for (unsigned matrix = 0; matrix < 4; ++matrix) {
      const std::uint64_t at = row(8 * matrix + warp.own / 4) + 4 * (warp.own % 4);
      CHECK(r[matrix].to_u64() == (half_at(at) | half_at(at + 2) << 16));
    }
  }
}

TEST_CASE("ldmatrix.m8n8.trans: four consecutive threads hold a column") {
  Warp warp = with_rows();
  for (warp.own = 0; warp.own < lanes_per_warp; ++warp.own) {
    const auto r = run("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16", 2, true, warp);
    for (unsigned matrix = 0; matrix < 2; ++matrix) {
      const unsigned first = 8 * matrix + warp.own % 4 * 2, offset = warp.own / 4 * 2;
      CHECK(r[matrix].to_u64() == (half_at(row(first) + offset) | half_at(row(first + 1) + offset) << 16));
    }
  }
}

// § 9.7.14.5.15: 16 elements of 6 bits and 32 bits of padding; each becomes a byte.
TEST_CASE("ldmatrix.m8n16 of 6 bits") {
  Warp warp = with_rows();
  for (warp.own = 0; warp.own < lanes_per_warp; ++warp.own) {
    const auto r = run("ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32", 1, true, warp);
    const auto element = [&](unsigned column) {
      const std::uint64_t at = row(warp.own / 4) + column * 6 / 8;
      return half_at(at) >> (column * 6 % 8) & 0x3f;
    };
    for (unsigned i = 0; i < 4; ++i) CHECK(r[0].extract(8 * i, 8).to_u64() == element(warp.own % 4 * 4 + i));
  }
}

TEST_CASE("stmatrix writes what ldmatrix would read") {
  for (const std::string trans : {"", ".trans"}) {
    Warp warp = with_rows();
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
      warp.own = lane;
      Warp loading = with_rows();
      loading.own = lane;
      for (const Bits& value : run("ldmatrix.sync.aligned.m8n8.x4" + trans + ".shared.b16", 4, true, loading))
        warp.given[lane].push_back(value);
    }
    for (warp.own = 0; warp.own < lanes_per_warp; ++warp.own)
      run("stmatrix.sync.aligned.m8n8.x4" + trans + ".shared.b16", 4, false, warp);
    CHECK(warp.written.size() == 4 * 8 * 16);
    for (const auto& [address, byte] : warp.written) CHECK(byte == Warp::byte_at(address));
  }
}

TEST_CASE("A generic address of ldmatrix must be in shared memory") {
  Warp warp = with_rows();
  run("ldmatrix.sync.aligned.m8n8.x1.b16", 1, true, warp);
  REQUIRE_FALSE(warp.uses.empty());
  CHECK(warp.uses[0].of_operand == Misuse::matrix_outside_of_shared);
  CHECK(warp.uses[0].is_outside_of_range.is_true());
}

TEST_CASE("wmma.store writes every element of the matrix that wmma.load reads") {
  struct Case {
    const char *load, *store;
    unsigned registers, stride, rows, bytes;  ///< `rows` of `bytes`, `stride` bytes apart
  };
  for (const Case& c : {Case{"wmma.load.c.sync.aligned.row.m16n16k16.f16",
                             "wmma.store.d.sync.aligned.row.m16n16k16.f16", 4, 48, 16, 32},
                        Case{"wmma.load.c.sync.aligned.col.m32n8k16.f32",
                             "wmma.store.d.sync.aligned.col.m32n8k16.f32", 8, 128, 8, 128},
                        Case{"wmma.load.c.sync.aligned.row.m8n32k16.s32",
                             "wmma.store.d.sync.aligned.row.m8n32k16.s32", 8, 160, 8, 128}}) {
    const unsigned element = std::string_view(c.load).ends_with("16.f16") ? 2 : 4;
    const std::vector<Bits> place = {Bits(64, 4096), Bits(32, c.stride / element)};
    Warp warp;
    warp.given.assign(lanes_per_warp, place);
    std::vector<std::vector<Bits>> loaded;
    for (warp.own = 0; warp.own < lanes_per_warp; ++warp.own)
      loaded.push_back(run(c.load, c.registers, true, warp, c.stride / element));
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
      warp.given[lane].insert(warp.given[lane].end(), loaded[lane].begin(), loaded[lane].end());
    for (warp.own = 0; warp.own < lanes_per_warp; ++warp.own)
      run(c.store, c.registers, false, warp, c.stride / element);
    CHECK(warp.written.size() == c.rows * c.bytes);
    for (const auto& [address, byte] : warp.written) {
      CHECK(byte == Warp::byte_at(address));
      CHECK((address - 4096) % c.stride < c.bytes);
    }
    CHECK(warp.uses.empty());
  }
}

// § 9.7.14.4.3: a stride below the default is undefined.
TEST_CASE("wmma.load with a small stride is a misuse") {
  Warp warp;
  warp.given.assign(lanes_per_warp, {Bits(64, 4096), Bits(32, 8)});
  run("wmma.load.a.sync.aligned.row.m16n16k16.s8", 2, true, warp, 8);
  REQUIRE_FALSE(warp.uses.empty());
  CHECK(warp.uses[0].of_operand == Misuse::different_matrix_operands);
}

// § 9.7.14.4.3: undefined if not all threads have the same values of p and stride.
TEST_CASE("wmma.load with different addresses is a misuse") {
  Warp warp = with_rows();
  run("wmma.load.a.sync.aligned.row.m16n16k16.s8", 2, true, warp);
  REQUIRE_FALSE(warp.uses.empty());
  CHECK(warp.uses[0].of_operand == Misuse::different_matrix_operands);
}
