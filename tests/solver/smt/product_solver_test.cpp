#include "solver/smt/product_solver.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "tests/sanitized.hpp"

using namespace ptxmc;

namespace {

using enum SmtSolver::Result;

constexpr SmtSolver::Limits limits{.timeout_seconds = 600};

Bits wide(const Bits& value) { return value.zero_extend(64); }

/// The terms that kernels make of their position: 32 bits in 64 bits, 32 bits, and multiples.
std::vector<Bits> products(const Bits& a, const Bits& b, const Bits& c) {
  return {a * b,
          a * b + c,
          wide(a) * wide(b),
          a.sign_extend(64) * b.sign_extend(64),
          a.sign_extend(128) * b.sign_extend(128),
          concat(c.sign_extend(62), Bits(2, 0)) * b.sign_extend(64),
          wide(a) * concat(wide(b), Bits(3, 0)).extract(0, 64),
          concat(a, Bits(2, 0)).sign_extend(64) * c.sign_extend(64),
          (wide(c) * wide(b)).extract(0, 40),
          (c * b + a) * Bits(32, 3),
          concat(a, Bits(3, 0)).zero_extend(64) * wide(c),
          (a * Bits(32, 6)) * c,
          (a * Bits(32, 6)).zero_extend(64) * wide(c),
          a.zero_extend(128) * Bits(128, 31) * b.zero_extend(128),
          a.extract(0, 16) * b.extract(0, 16) + c.extract(0, 16),
          c * Bits(32, 7) + a};
}

}  // namespace

TEST_CASE("all facts about products are true of numbers") {
  std::mt19937_64 random(1);
  const auto number = [&]() -> std::uint64_t {
    const std::uint64_t choices[] = {0,    1,          2,          3,          31,           32,
                                     1024, 0x7fffffff, 0x80000000, 0xffffffff, random() % 64};
    const std::uint64_t choice = random() % 16;
    return choice < std::size(choices) ? choices[choice] : random() & 0xffffffff;
  };
  for (int i = 0; i < sampled(60); ++i) {
    TermGraph graph;
    const Bits a = graph.variable(32, "a"), b = graph.variable(32, "b"), c = graph.variable(32, "c");
    const std::uint64_t x = number(), y = number(), z = number();
    Substitution values;
    values.set(a.term()->variable, Bits(32, x));
    values.set(b.term()->variable, Bits(32, y));
    values.set(c.term()->variable, Bits(32, z));
    ProductSolver solver(graph, limits);
    for (const Bits& product : products(a, b, c)) solver.add(equal(product, values.apply(product)));
    CAPTURE(x);
    CAPTURE(y);
    CAPTURE(z);
    CHECK(solver.check(equal(a, Bits(32, x)) & equal(b, Bits(32, y)) & equal(c, Bits(32, z))) == satisfiable);
  }
}

TEST_CASE("an assignment has the values of products") {
  TermGraph graph;
  const Bits a = graph.variable(32, "a"), b = graph.variable(32, "b"), c = graph.variable(32, "c");
  for (const Bits& product : products(a, b, c)) {
    ProductSolver solver(graph, limits);
    const unsigned width = product.width();
    const Bits are_small = less_unsigned(a, Bits(32, 64)) & less_unsigned(b, Bits(32, 64));
    REQUIRE(solver.check(equal(product & Bits(width, 0x3f), Bits(width, 40)) & ~equal(a, Bits(32, 1)) &
                         ~equal(b, Bits(32, 1)) & are_small) == satisfiable);
    Substitution values = solver.values();
    CHECK((values.apply(product).to_u64() & 0x3f) == 40);
  }
  ProductSolver solver(graph, limits);
  CHECK(solver.check(equal(wide(a) * wide(b), Bits(64, 35)) & less_unsigned(a, b) &
                     less_unsigned(Bits(32, 1), a)) == satisfiable);
  Substitution values = solver.values();
  CHECK(values.apply(a).to_u64() == 5);
  CHECK(values.apply(b).to_u64() == 7);
}

TEST_CASE("the numbers of threads in a grid of any size are different, and less than their number") {
  TermGraph graph;
  const auto unknown = [&](const char* name) { return graph.variable(32, name); };
  const Bits ntid = unknown("ntid"), nctaid = unknown("nctaid"), all = wide(ntid) * wide(nctaid);
  const auto is_position = [&](const Bits& tid, const Bits& ctaid) {
    return less_unsigned(tid, ntid) & less_unsigned(ctaid, nctaid);
  };
  const Bits tid = unknown("tid"), ctaid = unknown("ctaid"), other_tid = unknown("tid'"),
             other_ctaid = unknown("ctaid'");
  const Bits own = ctaid * ntid + tid, other = other_ctaid * ntid + other_tid;
  ProductSolver solver(graph, limits);
  solver.add(less_equal_unsigned(all, Bits(64, 0x7fffffff)) & is_position(tid, ctaid) &
             is_position(other_tid, other_ctaid));
  CHECK(solver.check(equal(own, other) & ~equal(ctaid, other_ctaid)) == unsatisfiable);
  CHECK(solver.check(equal(own, other) & ~equal(tid, other_tid)) == unsatisfiable);
  CHECK(solver.check(less_equal_unsigned(all, wide(own))) == unsatisfiable);
  // Neighbours and the last one are there; among large numbers it takes long to find them.
  const Bits is_small = less_unsigned(ntid, Bits(32, 64)) & less_unsigned(nctaid, Bits(32, 64));
  CHECK(solver.check(equal(own, other + Bits(32, 1)) & ~equal(ctaid, other_ctaid) & is_small) == satisfiable);
  CHECK(solver.check(equal(wide(own), all - Bits(64, 1)) & is_small) == satisfiable);

  // Without a limit the numbers overflow.
  ProductSolver unlimited(graph, limits);
  unlimited.add(is_position(tid, ctaid) & is_position(other_tid, other_ctaid) & equal(ntid, Bits(32, 1024)));
  CHECK(unlimited.check(equal(own, other) & ~equal(ctaid, other_ctaid)) == satisfiable);
}

TEST_CASE("an assignment that is preferred is found, and other ones too") {
  TermGraph graph;
  const Bits a = graph.variable(32, "a"), b = graph.variable(32, "b"), product = wide(a) * wide(b);
  ProductSolver solver(graph, limits, less_equal_unsigned(product, Bits(64, 4)));
  solver.add(less_unsigned(Bits(32, 1), a) & less_unsigned(Bits(32, 1), b));
  const auto product_with = [&](const Bits& condition) {
    REQUIRE(solver.check(condition) == satisfiable);
    Substitution values = solver.values();
    CHECK(values.apply(condition).is_true());
    return values.apply(product).to_u64();
  };
  CHECK(product_with(Bits::boolean(true)) == 4);
  CHECK(product_with(less_unsigned(a, Bits(32, 3))) == 4);
  for (int i = 0; i < 5; ++i) {
    CHECK(product_with(equal(a, Bits(32, 7)) & less_unsigned(b, Bits(32, 3))) == 14);
    CHECK(solver.check(equal(product, Bits(64, 2))) == unsatisfiable);
  }
}

TEST_CASE("an assignment has values for unknowns of which nothing is asked") {
  TermGraph graph;
  const Bits a = graph.variable(32, "a");
  ProductSolver solver(graph, limits);
  solver.add(Bits::boolean(true));
  REQUIRE(solver.check(Bits::boolean(true)) == satisfiable);
  CHECK(solver.values().apply(a).is_constant());
}

TEST_CASE("a question with a limit of its own leaves later ones as they are") {
  TermGraph graph;
  const Bits a = graph.variable(64, "a"), b = graph.variable(64, "b");
  const Bits c = graph.variable(64, "c");
  ProductSolver solver(graph, limits);
  const Bits one(64, 1);
  solver.add(less_unsigned(c, a));
  // The product of two primes: too hard for the time.
  const Bits hard = equal(a * b, Bits(64, 4294967291ULL * 4294967279ULL)) & less_unsigned(one, a) &
                    less_unsigned(a, Bits(64, 1ULL << 32)) & less_unsigned(one, b) &
                    less_unsigned(b, Bits(64, 1ULL << 32));
  CHECK(solver.check_within(0.05, hard) == unknown);
  CHECK(solver.check_within(60, equal(a, one)) == satisfiable);
  CHECK(solver.values().apply(a).to_u64() == 1);
  CHECK(solver.check(less_unsigned(a, Bits(64, 0))) == unsatisfiable);
  CHECK(solver.check(equal(a, one) & equal(c, one)) == unsatisfiable);
}
