#include "src/compiler/compiled_test.hpp"

#include <doctest/doctest.h>

#include <set>

#include "semantics/language/diagnostic.hpp"
#include "solver/engine/engine.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

LitmusTest cpp_test(const std::string& body) {
  return parse_litmus(
      "C t\n{ x = 0; y = 0; }\nP0@cta 0,gpu 0 (atomic_int* x, int* y) { " + body + " }\nexists (true)\n",
      "t");
}

/// What memory operations and fences become: the text before `of`.
std::vector<std::string> made_of(const std::string& body, const std::string& mapping = "asplos-2019") {
  const LitmusTest test = compiled_test(cpp_test(body), read_mapping(mapping));
  CHECK(test.language == Language::ptx);
  std::vector<std::string> result;
  for (const Instruction& instruction : test.program.threads.front().code) {
    const std::size_t end = instruction.text.find(" of ");
    if (end != std::string::npos) result.push_back(instruction.text.substr(0, end));
  }
  return result;
}

using Code = std::vector<std::string>;

}  // namespace

TEST_CASE("each operation becomes the code of its rule") {
  CHECK(made_of("atomic_store(x, 1); *y = 2;") == Code{"fence.sc.sys", "st.release.sys", "st.weak"});
  CHECK(made_of("int r = atomic_load_explicit(x, memory_order_acquire, memory_scope_device); int q = *y;") ==
        Code{"ld.acquire.gpu", "ld.weak"});
  CHECK(made_of("atomic_thread_fence(memory_order_release, memory_scope_block); *(volatile int*)y = 1;") ==
        Code{"fence.release.cta", "st.volatile"});
  CHECK(made_of("int r = atomic_fetch_sub_explicit(x, 1, memory_order_acq_rel);") ==
        Code{"atom.acq_rel.sys"});
  CHECK(made_of("int r = atomic_fetch_add(x, 1);", "libcu++") == Code{"fence.sc.sys", "atom.acquire.sys"});
}

TEST_CASE("a compare-and-swap has the stronger of its orders") {
  const auto cas = [](const std::string& orders) {
    return made_of("int r = 0; atomic_compare_exchange_strong_explicit(x, &r, 1, " + orders + ");");
  };
  CHECK(cas("memory_order_relaxed, memory_order_relaxed") == Code{"atom.relaxed.sys"});
  CHECK(cas("memory_order_release, memory_order_relaxed") == Code{"atom.release.sys"});
  CHECK(cas("memory_order_release, memory_order_acquire") == Code{"atom.acq_rel.sys"});
  CHECK(cas("memory_order_relaxed, memory_order_seq_cst") == Code{"fence.sc.sys", "atom.acq_rel.sys"});
}

TEST_CASE("branches lead to the code of their targets") {
  const LitmusTest source = cpp_test("while (atomic_load(x) == 0) {} *y = 1;");
  const LitmusTest made = compiled_test(source, read_mapping("asplos-2019"));
  const auto targets = [](const LitmusTest& test) {
    std::vector<std::string> result;
    const auto& code = test.program.threads.front().code;
    for (const Instruction& instruction : code)
      for (const Operand& operand : instruction.operands)
        if (const auto* label = std::get_if<Operand::Label>(&operand.is))
          result.push_back(label->target < code.size() ? code[label->target].text : "end");
    return result;
  };
  const auto before = targets(source), after = targets(made);
  REQUIRE(before.size() == after.size());
  for (std::size_t i = 0; i < before.size(); ++i) CHECK(after[i].ends_with(before[i]));
}

TEST_CASE("compiled code has the outcomes of the same code in columns of PTX") {
  const std::string places = "{ x = 0; y = 0; }\n";
  const LitmusTest source = parse_litmus(
      "C t\n" + places +
          "P0@cta 0,gpu 0 (atomic_int* x, atomic_int* y) { atomic_store(x, 1); int r0 = atomic_load(y); }\n"
          "P1@cta 1,gpu 0 (atomic_int* x, atomic_int* y) { int r0 = atomic_exchange_explicit(y, 1, "
          "memory_order_relaxed); int r1 = atomic_load_explicit(x, memory_order_relaxed); }\n"
          "locations [x; y; 0:r0; 1:r0; 1:r1]\nexists (0:r0=0 /\\ 1:r1=0)\n",
      "t");
  const LitmusTest columns = parse_litmus(
      "PTX t\n" + places +
          " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n fence.sc.sys | atom.relaxed.sys.exch r0, y, 1 ;\n"
          " st.release.sys x, 1 | ld.relaxed.sys r1, x ;\n fence.sc.sys | ;\n ld.acquire.sys r0, y | ;\n"
          "locations [x; y; 0:r0; 1:r0; 1:r1]\nexists (0:r0=0 /\\ 1:r1=0)\n",
      "t");
  const LitmusTest made = compiled_test(source, read_mapping("asplos-2019"));
  const auto states = [](const LitmusTest& test) {
    const Answer answer = decide_with(Engine::both, test.program, test.question, cat::load("ptx-8.7"), {});
    CHECK(answer.states_complete);
    std::set<std::vector<std::int64_t>> result;
    for (const FinalState& state : answer.states) result.insert(state.values);
    return result;
  };
  CHECK(states(made) == states(columns));
  CHECK(states(made).size() > 1);
}

TEST_CASE("what cannot be compiled is an error with its place") {
  const Mapping loads = parse_mapping(
      "load relaxed S => ld.relaxed.S\nload acquire S => ld.acquire.S\nload seq_cst S => ld.acquire.S\n",
      "loads");
  CHECK_THROWS_WITH_AS(compiled_test(cpp_test("atomic_store(x, 1);"), loads),
                       "found `atomic_store(x, 1)`, but loads has no rule for `store seq_cst system`",
                       InputError);
  const LitmusTest ptx = parse_litmus("PTX t\n{ x = 0; }\n P0 ;\n ld.weak r0, x ;\nexists (true)\n", "t");
  CHECK_THROWS_AS(compiled_test(ptx, loads), InputError);
}
