#include "src/instruction/vector_line.hpp"

#include <algorithm>

#include "semantics/language/diagnostic.hpp"
#include "solver/smt/solve_terms.hpp"
#include "src/instruction/instruction_text.hpp"

namespace ptxmc {

namespace {

[[noreturn]] void fail(const std::string& message, const std::string& file, std::uint32_t line,
                       std::size_t column) {
  throw InputError(file, {line, static_cast<std::uint32_t>(column)}, message);
}

/// The value of a hexadecimal digit, or 16.
unsigned digit_value(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return 16;
}

/// `lop3.b32 imm=0x96`: what follows `imm=`.
u128 immediate_of(std::string_view text, const std::string& file, SourcePosition where) {
  u128 value = 0;
  const std::string_view digits = text.starts_with("0x") ? text.substr(2) : text;
  for (const char c : digits) {
    if (digit_value(c) == 16)
      throw InputError(file, where, "found `" + std::string(text) + "`, expected a number such as 0x96");
    value = value << 4 | digit_value(c);
  }
  return value;
}

/// An instruction of a line, and its position.
struct NamedInstruction {
  InstructionText text;
  std::vector<u128> immediates;
  SourcePosition where;
};

std::vector<NamedInstruction> instructions_of(const VectorLine& line, const std::string& file,
                                              std::uint32_t number) {
  std::vector<NamedInstruction> instructions;
  for (std::size_t start = 0; start <= line.instructions.size();) {
    const std::size_t end = std::min(line.instructions.find(';', start), line.instructions.size());
    const std::string_view name = line.instructions.substr(start, end - start);
    NamedInstruction& instruction = instructions.emplace_back();
    const std::size_t blanks = std::min(name.find_first_not_of(' '), name.size());
    instruction.where = {number, static_cast<std::uint32_t>(start + blanks + 1)};
    const std::size_t immediate = name.find(" imm=");
    if (immediate != std::string_view::npos)
      instruction.immediates.push_back(immediate_of(name.substr(immediate + 5), file, instruction.where));
    instruction.text = read_instruction(name.substr(0, immediate), file, instruction.where);
    if (instruction.text.has_guard)
      throw InputError(file, instruction.where, "found a guard, expected an instruction without one");
    start = end + 1;
  }
  return instructions;
}

std::string inputs_text(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " input" : " inputs");
}

Evaluation evaluation_of(const VectorLine& line, const std::string& file, std::uint32_t number) {
  const auto instructions = instructions_of(line, file, number);
  const auto is_written = [](const NamedInstruction& one) { return !one.text.operands.empty(); };
  const auto written = static_cast<std::size_t>(std::ranges::count_if(instructions, is_written));
  if (written != 0 && written != instructions.size())
    throw InputError(
        file, std::ranges::find_if_not(instructions, is_written)->where,
        "found an instruction without operands beside one with operands, expected them of all or of none");
  if (written == 0 && line.input_count % instructions.size() != 0)
    fail("found " + inputs_text(line.input_count) + ", expected the same number for each of " +
             std::to_string(instructions.size()) + " instructions",
         file, number, line.inputs_column);
  std::vector<ResolvedInstruction> resolved;
  for (const NamedInstruction& one : instructions)
    resolved.push_back(resolve_instruction(one.text, line.input_count / instructions.size(), one.immediates,
                                           file, one.where));
  Evaluation evaluation(resolved, file);
  constexpr std::size_t lanes_of_warp = 32;
  const auto& names = evaluation.source_names();
  if (written != 0 && line.input_count == lanes_of_warp * names.size() && !names.empty())
    evaluation.spread_over_warp();
  if (line.input_count != names.size()) {
    std::string wanted;
    for (const std::string& name : names) wanted += (wanted.empty() ? "" : ", ") + name;
    fail("found " + inputs_text(line.input_count) + ", expected " + std::to_string(names.size()) +
             (wanted.empty() ? "" : ": " + wanted),
         file, number, line.inputs_column);
  }
  return evaluation;
}

void append_hexadecimal(std::string& out, u128 value, unsigned digits) {
  for (unsigned i = digits; i-- > 0;) out += "0123456789abcdef"[static_cast<unsigned>(value >> (4 * i)) & 15];
}

/// Checks expected results: hexadecimal digits or `nan`, separated by commas.
void check_output(std::string_view output, const std::string& file, std::uint32_t line, std::size_t column) {
  for (std::size_t start = 0; start < output.size();) {
    const std::size_t end = std::min(output.find(',', start), output.size());
    const std::string_view value = output.substr(start, end - start);
    if (value != "nan" && !std::ranges::all_of(value, [](char c) { return digit_value(c) < 16; }))
      fail("found `" + std::string(value) + "`, expected hexadecimal digits or `nan`", file, line,
           column + start);
    start = end + 1;
  }
}

}  // namespace

namespace {

/// Whether a field is an instruction: it has a dot, or operands after a blank; inputs are numbers.
bool is_instruction(std::string_view field) {
  if (field.find('.') != std::string_view::npos) return true;
  const std::size_t first = field.find_first_not_of(' ');
  const bool has_operands =
      first != std::string_view::npos && field.find_first_of(' ', first) != std::string_view::npos;
  const auto is_of_numbers = [](char c) { return digit_value(c) < 16 || c == ',' || c == ' '; };
  return has_operands && digit_value(field[first]) > 9 && !std::ranges::all_of(field, is_of_numbers);
}

}  // namespace

VectorLine read_vector_line(std::string_view text, const std::string& file, std::uint32_t number) {
  VectorLine line;
  std::size_t end = 0;
  std::size_t start = 0;
  for (;;) {
    end = text.find(';', start);
    if (start != 0 && !is_instruction(text.substr(start, end - start))) break;
    if (end == std::string_view::npos)
      fail("found no inputs, expected `instruction;input,input,…`", file, number, text.size() + 1);
    start = end + 1;
  }
  line.instructions = text.substr(0, start - 1);
  line.inputs = text.substr(start, end - start);
  if (trimmed(line.inputs).empty()) line.inputs = {};
  line.inputs_column = start + 1;
  line.input_count =
      line.inputs.empty() ? 0 : static_cast<std::size_t>(std::ranges::count(line.inputs, ',')) + 1;
  if (end == std::string_view::npos) return line;
  start = end + 1;
  line.output = text.substr(start, text.find(';', start) - start);
  check_output(line.output, file, number, start + 1);
  return line;
}

void PreparedLine::make_terms() {
  constexpr std::size_t letters = 26;
  if (!terms.empty()) return;
  for (const unsigned width : evaluation.source_widths())
    unknowns.push_back(graph.variable(width, unknowns.size() < letters
                                                 ? std::string(1, static_cast<char>('a' + unknowns.size()))
                                                 : "x" + std::to_string(unknowns.size())));
  const std::span<const Bits> results = evaluation.run(unknowns);
  terms.assign(results.begin(), results.end());
}

std::vector<Bits> PreparedLine::solve(std::span<const Bits> inputs) const {
  return solve_terms(terms, unknowns, inputs);
}

std::shared_ptr<PreparedLine> PreparedLines::find(const VectorLine& line, const std::string& file,
                                                  std::uint32_t number) {
  set_key(line);
  const auto found = prepared_.find(key_);
  if (found != prepared_.end()) return found->second;
  auto made = std::make_shared<PreparedLine>(evaluation_of(line, file, number));
  return prepared_.emplace(key_, std::move(made)).first->second;
}

void PreparedLines::forget(const VectorLine& line) {
  set_key(line);
  prepared_.erase(key_);
}

void PreparedLines::set_key(const VectorLine& line) {
  key_.assign(line.instructions);
  key_ += ';';
  key_ += std::to_string(line.input_count);
}

void read_inputs(const VectorLine& line, const Evaluation& evaluation, std::vector<Bits>& inputs,
                 const std::string& file, std::uint32_t number) {
  inputs.clear();
  std::size_t start = 0;
  for (const unsigned width : evaluation.source_widths()) {
    const std::size_t end = std::min(line.inputs.find(',', start), line.inputs.size());
    const std::string_view digits = trimmed(line.inputs.substr(start, end - start));
    // A register may be wider than its type: 8-bit values are in 16-bit registers.
    const unsigned most = std::max(width, 16U) / 4;
    if (digits.empty() || digits.size() > most)
      fail("found `" + std::string(digits) + "`, expected at most " + std::to_string(most) +
               " hexadecimal digits for a value of " + std::to_string(width) + " bits",
           file, number, line.inputs_column + start);
    u128 value = 0;
    for (const char c : digits) {
      if (digit_value(c) == 16)
        fail("found `" + std::string(digits) + "`, expected hexadecimal digits", file, number,
             line.inputs_column + start);
      value = value << 4 | digit_value(c);
    }
    if (width == 1 && value > 1)
      fail("found `" + std::string(digits) + "`, expected 0 or 1 for a predicate", file, number,
           line.inputs_column + start);
    inputs.emplace_back(width, value);
    start = end + 1;
  }
}

void append_results(std::string& out, const Evaluation& evaluation, std::span<const Bits> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 0) out += ',';
    const Evaluation::Result& result = evaluation.results()[i];
    if (is_nan_result(result, values[i])) {
      out += "nan";
    } else {
      append_hexadecimal(out, values[i].value(), std::max(result.width / 4, 1U));
    }
  }
}

bool agrees(std::string_view output, const Evaluation& evaluation, std::span<const Bits> values) {
  std::size_t start = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (start > output.size()) return false;
    const std::size_t end = std::min(output.find(',', start), output.size());
    const std::string_view expected = output.substr(start, end - start);
    start = end + 1;
    const Evaluation::Result& result = evaluation.results()[i];
    if (expected == "nan") {
      if (!is_nan_result(result, values[i])) return false;
      continue;
    }
    u128 number = 0;
    for (const char c : expected) {
      if (digit_value(c) == 16) return false;
      number = number << 4 | digit_value(c);
    }
    const Bits wanted(result.width, number);
    const bool both_nan = is_nan_result(result, wanted) && is_nan_result(result, values[i]);
    if (expected.empty() || (!both_nan && (number != wanted.value() || !identical(wanted, values[i]))))
      return false;
  }
  return start > output.size();
}

}  // namespace ptxmc
