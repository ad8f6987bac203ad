#include "src/kernel/launch/opaque_object_entry.hpp"

#include <doctest/doctest.h>

#include "semantics/language/diagnostic.hpp"
#include "src/kernel/launch/launch_file.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;

namespace {

Launch read_objects(const std::string& entries) {
  return parse_launch("module = \"k.ptx\"\nentry = \"k\"\ngrid = [1]\nblock = [1]\n" + entries, "k.toml",
                      [](SourcePosition where) {
                        return LaunchPlace{"k.toml", where};
                      });
}

std::string object_error(const std::string& entry) {
  try {
    read_objects("[[param]]\nname = \"t\"\n" + entry);
    return "no error";
  } catch (const InputError& error) {
    return error.what();
  }
}

const std::vector<std::uint64_t>& content_of(const Parameter& parameter) {
  return std::get<std::vector<std::uint64_t>>(std::get<BufferParameter>(parameter.is).content);
}

}  // namespace

TEST_CASE("textures, surfaces and samplers") {
  const Launch launch = read_objects(R"(
[[param]]
name = "t"
texture = "s16x2[3, 2]"
layers = 4
address = ["wrap", "mirror"]
filter = "linear"
normalized = true
compare = "greater"
read = "normalized-float"
init = -1
[[param]]
name = "s"
surface = "unorm8x4[1]"
init = [0.0, 0.2, 1.0, 0.5]
[[param]]
name = "f"
surface = "f32x1[2]"
bits = [0x3f800000, 7]
[[param]]
name = "m"
texture = "f32x1[1]"
memory = "f"
[[param]]
name = "p"
sampler = { filter = "linear", normalized = false, address = ["border"] }
[[param]]
bind = "surf_a"
surface = "u32x1[4]"
)");
  const OpaqueObject& texture = launch.parameters[0].object->object;
  CHECK(texture.kind == OpaqueObject::Kind::texture);
  CHECK(texture.size == std::array<std::uint32_t, 3>{3, 2, 1});
  CHECK(texture.dimensions == 2);
  CHECK(texture.channels == 2);
  CHECK(texture.layers == 4);
  CHECK(texture.is_normalized_number);
  CHECK(texture.sampler.address[1] == AddressMode::mirror);
  CHECK(texture.sampler.comparison == DepthComparison::greater);
  CHECK(content_of(launch.parameters[0]).size() == 48);
  CHECK(content_of(launch.parameters[0])[0] == 0xffff);
  CHECK(content_of(launch.parameters[1]) == std::vector<std::uint64_t>{0, 51, 255, 128});
  CHECK(content_of(launch.parameters[2])[0] == 0x3f800000);
  CHECK(std::get<SameValue>(launch.parameters[3].is).parameter == 2);
  CHECK(launch.parameters[4].object->object.sampler.is_normalized == false);
  CHECK(launch.parameters[5].object->bound == "surf_a");
  CHECK(launch.parameters[5].name == "surf_a");
  CHECK(launch.parameters[5].role == Parameter::Role::variable);
}

TEST_CASE("mistakes in textures, surfaces and samplers") {
  CHECK(object_error("texture = \"f32[4]\"") ==
        "found 'f32[4]', expected a type, 1, 2 or 4 channels and a size such as \"f32x1[8, 4]\"");
  CHECK(object_error("texture = \"f32x3[4]\"").find("1, 2 or 4 channels") != std::string::npos);
  CHECK(object_error("texture = \"x1[4]\"").find("found type ''") != std::string::npos);
  CHECK(object_error("texture = \"f64x1[4]\"").find("found type 'f64'") != std::string::npos);
  CHECK(object_error("texture = \"unorm32x1[4]\"") == "found type 'unorm32', expected unorm8 or unorm16");
  CHECK(object_error("texture = \"f32x1[]\"").find("found the size ''") != std::string::npos);
  CHECK(object_error("texture = \"f32x1[4, 0]\"").find("found the size '0'") != std::string::npos);
  CHECK(object_error("texture = \"f32x1[1, 1, 1, 1]\"").find("found the size '1'") != std::string::npos);
  CHECK(object_error("texture = \"f32x4[99999, 99999]\"").find("bytes or more") != std::string::npos);
  CHECK(object_error("texture = \"f32x1[4, 2]\"\ncube = true").find("two equal sizes") != std::string::npos);
  CHECK(object_error("texture = \"f32x1[2, 2]\"\ncube = true\nlayers = 7").find("multiple of 6") !=
        std::string::npos);
  CHECK(object_error("texture = \"f32x1[2, 2, 2]\"\nlayers = 2").find("three dimensions") !=
        std::string::npos);
  CHECK(object_error("texture = \"f32x1[2]\"\naddress = [\"clamp\", \"clamp\"]").find("at most 1") !=
        std::string::npos);
  CHECK(object_error("texture = \"f32x1[2]\"\naddress = [\"edge\"]").find("clamp, border, wrap, mirror") !=
        std::string::npos);
  CHECK(object_error("texture = \"f32x1[2]\"\nread = \"normalized-float\"").find("8 or 16 bits") !=
        std::string::npos);
  CHECK(object_error("texture = \"f32x1[2]\"\ninit = [1.0]") == "found 1 numbers, expected 2");
  CHECK(object_error("surface = \"unorm8x1[1]\"\ninit = 1.5") == "found 1.5, expected a number from 0 to 1");
  CHECK(object_error("surface = \"u8x1[1]\"\ninit = 1\nbits = 1").find("more than one of") !=
        std::string::npos);
  CHECK(object_error("surface = \"u8x1[1]\"\nmemory = \"x\"").find("found 'x'") != std::string::npos);
  CHECK(object_error("surface = \"u8x1[1]\"\nfilter = \"linear\"").find("found key 'filter'") !=
        std::string::npos);
  CHECK(object_error("sampler = 1").find("expected sampler = {") != std::string::npos);
}
