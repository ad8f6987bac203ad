#include "semantics/language/instruction_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <mutex>
#include <tuple>
#include <unordered_map>

#include "semantics/language/form_construction.hpp"
#include "semantics/language/matching.hpp"
#include "semantics/language/notation_scanner.hpp"
#include "semantics/language/spelling.hpp"

namespace ptxmc {

namespace {

/// Opcode and modifiers as written.
struct Spelling {
  std::string_view opcode;
  std::vector<std::string_view> modifiers;
  std::vector<std::size_t> offsets;
};

Spelling split(std::string_view text) {
  Spelling spelling;
  const std::size_t first_dot = std::min(text.find('.'), text.size());
  spelling.opcode = text.substr(0, first_dot);
  for (std::size_t dot = first_dot; dot < text.size();) {
    const std::size_t next = std::min(text.find('.', dot + 1), text.size());
    spelling.modifiers.push_back(text.substr(dot, next - dot));
    spelling.offsets.push_back(dot);
    dot = next;
  }
  return spelling;
}

std::string choices_of(const ModifierSlot& slot) {
  std::string list;
  for (const ModifierSequence& choice : slot.choices) {
    list += list.empty() ? "" : ", ";
    for (Modifier m : choice) list += m.spelling();
  }
  return slot.choices.size() > 1 ? "one of " + list : list;
}

std::string cache_key(std::string_view spelling, std::span<const OperandShape> operands) {
  std::string key(spelling);
  for (const OperandShape& shape : operands) {
    key += static_cast<char>(' ' + static_cast<int>(shape.kind));
    key += static_cast<char>(' ' + static_cast<int>(shape.link) * 4 + (shape.negated ? 2 : 0) +
                             (shape.has_minus ? 1 : 0));
    key += static_cast<char>(shape.elements);
    key += shape.selector;
  }
  return key;
}

struct Line {
  const Declaration* declaration;
  const SyntaxLine* syntax;
};

}  // namespace

/// Declarations are parsed when one of their opcodes is first used. Parsing all of them would delay every
/// start of the program by several milliseconds.
struct InstructionSet::Store {
  std::vector<std::unique_ptr<Declaration>> declarations;
  std::vector<bool> is_parsed;                                   // by declaration
  std::map<std::string, std::vector<Line>, std::less<>> lines;   // by opcode
  std::unordered_map<std::string, std::unique_ptr<Form>> forms;  // by line, choices and operands
  std::unordered_map<std::string, const Form*> matched;          // by text and shapes
  std::mutex mutex;

  void parse(std::size_t declaration);
  const std::vector<Line>& lines_of(std::string_view opcode);
  const Form* form(const Line& line, const SlotChoices& choices, const ModifierSet& modifiers,
                   std::span<const OperandShape> shapes, const OperandMatch& operands);
  Match search(const Spelling& spelling, std::span<const OperandShape> shapes);
};

namespace {

/// The first exception that forbids a combination of modifiers and operands.
const FormFilter* excluded(const Line& line, const ModifierSet& modifiers,
                           std::span<const OperandPattern* const> present) {
  for (const FormFilter& exception : line.declaration->notation.exceptions)
    if (selects(exception, *line.syntax, modifiers, present)) return &exception;
  return nullptr;
}

/// Lines are compared by how much of the written text they match, beginning from the left.
auto rank(const NearMiss& miss) {
  return std::tuple(miss.stranger.value_or(std::string::npos), miss.matched, miss.missing == nullptr);
}

/// A modifier of the opcode with a similar spelling.
std::string nearest_modifier(const std::vector<Line>& lines, std::string_view written) {
  std::vector<std::string> names;
  for (const Line& line : lines)
    for (const ModifierSlot& slot : line.syntax->modifiers)
      for (const ModifierSequence& choice : slot.choices)
        for (const Modifier modifier : choice) names.emplace_back(modifier.spelling());
  return did_you_mean(written, names);
}

/// The error message for modifiers that no line accepts, based on the nearest line.
Match explain_modifiers(const std::vector<Line>& lines, const Spelling& spelling,
                        const std::vector<Modifier>& known, std::optional<std::size_t> unknown) {
  const Line* nearest = nullptr;
  NearMiss best;
  for (const Line& line : lines) {
    const NearMiss miss = near_miss(*line.syntax, known);
    const bool better = !nearest || rank(miss) > rank(best);
    if (!better) continue;
    nearest = &line;
    best = miss;
  }
  const std::string form = fmt::format("; nearest form: {}", nearest->syntax->text);
  const auto stranger = unknown ? unknown : best.stranger;
  Match match;
  if (stranger) match.spelling_offset = spelling.offsets[*stranger];
  const std::string found =
      stranger ? fmt::format("found `{}`", spelling.modifiers[*stranger]) : "found no more modifiers";
  if (best.missing) {
    match.error = fmt::format("{}, expected {}{}", found, choices_of(*best.missing), form);
  } else if (stranger) {
    match.error = fmt::format("{}, expected no such modifier{}", found, form);
  } else {
    match.error = fmt::format("found modifiers in an order that leaves their roles unclear{}", form);
  }
  if (unknown) match.error += nearest_modifier(lines, spelling.modifiers[*unknown]);
  return match;
}

std::string text_of(const ModifierSequence& sequence) {
  std::string text;
  for (Modifier m : sequence) text += m.spelling();
  return text;
}

/// Whether the text of a declaration contains the opcode as a word; this is much faster than parsing it.
bool may_define(std::string_view declaration, std::string_view opcode) {
  const auto is_in_name = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); };
  for (std::size_t at = declaration.find(opcode); at != std::string_view::npos;
       at = declaration.find(opcode, at + 1)) {
    const std::size_t end = at + opcode.size();
    const bool begins = at == 0 || !(is_in_name(declaration[at - 1]) || declaration[at - 1] == '.');
    if (begins && (end == declaration.size() || !is_in_name(declaration[end]))) return true;
  }
  return false;
}

}  // namespace

void InstructionSet::Store::parse(std::size_t declaration) {
  if (is_parsed[declaration]) return;
  declarations[declaration]->notation = parse_notation(declarations[declaration]->definition->syntax);
  is_parsed[declaration] = true;
}

const std::vector<Line>& InstructionSet::Store::lines_of(std::string_view opcode) {
  if (const auto known = lines.find(opcode); known != lines.end()) return known->second;
  std::vector<Line>& found = lines[std::string(opcode)];
  for (std::size_t i = 0; i < declarations.size(); ++i) {
    if (!may_define(declarations[i]->definition->syntax, opcode)) continue;
    parse(i);
    for (const SyntaxLine& line : declarations[i]->notation.lines)
      if (line.opcode == opcode) found.push_back({declarations[i].get(), &line});
  }
  return found;
}

const Form* InstructionSet::Store::form(const Line& line, const SlotChoices& choices,
                                        const ModifierSet& modifiers, std::span<const OperandShape> shapes,
                                        const OperandMatch& operands) {
  std::string key = fmt::format("{}", static_cast<const void*>(line.syntax));
  for (int choice : choices) key += fmt::format(",{}", choice);
  for (std::size_t i = 0; i < shapes.size(); ++i)
    key += fmt::format(" {}{}:{}.{}", shapes[i].has_minus ? "-" : "", operands.present[i]->name,
                       shapes[i].elements, shapes[i].selector);
  auto& slot = forms[key];
  if (!slot)
    slot = std::make_unique<Form>(
        make_form(*line.declaration, *line.syntax, choices, modifiers, operands.present, shapes));
  return slot.get();
}

Match InstructionSet::Store::search(const Spelling& spelling, std::span<const OperandShape> shapes) {
  const std::vector<Line>& of_opcode = lines_of(spelling.opcode);
  if (of_opcode.empty())
    return {nullptr, fmt::format("found `{}`, expected an instruction", spelling.opcode), 0,
            std::string::npos};
  std::vector<Modifier> known;
  for (std::size_t i = 0; i < spelling.modifiers.size(); ++i) {
    const auto modifier = Modifier::find(spelling.modifiers[i]);
    if (!modifier) return explain_modifiers(of_opcode, spelling, known, i);
    known.push_back(*modifier);
  }
  Match failure;
  bool is_excluded = false;  // a better message than the mismatch of other lines
  for (const bool free_order : {false, true})
    for (const Line& line : of_opcode) {
      const auto choices = match_modifiers(*line.syntax, known, free_order);
      if (!choices) continue;
      const ModifierSet modifiers = modifiers_of(*line.syntax, *choices);
      const OperandMatch operands = match_operands(*line.syntax, modifiers, shapes);
      if (const FormFilter* exception = excluded(line, modifiers, operands.present)) {
        failure = {};
        failure.error =
            fmt::format("found `{}`{}, expected no such combination", text_of(exception->modifiers),
                        exception->operand.empty() ? "" : " with `" + exception->operand + "`");
        is_excluded = true;
        continue;
      }
      if (operands.error.empty()) return {form(line, *choices, modifiers, shapes, operands), {}};
      const bool says_more = failure.operand == std::string::npos && operands.operand != std::string::npos;
      if (is_excluded || (!failure.error.empty() && !says_more)) continue;
      failure.error = operands.error;
      failure.operand = operands.operand;
    }
  return failure.error.empty() ? explain_modifiers(of_opcode, spelling, known, {}) : failure;
}

InstructionSet::InstructionSet() : store_(std::make_unique<Store>()) {}
InstructionSet::~InstructionSet() = default;
InstructionSet::InstructionSet(InstructionSet&&) noexcept = default;
InstructionSet& InstructionSet::operator=(InstructionSet&&) noexcept = default;

void InstructionSet::define(std::span<const Definition> definitions) {
  for (const Definition& definition : definitions) {
    store_->declarations.push_back(std::make_unique<Declaration>(Declaration{&definition, {}}));
    store_->is_parsed.push_back(false);
  }
}

Match InstructionSet::match(std::string_view spelling, std::span<const OperandShape> operands) const {
  const std::string key = cache_key(spelling, operands);
  const std::lock_guard lock(store_->mutex);
  if (const auto known = store_->matched.find(key); known != store_->matched.end())
    return {known->second, {}};
  const Match match = store_->search(split(spelling), operands);
  if (match) store_->matched.emplace(key, match.form);
  return match;
}

bool InstructionSet::has_opcode(std::string_view opcode) const {
  const std::lock_guard lock(store_->mutex);
  return !store_->lines_of(opcode).empty();
}

const std::vector<std::unique_ptr<Declaration>>& InstructionSet::declarations() const {
  const std::lock_guard lock(store_->mutex);
  for (std::size_t i = 0; i < store_->declarations.size(); ++i) store_->parse(i);
  return store_->declarations;
}

std::size_t InstructionSet::choices(const SyntaxLine& line) {
  std::size_t product = 1;
  for (const ModifierSlot& slot : line.modifiers) product *= slot.choices.size() + (slot.optional ? 1 : 0);
  return product;
}

SlotChoices InstructionSet::slot_choices(const SyntaxLine& line, std::size_t choice) {
  SlotChoices choices;
  for (const ModifierSlot& slot : line.modifiers) {
    const std::size_t count = slot.choices.size() + (slot.optional ? 1 : 0);
    const std::size_t chosen = choice % count;
    choices.push_back(chosen < slot.choices.size() ? static_cast<int>(chosen) : -1);
    choice /= count;
  }
  return choices;
}

std::string InstructionSet::spelling(const SyntaxLine& line, const SlotChoices& choices) {
  std::string text = line.opcode;
  for (std::size_t i = 0; i < choices.size(); ++i)
    if (choices[i] >= 0) text += text_of(line.modifiers[i].choices[static_cast<std::size_t>(choices[i])]);
  return text;
}

}  // namespace ptxmc
