#include "semantics/language/form_construction.hpp"

#include <algorithm>

#include "semantics/language/memory_access.hpp"

namespace ptxmc {

namespace {

void choose_modifiers(Form& form, const SlotChoices& choices) {
  form.spelling = form.line->opcode;
  for (std::size_t slot = 0; slot < choices.size(); ++slot) {
    if (choices[slot] < 0) continue;
    const ModifierSlot& filled = form.line->modifiers[slot];
    const ModifierSequence& sequence = filled.choices[static_cast<std::size_t>(choices[slot])];
    for (Modifier m : sequence) form.spelling += m.spelling();
    if (!filled.role.empty()) form.roles.emplace_back(filled.role, sequence[0]);
    if (form.main_type.kind == Type::Kind::none) form.main_type = type_of(sequence[0]);
  }
  if (const Type type = form.type(".type"); type.kind != Type::Kind::none) form.main_type = type;
}

Type resolve(const Form& form, const OperandType& declared) {
  Type type;
  if (declared.source == OperandType::Source::fixed) type = declared.fixed;
  if (declared.source == OperandType::Source::role) type = form.type(declared.role);
  return declared.widened ? widened(type) : type;
}

FormOperand::Place place_of(const FormOperand& operand) {
  using Place = FormOperand::Place;
  if (operand.is_destination || operand.pattern->kind == OperandPattern::Kind::label) return Place::none;
  if (operand.elements != 0) return Place::elements;
  const std::string_view name = operand.name();
  if (name == "a") return Place::a;
  if (name == "b") return Place::b;
  if (name == "c") return Place::c;
  return name == "d" ? Place::d : Place::other;
}

void add_operands(Form& form, std::span<const OperandPattern* const> present,
                  std::span<const OperandShape> shapes) {
  for (std::size_t i = 0; i < present.size(); ++i) {
    FormOperand operand;
    operand.pattern = present[i];
    operand.type = resolve(form, present[i]->type);
    operand.elements = shapes[i].elements;
    operand.is_destination = present[i]->is_destination;
    operand.has_minus = shapes[i].has_minus;
    operand.selector = shapes[i].selector;
    operand.place = place_of(operand);
    form.operands.push_back(operand);
  }
}

/// PTX ISA 8.7 § 9.7.2: no other instructions access the condition code.
void add_carry(Form& form) {
  const std::string& opcode = form.line->opcode;
  FormOperand carry;
  carry.type = type_of(".pred");
  carry.is_hidden = true;
  if (opcode == "addc" || opcode == "subc" || opcode == "madc") {
    carry.place = FormOperand::Place::other;
    form.operands.push_back(carry);
  }
  if (form.has(".cc")) {
    carry.place = FormOperand::Place::none;
    carry.is_destination = true;
    form.operands.push_back(carry);
  }
}

/// The highest versions of all notes that apply to the form.
void add_versions(Form& form, std::span<const OperandPattern* const> present,
                  const std::vector<VersionNote>& notes) {
  std::uint16_t highest_sm = 0;
  for (const VersionNote& note : notes) {
    const bool concerns =
        note.forms.empty() || std::any_of(note.forms.begin(), note.forms.end(), [&](const FormFilter& f) {
          return selects(f, *form.line, form.modifiers, present);
        });
    if (!concerns) continue;
    if (note.removed) {
      form.removed = note.ptx;
      form.removed_for = note.targets;
      continue;
    }
    form.introduced = std::max(form.introduced, note.ptx);
    if (note.targets.empty() || note.targets.front().sm < highest_sm) continue;
    highest_sm = note.targets.front().sm;
    form.targets = note.targets;
  }
}

}  // namespace

ModifierSet modifiers_of(const SyntaxLine& line, const SlotChoices& choices) {
  ModifierSet modifiers;
  for (std::size_t slot = 0; slot < choices.size(); ++slot)
    if (choices[slot] >= 0)
      for (Modifier m : line.modifiers[slot].choices[static_cast<std::size_t>(choices[slot])])
        modifiers.add(m);
  return modifiers;
}

bool selects(const FormFilter& filter, const SyntaxLine& line, const ModifierSet& modifiers,
             std::span<const OperandPattern* const> present) {
  if (!filter.opcode.empty() && filter.opcode != line.opcode) return false;
  const bool has_operand = std::any_of(present.begin(), present.end(), [&](const OperandPattern* pattern) {
    return pattern->name == filter.operand;
  });
  return (filter.operand.empty() || has_operand) &&
         std::all_of(filter.modifiers.begin(), filter.modifiers.end(),
                     [&](Modifier m) { return modifiers.has(m); });
}

Form make_form(const Declaration& declaration, const SyntaxLine& line, const SlotChoices& choices,
               const ModifierSet& modifiers, std::span<const OperandPattern* const> present,
               std::span<const OperandShape> shapes) {
  Form form;
  form.definition = declaration.definition;
  form.line = &line;
  form.modifiers = modifiers;
  choose_modifiers(form, choices);
  add_operands(form, present, shapes);
  add_carry(form);
  add_versions(form, present, declaration.notation.versions);
  form.access = load_store_access(form);
  return form;
}

}  // namespace ptxmc
