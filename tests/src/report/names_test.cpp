#include "src/report/names.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

namespace {

std::string shown(const std::string& instruction, const Bits& value) {
  Instruction of;
  of.text = instruction;
  Event event;
  event.instruction = &of;
  event.address = Bits(64, 0);
  event.value = value;
  return value_text(event, Program{});
}

}  // namespace

TEST_CASE("floating-point accesses show numbers, not their bits") {
  CHECK(shown("st.global.f32 [%rd1], %f1", Bits(32, 0x3fc00000)) == "1.5");
  CHECK(shown("ld.global.f64 %fd1, [%rd1]", Bits(64, 0xc000000000000000)) == "-2");
  CHECK(shown("st.global.u32 [%rd1], %r1", Bits(32, 7)) == "7");
}

TEST_CASE("instructions are shown with single blanks") {
  Instruction instruction;
  instruction.text = "st.global.f32 \t[%rd1],  %f1";
  Event event;
  event.instruction = &instruction;
  CHECK(written(event) == "st.global.f32 [%rd1], %f1");
}
