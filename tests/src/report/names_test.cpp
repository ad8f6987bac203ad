#include "src/report/names.hpp"

#include <doctest/doctest.h>

#include "semantics/language/mbarrier_state.hpp"
#include "semantics/language/mbarrier_text.hpp"

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

TEST_CASE("an mbarrier is shown as its phase, its pending arrivals and its bytes") {
  MbarrierState state = initial_mbarrier_state(Bits(32, 3));
  CHECK(mbarrier_text(word_of(state)) == "phase 0, 3 pending");
  state.phase = Bits(MbarrierState::phase_width, 5);
  state.transactions = Bits(MbarrierState::transactions_width, 512);
  CHECK(mbarrier_text(word_of(state)) == "phase 5, 3 pending, 512 bytes");
  state.transactions = -state.transactions;
  CHECK(mbarrier_text(word_of(state)) == "phase 5, 3 pending, -512 bytes");
  Variable variable;
  CHECK(element_text(variable, Bits(64, 7)) == "7");
  variable.is_mbarrier = true;
  CHECK(element_text(variable, word_of(initial_mbarrier_state(Bits(32, 1)))) == "phase 0, 1 pending");
}

TEST_CASE("what the phase of an mbarrier waits for") {
  const auto waits_for = [](std::uint64_t arrivals, std::int64_t bytes) {
    MbarrierState state = initial_mbarrier_state(Bits(32, arrivals));
    state.transactions = Bits(MbarrierState::transactions_width, static_cast<std::uint64_t>(bytes));
    return pending_text(word_of(state));
  };
  CHECK(waits_for(1, 0) == "1 arrival");
  CHECK(waits_for(2, 512) == "2 arrivals and 512 bytes");
  CHECK(waits_for(0, 16) == "16 bytes");
  CHECK(waits_for(1, -8) == "1 arrival and an expect_tx of 8 bytes");
  CHECK(waits_for(0, 0) == "an arrival or a complete_tx");  // behind an expect_tx that made the tx-count 0
}
