#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "src/instruction/evaluation.hpp"

namespace ptxmc {

/// A line of `ptxmc eval`: `instruction;input,input,…`, optionally followed by `;output;…`. Several
/// instructions may precede the inputs: `sub.cc.u32;subc.u32;…`. Inputs are hexadecimal bits, predicates 0 or
/// 1; `lop3.b32 imm=0x96` carries its immediate. If there are 32 times as many inputs as the written operands
/// need, all lanes of a warp run the instructions together, and the inputs and outputs are theirs, one lane
/// behind the other.
struct VectorLine {
  std::string_view instructions;  ///< all of them, as written
  std::string_view inputs;
  std::string_view output;  ///< empty: no output given
  std::size_t input_count = 0;
  std::size_t inputs_column = 0;  ///< from 1
};

/// Throws InputError.
VectorLine read_vector_line(std::string_view line, const std::string& file, std::uint32_t number);

/// The instructions of a line, ready to run, and their terms on unknowns.
struct PreparedLine {
  Evaluation evaluation;
  TermGraph graph;
  std::vector<Bits> unknowns, terms;

  explicit PreparedLine(Evaluation made) : evaluation(std::move(made)) {}
  /// Computes the terms at the first call.
  void make_terms();
  /// The results for these inputs by Z3, after make_terms. Checks the time limit of the thread.
  std::vector<Bits> solve(std::span<const Bits> inputs) const;
};

/// A cache of prepared instructions.
class PreparedLines {
 public:
  /// Throws InputError and Unsupported.
  std::shared_ptr<PreparedLine> find(const VectorLine&, const std::string& file, std::uint32_t number);
  /// Removes the instruction of this line from the cache.
  void forget(const VectorLine&);

 private:
  void set_key(const VectorLine&);

  std::unordered_map<std::string, std::shared_ptr<PreparedLine>> prepared_;
  std::string key_;
};

/// The inputs as constants of the widths that the instruction requires; `inputs` is cleared first. Throws
/// InputError.
void read_inputs(const VectorLine&, const Evaluation&, std::vector<Bits>& inputs, const std::string& file,
                 std::uint32_t number);

/// Appends results in the format of the lines: a fixed number of digits, `nan` for NaN, commas between
/// several results.
void append_results(std::string& out, const Evaluation&, std::span<const Bits> values);

/// Whether a written output agrees with the values; `nan` agrees with every NaN.
bool agrees(std::string_view output, const Evaluation&, std::span<const Bits> values);

}  // namespace ptxmc
