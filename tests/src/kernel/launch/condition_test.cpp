#include "src/kernel/launch/condition.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <random>

#include "semantics/language/diagnostic.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;

namespace {

bool holds(const std::string& condition) {
  const NumberOf numbers = [](const std::string& name,
                              std::optional<std::uint64_t> index) -> std::optional<Number> {
    if (name == "n" && !index) return Number::integer(-3);
    if (name == "x" && index && *index < 2)
      return number_of(ElementType{"f32", type_of(Modifier(".f32"))},
                       Bits(32, *index == 0 ? 0x3fc00000 : 0x40000000));
    return std::nullopt;
  };
  return condition_holds(condition, numbers, LaunchPlace{"launch.toml"}).is_true();
}

}  // namespace

TEST_CASE("precedence, truth and types of C") {
  CHECK(holds("n == -3 && x[0] == 1.5"));
  CHECK(holds("1 + 2 * 3 == 7"));
  CHECK(holds("!(n > 0)"));
  CHECK_FALSE(holds("n > 0 || x[0] > x[1]"));
  CHECK_THROWS_AS(holds("1 / 0 == 1"), InputError);
}

TEST_CASE("integers, floating-point numbers, negation") {
  CHECK(holds("n / 2 == -1"));
  CHECK(holds("n % 2 == -1"));
  CHECK(holds("x[1] >= 2"));
  CHECK(holds("x[1 - 1] * 2 == 3"));
  CHECK_FALSE(holds("0x10 != 16"));
  CHECK(holds("18446744073709551615 > 0"));
}

TEST_CASE("the bits of an element") {
  CHECK(holds("bits(x[0]) == 0x3fc00000 && bits((x[1])) == 0x40000000"));
  CHECK_THROWS_AS(holds("bits(x[0] + 1) == 1"), InputError);
  CHECK_THROWS_AS(holds("bits(x[0] == 1"), InputError);
  CHECK_THROWS_AS(holds("bits(n + 1) == 1"), InputError);
}

TEST_CASE("an integer that stands for a number") {
  const auto value = [](const char* name, Modifier type, std::uint64_t bits) {
    return number_of(ElementType{name, type_of(type), true}, Bits(8, bits)).bits.to_u64();
  };
  CHECK(value("unorm8", ".u8", 255) == 0x3ff0000000000000);   // 1.0
  CHECK(value("snorm8", ".s8", 0x80) == 0xbff0000000000000);  // -1.0
  CHECK(value("snorm8", ".s8", 0x81) == 0xbff0000000000000);
}

TEST_CASE("what is no condition") {
  CHECK_THROWS_AS(holds("n =="), InputError);
  CHECK_THROWS_AS(holds("m == 1"), InputError);
  CHECK_THROWS_AS(holds("x[2] == 1"), InputError);
  CHECK_THROWS_AS(holds("(n == 1"), InputError);
  CHECK_THROWS_AS(holds("n == 1 2"), InputError);
}

TEST_CASE("conditions nest to a depth, and are as long as a limit") {
  const auto repeated = [](const std::string& part, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += part;
    return text;
  };
  CHECK(holds(repeated("(", 255) + "1" + repeated(")", 255)));
  CHECK(holds(repeated("!", 254) + "1"));
  for (const char* part : {"(", "!", "-", "x["}) {
    CHECK_THROWS_WITH_AS(holds(repeated(part, 300) + "1"),
                         doctest::Contains("nested deeper than 256 levels at character"), InputError);
    CHECK_THROWS_WITH_AS(holds(repeated(part, 1'000'000) + "1"),
                         doctest::Contains("characters, expected at most 524288"), InputError);
  }
  CHECK(holds("1" + repeated("+1", 30'000) + " == 30001"));
  CHECK(holds("n" + repeated(" || n", 10'000)));
}

TEST_CASE("numbers that are too large") {
  CHECK_THROWS_WITH_AS(holds("18446744073709551616"), doctest::Contains("expected an integer of 64 bits"),
                       InputError);
  CHECK_THROWS_WITH_AS(holds("1e999"), doctest::Contains("expected a number of f64"), InputError);
  CHECK(holds("1e-310 > 0"));
}

// Found by fuzzing: an unknown integer beyond 64 bits lost its high bits beside a floating-point number.
TEST_CASE("unknown integers of any size are rounded to the nearest number") {
  std::mt19937_64 random(1);
  TermGraph graph;
  const Bits n = graph.variable(64, "n"), m = graph.variable(64, "m");
  const auto with = [](const Bits& first, const Bits& second) -> NumberOf {
    return [=](const std::string& name, std::optional<std::uint64_t>) {
      return std::optional(Number{false, (name == "n" ? first : second).sign_extend(128)});
    };
  };
  for (int i = 0; i < 300; ++i) {
    const auto factor = static_cast<std::int64_t>(random()) >> (random() % 64);
    // Close to the middle between two numbers, where the last bit decides.
    const auto other = (std::int64_t{1} << (random() % 62)) + static_cast<std::int64_t>(random() % 3) - 1;
    const auto nearest = static_cast<double>(static_cast<s128>(factor) * other);
    const std::string condition = fmt::format("0.0 + n * m == {:.17g} + 0.0", nearest);
    CAPTURE(condition);
    const Bits unknown = condition_holds(condition, with(n, m), LaunchPlace{"launch.toml"});
    Substitution values;
    values.set(n.term()->variable, Bits(64, static_cast<std::uint64_t>(factor)));
    values.set(m.term()->variable, Bits(64, static_cast<std::uint64_t>(other)));
    CHECK(values.apply(unknown).is_true());
  }
}
