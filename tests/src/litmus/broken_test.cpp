// Every diagnostic of the litmus reader: broken/NAME.litmus is wrong as broken/NAME.expected says. Where that
// ends in an ellipsis, the table of instructions has the rest of the message.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "semantics/language/diagnostic.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;
namespace fs = std::filesystem;

namespace {

std::string message_for(std::string_view text) {
  try {
    parse_litmus(text, "test.litmus");
    return "accepted";
  } catch (const InputError& error) {
    return fmt::format("{}:{}: error: {}", error.where.line, error.where.column, error.what());
  }
}

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("a broken file gives one clear error where it is broken") {
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(PTXMC_SOURCE_DIR) / "tests/src/litmus/broken")) {
    if (entry.path().extension() != ".litmus") continue;
    ++files;
    CAPTURE(entry.path().filename().string());
    fs::path expected = entry.path();
    expected.replace_extension(".expected");
    std::string message = text_of(expected);
    REQUIRE(message.ends_with("\n"));
    message.pop_back();
    constexpr std::string_view ellipsis = "…";
    if (message.ends_with(ellipsis)) {
      message.resize(message.size() - ellipsis.size());
      CHECK(message_for(text_of(entry.path())).substr(0, message.size()) == message);
    } else {
      CHECK(message_for(text_of(entry.path())) == message);
    }
  }
  CHECK(files >= 70);
}

TEST_CASE("large files that are wrong are refused as quickly as they are read") {
  CHECK(message_for(std::string(10'000'000, ' ')) ==
        "1:10000001: error: found end of file, expected 'PTX' or 'C'");
  CHECK(message_for("PTX t {} P0@cta 0,gpu 0; exists " + std::string(1'000'000, '(')) ==
        "1:290: error: nested deeper than 256 levels");
  CHECK(message_for("PTX t {} P0@cta 0,gpu 0; exists " + std::string(1'000'000, '~')) ==
        "1:1000033: error: found end of file, expected a condition");
  CHECK(message_for("PTX t { x = " + std::string(1'000'000, '9') + "; }") ==
        "1:13: error: found '" + std::string(40, '9') + "…', expected a number from -2^63 to 2^63 - 1");
}

TEST_CASE("a file that cannot be read is an error without a line") {
  for (const fs::path path : {"no/such/file.litmus", PTXMC_SOURCE_DIR}) {
    CAPTURE(path.string());
    CHECK_THROWS_AS(read_litmus(path), InputError);
  }
}

TEST_CASE("a string with letters of other alphabets is read or refused wherever it stands") {
  const std::string text =
      "PTX t\n{ .shared x = 1; P0:r1 : f32 = -1.5e2; }\n P0@cta 0,gpu 0 ;\n L: @p0 ld.weak r0, [x+0x4] ;\n "
      "bra L ;\n"
      "filter true\n"
      "locations [x;]\nexists (P0:r0 == 1)";
  for (std::size_t place = 0; place <= text.size(); ++place) {
    CAPTURE(place);
    const std::string message = message_for(std::string(text).insert(place, "\"Grü\xff\""));
    CHECK((message == "accepted" || message.find("expected") != std::string::npos));
  }
}
