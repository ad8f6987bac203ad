#include "src/litmus/litmus_test.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "semantics/language/form.hpp"
#include "semantics/language/mbarrier_state.hpp"
#include "solver/engine/engine.hpp"

using namespace ptxmc;

namespace {

/// A test with one thread whose code is these rows.
LitmusTest with_code(const std::string& rows, const std::string& initial = "") {
  return parse_litmus("PTX t {" + initial + "} P0@cta 0,gpu 0 ;\n" + rows + "\nexists 0==0", "t.litmus");
}

std::string text_of(const Operand& operand, const Thread& thread) {
  if (const auto* r = std::get_if<Operand::Register>(&operand.is))
    return (r->negated ? "!" : "") + thread.register_names[r->id];
  if (const auto* immediate = std::get_if<Operand::Immediate>(&operand.is))
    return fmt::format("{}", immediate->value.to_s64());
  if (const auto* address = std::get_if<Operand::Address>(&operand.is)) {
    if (!address->base) return fmt::format("[{}]", address->offset.to_u64());
    return fmt::format("[{}+{}]", thread.register_names[*address->base], address->offset.to_s64());
  }
  if (const auto* label = std::get_if<Operand::Label>(&operand.is)) return fmt::format("@{}", label->target);
  if (const auto* vector = std::get_if<Operand::Vector>(&operand.is)) {
    std::string text;
    for (const Operand& element : vector->elements)
      text += (text.empty() ? "{" : ",") + text_of(element, thread);
    return text + "}";
  }
  return "_";
}

/// Forms and operands of a thread: `st.weak.s64 [4096] 1`.
std::vector<std::string> code_of(const LitmusTest& test, std::size_t thread = 0) {
  std::vector<std::string> lines;
  for (const Instruction& instruction : test.program.threads[thread].code) {
    std::string line;
    if (instruction.guard)
      line = fmt::format("@{}{} ", instruction.guard->negated ? "!" : "",
                         test.program.threads[thread].register_names[instruction.guard->predicate]);
    line += instruction.form->spelling;
    for (const Operand& operand : instruction.operands)
      line += " " + text_of(operand, test.program.threads[thread]);
    lines.push_back(line);
  }
  return lines;
}

using Lines = std::vector<std::string>;

const Variable& variable(const LitmusTest& test, const std::string& name) {
  for (const Variable& candidate : test.program.memory)
    if (candidate.name == name) return candidate;
  FAIL("no variable " << name);
  return test.program.memory.front();
}

}  // namespace

TEST_CASE("accesses take the type of their variable, 64 bits where none is declared") {
  const std::string initial = "x; a : u32[2]; b : s8;";
  CHECK(code_of(with_code("ld.weak r0, x ;", initial)) == Lines{"ld.weak.s64 r0 [4096]"});
  CHECK(code_of(with_code("st.relaxed.gpu a[1], r0 ;", initial)) == Lines{"st.relaxed.gpu.u32 [8196] r0"});
  CHECK(code_of(with_code("ld.acquire.cluster r0, [a+4] ;", initial)) ==
        Lines{"ld.acquire.cluster.u32 r0 [8196]"});
  CHECK(code_of(with_code("st.volatile b, -1 ;", initial)) == Lines{"st.volatile.s8 [12288] -1"});
  CHECK(code_of(with_code("ld.relaxed.gpu.u32 r0, x ;", initial)) == Lines{"ld.relaxed.gpu.u32 r0 [4096]"});
  CHECK(code_of(with_code("ld.weak.v2 {r0, r1}, a ;", initial)) == Lines{"ld.weak.v2.u32 {r0,r1} [8192]"});
  CHECK(code_of(with_code("ld.weak r0, undeclared ;")) == Lines{"ld.weak.s64 r0 [4096]"});
  CHECK(code_of(with_code("ld.mmio.relaxed.sys r0, x ;", initial)) ==
        Lines{"ld.mmio.relaxed.sys.s64 r0 [4096]"});
}

TEST_CASE("atomic operations take the types that PTX has for them") {
  CHECK(code_of(with_code("atom.acq_rel.gpu.add r1, x, 1 ;")) ==
        Lines{"atom.acq_rel.gpu.add.u64 r1 [4096] 1"});
  CHECK(code_of(with_code("atom.relaxed.cta.cas r1, x, 0, 1 ;")) ==
        Lines{"atom.relaxed.cta.cas.b64 r1 [4096] 0 1"});
  CHECK(code_of(with_code("atom.add r1, x, 1 ;", "x : s32;")) == Lines{"atom.add.s32 r1 [4096] 1"});
  CHECK(code_of(with_code("atom.exch r1, x, 1 ;", "x : s32;")) == Lines{"atom.exch.b32 r1 [4096] 1"});
  CHECK(code_of(with_code("red.release.sys.min x, r1 ;")) == Lines{"red.release.sys.min.s64 [4096] r1"});
}

TEST_CASE("forms that PTX lacks come from the dialect's table") {
  CHECK(code_of(with_code("atom.relaxed.gpu.sub r1, x, 1 ;")) ==
        Lines{"atom.relaxed.gpu.sub.s64 r1 [4096] 1"});
  CHECK(code_of(with_code("red.acq_rel.sys.add x, 1 ;")) == Lines{"red.acq_rel.sys.add.u64 [4096] 1"});
  CHECK(code_of(with_code("tld.weak r1, t ;")) == Lines{"tld.weak.s64 r1 [4096]"});
  CHECK(code_of(with_code("sust.release.cta s, 1 ;")) == Lines{"sust.release.cta.s64 [4096] 1"});
  CHECK(code_of(with_code("fence.proxy.texture ;")) == Lines{"fence.proxy.texture"});
  CHECK(code_of(with_code("fence.proxy.alias ;")) == Lines{"fence.proxy.alias"});
  CHECK(code_of(with_code("bar.cta.sync 1, r2, 3 ;")) == Lines{"bar.cta.sync 1 r2 3"});
  CHECK(code_of(with_code("bar.cta.arrive 0 ;")) == Lines{"bar.cta.arrive 0"});
}

TEST_CASE("moves and arithmetic work on 64 bits, signed") {
  CHECK(code_of(with_code("ld r0, 2 ;")) == Lines{"mov.s64 r0 2"});
  CHECK(code_of(with_code("ld r0, r1 ;")) == Lines{"mov.s64 r0 r1"});
  CHECK(code_of(with_code("add r0, r1, -1 ;")) == Lines{"add.s64 r0 r1 -1"});
  CHECK(code_of(with_code("mul r0, r1, r2 ;")) == Lines{"mul.lo.s64 r0 r1 r2"});
  CHECK(code_of(with_code("ld.u64 r0, [x] ;")) == Lines{"ld.u64 r0 [4096]"});
}

TEST_CASE("branches compare into a predicate and jump; labels may stand anywhere") {
  const LitmusTest test = with_code(
      "LC00: ;\n"
      "ld.weak r0, x ;\n"
      "blt r0, 1, LC01 ;\n"
      "LC02: LC03: goto LC00 ;\n"
      "LC01: ;");
  CHECK(code_of(test) ==
        Lines{"ld.weak.s64 r0 [4096]", "setp.lt.s64 %branch r0 1", "@%branch bra @4", "bra @0"});
  const Thread& thread = test.program.threads[0];
  CHECK(thread.code[1].text == "blt r0, 1, LC01");
  CHECK(thread.code[1].where.line == 4);
  CHECK(thread.initial_registers[0].width() == 64);
  REQUIRE(thread.register_names[1] == "%branch");
  CHECK(thread.initial_registers[1].width() == 1);
}

TEST_CASE("columns may be written as in PTX") {
  const LitmusTest test = parse_litmus(
      "PTX t { x : u32; }\n"
      "P0@cta 0,gpu 0                | P1@cta 0,gpu 0 ;\n"
      "ld.relaxed.gpu.u32 %r0, [x];  | st.relaxed.gpu.u32 [x], 1; ;\n"
      "setp.eq.u32 %p0, %r0, 1;      | ;\n"
      "@!%p0 bra DONE;               |\n ;\n"
      "mov.u64 %rd1, x;              | exit; ;\n"
      "DONE:                         | ;\n"
      "exists (0:r0 == 1 /\\ 0:%r0 == 1)",
      "t.litmus");
  CHECK(code_of(test, 0) ==
        Lines{"ld.relaxed.gpu.u32 r0 [4096]", "setp.eq.u32 p0 r0 1", "@!p0 bra @4", "mov.u64 rd1 4096"});
  CHECK(code_of(test, 1) == Lines{"st.relaxed.gpu.u32 [4096] 1", "exit"});
  const Proposition& condition = test.question.condition;
  CHECK(condition.operands[0].left == condition.operands[1].left);
}

TEST_CASE("a row may break anywhere, and blanks do not matter") {
  const LitmusTest test = parse_litmus(
      "PTX t{x=0;y=0}P0@cta 0,gpu 0|P1@cta 0,gpu 0;st.weak x,1|;|ld.weak r0,x;;exists(P1 : r0==1)", "t");
  CHECK(code_of(test, 0) == Lines{"st.weak.s64 [4096] 1"});
  CHECK(code_of(test, 1) == Lines{"ld.weak.s64 r0 [4096]"});
}

TEST_CASE("variables have addresses of their own, types and initial values") {
  const LitmusTest test =
      with_code(";", "x = 7; a : u16[3] = {1, 0xffff}; p = a+2; big : b8[5000]; after = -1");
  CHECK(variable(test, "x").address == 4096);
  CHECK(variable(test, "x").initial[0].to_s64() == 7);
  CHECK(variable(test, "x").element_size == 8);
  CHECK(variable(test, "x").is_signed);
  const Variable& a = variable(test, "a");
  CHECK(a.element_size == 2);
  CHECK_FALSE(a.is_signed);
  REQUIRE(a.initial.size() == 3);
  CHECK(a.initial[1].to_u64() == 0xffff);
  CHECK(a.initial[2].to_u64() == 0);
  CHECK(variable(test, "p").initial[0].to_u64() == a.address + 2);
  CHECK(variable(test, "after").address == variable(test, "big").address + 8192);
  CHECK(variable(test, "after").initial[0].to_s64() == -1);
}

TEST_CASE("a generic alias has an address of its own, one through another proxy that of its target") {
  const LitmusTest test = with_code(
      ";",
      "x = 3; y @ generic aliases x; s @ surface aliases x; s1 @ texture aliases y; c @ constant aliases z");
  const Variable& x = variable(test, "x");
  const Variable& y = variable(test, "y");
  CHECK(y.address != x.address);
  CHECK(y.location == x.address);
  CHECK(y.proxy == Proxy::generic);
  CHECK(y.initial[0].to_s64() == 3);
  CHECK(variable(test, "s").address == x.address);
  CHECK(variable(test, "s").location == x.address);
  CHECK(variable(test, "s").proxy == Proxy::surface);
  CHECK(variable(test, "s1").address == y.address);
  CHECK(variable(test, "s1").location == x.address);
  CHECK(variable(test, "c").address == variable(test, "z").address);
}

TEST_CASE("a shared variable has an instance for each CTA, which its threads see") {
  const LitmusTest test = parse_litmus(
      "PTX t { .shared x : u32 = 5; P0:r1 = cta1:x; P0:r2 = x; }\n"
      "P0@cta 0,cluster 0,gpu 0 | P1@cta 1,cluster 0,gpu 0 | P2@cta 1,cluster 0,gpu 0 ;\n"
      "ld.weak r0, x | ld.weak r0, x | ld.weak r0, [x] ;\n"
      "locations [cta0:x;]\n"
      "exists (cta1:x == 1)",
      "t");
  const Variable& first = variable(test, "cta0:x");
  const Variable& second = variable(test, "cta1:x");
  CHECK(first.address != second.address);
  CHECK(second.initial[0].to_u64() == 5);
  CHECK(code_of(test, 0)[0] == fmt::format("ld.weak.u32 r0 [{}]", first.address));
  CHECK(code_of(test, 1)[0] == fmt::format("ld.weak.u32 r0 [{}]", second.address));
  CHECK(code_of(test, 1) == code_of(test, 2));
  CHECK(test.program.threads[0].initial_registers[0].to_u64() == second.address);
  CHECK(test.program.threads[0].initial_registers[1].to_u64() == first.address);
  CHECK(test.question.condition.left.variable == 1);
  REQUIRE(test.question.locations.size() == 1);
  CHECK(test.question.locations[0].variable == 0);
}

TEST_CASE("addresses may stand in registers") {
  const LitmusTest test =
      with_code("ld.weak r1, [r2+8] ;\nst.weak [p], r1 ;\nld.weak p, [q] ;", "P0:r2 = x; x;");
  CHECK(code_of(test) == Lines{"ld.weak.s64 r1 [r2+8]", "st.weak.s64 [p+0] r1", "ld.weak.s64 p [8192]"});
}

TEST_CASE("conditions have the usual precedence and herd's spellings") {
  using Kind = Proposition::Kind;
  using Comparison = Proposition::Comparison;
  const Question question = parse_litmus(
                                "PTX t { x; a : u32[2]; P0:r0 = 0; } P0@cta 0,gpu 0; st.weak x, 1;\n"
                                "filter (x != 2) ~exists ~x=1 \\/ not (P0:r0 < 1) /\\ [a[1]] >= -3 /\\ true",
                                "t")
                                .question;
  CHECK(question.quantifier == Quantifier::not_exists);
  CHECK(question.filter.kind == Kind::compare);
  CHECK(question.filter.comparison == Comparison::not_equal);
  REQUIRE(question.condition.kind == Kind::disjunction);
  REQUIRE(question.condition.operands.size() == 2);
  CHECK(question.condition.operands[0].kind == Kind::negation);
  const Proposition& conjunction = question.condition.operands[1];
  REQUIRE(conjunction.kind == Kind::conjunction);
  REQUIRE(conjunction.operands.size() == 3);
  CHECK(conjunction.operands[0].kind == Kind::negation);
  CHECK(conjunction.operands[0].operands[0].comparison == Comparison::less);
  CHECK(conjunction.operands[1].left.element == 1);
  CHECK(conjunction.operands[1].right.constant == -3);
  CHECK(conjunction.operands[2].kind == Kind::truth);
}

TEST_CASE("name, strings and conditions without parentheses") {
  const LitmusTest test = parse_litmus(
      "PTX MP+rel-acq\n\"one\"\n\"two\nlines (* no comment *)\"\n{ }\nP0@cta 0,gpu 0;\nld.weak r0, "
      "x;\nexists 0==0",
      "t");
  CHECK(test.name == "MP+rel-acq");
  CHECK(test.documentation == std::vector<std::string>{"one", "two\nlines (* no comment *)"});
  CHECK(test.question.condition.kind == Proposition::Kind::compare);
  CHECK(test.question.condition.left == FinalTerm{});
}

TEST_CASE("every form of the dialect is understood") {
  const auto understood = [](const std::string& instruction) {
    CAPTURE(instruction);
    CHECK_NOTHROW(with_code(instruction + " ; L: ;"));
  };
  for (const std::string load : {"ld", "tld", "suld", "cold"}) {
    understood(load + ".weak r, x");
    for (const std::string sem : {".relaxed", ".acquire"})
      for (const std::string scope : {".cta", ".cluster", ".gpu", ".sys"})
        understood(load + sem + scope + " r, x");
  }
  for (const std::string store : {"st", "sust"})
    for (const std::string scope : {".cta", ".cluster", ".gpu", ".sys"})
      for (const std::string value : {"1", "r"}) {
        understood(store + ".weak x, " + value);
        understood(store + ".relaxed" + scope + " x, " + value);
        understood(store + ".release" + scope + " x, " + value);
      }
  for (const std::string sem : {".relaxed", ".acquire", ".release", ".acq_rel"})
    for (const std::string scope : {".cta", ".cluster", ".gpu", ".sys"}) {
      for (const std::string op : {".add", ".sub", ".mul", ".div", ".and", ".or", ".xor", ".exch"}) {
        understood("atom" + sem + scope + op + " r, x, 1");
        understood("suatom" + sem + scope + op + " r, x, s");
        understood("red" + sem + scope + op + " x, s");
        understood("sured" + sem + scope + op + " x, 1");
      }
      understood("atom" + sem + scope + ".cas r, x, 0, s");
      understood("suatom" + sem + scope + ".cas r, x, s, 1");
    }
  for (const std::string scope : {".cta", ".cluster", ".gpu", ".sys"})
    for (const std::string sem : {".acq_rel", ".sc", ".acquire", ".release", ""})
      understood("fence" + sem + scope);
  for (const std::string proxy :
       {"alias", "generic", "constant", "texture", "surface", "async", "async.global"})
    understood("fence.proxy." + proxy);
  for (const std::string level : {"cta", "gl", "sys"}) understood("membar." + level);
  for (const std::string op : {"add", "sub", "mul", "div"}) understood(op + " r, 1, s");
  for (const std::string branch : {"beq", "bne", "blt", "ble", "bgt", "bge"}) {
    understood(branch + " r, s, L");
    understood(branch + " 0, 1, L");
  }
  for (const std::string kind : {"sync", "arrive"})
    for (const std::string rest : {"", ", 2", ", r", ", 2, 3", ", r, s"})
      understood("bar.cta." + kind + " 1" + rest);
  for (const std::string more :
       {"goto L", "ld r, s", "ld r, -5", "ld.volatile r, x", "st.volatile x, 1", "ld.mmio.relaxed.sys r, x",
        "st.mmio.relaxed.sys x, 1", "fence.proxy.tensormap::generic.acquire.gpu [x], 128",
        "fence.proxy.tensormap::generic.release.gpu", "fence.acquire.sync_restrict::shared::cluster.cluster",
        "fence.mbarrier_init.release.cluster", "membar.proxy.alias", "bar.sync 0", "barrier.sync 1, 2",
        "barrier.cluster.arrive", "barrier.cluster.wait", "exit", "trap"})
    understood(more);
}

// PTX ISA 8.7 § 9.7.9.17: after it the data have an undetermined value, which need not be stable.
TEST_CASE("reads of what is discarded may see any values, two of them different ones") {
  const auto verdict = [](const std::string& code, const std::string& condition) {
    const LitmusTest test = parse_litmus(
        "PTX discard { x : u32[32]; }\n P0@cta 0,gpu 0 ;\n" + code + " ;\n" + condition, "discard.litmus");
    return decide_with(Engine::automatic, test.program, test.question, cat::load("ptx-8.7"), {}).verdict;
  };
  const std::string reads =
      "discard.global.L2 x, 128 ; STORE ld.weak.u32 r0, x ; ld.weak.u32 r1, x ; "
      "xor.b32 r2, r0, r1 ; and.b32 r2, r2, 1";
  const auto with = [&](const std::string& store) {
    std::string code = reads;
    return code.replace(code.find("STORE"), 5, store);
  };
  CHECK(verdict(with(""), "exists (P0:r2 == 1)") == Verdict::allowed);
  CHECK(verdict(with("st.weak.u32 x, 5 ;"), "exists (P0:r2 == 1)") == Verdict::forbidden);
  CHECK(verdict(with("st.weak.u32 x, 5 ;"), "exists (P0:r0 == 5)") == Verdict::allowed);
}

// PTX ISA 8.7 § 9.7.13.15.1, § 9.7.13.15.9.
TEST_CASE("a declared mbarrier is a valid object, one for each CTA") {
  const LitmusTest test = parse_litmus(
      "PTX t { .shared bar : mbarrier = 3; .shared two : mbarrier[2] = {1, 1048575}; x = 0; }\n"
      " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n mbarrier.arrive.b64 _, [bar] | mbarrier.arrive.b64 _, [two] ;\n"
      "exists (true)",
      "t.litmus");
  std::size_t objects = 0;
  for (const Variable& variable : test.program.memory) {
    CAPTURE(variable.name);
    CHECK(variable.is_mbarrier == (variable.name != "x"));
    if (!variable.is_mbarrier) continue;
    ++objects;
    CHECK(variable.element_size == 8);
    CHECK(variable.space == StateSpace::shared_cta);
    const bool is_array = variable.name.ends_with("two");
    REQUIRE(variable.initial.size() == (is_array ? 2 : 1));
    CHECK(identical(variable.initial[0], word_of(initial_mbarrier_state(Bits(32, is_array ? 1 : 3)))));
    if (is_array) CHECK(identical(variable.initial[1], word_of(initial_mbarrier_state(Bits(32, 1048575)))));
  }
  CHECK(objects == 4);
}
