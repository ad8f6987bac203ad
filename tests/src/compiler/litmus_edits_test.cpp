#include "src/compiler/litmus_edits.hpp"

#include <doctest/doctest.h>

#include <random>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/text_file.hpp"
#include "src/cli/input_files.hpp"

using namespace ptxmc;

namespace {

/// The rows of a test after the strongest or the weakest assignment was written into its text.
std::string rows_with(const std::string& rows, bool strongest_levels) {
  const std::string head = "PTX t\n{ x; y; }\n", tail = "exists (true)\n";
  const std::string text = head + rows + tail;
  const LitmusTest test = parse_litmus(text, "t.litmus");
  const auto points =
      strongest_levels ? points_to_strengthen(test.program, {}) : points_to_weaken(test.program, {});
  const StrengthLattice lattice = lattice_of(points);
  const auto edits =
      litmus_edits(test, text, points, strongest_levels ? strongest(lattice) : weakest(lattice));
  if (!edits) return "not possible";
  const std::string edited = with_edits(text, *edits);
  return edited.substr(head.size(), edited.size() - head.size() - tail.size());
}

}  // namespace

TEST_CASE("orders are written into their cells, and a row that becomes empty vanishes") {
  CHECK(rows_with(" P0@cta 0,gpu 0       | P1@cta 1,gpu 0       ;\n"
                  " st.release.gpu x, 1   | ld.acquire.gpu r0, y ;\n"
                  " fence.sc.gpu          | fence.sc.gpu         ;\n"
                  " L: fence.acq_rel.gpu  | ld.weak r1, x        ;\n",
                  false) ==
        " P0@cta 0,gpu 0       | P1@cta 1,gpu 0       ;\n"
        " st.weak x, 1          | ld.weak r0, y        ;\n"
        " L:                    | ld.weak r1, x        ;\n");
}

TEST_CASE("fences get rows of their own, and the labels of what they stand before") {
  CHECK(rows_with(" P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
                  " st.weak x, 1   | ld.weak r0, y  ;\n"
                  " L: st.weak y, 1 | ld.weak r1, x ;\n"
                  " bne r0, 0, L | ;\n",
                  true) ==
        " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
        " st.release.cta x, 1 | ld.acquire.cta r0, y ;\n"
        " L: fence.sc.cta | fence.sc.cta  ;\n"
        "    st.release.cta y, 1 | ld.acquire.cta r1, x ;\n"
        " bne r0, 0, L | ;\n");
}

TEST_CASE("a text in which the changes have no place") {
  CHECK(rows_with(" P0@cta 0,gpu 0 ;\n st.weak x, 1 ; st.weak y, 1 ;\n", true) == "not possible");
}

TEST_CASE("the tests of the library: random levels, written and read again") {
  std::mt19937_64 random(3);
  std::size_t written = 0, refused = 0;
  for (const auto& path : find_litmus_files({PTXMC_SOURCE_DIR "/litmus"})) {
    const std::string text = text_of_input(path, "a litmus test");
    const LitmusTest test = parse_litmus(text, path.string());
    if (test.language != Language::ptx) continue;
    for (const auto& points : {points_to_weaken(test.program, {}), points_to_strengthen(test.program, {})}) {
      Assignment assignment;
      for (const StrengthPoint& point : points)
        assignment.push_back(static_cast<std::uint8_t>(random() % point.levels.size()));
      const auto edits = litmus_edits(test, text, points, assignment);
      ++(edits ? written : refused);
      if (!edits) MESSAGE("not written: " << path.string());
    }
  }
  CHECK(written > 800);
  CHECK(refused * 50 < written);
}
