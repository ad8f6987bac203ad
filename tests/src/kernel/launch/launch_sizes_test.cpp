#include "src/kernel/launch/launch_sizes.hpp"

#include <doctest/doctest.h>

#include "semantics/language/diagnostic.hpp"
#include "src/kernel/launch/launch_file.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;

namespace {

Launch launch_of_text(const std::string& text) {
  return parse_launch("module = \"k.ptx\"\nentry = \"k\"\n" + text, "k.toml", [](SourcePosition where) {
    return LaunchPlace{"k.toml", where};
  });
}

Launch launch_with_buffer(const std::string& length, const std::string& init = "0",
                          const std::string& n = "5") {
  return launch_of_text("grid = [3]\nblock = [4, 2]\n[[param]]\nname = \"x\"\nbuffer = \"u32[" + length +
                        "]\"\ninit = " + init + "\n[[param]]\nname = \"n\"\ntype = \"s32\"\nvalue = " + n +
                        "\n");
}

std::uint64_t count_of(const std::string& length) {
  const Launch launch = with_known_lengths(launch_with_buffer(length));
  const auto& buffer = std::get<BufferParameter>(launch.parameters[0].is);
  CHECK(std::get<std::vector<std::uint64_t>>(buffer.content).size() == buffer.count);
  return buffer.count;
}

std::string size_error(const std::string& length, const std::string& init = "0") {
  try {
    with_known_lengths(launch_with_buffer(length, init));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("lengths are expressions over the size of the launch and scalars") {
  CHECK(count_of("7") == 7);
  CHECK(count_of("block.x * block.y * grid.x") == 24);
  CHECK(count_of("blockDim.x * gridDim.x + 1") == 13);
  CHECK(count_of("n") == 5);
  CHECK(count_of("(n + block.x - 1) / block.x * block.x") == 8);
  CHECK(count_of("n - 5") == 0);
  CHECK(size_error("n - 6").find("expected 0 to") != std::string::npos);
  CHECK(size_error("m").find("in the length 'm'") != std::string::npos);
  CHECK(size_error("block").find("in the length") != std::string::npos);
  CHECK(size_error("n", "[1, 2, 3, 4, 5]").find("length is an expression") != std::string::npos);
}

TEST_CASE("sizes are open if the launch says any, and so are lengths that depend on them") {
  CHECK_FALSE(has_open_sizes(launch_with_buffer("n * block.x")));
  CHECK(has_open_sizes(launch_with_buffer("n", "0", "\"any\"")));
  CHECK_FALSE(has_open_sizes(launch_with_buffer("4", "0", "\"any\"")));
  const Launch any = launch_of_text("grid = \"any\"\nblock = [8, \"any\"]");
  CHECK(has_open_sizes(any));
  CHECK(size_text(any.grid, any.open_grid) == "anyx1x1");
  CHECK(size_text(any.block, any.open_block) == "8xanyx1");
  CHECK_THROWS_AS(with_known_lengths(any), Unsupported);
  CHECK_THROWS_AS(launch_of_text("grid = [1]\nblock = [1]\ncluster = \"any\""), InputError);
  const Launch shared =
      with_known_lengths(launch_of_text("grid = [1]\nblock = [64]\ndynamic_shared = \"4 * block.x\""));
  CHECK(shared.dynamic_shared == 256);
  const Launch several = with_known_lengths(
      parse_launch("module = \"k.ptx\"\ndynamic_shared = \"4 * block.x\"\n"
                   "[[launch]]\nentry = \"a\"\ngrid = [1]\nblock = [64]\n"
                   "[[launch]]\nentry = \"b\"\ngrid = [1]\nblock = [32]\n"
                   "[[launch]]\nentry = \"c\"\ngrid = [1]\nblock = [32]\ndynamic_shared = 512\n",
                   "k.toml", [](SourcePosition where) {
                     return LaunchPlace{"k.toml", where};
                   }));
  CHECK(several.sequence[0].dynamic_shared == 256);
  CHECK(several.sequence[1].dynamic_shared == 128);
  CHECK(several.sequence[2].dynamic_shared == 512);
  CHECK(largest_dynamic_shared(several) == 512);
}
