#include "semantics/language/prepared_instruction.hpp"

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/operands.hpp"

namespace ptxmc {

namespace {

Bits Operands::*place_of(FormOperand::Place place) {
  switch (place) {
    case FormOperand::Place::a:
      return &Operands::a;
    case FormOperand::Place::b:
      return &Operands::b;
    case FormOperand::Place::c:
      return &Operands::c;
    case FormOperand::Place::d:
      return &Operands::d;
    default:
      return nullptr;
  }
}

}  // namespace

PreparedInstruction::PreparedInstruction(const Instruction& instruction, std::span<const unsigned> widths)
    : instruction_(&instruction) {
  const FormOperand* formal = instruction.form->operands.data();
  is_plain_ = static_cast<bool>(instruction.form->definition->rule);
  for (const Operand& actual : instruction.operands) {
    const bool is_known =
        formal->is_destination ? add_destination(*formal, actual) : add_source(*formal, actual, widths);
    is_plain_ = is_plain_ && is_known;
    ++formal;
  }
}

bool PreparedInstruction::add_source(const FormOperand& formal, const Operand& actual,
                                     std::span<const unsigned> widths) {
  if (formal.place == FormOperand::Place::none) return true;
  Source source;
  source.place = place_of(formal.place);
  if (source.place == nullptr || source_count_ == most_sources) return false;
  unsigned width = 0;
  if (const auto* r = std::get_if<Operand::Register>(&actual.is)) {
    if (r->negated) return false;
    source.id = r->id;
    width = widths[r->id];
  } else if (const auto* immediate = std::get_if<Operand::Immediate>(&actual.is)) {
    source.constant = immediate->value;
    width = immediate->value.width();
  } else if (const auto* address = std::get_if<Operand::Address>(&actual.is)) {
    source.constant = address->offset;
    source.is_address = address->base.has_value();
    if (address->base) source.id = *address->base;
    width = address->offset.width();
  } else {
    return false;
  }
  if (formal.type.width != 0 && width != formal.type.width) return false;
  sources_[source_count_++] = source;
  return true;
}

bool PreparedInstruction::add_destination(const FormOperand& formal, const Operand& actual) {
  Destination destination;
  destination.is_signed = formal.type.is_signed();
  if (const auto* r = std::get_if<Operand::Register>(&actual.is)) {
    destination.id = r->id;
  } else if (!std::holds_alternative<Operand::Sink>(actual.is)) {
    return false;
  }
  if (destination_count_ == most_destinations) return false;
  destinations_[destination_count_++] = destination;
  return true;
}

void PreparedInstruction::execute(std::vector<Bits>& registers, Effects& effects) const {
  if (!is_plain_) return ptxmc::execute(*instruction_, registers, effects);
  Operands operands;
  operands.form = instruction_->form;
  operands.written = instruction_->operands;
  for (std::size_t i = 0; i < source_count_; ++i) {
    const Source& source = sources_[i];
    if (source.is_address) {
      operands.*source.place = registers[source.id].resize_unsigned(64) + source.constant;
    } else {
      operands.*source.place = source.id == no_register ? source.constant : registers[source.id];
    }
  }
  try {
    const Results results = instruction_->form->definition->rule(*instruction_->form, operands, effects);
    if (results.is_pending()) return;
    if (results.size() < destination_count_) throw std::logic_error("a rule without enough results");
    for (std::size_t i = 0; i < destination_count_; ++i) {
      if (destinations_[i].id == no_register) continue;
      Bits& target = registers[destinations_[i].id];
      const Bits& value = results[i];
      if (value.width() == target.width()) {
        target = value;
      } else {
        target = destinations_[i].is_signed ? value.resize_signed(target.width())
                                            : value.resize_unsigned(target.width());
      }
    }
  } catch (const UnhandledEffect& unhandled) {
    throw Unsupported(instruction_->form->spelling, unhandled.reason, instruction_->where);
  }
}

}  // namespace ptxmc
