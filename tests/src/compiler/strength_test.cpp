#include "src/compiler/strength.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>

#include "semantics/language/diagnostic.hpp"

using namespace ptxmc;

namespace {

constexpr Strength weak = {};
constexpr Strength relaxed_gpu = {Ordering::relaxed, Scope::gpu};
constexpr Strength release_cta = {Ordering::release, Scope::cta};

/// Reads a table from a file of this test.
StrengthCosts costs_in(const std::string& text) {
  const auto path = std::filesystem::temp_directory_path() / ("ptxmc-costs-" + std::to_string(std::rand()));
  std::ofstream(path) << text;
  struct Removed {
    std::filesystem::path path;
    ~Removed() { std::filesystem::remove(path); }
  } removed{path};
  return read_costs(path);
}

}  // namespace

TEST_CASE("orders and scopes are compared together") {
  CHECK(is_weaker_or_equal(weak, release_cta));
  CHECK_FALSE(is_weaker_or_equal(release_cta, weak));
  CHECK_FALSE(is_weaker_or_equal(relaxed_gpu, release_cta));
  CHECK_FALSE(is_weaker_or_equal(release_cta, relaxed_gpu));
  CHECK_FALSE(is_weaker_or_equal({Ordering::acquire, Scope::gpu}, {Ordering::release, Scope::gpu}));
  CHECK_FALSE(is_weaker_or_equal({Ordering::release, Scope::gpu}, {Ordering::acquire, Scope::gpu}));
  CHECK(is_weaker_or_equal({Ordering::acquire, Scope::cluster}, {Ordering::acq_rel, Scope::gpu}));
  CHECK(is_weaker_or_equal({Ordering::acq_rel, Scope::gpu}, {Ordering::sc, Scope::gpu}));
}

TEST_CASE("names") {
  CHECK(text_of({Ordering::acq_rel, Scope::sys}) == "acq_rel.sys");
  CHECK(text_of(weak).empty());
  CHECK(ordering_named(".sc") == Ordering::sc);
  CHECK(ordering_named(".add") == Ordering::none);
  CHECK(scope_named(".cluster") == Scope::cluster);
  CHECK(scope_named(".global") == Scope::none);
}

TEST_CASE("costs: the order times the scope, and more for a fence") {
  const StrengthCosts costs;
  CHECK(cost_of(costs, weak, false) == 0);
  CHECK(cost_of(costs, weak, true) == 0);  // no fence
  CHECK(cost_of(costs, relaxed_gpu, false) == 3);
  CHECK(cost_of(costs, {Ordering::sc, Scope::gpu}, true) == 32);
  CHECK(cost_of(costs, {Ordering::acquire, Scope::sys}, true) == 12);
}

TEST_CASE("a table of costs, and what is wrong in one") {
  const StrengthCosts costs = costs_in("fence = 7\nsc = 20\ncta = 0\n");
  CHECK(cost_of(costs, {Ordering::sc, Scope::gpu}, true) == 67);
  CHECK(cost_of(costs, release_cta, false) == 0);
  CHECK_THROWS_WITH_AS(costs_in("strong = 1\n"),
                       "found 'strong', expected weak, relaxed, acquire, release, acq_rel, sc, cta, cluster, "
                       "gpu, sys or fence",
                       InputError);
  CHECK_THROWS_WITH_AS(costs_in("sc = -1\n"),
                       "found no number from 0 to 1000, expected one as the cost of sc", InputError);
  CHECK_THROWS_WITH_AS(costs_in("relaxed = 5\n"),
                       "found a higher cost of relaxed than of acquire, expected none of what is weaker",
                       InputError);
  CHECK_THROWS_WITH_AS(costs_in("gpu = 9\n"),
                       "found a higher cost of gpu than of sys, expected none of what is weaker", InputError);
  CHECK_THROWS_AS(costs_in("sc = \n"), InputError);
  CHECK_THROWS_AS(read_costs("no/such/file"), InputError);
}
