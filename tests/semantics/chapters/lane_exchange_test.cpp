// Vectors from the pseudo-code and sentences of PTX ISA 8.7 § 9.7.9.6, § 9.7.13.9 to § 9.7.13.14.
#include <doctest/doctest.h>

#include <map>

#include "tests/semantics/recorded_effects.hpp"
#include "tests/semantics/run_instruction.hpp"

using namespace ptxmc;

namespace {

/// A warp whose lanes give the values that are put in.
class Warp final : public test::RecordedEffects {
 public:
  std::uint32_t own = 0;
  std::map<unsigned, std::uint64_t> values;
  std::vector<Exchange> exchanges;

  ExchangedValues exchange(const Exchange& exchange) override {
    exchanges.push_back(exchange);
    ExchangedValues lanes(lanes_per_warp, exchange.values.size());
    lanes.own = Bits(32, own);
    for (const auto& [lane, value] : values) {
      const Bits given(exchange.values[0].width(), value);
      lanes.add(lane, std::span(&given, 1));
    }
    lanes.add(own, exchange.values);
    return lanes;
  }
};

/// Lane i gives 100 + i.
Warp numbered(std::uint32_t own) {
  Warp warp;
  warp.own = own;
  for (unsigned i = 0; i < lanes_per_warp; ++i) warp.values[i] = 100 + i;
  return warp;
}

/// The destinations of an instruction, `p` of `d|p` last.
std::vector<u128> results(const std::string& spelling, Warp& warp, const std::vector<Bits>& sources,
                          bool has_predicate = false) {
  std::vector<OperandShape> shapes(sources.size() + (has_predicate ? 2 : 1));
  if (has_predicate) shapes[1].link = OperandPattern::Link::pipe;
  const Match match = ptx().match(spelling, shapes);
  INFO(spelling << ": " << match.error);
  REQUIRE(match);
  std::vector<u128> values;
  for (const Bits& value : test::run(*match.form, sources, warp)) values.push_back(value.value());
  return values;
}

const Bits whole_warp(32, 0xffffffff);

/// d and p of a shuffle in which lane i gives 100 + i.
std::vector<u128> shuffled(const std::string& mode, std::uint32_t own, std::uint32_t b, std::uint32_t c) {
  Warp warp = numbered(own);
  return results("shfl.sync." + mode + ".b32", warp,
                 {Bits(32, 100 + own), Bits(32, b), Bits(32, c), whole_warp}, true);
}

using Pair = std::vector<u128>;

}  // namespace

TEST_CASE("shfl.sync: source lanes and range") {
  // j = lane - bval; pval = (j >= maxLane), with maxLane = 0 for segments of the whole warp
  CHECK(shuffled("up", 5, 1, 0) == Pair{104, 1});
  CHECK(shuffled("up", 0, 1, 0) == Pair{100, 0});
  // j = lane + bval; pval = (j <= maxLane)
  CHECK(shuffled("down", 5, 2, 0x1f) == Pair{107, 1});
  CHECK(shuffled("down", 31, 2, 0x1f) == Pair{131, 0});
  CHECK(shuffled("bfly", 5, 16, 0x1f) == Pair{121, 1});
  CHECK(shuffled("bfly", 5, 16, 0x0f) == Pair{105, 0});
  CHECK(shuffled("idx", 5, 9, 0x1f) == Pair{109, 1});
  CHECK(shuffled("idx", 5, 33, 0x1f) == Pair{101, 1});  // b[4:0]
}

TEST_CASE("shfl.sync: segments of 8 lanes") {
  const std::uint32_t segments = 0x1800;
  CHECK(shuffled("idx", 13, 2, segments | 0x1f) == Pair{110, 1});  // minLane = 8
  CHECK(shuffled("idx", 13, 10, segments | 0x1f) == Pair{110, 1});
  CHECK(shuffled("down", 15, 1, segments | 0x1f) == Pair{115, 0});  // maxLane = 15
  CHECK(shuffled("up", 8, 1, segments) == Pair{108, 0});            // maxLane = 8
}

TEST_CASE("shfl.sync: a register of a lane that takes no part is undefined") {
  Warp warp;
  const auto d = results("shfl.sync.idx.b32", warp, {Bits(32, 7), Bits(32, 3), Bits(32, 0x1f), Bits(32, 1)});
  CHECK(warp.others == std::vector<std::string>{"unspecified"});
  CHECK(d == std::vector<u128>{0xabcd});
  CHECK(warp.exchanges[0].members->value() == 1);
  CHECK(warp.exchanges[0].instruction == "shfl.sync.idx.b32");
}

TEST_CASE("vote.sync: over the lanes that take part") {
  const auto voted = [](const std::string& mode, std::map<unsigned, std::uint64_t> values) {
    Warp warp;
    warp.values = std::move(values);
    return results("vote.sync." + mode, warp, {Bits::boolean(true), whole_warp})[0];
  };
  CHECK(voted("all.pred", {{1, 1}, {2, 1}}) == 1);
  CHECK(voted("all.pred", {{1, 1}, {2, 0}}) == 0);
  CHECK(voted("any.pred", {{1, 0}, {2, 0}}) == 1);  // its own
  CHECK(voted("uni.pred", {{1, 1}}) == 1);
  CHECK(voted("uni.pred", {{1, 0}}) == 0);
  CHECK(voted("ballot.b32", {{1, 0}, {4, 1}, {31, 1}}) == 0x80000011);
}

TEST_CASE("match.sync") {
  const auto matched = [](const std::string& mode, std::map<unsigned, std::uint64_t> values, bool p) {
    Warp warp;
    warp.values = std::move(values);
    return results("match." + mode + ".sync.b64", warp, {Bits(64, 7), whole_warp}, p);
  };
  CHECK(matched("any", {{1, 7}, {2, 8}, {3, 7}}, false) == Pair{0b1011});
  CHECK(matched("all", {{1, 7}, {3, 7}}, true) == Pair{0b1011, 1});
  CHECK(matched("all", {{1, 7}, {3, 8}}, true) == Pair{0, 0});
}

TEST_CASE("redux.sync") {
  const auto reduced = [](const std::string& rest, std::uint32_t own, std::uint64_t other) {
    Warp warp;
    warp.values = {{9, other}};
    return results("redux.sync." + rest, warp, {Bits(32, own), whole_warp})[0];
  };
  CHECK(reduced("add.u32", 0xffffffff, 3) == 2);  // truncated to 32 bits
  CHECK(reduced("min.s32", 0xffffffff, 3) == 0xffffffff);
  CHECK(reduced("min.u32", 0xffffffff, 3) == 3);
  CHECK(reduced("xor.b32", 0b1100, 0b1010) == 0b0110);
  const std::uint32_t zero = 0, minus_zero = 0x80000000, nan = 0x7fc00000, minus_two = 0xc0000000,
                      one = 0x3f800000, canonical = 0x7fffffff;
  CHECK(reduced("min.f32", zero, minus_zero) == minus_zero);  // +0.0 > -0.0
  CHECK(reduced("max.abs.f32", minus_two, one) == 0x40000000);
  CHECK(reduced("max.f32", nan, one) == one);
  CHECK(reduced("max.NaN.f32", nan, one) == canonical);
  CHECK(reduced("min.f32", nan, nan) == canonical);
}

TEST_CASE("activemask and elect.sync") {
  Warp warp;
  warp.own = 5;
  warp.values = {{4, 1}, {7, 1}};
  CHECK(results("activemask.b32", warp, {})[0] == 0b10110000);
  CHECK_FALSE(warp.exchanges[0].members.has_value());
  CHECK(results("elect.sync", warp, {whole_warp}, true) == Pair{4, 0});
  warp.values = {{7, 1}};
  CHECK(results("elect.sync", warp, {whole_warp}, true) == Pair{5, 1});
}
