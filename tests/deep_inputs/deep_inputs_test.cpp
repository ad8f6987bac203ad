// Inputs of every kind that nest a million deep or are a million parts long, read by the program under a
// stack of 8 MB: each is answered, or refused with one clear error.
#include <string>

#include "tests/program/run.hpp"
#include "tests/program/test_folder.hpp"

namespace {

constexpr int million = 1'000'000;

std::string repeated(const std::string& part, int count = million) {
  std::string text;
  text.reserve(part.size() * static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) text += part;
  return text;
}

std::string nested(const std::string& open, const std::string& inside, const std::string& close) {
  return repeated(open) + inside + repeated(close);
}

Run run_in_small_stack(const std::string& arguments) {
  return shell("ulimit -s 8192; timeout 120 \"$PTXMC\" " + arguments + " 2>&1 < /dev/null");
}

void check_is_answered(const Run& result) {
  CAPTURE(result.output.substr(0, 300));
  CHECK(result.status <= 3);
  CHECK_FALSE(contains(result.output, "internal error"));
}

void check_is_refused(const Run& result) {
  CAPTURE(result.output.substr(0, 300));
  CHECK(result.status == 2);
  CHECK(contains(result.output, "nested deeper than"));
}

const std::string module_head = ".version 8.7\n.target sm_90\n.address_size 64\n";

std::string entry(const std::string& body) { return module_head + ".entry k() {\n" + body + "\nret;\n}\n"; }

const std::string litmus_head =
    "PTX t\n{ x = 0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | ld.weak r0, x ;\n";

/// A test of one thread with these instructions after a read of x.
std::string one_thread(const std::string& code) {
  return "PTX t\n{ x = 0; }\n P0@cta 0,gpu 0 ;\n ld.weak r0, x ;\n" + code + "exists (P0:r0 == 1)\n";
}

}  // namespace

TEST_CASE("PTX modules") {
  const TestFolder folder;
  const auto parse = [&](const std::string& text) {
    return run_in_small_stack("parse " + folder.add("a.ptx", text));
  };
  for (const char* part : {"(", "!", "- ", "~", "(.s64)", "1 ? 1 : "})
    check_is_refused(parse(module_head + ".global .u32 x = " + repeated(part) + "1;\n"));
  for (const std::string& body :
       {nested("{", "", "}"), repeated("{"), "mov.b64 %r1, " + nested("{", "%r1", "}") + ";",
        "ld.b64 %r1, " + nested("[", "%r1", "]") + ";", "not.pred %r1" + repeated("|%r1") + ";"})
    check_is_refused(parse(entry(body)));
  check_is_answered(parse(entry("mov.b64 %r1, " + repeated("a[") + ";")));
  check_is_refused(parse(module_head + ".global .u32 x[2] = " + nested("{", "1", "}") + ";\n"));
  CHECK(parse(module_head + ".global .u32 x = 1" + repeated("+1") + ";\n").status == 0);
  CHECK(parse(module_head + ".global .u32 x[] = {" + repeated("1, ") + "1};\n").status == 0);
  CHECK(parse(module_head + "//" + repeated("/*") + "\n.section .debug_str {\n" + repeated(".b8 1\n") + "}\n")
            .status == 0);
  CHECK(parse(entry(repeated("{}\n") + ".reg .b32 %r;\n" + repeated("add.s32 %r, %r, 1;\n"))).status == 0);
  for (const char* part : {"{", "}", "(", "[", "/*", "#", "\"", "@", ".section .a {"})
    check_is_answered(parse(module_head + repeated(part)));
  check_is_answered(parse(entry("add.s32 %r1" + repeated(", %r1") + ";\nadd" + repeated(".s32") + " %r1;")));
}

TEST_CASE("litmus tests") {
  const TestFolder folder;
  const auto litmus = [&](const std::string& text) {
    return run_in_small_stack("litmus --timeout 2 " + folder.add("a.litmus", text));
  };
  for (const char* part : {"(", "!(", "~ (", "not ("})
    check_is_refused(litmus(litmus_head + "exists " + repeated(part)));
  for (const char* part : {"!", "~", "not "})
    CHECK(litmus(litmus_head + "exists (" + repeated(part) + "P1:r0 == 1)").status == 0);
  for (const char* part : {" /\\ P1:r0 == 1", " \\/ P1:r0 == 1", " && P1:r0 == 1 || P1:r0 == 0"})
    check_is_answered(litmus(litmus_head + "exists (P1:r0 == 1" + repeated(part, 200'000) + ")"));
  check_is_answered(litmus(litmus_head + "filter " + repeated("(") + "exists (P1:r0 == 1)"));
  check_is_answered(litmus(litmus_head + "exists (" + repeated("a:") + "x == 1)"));
  check_is_answered(litmus(litmus_head + "locations [" + repeated("x;") + "] exists (x == 1)"));
  CHECK(litmus("PTX t\n" + nested("(*", "", "*)") + litmus_head.substr(6) + "exists (P1:r0 == 1)").status ==
        0);
  check_is_answered(litmus("PTX t\n" + repeated("(*")));
  check_is_answered(litmus(one_thread(repeated(" add r0, r0, 1 ;\n", 200'000))));
  check_is_answered(litmus(one_thread(repeated(" xor r1, r1, r0 ;\n add r0, r0, r1 ;\n", 50'000))));
  check_is_answered(litmus(one_thread(repeated(" st.weak x, 1 ;\n"))));
  check_is_answered(
      litmus(one_thread(" ld.weak " + repeated("{") + "r0, x ;\n ld.weak r0, " + repeated("[") + " ;\n")));
  check_is_answered(litmus(one_thread(" ld.weak r0" + repeated(", x") + " ;\n")));
  for (const char* part : {"x == 1.5e", "0f3f800000 == ", "1.", "P0:r0 < 1.5 /\\ ("})
    check_is_answered(litmus(litmus_head + "exists (" + repeated(part)));
  std::string variables, uses;
  for (int i = 0; i < 200'000; ++i) {
    variables += "v" + std::to_string(i) + " : f32 = 1.5; ";
    uses += " ld.weak r0, u" + std::to_string(i) + " ;\n";
  }
  check_is_answered(litmus("PTX t\n{ " + variables + "}\n P0 ;\n st v0, 1.0 ;\nexists (v0 == 1.0)\n"));
  check_is_answered(litmus(one_thread(uses)));
}

// Three hundred writes that race are 45,000 pairs to be oriented one after the other; here a small stack
// stands for more of them.
TEST_CASE("writes that race") {
  const TestFolder folder;
  std::string header, writes;
  for (int i = 0; i < 150; ++i) {
    const std::string number = std::to_string(i);
    header += (i == 0 ? " P" : " | P") + number + "@cta " + number + ",gpu 0";
    writes += (i == 0 ? " st.relaxed.gpu x, " : " | st.relaxed.gpu x, ") + number;
  }
  const std::string test =
      folder.add("a.litmus", "PTX t\n{ x = 0; }\n" + header + " ;\n" + writes + " ;\nexists (x == 1)\n");
  check_is_answered(
      shell("ulimit -s 512; \"$PTXMC\" litmus --engine explorer --timeout 3 " + test + " 2>&1 < /dev/null"));
}

TEST_CASE("tests of NVIDIA's format") {
  const TestFolder folder;
  const auto litmus = [&](const std::string& code, const std::string& condition) {
    return run_in_small_stack("litmus --timeout 2 " +
                              folder.add("a.test", ".global x;\nd0.b0.t0 {\n ld r0, [x];\n" + code +
                                                       "}\nassert (" + condition + ") as a;\n"));
  };
  check_is_refused(litmus("", nested("(", "r0 == 1", ")")));
  CHECK(litmus("", repeated("!") + "(r0 == 0)").status == 0);
  check_is_answered(litmus("", "r0 == 0" + repeated(" && r0 == 0", 200'000)));
  check_is_answered(litmus(repeated(" st [x], 1;\n"), "r0 == 0"));
  check_is_answered(litmus(repeated("{"), "r0 == 0"));
  check_is_answered(litmus(repeated("/*"), "r0 == 0"));
  check_is_answered(litmus("", "r0 == 0) as a;\n$$\n" + repeated("1|")));

  std::string threads;
  for (int i = 0; i < 20'000; ++i) threads += "d" + std::to_string(i) + ".b0.t0 { ld r0, [x]; }\n";
  const Run many = run_in_small_stack(
      "litmus --timeout 10 " + folder.add("a.test", ".global x;\n" + threads + "check (r0 == 1) as a;\n"));
  CHECK(many.status == 2);
  CHECK(contains(many.output, "found 'r0', which several threads write"));
}

TEST_CASE("models") {
  const TestFolder folder;
  const std::string test = folder.add("a.litmus", litmus_head + "exists (P1:r0 == 1)");
  const auto decide = [&](const std::string& model) {
    return run_in_small_stack("litmus --timeout 100 --model " + folder.add("a.cat", "\"t\"\n" + model) + " " +
                              test);
  };
  const auto lets = [&](const std::string& definition) {
    return "let a = po\nlet f(x) = x | rf\n" + repeated("let " + definition + "\n", 5000) +
           "acyclic a as a\n";
  };
  for (const std::string& model :
       {"acyclic " + nested("(", "po", ")"), "acyclic " + repeated("~") + "po", "acyclic po" + repeated("?"),
        "acyclic " + nested("[", "W", "]"), "acyclic " + repeated("let a = po in ") + "a",
        "acyclic po" + repeated(" | po"), "acyclic po" + repeated("; po & rf \\ co", million / 4),
        "acyclic " + repeated("try po with ") + "po", "acyclic " + repeated("match 'a with 'a -> "),
        lets("a = a | rf"), lets("a = a; rf"), lets("a = f(a)"), lets("f(x) = f(x)") + "acyclic f(po)"})
    check_is_refused(decide(model));
  CHECK(decide(nested("(*", "", "*)") + "acyclic po as a\n").status <= 1);
  check_is_answered(decide(repeated("(*")));
  check_is_answered(decide("enum E = 'a" + repeated(" || 'a") + "\nacyclic po as a\n"));
  check_is_answered(decide("acyclic W" + repeated(" * W")));
  check_is_answered(decide(repeated("acyclic po as a\n", 50'000)));
  check_is_answered(decide("include \"a.cat\"\n"));
  std::string rec = "let rec a0 = po";
  for (int i = 1; i < 2000; ++i)
    rec += " and a" + std::to_string(i) + " = a" + std::to_string(i - 1) + " | rf";
  check_is_answered(decide(rec + "\nacyclic a0 as a\n"));
}

TEST_CASE("launch files and their conditions") {
  const TestFolder folder;
  folder.add("k.ptx", module_head + ".entry k(.param .u64 a) {\nret;\n}\n");
  const auto launch = [&](const std::string& verb, const std::string& text) {
    return run_in_small_stack(
        verb + " " +
        folder.add("a.toml", "module = \"k.ptx\"\nentry = \"k\"\ngrid = [1]\nblock = [1]\n" + text));
  };
  for (const char* part : {"a.", "\"a\".", "[", "{a=", "[a.", "{a.a="})
    for (const char* before : {"a = ", "[", "a = {", ""})
      check_is_refused(launch("run", before + repeated(part)));
  const std::string parameter = "[[param]]\nname = \"a\"\nbuffer = \"s32[2]\"\n";
  for (const char* verb : {"run", "check --timeout 5"})
    for (const char* part : {"(", "!", "-", "a["}) {
      const std::string condition = repeated(part, 30'000) + "1";
      check_is_refused(launch(verb, "assume = \"" + condition + "\"\n" + parameter));
      check_is_refused(launch(verb, parameter + "[final]\nassert = \"" + condition + "\"\n"));
    }
  for (const char* part : {" + a[1]", " * a[1]", " && a[1]", " == a[1]", " - 1"}) {
    check_is_answered(
        launch("run", parameter + "init = 1\n[final]\nassert = \"a[0]" + repeated(part, 5000) + "\"\n"));
    const Run refused = launch("run", parameter + "[final]\nassert = \"a[0]" + repeated(part) + "\"\n");
    CHECK(refused.status == 2);
    CHECK(contains(refused.output, "expected at most 524288"));
  }
}

TEST_CASE("kernels") {
  const TestFolder folder;
  const auto check = [&](const std::string& body) {
    folder.add("k.ptx", module_head +
                            ".entry k(.param .u64 a, .param .u32 n) {\n.reg .b32 %r<5>;\n.reg .b64 "
                            "%d<2>;\n.reg .pred %p<2>;\n"
                            "ld.param.u64 %d1, [a];\nld.param.u32 %r1, [n];\nmov.b32 %r2, 0;\n" +
                            body + "st.global.u32 [%d1], %r2;\nret;\n}\n");
    return run_in_small_stack("check --timeout 2 " +
                              folder.add("a.toml",
                                         "module = \"k.ptx\"\nentry = \"k\"\ngrid = [1]\nblock = "
                                         "[1]\n[[param]]\nname = \"a\"\nbuffer = \"s32[2]\"\n"
                                         "[[param]]\nname = \"n\"\ntype = \"s32\"\nvalue = \"any\"\n"));
  };
  for (const char* part :
       {"add.s32 %r2, %r2, 1;\n", "xor.b32 %r2, %r2, %r1;\nadd.s32 %r1, %r1, %r2;\n",
        "mul.lo.s32 %r2, %r2, %r1;\nadd.s32 %r2, %r2, %r1;\n",
        "setp.eq.s32 %p1, %r1, %r2;\nselp.b32 %r2, %r1, %r2, %p1;\nadd.s32 %r1, %r1, %r2;\n",
        "setp.lt.s32 %p1, %r2, %r1;\n@%p1 add.s32 %r2, %r2, %r1;\n",
        "shl.b32 %r2, %r2, %r1;\nnot.b32 %r2, %r2;\nadd.s32 %r1, %r1, %r2;\n",
        "prmt.b32 %r2, %r2, %r1, 0x3201;\nadd.s32 %r1, %r1, %r2;\n"})
    check_is_answered(check(repeated(part, 30'000)));
  std::string forward, backward = "bra.uni L29999;\n";
  for (int i = 0; i < 30'000; ++i) {
    const std::string label = "L" + std::to_string(i), before = "L" + std::to_string(i - 1);
    forward += "setp.eq.s32 %p1, %r1, " + std::to_string(i) + ";\n@%p1 bra " + label +
               ";\nadd.s32 %r2, %r2, 1;\n" + label + ":\n";
    backward += label + ":\n" + (i == 0 ? "bra.uni E;\n" : "bra.uni " + before + ";\n");
  }
  check_is_answered(check(forward));
  check_is_answered(check(backward + "E:\n"));
}

TEST_CASE("lines of eval, instructions of explain") {
  const TestFolder folder;
  const auto eval = [&](const std::string& line) {
    return run_in_small_stack("eval " + folder.add("lines", line + "\n"));
  };
  for (const char* part : {"{", "[", "(", "!", "-", "|", ","}) {
    check_is_answered(eval("mov.b64 d, " + repeated(part) + "a;1"));
    check_is_answered(run_in_small_stack("explain 'mov.b64 d, " + repeated(part, 100'000) + "a'"));
  }
  for (const char* part : {"a", ".", "*", "*a", "mov"})
    check_is_answered(shell("ulimit -t 3; \"$PTXMC\" isa '" + repeated(part, 40'000) + "' 2>&1"));
  check_is_answered(eval("add.u32;" + repeated("1,") + "2"));
  check_is_answered(eval(repeated("add.u32;") + "1,2"));
  check_is_answered(eval("add.cc.u32;" + repeated("addc.cc.u32;", 99'999) + repeated("1,", 199'999) + "2"));
  check_is_answered(eval("add" + repeated(".u32") + ";1,2"));
  check_is_answered(eval(repeated("{\n", 300'000)));
}
