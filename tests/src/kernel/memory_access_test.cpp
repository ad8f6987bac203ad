// What memory holds at first, and what may not be written, for `run` and both engines of `check`.
#include "tests/src/kernel/found_by_all.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;
using namespace ptxmc::test;

TEST_CASE("constant memory and a kernel's parameters are not written, in whatever way (5.1.3, 5.1.6.1)") {
  const std::string addresses[] = {
      "mov.u64 %rd1, c; cvta.const.u64 %rd1, %rd1;",
      "cvta.const.u64 %rd1, c;",
      "mov.u64 %rd1, out; cvta.param.u64 %rd1, %rd1;",
      "cvta.param.u64 %rd1, out;",
      "ld.global.u64 %rd1, [pointer];",
  };
  const std::string writes[] = {"st.u32 [%rd1], 1;",
                                "st.v2.u32 [%rd1], {1, 2};",
                                "st.volatile.u32 [%rd1], 1;",
                                "atom.add.u32 %r1, [%rd1], 1;",
                                "atom.cas.b32 %r1, [%rd1], 77, 1;",
                                "red.or.b32 [%rd1], 1;",
                                "st.global.u32 [%rd1], 1;"};
  for (const std::string& address : addresses)
    for (const std::string& write : writes) {
      CAPTURE(address + " " + write);
      CHECK(found_by_all(kernel_with_out(address + write,
                                         ".const .align 8 .u32 c[4] = {1, 2};\n"
                                         ".global .u64 pointer = generic(c);"),
                         out_of({0})) == "out-of-bounds");
    }
}

TEST_CASE("constant memory and a kernel's parameters are read through generic addresses") {
  for (const std::string read :
       {"cvta.const.u64 %rd1, c+4; ld.u32 %r1, [%rd1];", "ld.const.u32 %r1, [c+4];",
        "mov.u64 %rd1, c; ld.const.u32 %r1, [%rd1+4];",
        "cvta.param.u64 %rd1, out; ld.u64 %rd2, [%rd1]; ld.u32 %r1, [%rd2];",
        "cvta.param.u64 %rd1, out; ld.global.u64 %rd2, [%rd1]; ld.u32 %r1, [%rd2];",
        "mov.u64 %rd1, out; ld.param.u64 %rd2, [%rd1]; ld.u32 %r1, [%rd2];",
        "cvta.param.u64 %rd1, out; isspacep.global %p2, %rd1; isspacep.param %p3, %rd1;"
        "and.pred %p2, %p2, %p3; selp.u32 %r1, 2, 3, %p2;"}) {
    CAPTURE(read);
    CHECK(found_by_all(
              kernel_with_out(read + " setp.ne.u32 %p1, %r1, 2; @%p1 trap;", ".const .u32 c[4] = {1, 2};"),
              out_of({2})) == "safe");
  }
}

TEST_CASE("what other modules define is not known (5.4.4, 11.6.1)") {
  const std::string trap_unless_zero = "setp.ne.u32 %p1, %r1, 0; @%p1 trap;";
  for (const std::string space : {".global", ".const"}) {
    CAPTURE(space);
    const std::string read = "ld" + space + ".u32 %r1, [x];" + trap_unless_zero;
    CHECK(found_by_all(kernel_with_out(read, ".extern " + space + " .u32 x;"), out_of({0})) ==
          "assertion uninitialized");
    CHECK(found_by_all(kernel_with_out(read, ".extern " + space + " .u32 x[4];"), out_of({0})) ==
          "assertion uninitialized");
    CHECK(found_by_all(kernel_with_out(read, space + " .u32 x;"), out_of({0})) == "safe");
    CHECK(found_by_all(kernel_with_out(read, ".extern " + space + " .u32 x;\n.visible " + space + " .u32 x;"),
                       out_of({0})) == "safe");
    CHECK(found_by_all(kernel_with_out(read, ".weak " + space + " .u32 x;"), out_of({0})) == "safe");
  }
  CHECK(found_by_all(kernel_with_out("st.global.u32 [x], 0; ld.global.u32 %r1, [x];" + trap_unless_zero,
                                     ".extern .global .u32 x;"),
                     out_of({0})) == "safe");
  // All threads see the same.
  CHECK(
      found_by_all(kernel_with_out("ld.const.u32 %r1, [x]; ld.const.u32 %r2, [x]; setp.ne.u32 %p1, %r1, %r2;"
                                   "@%p1 trap;",
                                   ".extern .const .u32 x;"),
                   out_of({0})) == "uninitialized");
}

TEST_CASE("the launch says what variables of the module hold") {
  const std::string module = ".const .align 4 .b8 idx[8];\n.global .u64 rows[2];\n";
  const auto variable = [](const std::string& name, BufferParameter buffer) {
    Parameter parameter = {name, std::move(buffer)};
    parameter.role = Parameter::Role::variable;
    return parameter;
  };
  // out[idx[%tid.x]] = %tid.x
  const std::string indexed = kernel_with_out(
      "mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 4; mov.u64 %rd2, idx; add.u64 %rd2, %rd2, %rd1;"
      "ld.const.u32 %r2, [%rd2]; mul.wide.u32 %rd3, %r2, 4; add.u64 %rd3, %rd0, %rd3;"
      "st.global.u32 [%rd3], %r1;",
      module);
  Launch launch = out_of({9, 9}, 2);
  CHECK(found_by_all(indexed, launch) == "race");
  launch.parameters.push_back(variable("idx", buffer("u32", ".u32", {1, 0})));
  CHECK(found_by_all(indexed, launch) == "safe");
  CHECK(run(indexed, launch).values() == std::vector<std::string>{"1", "0"});
  launch.final_condition = "out[0] == idx[0] && out[1] == idx[1]";
  CHECK(found_by_all(indexed, launch) == "safe");
  launch.parameters.back() = variable("idx", {{"u32", type_of(".u32")}, 2, AnyValue{}});
  CHECK(found_by_all(indexed, launch, true) == "assertion race out-of-bounds");
  launch.assumption = "idx[0] + idx[1] == 1 && idx[0] < 2 && idx[1] < 2";
  CHECK(found_by_all(indexed, launch, true) == "safe");
  launch.parameters.back() = variable("idx", {{"u32", type_of(".u32")}, 2, std::monostate{}});
  launch.assumption.clear();
  launch.final_condition.clear();
  CHECK(found_by_all(indexed, launch, true) == "race uninitialized out-of-bounds");

  // *rows[1] = 7
  const std::string pointed = kernel_with_out("ld.global.u64 %rd1, [rows+8]; st.u32 [%rd1+4], 7;", module);
  Parameter rows = variable("rows", buffer("b64", ".b64", {0, 0}));
  rows.addresses = {{0, "rows"}, {8, "out"}};
  launch = out_of({9, 9});
  CHECK(found_by_all(pointed, launch) == "out-of-bounds");
  launch.parameters.push_back(rows);
  CHECK(found_by_all(pointed, launch) == "safe");
  CHECK(run(pointed, launch).values() == std::vector<std::string>{"9", "7"});
  rows.addresses = {{8, "idx"}};
  launch.parameters.back() = rows;
  CHECK(found_by_all(pointed, launch) == "out-of-bounds");  // idx is constant
  for (const auto& [name, size] : {std::pair("none", 2), std::pair("idx", 3)}) {
    launch.parameters.back() = variable(name, {{"u32", type_of(".u32")}, std::uint64_t(size), AnyValue{}});
    CHECK_THROWS_AS(run(pointed, launch), InputError);
  }
}

TEST_CASE("a trap with nothing behind it, and one before code that was there already") {
  Launch launch = out_of({0}, 2);
  launch.parameters.push_back({"n", ScalarParameter{{"u32", type_of(".u32")}, AnyValue{}}});
  const std::string begin =
      ".visible .entry k(.param .u64 out, .param .u32 n) { .reg .u32 %r<4>; .reg .pred %p;"
      ".reg .b64 %rd; ld.param.u64 %rd, [out]; ld.param.u32 %r1, [n];\n";
  CHECK(found_by_all(begin + "setp.gt.u32 %p, %r1, 5; @%p bra L; ret; L: trap; }", launch, true) ==
        "assertion");
  CHECK(found_by_all(begin +
                         "bra S; M: bar.sync 0; ret; T: trap; bra T; S: setp.gt.u32 %p, %r1, 5; @%p bra T;"
                         "bra M; }",
                     launch, true) == "assertion");
  CHECK(found_by_all(
            begin + "bra S; T: trap; M: bar.sync 0; ret; S: setp.gt.u32 %p, %r1, 5; @%p bra T; bra M; }",
            launch, true) == "assertion");
  CHECK(found_by_all(begin + "bra S; T: trap; S: setp.gt.u32 %p, %r1, 5; @%p bra T; ret; }", launch, true) ==
        "assertion");
}

TEST_CASE("an index beyond the targets of brx.idx") {
  const auto indexed = [](const std::string& index) {
    return kernel_with_out("ld.global.u32 %r1, [%rd0]; mov.u32 %r2, " + index +
                           "; T: .branchtargets A, B; brx.idx %r2, T; A: st.global.u32 [%rd0], 1; ret;\n"
                           "B: st.global.u32 [%rd0], 2;");
  };
  CHECK(found_by_all(indexed("1"), out_of({0})) == "safe");
  CHECK(found_by_all(indexed("2"), out_of({0})) == "out-of-bounds");
  CHECK(found_by_all(indexed("%r1"), out_of({1})) == "safe");
  CHECK(found_by_all(indexed("%r1"), out_of({7})) == "out-of-bounds");
  CHECK(found_by_all(indexed("%r1"), out_of({0xffffffff})) == "out-of-bounds");
}

TEST_CASE("a cooperative launch has its buffers once, in however many ways it is decided") {
  Launch launch = launch_with({{"out", BufferParameter{{"u32", type_of(".u32")}, 1, AnyValue{}}}});
  launch.is_cooperative = true;
  CHECK(found_by_all(kernel_with_out("cvt.s64.s32 %rd1, %r1; shl.b64 %rd1, %rd1, 2; add.s64 %rd1, %rd0, %rd1;"
                                     "ld.u32 %r2, [%rd1];"),
                     launch, true) == "out-of-bounds");
}

TEST_CASE("shared memory at an index that is not known is that of the own CTA (8.3)") {
  Launch launch = launch_with({{"out", BufferParameter{{"u32", type_of(".u32")}, 1, AnyValue{}}}}, 2);
  launch.grid = {2, 1, 1};
  const auto indexed = [](const std::string& store) {
    return kernel_with_out(
        "ld.global.u32 %r1, [%rd0]; and.b32 %r1, %r1, 15; mov.u32 %r2, s;"
        "mad.lo.u32 %r2, %r1, 4, %r2;" +
            store,
        ".shared .align 4 .b32 s[16];");
  };
  CHECK(found_by_all(indexed("st.relaxed.cta.shared.u32 [%r2], 1;"), launch, true) == "safe");
  CHECK(found_by_all(indexed("st.shared.u32 [%r2], 1;"), launch, true) == "race");
}
