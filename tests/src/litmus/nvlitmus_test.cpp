#include "src/litmus/nvlitmus.hpp"

#include <doctest/doctest.h>

#include "solver/smt_engine/final_state_search.hpp"
#include "src/litmus/nvlitmus_template.hpp"
#include "tests/src/litmus/reader_message.hpp"

using namespace ptxmc;

namespace {

std::string message_of_nvlitmus(std::string_view text) {
  return message_of([&] { parse_nvlitmus(text, "a.test"); });
}

Verdict verdict_of(const LitmusTest& test) {
  return decide(test.program, test.question, cat::load("ptx-7.5"), {}).verdict;
}

constexpr const char* passing = R"(.global x = 7;   // what is there before
.global .u32 flag;
d1.b2.t3 { st [x], 42; st.release.sys [flag], 1; }
d0.b0.t0 { ld.acquire.sys r0, [flag] == 1; ld r1, [x]; }
)";

}  // namespace

TEST_CASE("threads, variables and questions") {
  const auto tests = parse_nvlitmus(
      std::string(passing) + "assert (r1 == 42) as seen;\ncheck (r1 == 7) as old;", "folder/MP.test");
  REQUIRE(tests.size() == 2);
  CHECK(tests[0].name == "MP.seen");
  CHECK(tests[0].file == "folder/MP.test");
  CHECK(tests[1].name == "MP.old");
  const Program& program = tests[0].program;
  REQUIRE(program.threads.size() == 2);
  CHECK(program.threads[0].name == "d1.b2.t3");
  CHECK(program.threads[0].placement.gpu != program.threads[1].placement.gpu);
  CHECK(program.threads[0].code[0].where.line == 3);
  REQUIRE(program.memory.size() == 2);
  CHECK(program.memory[0].initial[0].to_u64() == 7);
  CHECK(program.memory[1].element_size == 4);
  CHECK(tests[0].question.quantifier == Quantifier::forall);
  CHECK(tests[0].question.filter.kind == Proposition::Kind::compare);
  CHECK_FALSE(tests[0].only_asks);
  CHECK(tests[1].question.quantifier == Quantifier::exists);
  CHECK(tests[1].only_asks);
  CHECK(verdict_of(tests[0]) == Verdict::forbidden);  // nothing violates the assertion
  CHECK(verdict_of(tests[1]) == Verdict::forbidden);
}

TEST_CASE("a value required of a read is kept when its register is written again") {
  const auto tests = parse_nvlitmus(
      ".global x;\n"
      "d0.b0.t0 { st.relaxed.gpu [x], 1; }\n"
      "d0.b1.t0 { ld.relaxed.gpu r0, [x] == 1; ld.relaxed.gpu r0, [x]; }\n"
      "permit (r0 == 0) as back; permit (r0 == 1 && !(r0 == 0)) as stays;",
      "CoRR.test");
  REQUIRE(tests.size() == 2);
  CHECK(verdict_of(tests[0]) == Verdict::forbidden);
  CHECK(verdict_of(tests[1]) == Verdict::allowed);
}

TEST_CASE("references to memory are aliases through their proxies") {
  const std::string text =
      ".global x;\n.surfref s virtually aliases x;\n.texref t virtually aliases x;\n"
      ".constref c virtually aliases x;\n.global y virtually aliases x;\n"
      "d0.b0.t0 { $0 r0, [$1]; }\npermit (r0 == 0) as zero;\n$$\n"
      "suld|s\n tld | t \n\ncold|c\nld|y\nld.volatile|x\n";
  const auto tests = parse_nvlitmus(text, "aliases.test");
  REQUIRE(tests.size() == 5);
  CHECK(tests[0].name == "aliases.1.zero");
  CHECK(tests[4].name == "aliases.5.zero");
  const auto& memory = tests[0].program.memory;
  REQUIRE(memory.size() == 5);
  CHECK(memory[1].proxy == Proxy::surface);
  CHECK(memory[2].proxy == Proxy::texture);
  CHECK(memory[3].proxy == Proxy::constant);
  CHECK(memory[4].proxy == Proxy::generic);
  CHECK(memory[4].address != memory[0].address);
  for (const Variable& variable : memory) CHECK(variable.location == memory[0].location);
  for (const LitmusTest& test : tests) CHECK(verdict_of(test) == Verdict::allowed);
}

TEST_CASE("positions in an instance are those of the file") {
  const SourceText file("a.test", "st [$0], $1; // $2\n$$\n x | 1\n y|22");
  const auto instances = instances_of_template(file);
  REQUIRE(instances.size() == 2);
  CHECK(instances[0].text() == "st [x], 1;      \n");
  CHECK(instances[1].text() == "st [y], 22;      \n");
  CHECK(instances[1].position(4).line == 4);
  CHECK(instances[1].position(4).column == 2);
  CHECK(instances[1].position(9).column == 5);
  CHECK(instances[1].position(10).line == 1);
}

TEST_CASE("what is wrong is named where it stands") {
  const std::string question = "permit (r0 == 0) as n;";
  CHECK(message_of_nvlitmus("") == "1:1: found end of file, expected assert, permit or check");
  CHECK(message_of_nvlitmus("PTX t") ==
        "1:1: found 'PTX', expected a declaration, a thread, assert, permit or check");
  CHECK(message_of_nvlitmus(".local x;\nd0.b0.t0 { ld r0, [x]; }" + question) ==
        "1:2: found '.local', expected .global, .shared, .texref, .surfref or .constref");
  CHECK(message_of_nvlitmus(".texref t;\nd0.b0.t0 { ld r0, [x]; }" + question) ==
        "1:9: found '.texref t', expected 'virtually aliases'");
  CHECK(message_of_nvlitmus(".global x physically aliases y;") ==
        "1:11: found 'physically', expected 'virtually aliases' or ';'");
  CHECK(message_of_nvlitmus("d0.b0.t0 { ld r0, [x] }") == "1:23: found '}', expected ';'");
  CHECK(message_of_nvlitmus("d0.b0.t0 { lid r0, [x]; }" + question) ==
        "1:12: found 'lid', expected an instruction such as 'ld'");
  CHECK(message_of_nvlitmus("d0.b0.t0 { st [x], 1 == 1; }" + question) ==
        "1:25: found a value to read, expected it after an instruction with a result");
  CHECK(message_of_nvlitmus("d0.b0.t0 { ld r0, [x]; } d0.b0.t1 { ld r0, [x]; }" + question) ==
        "1:58: found 'r0', which several threads write, expected the register of one thread");
  CHECK(message_of_nvlitmus("d0.b0.t0 { ld r0, [x]; } d0.b0.t0 { ld r1, [x]; }" + question) ==
        "1:27: found a second thread d0.b0.t0, expected each thread once");
  CHECK(message_of_nvlitmus("d0.b0.t0 { $0 r0, [x]; }" + question + "\n$$\nld\nlid\n") ==
        "4:1: found 'lid', expected an instruction such as 'ld'");
  CHECK(message_of_nvlitmus("d0.b0.t0 { $1 r0, [x]; }" + question + "\n$$\nld\n") ==
        "1:12: found '$1', expected a field of line 3, which has 1");
  CHECK(message_of_nvlitmus("d0.b0.t0 { $0 r0, [x]; }\n$$\n\n") ==
        "4:1: found end of file, expected a line of fields after '$$'");
  CHECK(message_of_nvlitmus("/* never") ==
        "1:1: found end of file, expected '*/' to end the comment that begins here");
  CHECK(message_of_nvlitmus("\x01") == "1:1: found byte 0x01, expected text: this is no litmus test");
  CHECK(message_of_nvlitmus("permit " + std::string(100'000, '(')) == "1:266: nested deeper than 256 levels");
}
