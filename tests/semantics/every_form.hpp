#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "semantics/language/form_construction.hpp"
#include "semantics/language/instruction_set.hpp"
#include "semantics/language/matching.hpp"

namespace ptxmc::test {

/// Operands that a syntax line accepts with these modifiers; optional operands are included on request.
inline std::vector<OperandShape> shapes_for(const SyntaxLine& line, const ModifierSet& modifiers,
                                            bool optional) {
  using Kind = OperandShape::Kind;
  std::vector<OperandShape> shapes;
  for (const OperandPattern& pattern : line.operands) {
    bool present = !pattern.optional || optional;
    if (pattern.optional && pattern.name == "cache-policy") present = modifiers.has(".L2::cache_hint");
    if (pattern.optional && pattern.name == "ctaMask") present = modifiers.has(".multicast::cluster");
    if (pattern.optional && pattern.name == "byteMask") present = modifiers.has(".cp_mask");
    if (pattern.optional && pattern.name == "im2colInfo")
      present = modifiers.has(".im2col") || modifiers.has(".im2col::w") || modifiers.has(".im2col::w::128");
    if (!present) continue;
    OperandShape shape;
    shape.link = pattern.link;
    if (pattern.kind == OperandPattern::Kind::address) shape.kind = Kind::address;
    if (pattern.kind == OperandPattern::Kind::label) shape.kind = Kind::label;
    if (pattern.kind == OperandPattern::Kind::list) shape.kind = Kind::list;
    shape.elements = vector_elements(pattern, modifiers);
    if (pattern.kind == OperandPattern::Kind::vector) shape.elements = std::max(1u, shape.elements);
    if (pattern.is_constant) shape.kind = Kind::immediate;
    if (pattern.name == "_") shape.kind = Kind::sink;
    if (!pattern.selector.role.empty() && (optional || !pattern.selector.optional)) {
      shape.selector = pattern.selector.choices.front();
      for (char& c : shape.selector)
        if (c >= 'w') c = '3';
    }
    if (shape.elements != 0) shape.kind = Kind::vector;
    shapes.push_back(shape);
  }
  return shapes;
}

/// Calls `visit(spelling, shapes)` for every choice of modifiers of a line; if there are more than `most`,
/// for a fixed sample.
template <class Visit>
void for_each_spelling(const Declaration& entry, const SyntaxLine& line, std::size_t most,
                       Visit visit) {
  const std::size_t count = InstructionSet::choices(line);
  std::mt19937_64 random(count);
  for (std::size_t i = 0; i < std::min(count, most); ++i) {
    const SlotChoices choices = InstructionSet::slot_choices(line, count <= most ? i : random() % count);
    const ModifierSet modifiers = modifiers_of(line, choices);
    for (const bool optional : {false, true}) {
      const auto shapes = shapes_for(line, modifiers, optional);
      const auto present = match_operands(line, modifiers, shapes).present;
      const auto& exceptions = entry.notation.exceptions;
      if (std::none_of(exceptions.begin(), exceptions.end(),
                       [&](const FormFilter& e) { return selects(e, line, modifiers, present); }))
        visit(InstructionSet::spelling(line, choices), shapes);
    }
  }
}

}  // namespace ptxmc::test
