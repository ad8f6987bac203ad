#include "tests/src/report/sample_tests.hpp"

namespace ptxmc {

namespace {

Thread thread(const std::string& name, int cta) {
  return {.name = name,
          .placement = {.cta = cta, .cluster = cta, .gpu = 0},
          .code = {},
          .register_names = {"r0", "r1"},
          .initial_registers = {Bits(64, 0), Bits(64, 0)}};
}

FinalState state(std::vector<std::int64_t> values, bool matches) {
  return {.values = std::move(values), .matches = matches, .executions = {}, .witness = {}};
}

}  // namespace

FinalTerm constant(std::int64_t value) { return {.kind = FinalTerm::Kind::constant, .constant = value}; }

FinalTerm register_of(int thread, RegisterId id) {
  return {.kind = FinalTerm::Kind::thread_register, .thread = thread, .register_id = id};
}

FinalTerm memory_of(int variable, int element) {
  return {.kind = FinalTerm::Kind::memory, .variable = variable, .element = element};
}

Proposition compare(FinalTerm left, FinalTerm right, Proposition::Comparison comparison) {
  return {.kind = Proposition::Kind::compare,
          .comparison = comparison,
          .left = left,
          .right = right,
          .operands = {}};
}

Proposition conjunction(std::vector<Proposition> operands) {
  return {.kind = Proposition::Kind::conjunction, .left = {}, .right = {}, .operands = std::move(operands)};
}

Proposition disjunction(std::vector<Proposition> operands) {
  return {.kind = Proposition::Kind::disjunction, .left = {}, .right = {}, .operands = std::move(operands)};
}

Proposition negation(Proposition operand) {
  return {.kind = Proposition::Kind::negation, .left = {}, .right = {}, .operands = {std::move(operand)}};
}

LitmusTest message_passing_test(Quantifier quantifier) {
  LitmusTest test;
  test.file = "litmus/mp/MP.litmus";
  test.name = "MP";
  test.program.threads = {thread("P0", 0), thread("P1", 1)};
  test.program.memory = {{.name = "x", .address = 0x1000, .location = 0x1000, .initial = {Bits(64, 0)}},
                         {.name = "a",
                          .address = 0x2000,
                          .location = 0x2000,
                          .element_size = 4,
                          .is_signed = false,
                          .initial = {Bits(32, 0), Bits(32, 0), Bits(32, 0)}},
                         {.name = "cta0:s", .address = 0x3000, .location = 0x3000, .initial = {Bits(64, 0)}}};
  test.question.quantifier = quantifier;
  test.question.condition =
      conjunction({compare(register_of(1, 0), constant(1)), compare(register_of(1, 1), constant(0))});
  return test;
}

Answer forbidden_answer() {
  Answer answer;
  answer.verdict = Verdict::forbidden;
  answer.shown = {register_of(1, 0), register_of(1, 1)};
  answer.states = {state({1, 1}, false), state({0, 0}, false), state({0, 1}, false)};
  answer.states_complete = true;
  answer.seconds = 0.004;
  return answer;
}

Answer allowed_answer() {
  Answer answer = forbidden_answer();
  answer.verdict = Verdict::allowed;
  answer.states.insert(answer.states.begin(), state({1, 0}, true));
  const std::uint64_t counts[] = {2, 1, 3, 1};
  for (std::size_t i = 0; i < answer.states.size(); ++i) answer.states[i].executions = counts[i];
  answer.executions = 7;
  return answer;
}

}  // namespace ptxmc
