// What the manual says of special operands, sentence by sentence: manual_vectors.txt.
#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "src/instruction/vector_line.hpp"

using namespace ptxmc;

TEST_CASE("zeros, infinities, NaN, subnormal numbers, clamps and saturation are as the manual has them") {
  const std::string file = std::string(PTXMC_SOURCE_DIR) + "/tests/src/instruction/manual_vectors.txt";
  std::ifstream in(file);
  REQUIRE(in);
  PreparedLines prepared;
  std::vector<Bits> inputs;
  std::string text;
  std::uint32_t number = 0, vectors = 0;
  while (std::getline(in, text)) {
    ++number;
    if (text.empty() || text.starts_with('#')) continue;
    const VectorLine line = read_vector_line(text, file, number);
    Evaluation& evaluation = prepared.find(line, file, number)->evaluation;
    read_inputs(line, evaluation, inputs, file, number);
    INFO(text);
    CHECK(agrees(line.output, evaluation, evaluation.run(inputs)));
    ++vectors;
  }
  CHECK(vectors > 300);
}
