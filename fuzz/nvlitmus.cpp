// Any bytes are tests of NVIDIA's mixed-proxy tool or refused.
#include "src/litmus/nvlitmus.hpp"

#include "reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  accepts([&] { ptxmc::parse_nvlitmus(text_of(data, size), "fuzz.test"); });
  return 0;
}
