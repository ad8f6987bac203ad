// Any bytes are a line of `ptxmc eval` or refused; the results of one are written so that they agree.
#include "reading.hpp"
#include "src/instruction/vector_line.hpp"

using namespace ptxmc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = text_of(data, size);
  accepts([&] {
    const VectorLine line = read_vector_line(text, "fuzz", 1);
    PreparedLines lines;
    Evaluation& evaluation = lines.find(line, "fuzz", 1)->evaluation;
    std::vector<Bits> inputs;
    read_inputs(line, evaluation, inputs, "fuzz", 1);
    const std::span<const Bits> results = evaluation.run(inputs);
    std::string out;
    append_results(out, evaluation, results);
    if (!agrees(out, evaluation, results)) fail("does not agree with itself", out);
  });
  return 0;
}
