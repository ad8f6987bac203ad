// A table of results that others computed, where it stands beside the checkout.
#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "src/instruction/vector_line.hpp"

using namespace ptxmc;

namespace {

/// PTX ISA 8.7 § 9.7.9.21, .satfinite: "for … .tf32 destination formats, if the input is NaN, the result is
/// NaN in the specified destination format"; the table has the highest finite number.
constexpr std::string_view known_to_differ = "cvt.rna.satfinite.tf32.f32;7f800001;";

}  // namespace

TEST_CASE("every line of the table") {
  const std::string file = PTXMC_INSTRUCTION_VECTORS;
  std::ifstream in(file);
  REQUIRE(in);
  PreparedLines prepared;
  std::vector<Bits> inputs;
  std::string text;
  std::uint32_t number = 0;
  while (std::getline(in, text)) {
    ++number;
    const VectorLine line = read_vector_line(text, file, number);
    Evaluation& evaluation = prepared.find(line, file, number)->evaluation;
    read_inputs(line, evaluation, inputs, file, number);
    CAPTURE(text);
    CHECK(agrees(line.output, evaluation, evaluation.run(inputs)) != text.starts_with(known_to_differ));
  }
  CHECK(number > 10'000);
}
