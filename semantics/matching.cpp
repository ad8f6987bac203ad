#include "semantics/matching.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ptxmc {

namespace {

using Kind = OperandShape::Kind;
using Link = OperandPattern::Link;

bool stands_at(const ModifierSequence& sequence, std::span<const Modifier> written, std::size_t at) {
  return sequence.size() <= written.size() - at &&
         std::equal(sequence.begin(), sequence.end(), written.begin() + static_cast<std::ptrdiff_t>(at));
}

bool match_in_order(const SyntaxLine& line, std::span<const Modifier> written, std::size_t slot,
                    std::size_t at, SlotChoices& chosen) {
  if (slot == line.modifiers.size()) return at == written.size();
  const ModifierSlot& candidate = line.modifiers[slot];
  for (std::size_t i = 0; i < candidate.choices.size(); ++i) {
    if (!stands_at(candidate.choices[i], written, at)) continue;
    chosen[slot] = static_cast<int>(i);
    if (match_in_order(line, written, slot + 1, at + candidate.choices[i].size(), chosen)) return true;
  }
  chosen[slot] = -1;
  return candidate.optional && match_in_order(line, written, slot + 1, at, chosen);
}

/// Modifiers of one class keep their order: they say what the first operand is, what the second.
enum class OrderClass { free, type, layout, space };

OrderClass order_class(Modifier m) {
  if (type_of(m).kind != Type::Kind::none) return OrderClass::type;
  if (m == Modifier(".row") || m == Modifier(".col")) return OrderClass::layout;
  if (m == Modifier(".global") || m.spelling().starts_with(".shared")) return OrderClass::space;
  return OrderClass::free;
}

/// A later slot of the same class is filled already.
bool overtaken(const SyntaxLine& line, std::size_t slot, Modifier m, const SlotChoices& chosen) {
  const OrderClass wanted = order_class(m);
  if (wanted == OrderClass::free) return false;
  for (std::size_t later = slot + 1; later < chosen.size(); ++later)
    if (chosen[later] >= 0 &&
        order_class(line.modifiers[later].choices[static_cast<std::size_t>(chosen[later])][0]) == wanted)
      return true;
  return false;
}

bool match_in_any_order(const SyntaxLine& line, std::span<const Modifier> written, std::size_t at,
                        SlotChoices& chosen) {
  if (at == written.size()) {
    for (std::size_t slot = 0; slot < chosen.size(); ++slot)
      if (chosen[slot] < 0 && !line.modifiers[slot].optional) return false;
    return true;
  }
  for (std::size_t slot = 0; slot < chosen.size(); ++slot) {
    if (chosen[slot] >= 0 || overtaken(line, slot, written[at], chosen)) continue;
    const auto& choices = line.modifiers[slot].choices;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (!stands_at(choices[i], written, at)) continue;
      chosen[slot] = static_cast<int>(i);
      if (match_in_any_order(line, written, at + choices[i].size(), chosen)) return true;
      chosen[slot] = -1;
    }
  }
  return false;
}

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::register_:
      return "a register";
    case Kind::immediate:
      return "an immediate";
    case Kind::address:
      return "an address in brackets";
    case Kind::label:
      return "a label";
    case Kind::vector:
      return "a vector in braces";
    case Kind::list:
      return "a list in parentheses";
    case Kind::sink:
      return "`_`";
  }
  return "";
}

bool takes_vector(const SyntaxLine& line, const OperandPattern& pattern) {
  if (pattern.kind == OperandPattern::Kind::vector || pattern.type.may_be_vector) return true;
  return (pattern.name == "d" || pattern.name == "b") &&
         std::any_of(line.modifiers.begin(), line.modifiers.end(),
                     [](const ModifierSlot& slot) { return slot.role.starts_with(".vec"); });
}

/// How many elements `.v2`, `.v4`, `.v8` ask for; 0 without one.
unsigned vector_length(const ModifierSet& modifiers) {
  if (modifiers.has(".v2")) return 2;
  if (modifiers.has(".v4")) return 4;
  return modifiers.has(".v8") ? 8 : 0;
}

std::string expected_shape(const OperandPattern& pattern, unsigned elements) {
  switch (pattern.kind) {
    case OperandPattern::Kind::address:
      return "an address in brackets";
    case OperandPattern::Kind::label:
      return "a label";
    case OperandPattern::Kind::list:
      return "a list in parentheses";
    default:
      break;
  }
  if (elements != 0) return fmt::format("a vector of {} in braces", elements);
  return pattern.is_destination ? "a register" : "a register or an immediate";
}

bool fits(const OperandPattern& pattern, const OperandShape& shape, unsigned elements, bool vector_allowed) {
  switch (pattern.kind) {
    case OperandPattern::Kind::address:
      return shape.kind == Kind::address;
    case OperandPattern::Kind::label:
      return shape.kind == Kind::label || (shape.kind == Kind::vector && pattern.name == "tlist");
    case OperandPattern::Kind::list:
      return shape.kind == Kind::list;
    default:
      break;
  }
  if (elements != 0) return shape.kind == Kind::vector && shape.elements == elements;
  switch (shape.kind) {
    case Kind::register_:
      return true;
    case Kind::immediate:
      return !pattern.is_destination;
    case Kind::sink:
      return pattern.is_destination || pattern.name == "_";
    case Kind::vector:
      return vector_allowed;
    case Kind::address:
      return false;
    default:
      return !pattern.is_destination;  // a name: symbol, function, label of a table
  }
}

/// The mandatory and, of the optional operands, those that modifiers ask for or that are written.
std::vector<const OperandPattern*> present_operands(const SyntaxLine& line, const ModifierSet& modifiers,
                                                    std::span<const OperandShape> shapes) {
  std::size_t spare = shapes.size();
  std::vector<bool> wanted;
  const bool pair_written =
      std::any_of(shapes.begin(), shapes.end(), [](const OperandShape& s) { return s.link == Link::pipe; });
  for (const OperandPattern& pattern : line.operands) {
    bool present = !pattern.optional;
    if (pattern.name == "cache-policy" && pattern.optional) present = modifiers.has(".L2::cache_hint");
    if (pattern.name == "ctaMask" && pattern.optional) present = modifiers.has(".multicast::cluster");
    if (pattern.name == "byteMask" && pattern.optional) present = modifiers.has(".cp_mask");
    if (pattern.link == Link::pipe && pattern.optional) present = pair_written;
    wanted.push_back(present);
    if (present && spare > 0) --spare;
  }
  std::vector<const OperandPattern*> present;
  for (std::size_t i = 0; i < line.operands.size(); ++i) {
    const OperandPattern& pattern = line.operands[i];
    const bool tied = pattern.name == "cache-policy" || pattern.name == "ctaMask" ||
                      pattern.name == "byteMask" || pattern.link == Link::pipe;
    if (!wanted[i] && !tied && spare > 0) {
      wanted[i] = true;
      --spare;
    }
    if (wanted[i]) present.push_back(&pattern);
  }
  return present;
}

std::string operand_names(const SyntaxLine& line) {
  std::string names;
  for (const OperandPattern& pattern : line.operands)
    names += (names.empty() ? "" : ", ") + (pattern.optional ? "{" + pattern.name + "}" : pattern.name);
  return names.empty() ? "none" : names;
}

}  // namespace

std::optional<SlotChoices> match_modifiers(const SyntaxLine& line, std::span<const Modifier> written,
                                           bool free_order) {
  SlotChoices chosen(line.modifiers.size(), -1);
  const bool matched =
      free_order ? match_in_any_order(line, written, 0, chosen) : match_in_order(line, written, 0, 0, chosen);
  if (!matched) return std::nullopt;
  return chosen;
}

NearMiss near_miss(const SyntaxLine& line, std::span<const Modifier> written) {
  NearMiss miss;
  std::vector<bool> filled(line.modifiers.size());
  for (std::size_t at = 0; at < written.size();) {
    std::size_t taken = 0;
    for (std::size_t slot = 0; slot < filled.size() && taken == 0; ++slot) {
      if (filled[slot]) continue;
      for (const ModifierSequence& choice : line.modifiers[slot].choices)
        if (stands_at(choice, written, at)) taken = std::max(taken, choice.size());
      if (taken > 0) filled[slot] = true;
    }
    if (taken == 0 && !miss.stranger) miss.stranger = at;
    miss.matched += taken;
    at += std::max<std::size_t>(taken, 1);
  }
  for (std::size_t slot = 0; slot < filled.size() && !miss.missing; ++slot)
    if (!filled[slot] && !line.modifiers[slot].optional) miss.missing = &line.modifiers[slot];
  return miss;
}

OperandMatch match_operands(const SyntaxLine& line, const ModifierSet& modifiers,
                            std::span<const OperandShape> shapes) {
  OperandMatch match;
  const auto present = present_operands(line, modifiers, shapes);
  if (present.size() != shapes.size()) {
    match.error = fmt::format("found {} operand{}, expected {}: {}", shapes.size(),
                              shapes.size() == 1 ? "" : "s", present.size(), operand_names(line));
    return match;
  }
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const OperandPattern& pattern = *present[i];
    const bool vector_allowed = takes_vector(line, pattern);
    const unsigned elements = pattern.elements != 0                           ? pattern.elements
                              : vector_allowed && !pattern.type.may_be_vector ? vector_length(modifiers)
                                                                              : 0;
    const bool linked = shapes[i].link == pattern.link || shapes[i].link == Link::comma;
    if (!linked || !fits(pattern, shapes[i], elements, vector_allowed && pattern.type.may_be_vector)) {
      match.operand = i;
      match.error = fmt::format("found {}, expected {} for `{}`", name_of(shapes[i].kind),
                                expected_shape(pattern, elements), pattern.name);
      return match;
    }
    if (shapes[i].negated && !pattern.negatable) {
      match.operand = i;
      match.error = fmt::format("found `!`, expected `{}` as it is", pattern.name);
      return match;
    }
  }
  match.present = present;
  return match;
}

}  // namespace ptxmc
