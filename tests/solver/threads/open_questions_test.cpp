#include "solver/threads/open_questions.hpp"

#include <doctest/doctest.h>

#include <array>

#include "tests/solver/threads/open_events.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

Bits is_number(const Bits& number, std::uint32_t value) { return equal(number, Bits(32, value)); }

}  // namespace

TEST_CASE("a condition is never true if no thread of the launch has it") {
  OpenEvents threads(64, 2);
  const Bits& number = threads.thread().number;
  CHECK(threads.questions().never(is_number(number, 64)));
  CHECK(!threads.questions().never(is_number(number, 63)));
}

TEST_CASE("pairs of threads with a relation") {
  OpenEvents threads(64, 2);
  const Bits number = threads.thread().number;
  OpenQuestions& questions = threads.questions();
  const auto have_one_number = [&](Neighbours relation) {
    return equal(number, questions.pair(relation)->other(number));
  };
  CHECK(questions.never(Neighbours::in_cta, have_one_number(Neighbours::in_cta)));
  CHECK(!questions.never(Neighbours::across_ctas, have_one_number(Neighbours::across_ctas)));
  // Warp 0 has the numbers up to 31.
  const Bits other = questions.pair(Neighbours::in_warp)->other(number);
  CHECK(questions.never(Neighbours::in_warp, is_number(number, 31) & is_number(other, 32)));
}

TEST_CASE("a launch of one thread has no pairs") {
  OpenEvents one(1);
  for (const Neighbours relation : {Neighbours::in_warp, Neighbours::in_cta, Neighbours::across_ctas})
    CHECK(one.questions().pair(relation) == nullptr);
}

TEST_CASE("what is assumed of each thread, and of pairs") {
  OpenEvents threads(64);
  const Bits number = threads.thread().number;
  OpenQuestions& questions = threads.questions();
  questions.assume(less_unsigned(number, Bits(32, 8)));
  CHECK(questions.never(is_number(number, 8)));
  const Bits other = questions.pair(Neighbours::in_cta)->other(number);
  CHECK(questions.never(Neighbours::in_cta, is_number(other, 8)));
  CHECK(!questions.never(Neighbours::in_cta, is_number(number, 3) & is_number(other, 5)));
  questions.assume(Neighbours::in_cta, less_unsigned(other, number));
  CHECK(questions.never(Neighbours::in_cta, is_number(number, 3) & is_number(other, 5)));
}

TEST_CASE("the suspect that some thread is") {
  OpenEvents threads(64);
  const Bits number = threads.thread().number;
  std::array<OpenSuspect, 2> suspects;
  suspects[0].condition = is_number(number, 64);
  suspects[1].condition = is_number(number, 17);
  const auto found = threads.questions().find(std::nullopt, suspects);
  REQUIRE(found);
  CHECK(found->suspect == 1);
  suspects[1].condition = is_number(number, 65);
  CHECK(!threads.questions().find(std::nullopt, suspects));
}

TEST_CASE("a finding has the smallest inputs, and says which of them matter") {
  OpenEvents threads(256);
  const Bits n = threads.graph().variable(32, "n"), m = threads.graph().variable(32, "m");
  threads.thread().inputs = {n, Bits(), m};
  threads.thread().shared = {n.term()->variable, m.term()->variable};
  threads.memory(0x1000, 1024, false, true);
  threads.write(Bits(64, 0x1000) + shift_left(threads.tid(), Bits(32, 2)), m);
  const Bits& number = threads.thread().number;
  OpenSuspect suspect;
  suspect.condition = less_unsigned(number, n) & ~less_unsigned(number, Bits(32, 64));
  const auto found = threads.questions().find(std::nullopt, {&suspect, 1});
  REQUIRE(found);
  CHECK(found->candidate.inputs[0].to_u64() == 65);
  CHECK(found->candidate.inputs[2].to_u64() == 0);
  CHECK(found->candidate.input_matters == std::vector<bool>{true, false, false});
}

TEST_CASE("what a value that is read depends on matters too") {
  OpenEvents threads(64);
  const Bits m = threads.graph().variable(32, "m");
  threads.thread().inputs = {m};
  threads.thread().shared = {m.term()->variable};
  threads.memory(0x1000, 1024, false, true);
  threads.write(Bits(64, 0x1000), m);
  const Bits read = threads.read(Bits(64, 0x1000)).value;
  OpenSuspect suspect;
  suspect.condition = equal(read, Bits(32, 5));
  const auto found = threads.questions().find(std::nullopt, {&suspect, 1});
  REQUIRE(found);
  CHECK(found->candidate.input_matters == std::vector<bool>{true});
}

TEST_CASE("the threads of a pair are of different warps if they can be, also where inputs cannot be small") {
  OpenEvents threads(64);
  const Bits n = threads.graph().variable(32, "n");
  threads.thread().inputs = {n};
  threads.thread().shared = {n.term()->variable};
  OpenSuspect suspect;
  suspect.condition = ~less_unsigned(n, Bits(32, 5000));
  const auto found = threads.questions().find(Neighbours::in_cta, {&suspect, 1});
  REQUIRE(found);
  CHECK(found->candidate.threads[0].tid[0] / 32 != found->candidate.threads[1].tid[0] / 32);
  CHECK(found->candidate.inputs[0].to_u64() >= 5000);
}
