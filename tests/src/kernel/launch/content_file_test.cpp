#include "src/kernel/launch/content_file.hpp"

#include <doctest/doctest.h>

#include "semantics/language/diagnostic.hpp"
#include "tests/src/kernel/launch_files.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;

namespace {

const ElementType f32 = {"f32", type_of(".f32")}, s16 = {"s16", type_of(".s16")},
                  b32 = {"b32", type_of(".b32")};

/// A file as NumPy writes it, format version 1.
std::string numpy(const std::string& header, const std::string& numbers) {
  const std::string padded = header + std::string(63 - (10 + header.size()) % 64, ' ') + "\n";
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(padded.size()) + std::string(1, '\0') +
         padded + numbers;
}

std::vector<std::uint64_t> read_content(const std::string& name, const std::string& text,
                                        const ElementType& element, std::uint64_t count) {
  return content_of_file(test::written_file(name, text), element, count);
}

std::string content_error(const std::string& name, const std::string& text, const ElementType& element,
                          std::uint64_t count) {
  try {
    read_content(name, text, element, count);
    return "no error";
  } catch (const InputError& error) {
    return error.what();
  }
}

const std::string one_and_two = std::string("\0\0\x80\x3f\0\0\0\x40", 8);  // 1.0f, 2.0f

}  // namespace

TEST_CASE("a .bin file has the bytes in memory") {
  CHECK(read_content("x.bin", one_and_two, f32, 2) == std::vector<std::uint64_t>{0x3f800000, 0x40000000});
  CHECK(read_content("x.bin", std::string("\1\0\xff\xff", 4), s16, 2) ==
        std::vector<std::uint64_t>{1, 0xffff});
  CHECK(content_error("x.bin", one_and_two, f32, 3) ==
        "found 8 bytes, expected the 12 of 3 elements of type f32");
}

TEST_CASE("a .npy file has an array of the element type") {
  const std::string floats =
      numpy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }", one_and_two);
  const std::vector<std::uint64_t> expected = {0x3f800000, 0x40000000};
  CHECK(read_content("x.npy", floats, f32, 2) == expected);
  CHECK(read_content("x.npy", floats, b32, 2) == expected);
  CHECK(content_error("x.npy", floats, s16, 4) ==
        "found numbers of type '<f4', expected s16 in little-endian order");
  CHECK(content_error("x.npy", floats, f32, 3) == "found 8 bytes, expected the 12 of 3 elements of type f32");
  const auto with = [](const std::string& type, const std::string& order) {
    return numpy("{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': (2,), }", one_and_two);
  };
  CHECK(content_error("x.npy", with(">f4", "False"), f32, 2) ==
        "found numbers of type '>f4', expected f32 in little-endian order");
  CHECK(content_error("x.npy", with("<i4", "False"), f32, 2) ==
        "found numbers of type '<i4', expected f32 in little-endian order");
  CHECK(content_error("x.npy", with("<f4", "True"), f32, 2) ==
        "found an array in Fortran order, expected C order");
  CHECK(content_error("x.npy", with("<f4", "False").substr(0, 70), f32, 2).starts_with("found"));
  CHECK(content_error("x.npy", "text", f32, 2) == "found another file, expected an array of NumPy (.npy)");
}
