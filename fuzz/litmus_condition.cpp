// Any bytes are the condition of a litmus test or refused; a condition is printed so that it reads back
// alike.
#include "reading.hpp"
#include "src/litmus/litmus_test.hpp"
#include "src/report/condition_text.hpp"

namespace {

std::string printed(const std::string& condition) {
  const ptxmc::LitmusTest test = ptxmc::parse_litmus(
      "PTX fuzz\n{ x = 0; a : u32[3]; .shared s : u8; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
      " st.weak x, 1 | ld.weak r0, x ;\n st.weak s, 1 | ld.weak r1, a[1] ;\nexists (" +
          condition + ")",
      "fuzz.litmus");
  return ptxmc::condition_text(test.question.condition, test.program);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string once, twice;
  if (!accepts([&] { once = printed(text_of(data, size)); })) return 0;
  if (!accepts([&] { twice = printed(once); }) || once != twice) fail("does not read back alike", once);
  return 0;
}
