#include "semantics/language/matching.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// Modifiers of one class must keep their order, since it relates them to operands.
enum class OrderClass { free, type, layout, space, eviction_priority };

OrderClass order_class(Modifier m) {
  if (type_of(m).kind != Type::Kind::none) return OrderClass::type;
  if (m == Modifier(".row") || m == Modifier(".col")) return OrderClass::layout;
  if (m == Modifier(".global") || m.spelling().starts_with(".shared")) return OrderClass::space;
  if (m.spelling().starts_with(".L2::evict")) return OrderClass::eviction_priority;
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

std::string expected_shape(const OperandPattern& pattern, unsigned elements) {
  switch (pattern.kind) {
    case OperandPattern::Kind::address:
      return "an address in brackets";
    case OperandPattern::Kind::label:
      return "a label";
    case OperandPattern::Kind::list:
      return "a list in parentheses";
    case OperandPattern::Kind::vector:
      if (elements == 0) return "a vector in braces";
      break;
    case OperandPattern::Kind::value:
      break;
  }
  if (elements != 0) return fmt::format("a vector of {} in braces", elements);
  if (pattern.name == "_") return "`_`";
  if (pattern.is_constant) return "an immediate";
  return pattern.is_destination ? "a register" : "a register or an immediate";
}

bool fits(const OperandPattern& pattern, const OperandShape& shape, unsigned elements, bool vector_allowed) {
  if (shape.kind == Kind::sink) return pattern.may_be_sink;
  switch (pattern.kind) {
    case OperandPattern::Kind::address:
      return shape.kind == Kind::address;
    case OperandPattern::Kind::label:
      return shape.kind == Kind::label || (shape.kind == Kind::vector && pattern.name == "tlist");
    case OperandPattern::Kind::list:
      return shape.kind == Kind::list;
    case OperandPattern::Kind::vector:
      return shape.kind == Kind::vector && (elements == 0 || shape.elements == elements);
    case OperandPattern::Kind::value:
      break;
  }
  if (elements != 0) return shape.kind == Kind::vector && shape.elements == elements;
  switch (shape.kind) {
    case Kind::register_:
      return !pattern.is_constant && pattern.name != "_";
    case Kind::immediate:
      return !pattern.is_destination;
    case Kind::sink:
      return false;
    case Kind::vector:
      return vector_allowed;
    case Kind::address:
      return false;
    default:
      return !pattern.is_destination;  // a name: symbol, function, label of a table
  }
}

/// An optional operand whose presence the modifiers (or a `|`) decide; nothing when it is free.
std::optional<bool> presence(const OperandPattern& pattern, const ModifierSet& modifiers, bool pair_written) {
  if (!pattern.optional) return true;
  if (pattern.name == "cache-policy" && !pattern.is_destination) return modifiers.has(".L2::cache_hint");
  if (pattern.name == "ctaMask") return modifiers.has(".multicast::cluster");
  if (pattern.name == "byteMask") return modifiers.has(".cp_mask");
  if (pattern.name == "im2colInfo")
    return modifiers.has(".im2col") || modifiers.has(".im2col::w") || modifiers.has(".im2col::w::128");
  if (pattern.link == Link::pipe) return pair_written;
  return std::nullopt;
}

using Patterns = std::vector<const OperandPattern*>;

/// All ways to choose as many operands as are written, earlier optional operands first.
void choose_operands(const SyntaxLine& line, const ModifierSet& modifiers, bool pair_written,
                     std::size_t wanted, std::size_t next, Patterns& chosen, std::vector<Patterns>& ways) {
  if (next == line.operands.size()) {
    if (chosen.size() == wanted) ways.push_back(chosen);
    return;
  }
  const OperandPattern& pattern = line.operands[next];
  const auto present = presence(pattern, modifiers, pair_written);
  if (present.value_or(true)) {
    chosen.push_back(&pattern);
    choose_operands(line, modifiers, pair_written, wanted, next + 1, chosen, ways);
    chosen.pop_back();
  }
  if (!present.value_or(false))
    choose_operands(line, modifiers, pair_written, wanted, next + 1, chosen, ways);
}

/// The error of `!`, `-` or the selector of an operand; empty if there is none.
std::string decoration_error(const OperandPattern& pattern, const OperandShape& shape) {
  if (shape.negated && !pattern.negatable)
    return fmt::format("found `!`, expected `{}` as it is", pattern.name);
  if (shape.has_minus && !pattern.may_have_minus)
    return fmt::format("found `-`, expected `{}` as it is", pattern.name);
  const Selector& selector = pattern.selector;
  if (shape.selector.empty() ? selector.role.empty() || selector.optional : selector.accepts(shape.selector))
    return {};
  const std::string found = shape.selector.empty() ? "no selector" : "`." + shape.selector + "`";
  if (selector.role.empty()) return fmt::format("found {}, expected `{}` as it is", found, pattern.name);
  return fmt::format("found {}, expected one of .{}", found, fmt::join(selector.choices, ", ."));
}

/// "3: d, a, b" or "2 to 3: d, a, {b}"
std::string expected_operands(const SyntaxLine& line) {
  std::string names;
  std::size_t mandatory = 0;
  for (const OperandPattern& pattern : line.operands) {
    names += (names.empty() ? "" : ", ") + (pattern.optional ? "{" + pattern.name + "}" : pattern.name);
    if (!pattern.optional) ++mandatory;
  }
  if (line.operands.empty()) return "none";
  if (mandatory == line.operands.size()) return fmt::format("{}: {}", mandatory, names);
  return fmt::format("{} to {}: {}", mandatory, line.operands.size(), names);
}

OperandMatch check_operands(const ModifierSet& modifiers, const Patterns& patterns,
                            std::span<const OperandShape> shapes) {
  OperandMatch match;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const OperandPattern& pattern = *patterns[i];
    const unsigned elements = vector_elements(pattern, modifiers);
    const bool linked = shapes[i].link == pattern.link || shapes[i].link == Link::comma;
    if (!linked || !fits(pattern, shapes[i], elements, pattern.type.may_be_vector)) {
      match.error = fmt::format("found {}, expected {} for `{}`", name_of(shapes[i].kind),
                                expected_shape(pattern, elements), pattern.name);
    } else if (pattern.link == Link::pipe && shapes[i].kind == Kind::sink &&
               shapes[i - 1].kind == Kind::sink) {
      match.error = fmt::format("found `_` twice, expected a register for `{}` or `{}`",
                                patterns[i - 1]->name, pattern.name);
    } else {
      match.error = decoration_error(pattern, shapes[i]);
    }
    if (match.error.empty()) continue;
    match.operand = i;
    return match;
  }
  match.present = patterns;
  return match;
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

unsigned vector_elements(const OperandPattern& pattern, const ModifierSet& modifiers) {
  if (pattern.elements != 0) return pattern.elements;
  const bool is_data =
      pattern.link == Link::comma && (pattern.name == "d" || pattern.name == "b" || pattern.name == "c");
  if (!is_data) return 0;
  if (modifiers.has(".v2")) return 2;
  if (modifiers.has(".v4")) return 4;
  return modifiers.has(".v8") ? 8 : 0;
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
  const bool pair_written =
      std::any_of(shapes.begin(), shapes.end(), [](const OperandShape& s) { return s.link == Link::pipe; });
  std::vector<Patterns> ways;
  Patterns chosen;
  choose_operands(line, modifiers, pair_written, shapes.size(), 0, chosen, ways);
  OperandMatch failure;
  if (ways.empty())
    failure.error = fmt::format("found {} operand{}, expected {}", shapes.size(),
                                shapes.size() == 1 ? "" : "s", expected_operands(line));
  for (const Patterns& way : ways) {
    OperandMatch match = check_operands(modifiers, way, shapes);
    if (match.error.empty()) return match;
    if (failure.error.empty()) failure = match;
  }
  return failure;
}

}  // namespace ptxmc
