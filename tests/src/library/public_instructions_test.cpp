// The functions of the public header about single instructions.
#include <doctest/doctest.h>

#include "src/library/public.hpp"

using namespace ptxmc::v1;

TEST_CASE("instructions are evaluated on given inputs") {
  CHECK(evaluate("add.u32;1,ffffffff").result == "00000000");
  CHECK(evaluate("sub.cc.u32;subc.u32;1,2,3,4").result == "fffffffe");
  CHECK_FALSE(evaluate("add.u32;1,2").agrees);
  CHECK(evaluate("add.u32;1,2;3").agrees == true);
  CHECK(evaluate("add.u32;1,2;4").agrees == false);

  EvaluateOptions options;
  options.engine = Engine::both;
  const Evaluation compared = evaluate("mad.hi.sat.s32;7fffffff,4,7ffffffe", options);
  CHECK(compared.result == "7fffffff");
  CHECK(compared.solved.empty());
  options.engine = Engine::smt;
  CHECK(evaluate("brev.b32;1", options).result == "80000000");
  options = {};
  options.intervals = true;
  CHECK(evaluate("sqrt.approx.f32;40000000", options).interval == "[3fb504f2 .. 3fb504f4]");
  CHECK(evaluate("add.u32;1,2", options).interval.empty());
}

TEST_CASE("a line that cannot be evaluated is one error") {
  const auto kind_of = [](const std::string& line, const EvaluateOptions& options = {}) {
    try {
      evaluate(line, options);
    } catch (const Error& error) {
      return error.kind;
    }
    return Error::Kind::internal;
  };
  CHECK(kind_of("add.u32;1") == Error::Kind::wrong_input);
  CHECK(kind_of("add.u33;1,2") == Error::Kind::wrong_input);
  CHECK(kind_of("ld.global.u32;1") == Error::Kind::unsupported);
  EvaluateOptions options;
  options.engine = Engine::explorer;
  CHECK(kind_of("add.u32;1,2", options) == Error::Kind::wrong_input);
}

TEST_CASE("an instruction is explained") {
  const InstructionExplanation add = explain_instruction("add.u32 d, a, b");
  CHECK(add.section == "9.7.1.1");
  CHECK(add.missing.empty());
  REQUIRE(add.results.size() == 1);
  CHECK(add.results[0].name == "d");
  CHECK(add.results[0].smtlib.find("bvadd") != std::string::npos);
  CHECK(add.declarations.size() == 2);
  CHECK(add.text.find("9.7.1.1") != std::string::npos);
  CHECK_THROWS_AS(explain_instruction("no.such.instruction"), Error);
}
