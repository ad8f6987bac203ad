#include "solver/encoding/certainly_settled.hpp"

#include <doctest/doctest.h>

#include "tests/solver/launches.hpp"

using namespace ptxmc;

namespace {

/// The values of the last reads of two threads; -1: not settled.
std::vector<std::int64_t> last_reads(const std::string& rows) {
  TermGraph graph;
  const LitmusTest test = parse_litmus(
      "PTX t\n{ x : u32 = 0; y : u32 = 0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n" + rows + "exists (x == 0)",
      "t.litmus");
  const auto settled = with_reads_settled_by_certain_barriers(events_of(test, graph), true);
  REQUIRE(settled);
  std::vector<std::int64_t> result(2, -1);
  for (const Event& event : settled->events)
    if (event.is_read())
      result.at(static_cast<std::size_t>(event.thread)) =
          event.value.is_constant() ? static_cast<std::int64_t>(event.value.to_u64()) : -1;
  return result;
}

}  // namespace

TEST_CASE("a read that barriers settle decides that a thread arrives at further barriers") {
  const std::string begins =
      " st.weak.u32 [x], 1     | mov.b64 r0, 0         ;\n"
      " bar.sync 0         | bar.sync 0        ;\n"
      " ld.weak.u32 r1, [x]    | ld.weak.u32 r1, [x]   ;\n";
  const std::string goes_on =
      " @!p0 bra L         | @!p0 bra M        ;\n"
      " st.weak.u32 [y], 2     | mov.b64 r2, 0         ;\n"
      " bar.sync 0         | bar.sync 0        ;\n"
      " ld.weak.u32 r2, [y]    | ld.weak.u32 r2, [y]   ;\n"
      " L: mov.b64 r3, 0       | M: mov.b64 r3, 0      ;\n";
  const std::string if_one = " setp.eq.s64 p0, r1, 1  | setp.eq.s64 p0, r1, 1 ;\n";
  CHECK(last_reads(begins + if_one + goes_on) == std::vector<std::int64_t>{2, 2});
}

TEST_CASE("a read that nothing settles does not") {
  const std::string rows =
      " bar.sync 0         | bar.sync 0        ;\n"
      " st.relaxed.cta.u32 [x], 1 | ld.relaxed.cta.u32 r1, [x]   ;\n"
      " mov.b64 r1, 1          | setp.eq.s64 p0, r1, 1 ;\n"
      " st.weak.u32 [y], 2     | @!p0 bra M        ;\n"
      " bar.sync 0         | bar.sync 0        ;\n"
      " ld.weak.u32 r2, [y]    | ld.weak.u32 r2, [y]   ;\n"
      " mov.b64 r3, 0          | M: mov.b64 r3, 0      ;\n";
  CHECK(last_reads(rows).back() == -1);
}
