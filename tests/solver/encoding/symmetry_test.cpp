#include "solver/encoding/symmetry.hpp"

#include <doctest/doctest.h>

#include "solver/encoding/final_state.hpp"
#include "solver/smt_engine/final_state_search.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

using Groups = std::vector<std::vector<std::size_t>>;

Groups groups_of(const std::string& headers, const std::string& code, const std::string& condition,
                 bool all_states = true) {
  const LitmusTest test =
      parse_litmus("PTX test\n{ x=0; }\n" + headers + " ;\n" + code + " ;\n" + condition, "test");
  return interchangeable_threads(test.program, observed_state(test.question, all_states));
}

constexpr const char* four_apart = "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 | P3@cta 3,gpu 0";
constexpr const char* four_adds =
    "atom.relaxed.gpu.add r0, x, 1 | atom.relaxed.gpu.add r0, x, 1 | "
    "atom.relaxed.gpu.add r0, x, 1 | atom.relaxed.gpu.add r0, x, 1";

}  // namespace

TEST_CASE("threads with the same code and no register asked for are interchangeable") {
  CHECK(groups_of(four_apart, four_adds, "exists (x == 4)") == Groups{{0, 1, 2, 3}});
  CHECK(groups_of(four_apart, four_adds, "exists (P1:r0 == 0)") == Groups{{0, 2, 3}});
  CHECK(groups_of(four_apart, four_adds, "exists (P1:r0 == P3:r0)") == Groups{{0, 2}});
  CHECK(groups_of(four_apart, four_adds, "locations [P0:r0] exists (x == 4)") == Groups{{1, 2, 3}});
}

TEST_CASE("threads whose registers a condition names are interchangeable if it says the same afterwards") {
  const auto groups = [](const std::string& condition) {
    return groups_of(four_apart, four_adds, condition, false);
  };
  CHECK(groups("exists (P1:r0 == 0)") == Groups{{0, 2, 3}});
  CHECK(groups("exists (P1:r0 == 0 /\\ P3:r0 == 0)") == Groups{{0, 2}, {1, 3}});
  CHECK(groups("exists (P1:r0 == 0 /\\ P3:r0 == 1)") == Groups{{0, 2}});
  CHECK(groups("exists (P2:r0 == P1:r0 \\/ ~(x == 4))") == Groups{{0, 3}, {1, 2}});
  CHECK(groups("exists (P2:r0 < P1:r0)") == Groups{{0, 3}});
  CHECK(groups("filter (P0:r0 == 0) exists (x == 4)") == Groups{{1, 2, 3}});
  CHECK(groups("locations [P0:r0] exists (x == 4)") == Groups{{0, 1, 2, 3}});
  CHECK(groups("~exists (x != 4 \\/ P3:r0 < 0 \\/ P1:r0 < 0 \\/ P0:r0 < 0 \\/ P2:r0 < 0)") ==
        Groups{{0, 1, 2, 3}});
}

TEST_CASE("other code, values or initial registers tell threads apart") {
  const std::string two = "P0@cta 0,gpu 0 | P1@cta 0,gpu 0";
  CHECK(groups_of(two, "st.weak x, 1 | st.weak x, 1", "exists (x == 1)") == Groups{{0, 1}});
  CHECK(groups_of(two, "st.weak x, 1 | st.weak x, 2", "exists (x == 1)").empty());
  CHECK(groups_of(two, "st.weak x, 1 | st.weak y, 1", "exists (x == 1)").empty());
  CHECK(groups_of(two, "st.weak x, 1 | st.relaxed.gpu x, 1", "exists (x == 1)").empty());
  CHECK(groups_of(two, "st.weak x, 1 | st.weak x, 1; |", "exists (x == 1)") == Groups{{0, 1}});
  const LitmusTest test = parse_litmus(
      "PTX test\n{ x=0; P1:r0=1; }\n" + two + " ;\nst.weak x, r0 | st.weak x, r0 ;\nexists (x == 1)", "test");
  CHECK(interchangeable_threads(test.program, {}).empty());
}

TEST_CASE("threads change places only where scopes cannot tell") {
  // Two in CTA 0, two in CTA 1: only inside a CTA.
  CHECK(groups_of("P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 1,gpu 0 | P3@cta 1,gpu 0", four_adds,
                  "exists (x == 4)") == Groups{{0, 1}, {2, 3}});
  // One alone on its GPU.
  CHECK(groups_of("P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 | P3@cta 0,gpu 1", four_adds,
                  "exists (x == 4)") == Groups{{0, 1, 2}});
  // Each alone everywhere.
  CHECK(groups_of("P0@cta 0,gpu 0 | P1@cta 0,gpu 1 | P2@cta 0,gpu 2 | P3@cta 0,gpu 3", four_adds,
                  "exists (x == 4)") == Groups{{0, 1, 2, 3}});
  CHECK(groups_of("P0@cta 0,gpu 0 | P1@cta 0,gpu 1", "st.weak x, 1 | st.weak x, 1", "exists (x == 1)") ==
        Groups{{0, 1}});
}

TEST_CASE("symmetry loses no state") {
  // Each of three threads stores what it drew; the last in coherence may be any.
  const std::string text =
      "PTX draws\n{ n=0; x=0; }\n"
      "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 | P3@cta 3,gpu 0 ;\n"
      "atom.relaxed.gpu.add r0, n, 1 | atom.relaxed.gpu.add r0, n, 1 | atom.relaxed.gpu.add r0, n, 1 |"
      " ld.relaxed.gpu r0, x ;\n"
      "st.relaxed.gpu x, r0 | st.relaxed.gpu x, r0 | st.relaxed.gpu x, r0 | ;\n"
      "exists (P3:r0 == 2 /\\ x == 1)";
  const LitmusTest test = parse_litmus(text, "draws");
  const Answer answer = decide(test.program, test.question, cat::load("ptx-8.7"), {});
  CHECK(answer.verdict == Verdict::allowed);
  CHECK(answer.states_complete);
  CHECK(answer.states.size() == 9);  // P3 reads 0, 1 or 2; x ends as 0, 1 or 2
}
