// Any bytes are a litmus test or refused.
#include "reading.hpp"
#include "src/litmus/litmus_test.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  accepts([&] { ptxmc::parse_litmus(text_of(data, size), "fuzz.litmus"); });
  return 0;
}
