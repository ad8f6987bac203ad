#include "solver/launch/few_threads.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "model/cat/embedded_models.hpp"
#include "solver/launch/launch_decision.hpp"
#include "tests/solver/launches.hpp"

using namespace ptxmc;

namespace {

using enum LaunchProperty;

/// Two pairs of threads that share nothing: one hands x over, the other y.
std::string two_pairs(const std::string& second_store) {
  return "{ x=0; y=0; f=0; g=0; }\n"
         " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 | P3@cta 3,gpu 0 ;\n"
         " st.weak x, 1 | ld.acquire.gpu r0, f | st.weak y, 1 | ld.acquire.gpu r0, g ;\n"
         " st.release.gpu f, 1 | bne r0, 1, End | " +
         second_store +
         " g, 1 | bne r0, 1, End ;\n"
         "  | st.weak x, 2 |  | st.weak y, 2 ;\n"
         "  | End: |  | End: ;\nexists (x == 0)";
}

struct Asked {
  TermGraph graph;
  std::vector<FewThreads> parts;
  std::vector<std::set<LaunchProperty>> excluded;  // by part
};

void ask(Asked& asked, const std::string& text, const std::string& model_name,
         const std::function<Bits(const ElementValue&)>& final_condition = {}) {
  const LitmusTest test = launch_of(text);
  const EventStructure structure = events_of(test, asked.graph);
  LaunchQuestion question = question_about(structure);
  question.final_condition = final_condition;
  const cat::Model model = cat::load(model_name);
  const SettledCandidates candidates = settle(question, model, asked.graph);
  const PartsOfLaunch parts(question, candidates, model, asked.graph);
  for (std::size_t i = 0; i < parts.size(); ++i) asked.parts.push_back(parts[i]);
  for (const FewThreads& part : asked.parts)
    asked.excluded.push_back(excluded_properties(part.asked, part.candidates, model, {}, asked.graph));
}

std::set<int> threads_of(const FewThreads& part) {
  std::set<int> result;
  for (const Event& event : part.candidates.structure.events)
    if (event.thread != Event::no_thread) result.insert(event.thread);
  return result;
}

}  // namespace

TEST_CASE("threads that share nothing are asked about separately") {
  Asked asked;
  ask(asked, two_pairs("st.release.gpu"), "ptx-8.7");
  REQUIRE(asked.parts.size() == 2);
  CHECK(threads_of(asked.parts[0]) == std::set{0, 1});
  CHECK(threads_of(asked.parts[1]) == std::set{2, 3});
  const std::set all = {assertion, race, uninitialized, out_of_bounds, undefined, deadlock};
  CHECK(asked.excluded == std::vector{all, all});
}

TEST_CASE("a race is not excluded in the part that has it") {
  Asked asked;
  ask(asked, two_pairs("st.relaxed.gpu"), "ptx-8.7");
  REQUIRE(asked.parts.size() == 2);
  CHECK(asked.excluded[0].contains(race));
  CHECK_FALSE(asked.excluded[1].contains(race));
}

TEST_CASE("each claim of the final condition is asked of the threads that write what it speaks of") {
  const auto bits = [](unsigned value) { return Bits(64, value); };
  for (const unsigned last : {2U, 3U}) {
    Asked asked;
    ask(asked, two_pairs("st.release.gpu"), "ptx-8.7", [&](const ElementValue& value) {
      return less_equal_unsigned(value(0, 0), bits(2)) & less_unsigned(value(1, 0), bits(last));
    });
    REQUIRE(asked.parts.size() == 2);
    CHECK(asked.excluded[0].contains(assertion));
    CHECK(asked.excluded[1].contains(assertion) == (last == 3));
  }
}

TEST_CASE("no parts: threads that all write one location, and a model with axioms of its own") {
  Asked asked;
  ask(asked,
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n atom.relaxed.gpu.add r0, x, 1 | "
      "atom.relaxed.gpu.add r0, x, 1 ;\nexists (x == 0)",
      "ptx-8.7");
  CHECK(asked.parts.empty());
  ask(asked, two_pairs("st.release.gpu"), "sc");
  CHECK(asked.parts.empty());
}

TEST_CASE("a thread that waits for ever is no deadlock only in parts without it") {
  const auto waiting_pairs = [](const std::string& last) {
    return "{ x=0; f=0; y=0; g=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 | P3@cta 3,gpu 0 ;\n"
           " st.relaxed.gpu f, 1 | Wait: ld.relaxed.gpu r0, f | st.relaxed.gpu g, " +
           last +
           " | Wait: ld.relaxed.gpu r0, g ;\n"
           "  | bne r0, 1, Wait |  | bne r0, 1, Wait ;\nexists (x == 0)";
  };
  Asked asked;
  ask(asked, waiting_pairs("1"), "ptx-8.7");
  REQUIRE(asked.parts.size() == 2);
  CHECK(asked.excluded[0].contains(deadlock));
  CHECK(asked.excluded[1].contains(deadlock));
  Asked stuck;
  ask(stuck, waiting_pairs("2"), "ptx-8.7");
  REQUIRE(stuck.parts.size() == 2);
  CHECK(stuck.excluded[0].contains(deadlock));
  CHECK_FALSE(stuck.excluded[1].contains(deadlock));
}
