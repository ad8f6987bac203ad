#include "src/litmus/input_errors.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

/// `line: message` of each.
std::vector<std::string> errors_in(const std::string& text) {
  try {
    parse_litmus(text, "t.litmus");
  } catch (const InputErrors& errors) {
    std::vector<std::string> result;
    for (const InputError& error : errors.all)
      result.push_back(fmt::format("{}: {}", error.where.line, error.what()));
    return result;
  }
  return {};
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("all that is wrong with a file is said, in the order of the lines") {
  CHECK(
      errors_in("PTX t\n{ x : u7 = 1; x = 2; 7:r0 = 1; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                " st.weak x, 1 | lod.weak r0, x ;\n"
                " bra Lop | Loop: bra Loop ;\n"
                "exists (P1:r7 = 1 /\\ P0:r0 = 1 /\\ yy = 2)") ==
      Texts{
          "2: found type 'u7', expected one of u8, u16, u32, u64, s8, …, b64, f16, bf16, f32, f64, mbarrier",
          "2: found a second 'x', expected each variable once",
          "2: found thread 'P7', expected a thread of the test",
          "4: found 'lod', expected an instruction such as 'ld'", "5: found 'Lop', expected a label of P0",
          "6: found 'r7', expected a register that P1 uses; did you mean 'r0'?",
          "6: found 'r0', expected a register that P0 uses",
          "6: found 'yy', expected a variable of the test"});
}

TEST_CASE("reading goes on behind a cell and an entry that are wrong") {
  CHECK(errors_in("PTX t\n{ x = ; y : = 1; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                  " st.weak [x, 1 | ld.weak r0 x ;\n"
                  " st.weak y, 1 | ld.weak r1, ;\n"
                  "exists (P1:r0 = )") ==
        Texts{"2: found ';', expected '{' or a number or a location",
              "2: found '=', expected a type such as u32", "4: found ',', expected ']'",
              "4: found 'x', expected '|' or ';'", "5: found ';', expected an operand",
              "6: found ')', expected a register, a location or a number"});
}

TEST_CASE("a wrong branch leaves the instruction behind it as it is") {
  // The label is not written into the operands of the next instruction, which has fewer.
  CHECK(errors_in("PTX t\n{ x = 0; }\n P0@cta 0,gpu 0 ;\n beq.bitop r1, 0, LC00 ;\n st.weak x, 1 ;\n"
                  " LC00: ;\nexists (x = 1)")
            .size() == 1);
}

TEST_CASE("one mistake is said once") {
  CHECK(errors_in("PTX t\n{ x = 0; }\n P0@cta 0,gpu 0 ;\n lod r0, x ;\nexists (0:r0 = 0)").size() == 1);
  CHECK(errors_in("PTX t\n{ x = 0; \n P0@cta 0,gpu 0 ;\n ld r0, x ;\nexists (0:r0 = 0)").size() == 1);
}
