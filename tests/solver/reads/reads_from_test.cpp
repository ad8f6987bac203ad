#include "solver/reads/reads_from.hpp"

#include <doctest/doctest.h>

#include "solver/algebra/value_sets.hpp"
#include "solver/unfolding/unfold.hpp"
#include "tests/solver/thread_code.hpp"

using namespace ptxmc;

namespace {

using Sizes = std::vector<std::pair<std::uint64_t, unsigned>>;

/// Atoms as offset from the first one, and size.
Sizes sizes_of(const std::vector<Atom>& atoms) {
  Sizes result;
  for (const Atom& atom : atoms) result.emplace_back(atom.first - atoms.front().first, atom.count);
  return result;
}

Sizes atoms_with(const std::string& rows) {
  TermGraph graph;
  const LitmusTest test = with_thread(rows, "a : u32[2];");
  return sizes_of(atoms_of(unfold(test.program, graph, {})));
}

}  // namespace

TEST_CASE("bytes that every access takes together are one atom; what no thread touches has none") {
  CHECK(atoms_with("st.relaxed.gpu.u32 a, 1 ; ld.relaxed.gpu.u32 r0, a ;") == Sizes{{0, 4}});
  CHECK(atoms_with("st.relaxed.gpu.u32 a, 1 ; ld.relaxed.gpu.u16 r0, [a+2] ;") == Sizes{{0, 2}, {2, 2}});
}

TEST_CASE("an atom's value is its bytes of the access, the lowest first") {
  TermGraph graph;
  const LitmusTest test = with_thread("st.relaxed.gpu.u32 a, 287454020 ;", "a : u32[2];");  // 0x11223344
  const EventStructure structure = unfold(test.program, graph, {});
  const Event& write = structure.events.back();
  REQUIRE(write.is_write());
  const std::uint64_t first = write.location.to_u64();
  CHECK(value_at(write, {first, 1}).to_u64() == 0x44);
  CHECK(value_at(write, {first + 2, 2}).to_u64() == 0x1122);
  CHECK(covers(write, {first + 2, 2}).is_true());
  CHECK(covers(write, {first + 4, 1}).is_false());
}

TEST_CASE("no read takes from its own read-modify-write, and each may take from what overlaps it") {
  TermGraph graph;
  const LitmusTest test = with_thread("atom.relaxed.gpu.add r0, x, 1 ; st.relaxed.gpu y, 5 ;");
  const EventStructure structure = unfold(test.program, graph, {});
  const auto choices = choose_reads_from(structure, atoms_of(structure), graph).choices;
  REQUIRE(choices.size() == 1);
  CHECK(structure.events[choices[0].write].kind == EventKind::initial_write);
  CHECK(structure.events[choices[0].write].location.to_u64() ==
        structure.events[choices[0].read].location.to_u64());
}

TEST_CASE("the values that may flow: through copies, not through what computes") {
  TermGraph graph;
  const LitmusTest test =
      with_thread("ld.relaxed.gpu r0, x ; st.relaxed.gpu y, r0 ; ld.relaxed.gpu r1, y ;", "x=7; y=0;");
  const EventStructure structure = unfold(test.program, graph, {});
  const auto values = possible_values(structure);
  const auto numbers = [&](EventId event) {
    std::vector<std::uint64_t> result;
    REQUIRE(values[event]);
    for (const Bits& value : *values[event]) result.push_back(value.to_u64());
    std::sort(result.begin(), result.end());
    return result;
  };
  const auto last = static_cast<EventId>(structure.events.size()) - 1;
  CHECK(numbers(last - 2) == std::vector<std::uint64_t>{7});
  CHECK(numbers(last) == std::vector<std::uint64_t>{0, 7});
}

TEST_CASE("a chain of additions has as many sums as it has additions") {
  TermGraph graph;
  const LitmusTest test = parse_litmus(
      "PTX t { x=0; } P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 | P3@cta 0,gpu 0 ;\n"
      "red.relaxed.gpu.add x, 1 | red.relaxed.gpu.add x, 1 | red.relaxed.gpu.add x, 1 | ld.relaxed.gpu r0, x "
      ";\n"
      "exists 0 == 0",
      "t.litmus");
  const EventStructure structure = unfold(test.program, graph, {});
  const auto values = possible_values(structure);
  REQUIRE(values.back());
  CHECK(values.back()->size() == 4);  // 0, 1, 2, 3: PTX ISA 8.7 § 8.10.4, no value comes from itself
}

// PTX ISA 8.7 § 8.10.3: weak accesses may be seen by bytes.
TEST_CASE("a read that may tear has the values of each byte") {
  TermGraph graph;
  const auto values_of_read = [&](const std::string& read) {
    const LitmusTest test =
        parse_litmus("PTX t { x=0; } P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\nst.relaxed.gpu x, 257 | " + read +
                         " ;\nexists 0 == 0",
                     "t.litmus");
    const EventStructure structure = unfold(test.program, graph, {});
    const auto values = possible_values(structure);
    REQUIRE(values.back());
    return values.back()->size();
  };
  CHECK(values_of_read("ld.relaxed.gpu r0, x") == 2);
  CHECK(values_of_read("ld.weak r0, x") == 4);  // 0, 1, 256, 257
}
