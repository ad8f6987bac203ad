// Any bytes are a launch file or refused.
#include "reading.hpp"
#include "src/kernel/launch/launch_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  accepts([&] {
    ptxmc::kernel::parse_launch(text_of(data, size), "fuzz.toml", [](ptxmc::SourcePosition where) {
      return ptxmc::kernel::LaunchPlace{"fuzz.toml", where};
    });
  });
  return 0;
}
