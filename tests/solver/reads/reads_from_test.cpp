#include "solver/reads/reads_from.hpp"

#include <doctest/doctest.h>

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
