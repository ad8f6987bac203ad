#include "solver/engine/mixed_size_atomicity.hpp"

#include <doctest/doctest.h>

#include "model/cat/embedded_models.hpp"
#include "solver/smt_engine/raised_flags.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

/// What becomes of an answer that a mixed-size data race leaves unknown, when the atomicity of
/// read-modify-writes has this answer.
Answer combined_with(Verdict verdict, const std::string& reason) {
  const LitmusTest test = parse_litmus(
      "PTX t\n{ x : u64; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
      " atom.relaxed.gpu.add.u64 r0, [x], 1 | atom.relaxed.gpu.add.u32 r0, [x], 1 ;\nexists (x = 1)",
      "t.litmus");
  Answer unknown;
  unknown.verdict = Verdict::unknown;
  unknown.reason = mixed_size_race_reason;
  const auto ask = [&](const cat::Model&, const DecideOptions&) {
    Answer answer;
    answer.verdict = verdict;
    answer.reason = reason;
    return answer;
  };
  return with_atomicity_of_mixed_sizes(unknown, test.program, cat::load("ptx-8.7"), {}, ask);
}

}  // namespace

TEST_CASE("what atomicity forbids is forbidden, what it allows stays unknown") {
  CHECK(combined_with(Verdict::forbidden, "").verdict == Verdict::forbidden);
  const Answer allowed = combined_with(Verdict::allowed, "");
  CHECK(allowed.verdict == Verdict::unknown);
  CHECK(allowed.reason == mixed_size_race_reason);
}

TEST_CASE("an engine that gives up the question about atomicity says so, and leaves it to the other engine") {
  CHECK(combined_with(Verdict::unknown, "step limit").reason == "step limit");
}
