#include "src/litmus/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <vector>

#include "semantics/language/type.hpp"
#include "src/litmus/dialect.hpp"

namespace ptxmc {

namespace {

using StringPair = std::pair<std::string_view, std::string_view>;

constexpr std::array<StringPair, 6> branches = {
    {{"beq", "eq"}, {"bne", "ne"}, {"blt", "lt"}, {"ble", "le"}, {"bgt", "gt"}, {"bge", "ge"}}};

constexpr std::array<StringPair, 8> arithmetic = {{{"add", "add.s64"},
                                                   {"sub", "sub.s64"},
                                                   {"mul", "mul.lo.s64"},
                                                   {"div", "div.s64"},
                                                   {"rem", "rem.s64"},
                                                   {"and", "and.b64"},
                                                   {"or", "or.b64"},
                                                   {"xor", "xor.b64"}}};

constexpr std::array<std::string_view, 10> accesses = {"ld",   "st",   "atom", "red",    "tld",
                                                       "suld", "cold", "sust", "suatom", "sured"};

std::optional<std::string_view> look_up(std::span<const StringPair> table, std::string_view key) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.first == key; });
  if (found == table.end()) return std::nullopt;
  return found->second;
}

std::vector<std::string_view> modifiers_of(std::string_view spelling) {
  std::vector<std::string_view> modifiers;
  for (std::size_t dot = spelling.find('.'); dot != std::string_view::npos;) {
    const std::size_t next = spelling.find('.', dot + 1);
    modifiers.push_back(spelling.substr(dot, next - dot));
    dot = next;
  }
  return modifiers;
}

bool names_type(std::string_view modifier) {
  const auto known = Modifier::find(modifier);
  return known && type_of(*known).kind != Type::Kind::none;
}

/// PTX ISA 8.7 § 9.7.13.5: exchanges and logic operations have type bits, additions of 64 bits are unsigned.
/// § 9.7.9.8: loads and stores have no floating-point types of 16 bits; the dialect's accesses have none at
/// all.
std::string_view type_letter(std::string_view opcode, const std::vector<std::string_view>& modifiers,
                             VariableType type) {
  static constexpr std::array bitwise = {".and", ".or", ".xor", ".exch", ".cas"};
  for (const std::string_view modifier : modifiers)
    if (std::find(bitwise.begin(), bitwise.end(), modifier) != bitwise.end()) return "b";
  if (type.format) {
    const bool is_update = opcode == "atom" || opcode == "red";
    const bool is_load_or_store = opcode == "ld" || opcode == "st";
    if (!is_update && (!is_load_or_store || type.width == 16)) return "b";
    return *type.format == FloatFormat::bf16 ? "bf" : "f";
  }
  for (const std::string_view modifier : modifiers)
    if (modifier == ".add" && type.width == 64) return "u";
  return type.is_signed ? "s" : "u";
}

/// The number of insertions, deletions and replacements to change one word into the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string collapse_blanks(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (blank && (result.empty() || result.back() == ' ')) continue;
    result += blank ? ' ' : c;
  }
  if (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

std::optional<std::string_view> branch_comparison(std::string_view opcode) {
  return look_up(branches, opcode);
}

std::string complete_spelling(std::string_view written, VariableType accessed) {
  if (const auto complete = look_up(arithmetic, written)) return std::string(*complete);
  const std::string_view opcode = written.substr(0, written.find('.'));
  const auto modifiers = modifiers_of(written);
  if (std::find(accesses.begin(), accesses.end(), opcode) == accesses.end() ||
      std::any_of(modifiers.begin(), modifiers.end(), names_type))
    return std::string(written);
  return fmt::format("{}.{}{}", written, type_letter(opcode, modifiers, accessed), accessed.width);
}

bool is_known_opcode(std::string_view opcode) {
  return opcode == "goto" || branch_comparison(opcode) || litmus_dialect().has_opcode(opcode) ||
         ptx().has_opcode(opcode);
}

std::string nearest_opcode(std::string_view opcode) {
  std::set<std::string_view> known = {"goto"};
  for (const auto& branch : branches) known.insert(branch.first);
  for (const InstructionSet* set : {&litmus_dialect(), &ptx()})
    for (const auto& entry : set->declarations())
      for (const SyntaxLine& line : entry->notation.lines) known.insert(line.opcode);
  const auto nearest = std::min_element(
      known.begin(), known.end(), [&](auto a, auto b) { return distance(opcode, a) < distance(opcode, b); });
  return std::string(*nearest);
}

Match match_instruction(std::string_view spelling, std::span<const OperandShape> operands) {
  const Match own = litmus_dialect().match(spelling, operands);
  if (own || !ptx().has_opcode(spelling.substr(0, spelling.find('.')))) return own;
  return ptx().match(spelling, operands);
}

}  // namespace ptxmc
