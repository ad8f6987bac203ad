#include "src/ptx/check_instruction.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "src/ptx/check_operand.hpp"

namespace ptxmc::syntax {

namespace {

using Kind = OperandShape::Kind;

bool is_gone(const Form& form, const Capabilities& module) {
  if (form.removed == 0 || module.version < form.removed) return false;
  return form.removed_for.empty() || has_architecture(module, form.removed_for);
}

bool has_unified(const Operand& operand) {
  if (const auto* address = std::get_if<Address>(&operand.is)) return address->is_unified;
  const auto* composite = std::get_if<CompositeAddress>(&operand.is);
  return composite != nullptr && composite->is_unified;
}

bool takes_vectors(std::string_view opcode) { return opcode == "ld" || opcode == "ldu" || opcode == "st"; }

/// `ld.u64 {d}, [a];`: NVIDIA's libraries use, and its assembler accepts, a vector of one element in place of
/// its element if a vector is allowed.
void unwrap_single_elements(std::vector<Operand>& operands) {
  for (Operand& operand : operands) {
    auto* vector = std::get_if<Vector>(&operand.is);
    if (vector == nullptr || vector->elements.size() != 1) continue;
    Operand element = std::move(vector->elements.front());
    if (std::holds_alternative<NameOperand>(element.is) || std::holds_alternative<Constant>(element.is))
      operand = std::move(element);
    else
      vector->elements.front() = std::move(element);
  }
}

}  // namespace

bool InstructionChecker::resolve(const Scope& scope, std::vector<Operand>& operands) {
  bool all = true;
  for (Operand& operand : operands) all &= resolve(scope, operand);
  return all;
}

bool InstructionChecker::resolve(const Scope& scope, Operand& operand) {
  if (auto* named = std::get_if<NameOperand>(&operand.is)) return context_.resolve(scope, named->name);
  if (auto* address = std::get_if<Address>(&operand.is))
    return !address->base || context_.resolve(scope, *address->base);
  if (auto* vector = std::get_if<Vector>(&operand.is)) return resolve(scope, vector->elements);
  if (auto* pair = std::get_if<Pair>(&operand.is)) return resolve(scope, pair->both);
  if (auto* composite = std::get_if<CompositeAddress>(&operand.is)) return resolve(scope, composite->parts);
  if (auto* arguments = std::get_if<Arguments>(&operand.is)) return resolve(scope, arguments->list);
  if (auto* element = std::get_if<ArrayElement>(&operand.is)) {
    const bool is_declared = context_.resolve(scope, element->array);
    return resolve(scope, element->index) && is_declared;
  }
  return true;
}

bool InstructionChecker::resolve(const Scope& scope, Instruction& instruction) {
  bool all = resolve(scope, instruction.operands);
  if (!instruction.guard) return all;
  if (!context_.resolve(scope, instruction.guard->predicate)) return false;
  check_guard(*instruction.guard);
  return all;
}

void InstructionChecker::check_guard(const Guard& guard) {
  const Symbol& symbol = context_.symbol(guard.predicate);
  const bool is_predicate = is_register(symbol) && symbol.type == Modifier(".pred");
  if (!is_predicate)
    context_.error(guard.predicate.text,
                   fmt::format("found '{}', expected a predicate register", guard.predicate.text));
}

OperandShape InstructionChecker::shape_of(const NameOperand& named) const {
  const Symbol& symbol = context_.symbol(named.name);
  OperandShape shape;
  shape.negated = named.prefix == NameOperand::Prefix::negation;
  shape.has_minus = named.prefix == NameOperand::Prefix::minus;
  shape.kind = is_register(symbol) ? Kind::register_ : Kind::label;
  if (shape.kind == Kind::register_ && symbol.elements > 1 && named.selector.empty()) {
    shape.kind = Kind::vector;
    shape.elements = symbol.elements;
  }
  if (symbol.elements == 1 && !named.selector.empty()) shape.selector = named.selector.substr(1);
  return shape;
}

OperandShape InstructionChecker::shape_of(const CountedOperand& counted) const {
  OperandShape shape = shape_of(*counted.operand);
  shape.link = counted.link;
  if (counted.is_address) shape.kind = Kind::address;
  return shape;
}

OperandShape InstructionChecker::shape_of(const Operand& operand) const {
  if (const auto* named = std::get_if<NameOperand>(&operand.is)) return shape_of(*named);
  OperandShape shape;
  if (std::holds_alternative<Constant>(operand.is)) shape.kind = Kind::immediate;
  if (const auto* address = std::get_if<Address>(&operand.is))
    shape.kind = address->in_brackets ? Kind::address : Kind::label;
  if (std::holds_alternative<ArrayElement>(operand.is)) shape.kind = is_mov_ ? Kind::label : Kind::address;
  if (std::holds_alternative<Sink>(operand.is)) shape.kind = Kind::sink;
  if (const auto* vector = std::get_if<Vector>(&operand.is)) {
    shape.kind = Kind::vector;
    shape.elements = static_cast<unsigned>(vector->elements.size());
  }
  if (const auto* arguments = std::get_if<Arguments>(&operand.is)) {
    shape.kind = Kind::list;
    shape.elements = static_cast<unsigned>(arguments->list.size());
  }
  return shape;
}

void InstructionChecker::report(const Instruction& instruction, const Match& match) {
  std::string_view where = instruction.text;
  if (match.operand != std::string::npos) where = operands_[match.operand].operand->text;
  const std::string& spelling = context_.module.mnemonics[instruction.mnemonic].spelling;
  const bool is_one_piece = instruction.text.starts_with(spelling);
  if (match.spelling_offset < spelling.size() && is_one_piece) where.remove_prefix(match.spelling_offset);
  context_.error(where, match.error);
}

/// `[a].unified`: the instruction set treats it as a modifier.
bool InstructionChecker::check_unified(const Instruction& instruction) {
  const auto& modifiers = context_.module.mnemonics[instruction.mnemonic].modifiers;
  const auto misplaced = std::find(modifiers.begin(), modifiers.end(), ".unified");
  if (misplaced == modifiers.end()) return true;
  context_.error(instruction.text, "found '.unified' among the modifiers, expected it after the address");
  return false;
}

bool InstructionChecker::find_form(Instruction& instruction) {
  if (!check_unified(instruction)) return false;
  const Mnemonic& mnemonic = context_.module.mnemonics[instruction.mnemonic];
  auto& known = context_.known_forms[instruction.mnemonic];
  const bool is_unified = std::any_of(instruction.operands.begin(), instruction.operands.end(), has_unified);
  auto found = std::find_if(known.begin(), known.end(), [&](const KnownForm& k) {
    return k.shapes == shapes_ && k.is_unified == is_unified;
  });
  if (found == known.end()) {
    const Match match =
        context_.instructions.match(mnemonic.spelling + (is_unified ? ".unified" : ""), shapes_);
    if (!match) {
      report(instruction, match);
      return false;
    }
    const Form& form = *match.form;
    std::string lack = is_gone(form, context_.capabilities)
                           ? fmt::format("found '{}', which PTX ISA {} has removed", mnemonic.spelling,
                                         version_text(form.removed))
                           : lack_of(context_.capabilities, fmt::format("'{}'", mnemonic.spelling),
                                     form.introduced, form.targets);
    known.push_back({shapes_, is_unified, &form, std::move(lack)});
    found = std::prev(known.end());
  }
  instruction.form = found->form;
  if (!found->lack.empty()) context_.error(instruction.text, found->lack);
  return true;
}

/// § 9.7.10.1: in independent mode a texture is read with a sampler.
void InstructionChecker::check_sampler(const Instruction& instruction) {
  const bool is_texture_read =
      instruction.form->line->opcode == "tex" || instruction.form->line->opcode == "tld4";
  if (!context_.has_independent_samplers || !is_texture_read) return;
  if (operand_named(instruction, "b") == nullptr)
    context_.error(instruction.text,
                   "found no sampler, expected one in a module of '.target texmode_independent'");
}

/// § 9.7.9.18, § 9.7.9.25.3.1: the first of these sizes is a part of the second.
void InstructionChecker::check_sizes(const Instruction& instruction) {
  const auto check = [&](std::string_view part_name, std::string_view whole_name) {
    const Operand* part = operand_named(instruction, part_name);
    const Operand* whole = operand_named(instruction, whole_name);
    const auto* part_size = part != nullptr ? std::get_if<Constant>(&part->is) : nullptr;
    const auto* whole_size = whole != nullptr ? std::get_if<Constant>(&whole->is) : nullptr;
    if (part_size != nullptr && whole_size != nullptr && part_size->bits > whole_size->bits)
      context_.error(part->text, fmt::format("found {}, expected at most the {} of `{}`", part_size->bits,
                                             whole_size->bits, whole_name));
  };
  check("primary-size", "total-size");
  check("src-size", "cp-size");
}

/// Null when it is not written.
const Operand* InstructionChecker::operand_named(const Instruction& instruction,
                                                 std::string_view name) const {
  for (std::size_t i = 0; i < operands_.size(); ++i)
    if (instruction.form->operands[i].name() == name) return operands_[i].operand;
  return nullptr;
}

void InstructionChecker::check(const Scope& scope, Instruction& instruction) {
  if (!resolve(scope, instruction)) return;
  const std::string_view opcode = context_.module.mnemonics[instruction.mnemonic].opcode;
  is_mov_ = opcode == "mov";
  if (takes_vectors(opcode)) unwrap_single_elements(instruction.operands);
  operands_.clear();
  shapes_.clear();
  count_operands(instruction, operands_);
  for (const CountedOperand& counted : operands_) shapes_.push_back(shape_of(counted));
  if (!find_form(instruction)) return;
  if (opcode == "call") return check_call(context_, labels_, instruction);
  if (opcode == "bra" || opcode == "brx") check_branch(context_, instruction);
  check_operands(context_, instruction, operands_);
  check_sampler(instruction);
  if (opcode == "createpolicy" || opcode == "cp") check_sizes(instruction);
}

}  // namespace ptxmc::syntax
