#include "src/instruction/instruction_text.hpp"

#include <algorithm>
#include <cctype>

#include "semantics/language/characters.hpp"
#include "semantics/language/diagnostic.hpp"

namespace ptxmc {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

namespace {

using Kind = OperandShape::Kind;
using Link = OperandPattern::Link;

/// Splits text at separators outside of brackets and braces.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : separator;
    if (c == '[' || c == '{' || c == '(') ++depth;
    if (c == ']' || c == '}' || c == ')') --depth;
    if (i < text.size() && (c != separator || depth != 0)) continue;
    parts.push_back(trimmed(text.substr(start, i - start)));
    start = i + 1;
  }
  return parts;
}

std::optional<u128> number_in(std::string_view text) {
  const bool is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (is_hexadecimal) text.remove_prefix(2);
  if (text.empty()) return std::nullopt;
  u128 value = 0;
  for (const char c : text) {
    const auto digit = std::string_view("0123456789abcdef").find(static_cast<char>(std::tolower(c)));
    if (digit >= (is_hexadecimal ? 16U : 10U)) return std::nullopt;
    value = value * (is_hexadecimal ? 16 : 10) + digit;
  }
  return value;
}

InstructionText::Operand read_operand(std::string_view text, Link link) {
  InstructionText::Operand operand;
  operand.shape.link = link;
  if (text.starts_with('!')) {
    operand.shape.negated = true;
    text = trimmed(text.substr(1));
  }
  if (text.starts_with('-')) {
    operand.shape.has_minus = true;
    text = trimmed(text.substr(1));
  }
  operand.name = text;
  if (text == "_") {
    operand.shape.kind = Kind::sink;
  } else if (text.starts_with('[')) {
    operand.shape.kind = Kind::address;
    operand.name = trimmed(text.substr(1, text.size() - 2));
  } else if (text.starts_with('{')) {
    operand.shape.kind = Kind::vector;
    for (const std::string_view element : split(text.substr(1, text.size() - 2), ','))
      operand.elements.emplace_back(element);
    operand.shape.elements = static_cast<unsigned>(operand.elements.size());
  } else if (const auto number = number_in(text)) {
    operand.shape.kind = Kind::immediate;
    operand.number = operand.shape.has_minus ? -*number : *number;
    operand.shape.has_minus = false;
  } else if (const std::size_t dot = text.find('.'); dot != std::string_view::npos && dot > 0) {
    operand.shape.selector = text.substr(dot + 1);
    operand.name = text.substr(0, dot);
  }
  return operand;
}

std::vector<InstructionText::Operand> read_operands(std::string_view text) {
  std::vector<InstructionText::Operand> operands;
  for (const std::string_view part : split(text, ',')) {
    Link link = Link::comma;
    for (const std::string_view one : split(part, '|')) {
      operands.push_back(read_operand(one, link));
      link = Link::pipe;
    }
  }
  return operands;
}

/// The operand text of a pattern of a syntax line.
InstructionText::Operand operand_of(const OperandPattern& pattern, const SyntaxLine& line,
                                    std::string_view spelling) {
  InstructionText::Operand operand;
  operand.name = pattern.name;
  operand.shape.link = pattern.link;
  switch (pattern.kind) {
    case OperandPattern::Kind::value:
      operand.shape.kind = pattern.name == "_" ? Kind::sink : Kind::register_;
      break;
    case OperandPattern::Kind::address:
      operand.shape.kind = Kind::address;
      break;
    case OperandPattern::Kind::label:
      operand.shape.kind = Kind::label;
      break;
    case OperandPattern::Kind::vector:
      operand.shape.kind = Kind::vector;
      operand.shape.elements = std::max(pattern.elements, 1U);
      break;
    case OperandPattern::Kind::list:
      operand.shape.kind = Kind::list;
      break;
  }
  const bool has_vector_role = std::ranges::any_of(
      line.modifiers, [](const ModifierSlot& slot) { return slot.role.starts_with(".vec"); });
  if (has_vector_role && (pattern.name == "d" || pattern.name == "b"))
    for (const unsigned count : {2U, 4U, 8U})
      if (spelling.find(".v" + std::to_string(count)) != std::string_view::npos) {
        operand.shape.kind = Kind::vector;
        operand.shape.elements = count;
      }
  return operand;
}

std::size_t source_values(const std::vector<InstructionText::Operand>& operands, const SyntaxLine& line) {
  std::size_t count = 0;
  for (const InstructionText::Operand& operand : operands) {
    const auto pattern = std::ranges::find(line.operands, operand.name, &OperandPattern::name);
    if (pattern == line.operands.end() || pattern->is_destination) continue;
    count += operand.shape.kind == Kind::vector ? operand.shape.elements : 1;
  }
  return count;
}

/// Replaces operands that must be immediates by a number.
void mark_constants(std::vector<InstructionText::Operand>& operands, const SyntaxLine& line) {
  for (InstructionText::Operand& operand : operands) {
    const auto pattern = std::ranges::find(line.operands, operand.name, &OperandPattern::name);
    if (pattern != line.operands.end() && pattern->is_constant) operand.shape.kind = Kind::immediate;
  }
}

/// The operand lists of the opcode's syntax lines, without and with optional operands; those with `count`
/// sources if it is given.
std::vector<std::vector<InstructionText::Operand>> candidates(const InstructionText& text,
                                                              std::optional<std::size_t> source_count) {
  const std::string_view opcode = std::string_view(text.spelling).substr(0, text.spelling.find('.'));
  std::vector<std::vector<InstructionText::Operand>> found;
  for (const auto& entry : ptx().declarations())
    for (const SyntaxLine& line : entry->notation.lines) {
      if (line.opcode != opcode) continue;
      for (const bool optional : {false, true}) {
        std::vector<InstructionText::Operand> operands;
        for (const OperandPattern& pattern : line.operands)
          if (!pattern.optional || (optional && pattern.link != Link::pipe))
            operands.push_back(operand_of(pattern, line, text.spelling));
        if (!source_count) mark_constants(operands, line);
        if (!source_count || source_values(operands, line) == *source_count) found.push_back(operands);
      }
    }
  return found;
}

Match match(const std::string& spelling, const std::vector<InstructionText::Operand>& operands) {
  std::vector<OperandShape> shapes;
  for (const InstructionText::Operand& operand : operands) shapes.push_back(operand.shape);
  return ptx().match(spelling, shapes);
}

[[noreturn]] void fail(const std::string& message, const std::string& file, SourcePosition where) {
  throw InputError(file, where, message);
}

/// The last sources become numbers.
void set_immediates(std::vector<InstructionText::Operand>& operands, const std::vector<u128>& immediates) {
  for (std::size_t i = 0; i < immediates.size(); ++i) {
    InstructionText::Operand& operand = operands[operands.size() - immediates.size() + i];
    operand.shape.kind = Kind::immediate;
    operand.number = immediates[i];
  }
}

}  // namespace

InstructionText read_instruction(std::string_view text, const std::string& file, SourcePosition where) {
  text = trimmed(text);
  if (text.ends_with(';')) text = trimmed(text.substr(0, text.size() - 1));
  InstructionText result;
  if (text.starts_with('@')) {
    result.has_guard = true;
    const auto end = std::ranges::find_if(text, is_blank);
    text = trimmed(text.substr(static_cast<std::size_t>(end - text.begin())));
  }
  const auto end = std::ranges::find_if(text, is_blank);
  result.spelling = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  if (result.spelling.empty()) fail("found no instruction, expected one such as `add.u32`", file, where);
  const std::string_view rest = trimmed(text.substr(result.spelling.size()));
  if (!rest.empty()) result.operands = read_operands(rest);
  for (const InstructionText::Operand& operand : result.operands)
    if (operand.name.empty() || operand.name.find_first_of(" \t@;") != std::string::npos)
      if (operand.shape.kind == Kind::register_)
        fail("found `" + operand.name + "`, expected an operand", file, where);
  return result;
}

namespace {

ResolvedInstruction match_operands(const InstructionText& text, std::optional<std::size_t> source_count,
                                   const std::vector<u128>& immediates, const std::string& file,
                                   SourcePosition where) {
  if (!text.operands.empty()) {
    const Match found = match(text.spelling, text.operands);
    if (!found) fail(text.spelling + ": " + found.error, file, where);
    return {found.form, text.operands, true, where};
  }
  std::string error;
  std::optional<std::size_t> sources = source_count;
  if (sources) *sources += immediates.size();
  for (std::vector<InstructionText::Operand>& operands : candidates(text, sources)) {
    if (operands.size() < immediates.size()) continue;
    set_immediates(operands, immediates);
    const Match found = match(text.spelling, operands);
    if (found) {
      for (std::size_t i = 0; i < operands.size(); ++i) operands[i].name = found.form->operands[i].name();
      return {found.form, operands, false, where};
    }
    error = found.error;
  }
  // An error about the opcode and its modifiers is more helpful than one about operands.
  const auto any = candidates(text, std::nullopt);
  for (const std::vector<InstructionText::Operand>& operands : any) {
    const Match found = match(text.spelling, operands);
    const bool has_constant = std::ranges::any_of(
        operands, [](const auto& operand) { return operand.shape.kind == Kind::immediate; });
    if (found && source_count)
      fail(text.spelling + ": found " + std::to_string(*source_count) +
               (*source_count == 1 ? " input" : " inputs") + ", expected those of " +
               std::string(found.form->line->text) + (has_constant ? ", a constant as `imm=0x96`" : ""),
           file, where);
    error = found.error;
  }
  if (any.empty()) error = match(text.spelling, {}).error;
  fail(text.spelling + ": " + error, file, where);
}

}  // namespace

ResolvedInstruction resolve_instruction(const InstructionText& text, std::optional<std::size_t> source_count,
                                        const std::vector<u128>& immediates, const std::string& file,
                                        SourcePosition where) {
  ResolvedInstruction resolved = match_operands(text, source_count, immediates, file, where);
  for (std::size_t i = 0; i < resolved.operands.size(); ++i) {
    const auto& number = resolved.operands[i].number;
    const OperandPattern& pattern = *resolved.form->operands[i].pattern;
    if (!number || pattern.immediates.accepts(static_cast<std::int64_t>(*number))) continue;
    fail(text.spelling + ": found " + std::to_string(static_cast<std::int64_t>(*number)) + " for " +
             pattern.name + ", expected " + to_string(pattern.immediates),
         file, where);
  }
  return resolved;
}

}  // namespace ptxmc
