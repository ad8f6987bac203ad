#include "src/kernel/launch/launch_file.hpp"

#include <doctest/doctest.h>

#include "tests/src/kernel/launch_files.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;

namespace {

const std::string header = "module = \"k.ptx\"\nentry = \"k\"\ngrid = [2]\nblock = [4, 2]\n";

Launch read(const std::string& text) { return read_launch(test::written_file("launch.toml", text)); }

std::string error_of(const std::string& rest) {
  try {
    read(header + rest);
    return "no error";
  } catch (const InputError& error) {
    return std::to_string(error.where.line) + ": " + error.what();
  }
}

/// The error of a structure of 12 bytes with these fields, which are in line 8.
std::string error_of_fields(const std::string& fields) {
  return error_of("[[param]]\nname = \"s\"\nbytes = 12\nfields = [" + fields + "]\n");
}

}  // namespace

TEST_CASE("a launch with every kind of parameter") {
  const Launch launch = read(header + R"(
dynamic_shared = 64
expect = ["safe"]
assume = "n > 0"
observe = "1:r0=x[1];x=x[0]"
[[param]]
name = "n"
type = "s32"
value = -1
[[param]]
name = "x"
buffer = "f32[2]"
init = [1.0, -2.5]
[[param]]
name = "y"
buffer = "u8[3]"
init = 7
[[param]]
name = "s"
bytes = [1, 255]
[[param]]
name = "z"
same_as = "x"
[[param]]
name = "a"
type = "u64"
value = "any"
[final]
assert = "x[0] == 1.0"
)");
  CHECK(launch.grid == Dimensions{2, 1, 1});
  CHECK(launch.block == Dimensions{4, 2, 1});
  CHECK(launch.dynamic_shared == 64);
  CHECK(launch.final_condition == "x[0] == 1.0");
  CHECK(launch.observed == "1:r0=x[1];x=x[0]");
  CHECK(launch.observed_where.where.line == 9);
  REQUIRE(launch.parameters.size() == 6);
  CHECK(std::get<std::uint64_t>(std::get<ScalarParameter>(launch.parameters[0].is).value) == 0xffffffff);
  const auto& x = std::get<BufferParameter>(launch.parameters[1].is);
  CHECK(std::get<2>(x.content) == std::vector<std::uint64_t>{0x3f800000, 0xc0200000});
  CHECK(std::get<2>(std::get<BufferParameter>(launch.parameters[2].is).content).size() == 3);
  CHECK(std::get<BytesParameter>(launch.parameters[3].is).bytes[1] == 255);
  CHECK(std::get<SameValue>(launch.parameters[4].is).parameter == 1);
  CHECK(std::holds_alternative<AnyValue>(std::get<ScalarParameter>(launch.parameters[5].is).value));
}

TEST_CASE("structures have numbers and addresses at offsets") {
  const Launch launch = read(header + R"(
[[param]]
name = "s"
bytes = 24
fields = [{ offset = 8, address_of = "x" }, { offset = 1, type = "u16", value = 0x1234 }]
[[param]]
name = "x"
buffer = "u32[4]"
init = 0
fields = [{ offset = 2, type = "u32", value = 0xaabbccdd }, { offset = 8, address_of = "x" }]
)");
  const auto& bytes = std::get<BytesParameter>(launch.parameters[0].is).bytes;
  CHECK(bytes.size() == 24);
  CHECK(bytes[1] == 0x34);
  CHECK(bytes[2] == 0x12);
  CHECK(launch.parameters[0].addresses == Addresses{{8, "x"}});
  CHECK(std::get<std::vector<std::uint64_t>>(std::get<BufferParameter>(launch.parameters[1].is).content) ==
        std::vector<std::uint64_t>{0xccdd0000, 0xaabb, 0, 0});
  CHECK(launch.parameters[1].addresses == Addresses{{8, "x"}});
  CHECK(error_of_fields("{ offset = 8, address_of = \"x\" }") ==
        "8: found a field of 8 bytes at offset 8, expected it within 12 bytes");
  CHECK(error_of_fields("{ offset = 4, address_of = \"x\" }") ==
        "8: found an address at offset 4, expected a multiple of 8");
  CHECK(error_of_fields("{ offset = 10, type = \"u32\", value = 1 }") ==
        "8: found a field of 4 bytes at offset 10, expected it within 12 bytes");
  CHECK(error_of("[[param]]\nname = \"s\"\nbuffer = \"u32[2]\"\nfields = [{ offset = 0, type = \"u8\", value "
                 "= 1 }]\n") == "8: found a number without 'init', expected it");
  CHECK(error_of("[[param]]\nname = \"s\"\ntype = \"u32\"\nvalue = 1\nfields = []\n") ==
        "9: found 'fields', expected it with 'buffer' or 'bytes' only");
}

TEST_CASE("a number in a structure may have a name, and then any value") {
  const Launch launch = read(header + R"(
[[param]]
name = "s"
bytes = 16
fields = [{ offset = 4, name = "n", type = "s32", value = "any" }, { offset = 8, name = "m", type = "u16", value = 3 }]
)");
  REQUIRE(launch.parameters.size() == 3);
  CHECK(launch.parameters[1].name == "n");
  CHECK(launch.parameters[1].role == Parameter::Role::field);
  CHECK(std::holds_alternative<AnyValue>(std::get<ScalarParameter>(launch.parameters[1].is).value));
  CHECK(launch.parameters[0].fields == std::map<std::uint64_t, std::string>{{4, "n"}, {8, "m"}});
  CHECK(number_of_parameter(launch, "m") == 2);
  CHECK(error_of_fields("{ offset = 4, type = \"u8\", value = \"any\" }") ==
        "8: found a field of any value without 'name', expected it");
  CHECK(error_of_fields("{ offset = 4, name = \"s\", type = \"u8\", value = \"any\" }") ==
        "8: found a field 's' in 's', expected another name");
  CHECK(error_of_fields("{ offset = 4, name = \"a\", type = \"u8\", value = 1 }, { offset = 5, name = \"a\", "
                        "type = \"u8\", value = 1 }") ==
        "8: found a second parameter or field 'a', expected another name");
  CHECK(error_of("[[param]]\nname = \"x\"\nbuffer = \"u32[2]\"\ninit = 0\nfields = [{ offset = 0, name = "
                 "\"a\", type = \"u8\", value = \"any\" }]\n") ==
        "9: found a field with 'name', expected it in 'bytes' only");
}

TEST_CASE("a sequence of kernels passes parameters by name") {
  const std::string sequence = R"(module = "k.ptx"
[[launch]]
entry = "a"
grid = [2]
block = [4]
arguments = ["x", "n"]
[[launch]]
entry = "b"
grid = [1]
block = [8, 2]
arguments = ["n", "y", "x"]
[[param]]
name = "x"
buffer = "f32[2]"
[[param]]
name = "y"
buffer = "f32[2]"
[[param]]
name = "n"
type = "u16"
value = "any"
[[param]]
name = "left"
type = "u16"
value = 1
)";
  const Launch launch = read(sequence);
  CHECK(launch.entries == std::vector<std::string>{"a", "b"});
  CHECK(size_of_grid(launch, 0).grid == Dimensions{2, 1, 1});
  CHECK(size_of_grid(launch, 1).block == Dimensions{8, 2, 1});
  CHECK(threads_of(launch) == 24);
  std::vector<std::string> names;
  for (const Parameter& parameter : launch.parameters) names.push_back(parameter.name);
  CHECK(names == std::vector<std::string>{"x", "n", "n", "y", "x", "left"});
  CHECK(std::get<SameValue>(launch.parameters[2].is).parameter == 1);
  CHECK(std::get<SameValue>(launch.parameters[2].is).bytes == 2);
  CHECK(std::get<SameValue>(launch.parameters[4].is).parameter == 0);
  CHECK(launch.parameters[5].role == Parameter::Role::buffer);
  const auto error_in = [&](std::string from, const std::string& to) {
    std::string text = sequence;
    text.replace(text.find(from), from.size(), to);
    try {
      read(text);
      return std::string("no error");
    } catch (const InputError& error) {
      return std::to_string(error.where.line) + ": " + error.what();
    }
  };
  CHECK(error_in("[\"x\", \"n\"]", "[\"z\"]") == "6: found 'z', expected the name of a [[param]]");
  CHECK(error_in("grid = [2]", "grid = \"any\"") ==
        "2: found \"any\", expected kernels of known sizes in a sequence");
  CHECK(error_in("[[launch]]", "block = [1]\n[[launch]]") ==
        "2: found 'block' with [[launch]], expected it in a [[launch]]");
}

TEST_CASE("variables of the module stand behind the parameters") {
  const Launch launch = read(header + R"(
[[variable]]
name = "limit"
type = "u32"
init = 7
[[variable]]
name = "rows"
type = "b64[3]"
init = ["x", 0, "limit"]
[[param]]
name = "x"
buffer = "f32[2]"
)");
  REQUIRE(launch.parameters.size() == 3);
  CHECK(launch.parameters[0].name == "x");
  CHECK(launch.parameters[0].role == Parameter::Role::passed);
  CHECK(launch.parameters[1].role == Parameter::Role::variable);
  CHECK(std::get<BufferParameter>(launch.parameters[1].is).count == 1);
  CHECK(launch.parameters[2].addresses == Addresses{{0, "x"}, {16, "limit"}});
  CHECK(error_of("[[variable]]\nname = \"x\"\ntype = \"u32\"\nbuffer = \"u32[1]\"\n")
            .starts_with("8: found key 'buffer', expected one of name, type, init"));
  CHECK(error_of("[[variable]]\nname = \"x\"\ntype = \"u32[2]\"\ninit = [1, \"y\"]\n") ==
        "8: found \"y\", expected an integer");
}

TEST_CASE("without a type, a variable has that of the module") {
  const auto read_with = [](const std::string& name) {
    const std::string text = header + "[[variable]]\nname = \"" + name + "\"\ninit = \"any\"\n";
    return parse_launch(
        text, "launch.toml",
        [](SourcePosition where) {
          return LaunchPlace{"", where};
        },
        ".version 8.0\n.target sm_80\n.address_size 64\n.const .f32 table[2][3];\n"
        ".global .align 4 .b8 bytes[12];\n.global .v2 .u32 pair;\n.extern .global .u32 open[];\n"
        ".visible .entry k() {\nret;\n}\n");
  };
  const auto type_of_variable = [&](const std::string& name) {
    const Launch launch = read_with(name);
    const auto& buffer = std::get<BufferParameter>(launch.parameters.at(0).is);
    return buffer.element.name + " " + std::to_string(buffer.count);
  };
  CHECK(type_of_variable("table") == "f32 6");
  CHECK(type_of_variable("bytes") == "b8 12");
  CHECK(type_of_variable("pair") == "u32 2");
  for (const char* name : {"open", "no"})
    CHECK_THROWS_WITH_AS(read_with(name),
                         doctest::Contains("which is no variable with a size in .global or .const of"),
                         InputError);
}

TEST_CASE("what is wrong is said once, with its line") {
  CHECK(error_of("blok = 3\n").starts_with("5: found key 'blok', expected one of module, entry"));
  CHECK(error_of("[[param]]\nname = \"n\"\ntype = \"s31\"\nvalue = 1\n").starts_with("7: found type 's31'"));
  CHECK(error_of("[[param]]\nname = \"n\"\ntype = \"u8\"\nvalue = 256\n") ==
        "8: found 256, expected 0 to 255");
  CHECK(error_of("[[param]]\nname = \"n\"\ntype = \"u8\"\n") == "5: found no 'value', expected it");
  CHECK(error_of("[[param]]\nname = \"x\"\nbuffer = \"s32[-4]\"\n") ==
        "7: found 's32[-4]', expected a type and a size such as \"s32[4]\"");
  CHECK(error_of("[[param]]\nname = \"x\"\nbuffer = \"s32[2]\"\ninit = [1]\n") ==
        "8: found 1 numbers, expected 2");
  CHECK(error_of("[[param]]\nname = \"x\"\nsame_as = \"y\"\n") ==
        "7: found 'y', expected the name of an earlier buffer");
  CHECK(error_of("expect = [\"fine\"]\n").starts_with("5: found 'fine', expected one of safe"));
  CHECK(error_of("cluster = [0]\n") == "5: found 0, expected 1 to 2147483647");
  CHECK(error_of("[[param]]\nname = \"n\"\ninit = 3\n") ==
        "5: found a parameter of no kind, expected buffer, type, bytes, same_as, multimem, texture, "
        "surface, sampler or tensormap");
  CHECK(error_of("[[param]]\nname = \"n\"\ntype = \"u8\"\nvalue = 1\ninit = 3\n") ==
        "9: found 'init', expected it with 'buffer' only");
  CHECK(error_of("[[param]]\nname = \"n\"\ntype = \"u8\"\nvalue = 1\nbytes = [3]\n") ==
        "9: found 'bytes', expected it without 'type'");
  CHECK(error_of("[[param]]\nname = \"n\"\nbuffer = \"u64[999999999]\"\n") ==
        "7: found a buffer of 7999999992 bytes, expected at most 268435456");
  CHECK(error_of("[[param]]\nname = \"n\"\nbuffer = \"s64[15999927]\"\ninit = \"n\"\n") ==
        "8: found one address for 15999927 elements, expected at most 1048576 elements");
  CHECK(error_of("expect = [\"safe\", \"race\"]\n") ==
        "5: found 'safe' with other verdicts, expected it alone");
  CHECK(
      error_of("ignore = [{ property = \"fine\" }]\n").starts_with("5: found property 'fine', expected one"));
  CHECK(error_of("= 3\n").starts_with("5: "));
  CHECK_THROWS_AS(read("grid = [1]\n"), InputError);
  CHECK_THROWS_AS(read_launch("/nowhere/launch.toml"), InputError);
}

TEST_CASE("the name of the only kernel may be left out") {
  const Launch launch = read("module = \"k.ptx\"\ngrid = [2]\nblock = [4]\n");
  CHECK(launch.entries == std::vector<std::string>{""});
  CHECK(launch.entry_where.where.line == 1);
}

TEST_CASE("a dependent launch has several kernels") {
  const std::string text = "module = \"k.ptx\"\nentry = \"a+b\"\ngrid = [2]\nblock = [4]\ndependent = true\n";
  const Launch launch = read(text);
  CHECK(launch.is_dependent);
  CHECK(launch.entries == std::vector<std::string>{"a", "b"});
  CHECK(error_of("dependent = true\n") ==
        "5: found a dependent launch of one kernel, expected an 'entry' such as \"a+b\"");
  CHECK(error_of("dependent = 1\n") == "5: found another value, expected true or false");
}

TEST_CASE("keys, tables and arrays nest to a depth") {
  const auto repeated = [](const std::string& part, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += part;
    return text;
  };
  for (const char* part : {"a.", "[", "{a=", "{a.a.a=", "\"a\" . ", "'.'."}) {
    CHECK(error_of(repeated(part, 1'000'000)) == "5: nested deeper than 256 levels");
    CHECK(error_of("a = {" + repeated(part, 1'000'000)) == "5: nested deeper than 256 levels");
    CHECK(error_of("[" + repeated(part, 1'000'000)) == "5: nested deeper than 256 levels");
  }
  CHECK(
      error_of("[" + repeated("a.", 200) + "a]\n" + repeated("b.", 200) + "b = 1").find("5: found key 'a'") ==
      0);
  // Dots of strings, comments and numbers are none of keys.
  const std::string dots(1000, '.');
  CHECK(error_of("# " + dots + "\nmore = \"\\\"" + dots + "\"").find("6: found key 'more'") == 0);
  CHECK(error_of("more = \"\"\"\n" + dots + "\"\"\"\n").find("5: found key 'more'") == 0);
  CHECK(error_of("more = '''" + dots + "'''").find("5: found key 'more'") == 0);
  CHECK(error_of("more = [" + repeated("0.5, ", 1000) + "1.5]").find("5: found key 'more'") == 0);
}

TEST_CASE("tensor maps") {
  const std::string begin = "[[param]]\nname = \"m\"\ntensormap = { buffer = \"x\", element = ";
  const std::string whole = begin + "\"f16\", dims = [64, 8], strides = [128], box = [32, 4]";
  const Launch launch = read(header + whole + ", swizzle = \"128B_ATOM_32B\", fill = \"nan\" }\n");
  REQUIRE(launch.parameters.size() == 1);
  CHECK(std::get<BytesParameter>(launch.parameters[0].is).bytes.size() == 128);
  REQUIRE(launch.parameters[0].tensor_maps.size() == 1);
  const TensorMap& map = launch.parameters[0].tensor_maps[0].map;
  CHECK(map.field(rank_field).to_u64() == 1);
  CHECK(map.field(elemtype_field).to_u64() == 6);
  CHECK(map.field(global_dim_field(1)).to_u64() == 8);
  CHECK(map.field(global_stride_field(0)).to_u64() == 128);
  CHECK(map.field(box_dim_field(0)).to_u64() == 32);
  CHECK(map.field(element_stride_field(1)).to_u64() == 1);
  CHECK(map.field(swizzle_mode_field).to_u64() == 3);
  CHECK(map.field(swizzle_atomicity_field).to_u64() == 1);
  CHECK(map.field(fill_mode_field).to_u64() == 1);
  CHECK(error_of(begin + "\"f12\", dims = [64], box = [32] }\n")
            .starts_with("7: found element 'f12', expected one such as"));
  CHECK(error_of(begin + "\"f16\", dims = [64], box = [4] }\n") ==
        "7: found 8 bytes in dimension 0, expected a multiple of 16");
  CHECK(error_of(whole + ", swizzle = \"32B\" }\n") ==
        "7: found 64 bytes in dimension 0, expected at most the 32 of the swizzle");
  CHECK(
      error_of(whole + ", swizzle = \"16B\" }\n").starts_with("7: found \"16B\", expected one of none, 32B"));
  CHECK(error_of(whole + ", offset = 64 }\n")
            .starts_with("7: found a tensor map of 128 bytes at offset 64 of 128"));
  CHECK(error_of(begin + "\"s32\", dims = [64], box = [32], fill = \"nan\" }\n")
            .starts_with("7: found \"nan\" for elements of type s32"));
  CHECK(error_of(begin + "\"s32\", dims = [64, 4], strides = [20], box = [32, 2] }\n") ==
        "7: found 20, expected multiples of 16 bytes");
  const std::string column =
      begin + "\"f16\", dims = [64, 9, 14, 4], strides = [128, 1152, 16128], im2col = { ";
  const Launch image =
      read(header + column + "lower = [-1, -2], upper = [1, 0], channels = 8, pixels = 64 } }\n");
  const TensorMap& im2col = image.parameters.at(0).tensor_maps.at(0).map;
  CHECK(im2col.is_im2col().is_true());
  CHECK(im2col.field(channels_per_pixel_field).to_u64() == 8);
  CHECK(im2col.field(pixels_per_column_field).to_u64() == 64);
  CHECK(im2col.field(box_corners_field(1)).to_u64() == 0x1ffff);
  CHECK(im2col.field(box_corners_field(2)).to_u64() == 0xfffe);
  CHECK(error_of(column + "lower = [-1], upper = [1, 0], channels = 8, pixels = 64 } }\n") ==
        "7: found 1 numbers, expected 2");
  CHECK(error_of(column + "lower = [-129, 0], upper = [1, 0], channels = 8, pixels = 64 } }\n")
            .starts_with("7: found -129"));
  CHECK(error_of(column + "lower = [0, 0], upper = [1, 0], channels = 4, pixels = 64 } }\n") ==
        "7: found 8 bytes in dimension 0, expected a multiple of 16");
  CHECK(error_of(whole + ", im2col = { } }\n") == "7: found 'im2col' with 'box', expected one of them");
  CHECK(error_of("[[param]]\nname = \"m\"\ntype = \"u8\"\nvalue = 1\ntensormap = { }\n") ==
        "9: found 'tensormap' with 'type', expected it alone or with buffer or bytes");
}
