#include "src/instruction/evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "semantics/chapters/fragment.hpp"
#include "semantics/language/diagnostic.hpp"
#include "semantics/language/no_effects.hpp"
#include "semantics/values/float_value.hpp"

namespace ptxmc {

struct Evaluation::Placed {
  const ResolvedInstruction& resolved;
  bool is_last;
  const std::string& file;
};

Evaluation::Evaluation(const std::vector<ResolvedInstruction>& instructions, const std::string& file) {
  carry_ = add_register(1);
  for (std::size_t i = 0; i < instructions.size(); ++i)
    add({instructions[i], i + 1 == instructions.size(), file});
}

RegisterId Evaluation::add_register(unsigned width) {
  registers_.emplace_back(width, 0);
  return static_cast<RegisterId>(registers_.size() - 1);
}

RegisterId Evaluation::add_source(const Placed& placed, unsigned width, const std::string& name) {
  if (placed.resolved.is_written) {
    if (const auto found = named_.find(name); found != named_.end()) {
      const unsigned found_width = registers_[found->second].width();
      if (found_width == width) return found->second;
      throw InputError(
          placed.file, placed.resolved.where,
          fmt::format("found `{}` for a value of {} bits, expected another name: it is a register of {} bits",
                      name, width, found_width));
    }
  }
  sources_.push_back(add_register(width));
  source_widths_.push_back(width);
  source_names_.push_back(name);
  if (placed.resolved.is_written) named_[name] = sources_.back();
  return sources_.back();
}

/// The width of an operand in bits; of a fragment or a vector, that of each register.
static unsigned width_of(const Form& form, const FormOperand& formal) {
  if (formal.type.width != 0) return formal.type.width;
  if (fragment_registers(form, formal.name()) != 0) return form.has(".f64") ? 64 : 32;
  return formal.elements != 0 && form.width() != 0 ? form.width() / formal.elements : 64;
}

ptxmc::Operand Evaluation::add_operand(const Placed& placed, const FormOperand& formal,
                                       const InstructionText::Operand& actual) {
  if (actual.number)
    return {Operand::Immediate{Bits(width_of(*placed.resolved.form, formal), *actual.number)}};
  switch (actual.shape.kind) {
    case OperandShape::Kind::sink:
      return {Operand::Sink{}};
    case OperandShape::Kind::label:
      return {Operand::Label{0}};
    case OperandShape::Kind::list:
      throw Unsupported(placed.resolved.form->spelling + " needs a program around it", placed.resolved.where);
    case OperandShape::Kind::address:
      return {Operand::Address{add_source(placed, 64, actual.name), Bits(64, 0)}};
    case OperandShape::Kind::vector: {
      Operand::Vector vector;
      InstructionText::Operand element = actual;
      element.shape.kind = OperandShape::Kind::register_;
      for (unsigned i = 0; i < actual.shape.elements; ++i) {
        element.name = i < actual.elements.size() ? actual.elements[i] : actual.name + std::to_string(i);
        vector.elements.push_back(add_operand(placed, formal, element));
      }
      return {vector};
    }
    default:
      if (formal.is_destination) return add_destination(placed, formal, actual);
      return {Operand::Register{add_source(placed, width_of(*placed.resolved.form, formal), actual.name),
                                actual.shape.negated}};
  }
}

ptxmc::Operand Evaluation::add_destination(const Placed& placed, const FormOperand& formal,
                                           const InstructionText::Operand& actual) {
  // § 6.5.1, § 5.2.2: except for predicates, registers have at least 16 bits.
  const unsigned width = width_of(*placed.resolved.form, formal);
  const unsigned register_width = width == 1 ? 1 : std::max(width, 16U);
  const RegisterId id = add_register(register_width);
  if (placed.resolved.is_written) named_[actual.name] = id;
  if (placed.is_last) {
    const bool is_number = formal.type.format && formal.type.elements == 1;
    result_registers_.push_back(id);
    results_.push_back(
        {actual.name, register_width, is_number, formal.type.format.value_or(FloatFormat::f32)});
  }
  return {Operand::Register{id}};
}

void Evaluation::add(const Placed& placed) {
  const Form& form = *placed.resolved.form;
  if (!form.definition->rule) throw Unsupported(form.spelling, placed.resolved.where);
  Instruction instruction;
  instruction.form = &form;
  instruction.where = placed.resolved.where;
  instruction.text = form.spelling;
  instruction.operands.assign(form.operands.size(), {Operand::Sink{}});
  for (const bool is_destination : {false, true})  // `add.u32 a, a, b` reads the old `a`
    for (std::size_t i = 0; i < form.operands.size(); ++i) {
      const FormOperand& formal = form.operands[i];
      if (formal.is_destination != is_destination) continue;
      instruction.operands[i] = formal.is_hidden ? ptxmc::Operand{Operand::Register{carry_}}
                                                 : add_operand(placed, formal, placed.resolved.operands[i]);
    }
  if (placed.is_last && form.has(".tf32") && results_.size() == 1) results_[0].may_be_nan = true;
  instructions_.push_back(std::move(instruction));
}

std::span<const Bits> Evaluation::run(std::span<const Bits> sources) {
  NoEffects effects;
  try {
    return run(sources, effects);
  } catch (const UnexpectedEffect&) {
    const Instruction& instruction = instructions_.back();
    throw Unsupported(instruction.text + " has effects: it computes nothing by itself", instruction.where);
  }
}

namespace {

/// Runs an instruction for all lanes of a warp: until each has given its registers to the others, and then
/// with the registers of all.
class WarpEffects final : public NoEffects {
 public:
  void execute_for_all(const Instruction& instruction, std::vector<std::vector<Bits>>& registers) {
    given_.clear();
    all_.reset();
    for (lane_ = 0; lane_ < lanes_per_warp; ++lane_) try {
        execute(instruction, registers[lane_], *this);
      } catch (const Given&) {
      }
    if (given_.empty()) return;
    if (given_.size() != lanes_per_warp) throw UnexpectedEffect();
    all_.emplace(lanes_per_warp, given_.front().size());
    for (std::size_t lane = 0; lane < lanes_per_warp; ++lane) all_->add(lane, given_[lane]);
    for (lane_ = 0; lane_ < lanes_per_warp; ++lane_) execute(instruction, registers[lane_], *this);
  }

 private:
  struct Given {};

  ExchangedValues exchange(const Exchange& exchange) override {
    const bool has_all = !exchange.members || equal(*exchange.members, Bits(32, 0xffff'ffff)).is_true();
    if (exchange.group != ThreadGroup::warp || !has_all) throw UnexpectedEffect();
    if (!all_) {
      given_.emplace_back(exchange.values.begin(), exchange.values.end());
      throw Given();
    }
    ExchangedValues values = *all_;
    values.own = Bits(32, lane_);
    return values;
  }

  std::size_t lane_ = 0;
  std::vector<std::vector<Bits>> given_;  // by lane
  std::optional<ExchangedValues> all_;
};

template <class Value>
void repeat_for_lanes(std::vector<Value>& values) {
  const std::vector<Value> of_lane = values;
  for (std::size_t lane = 1; lane < lanes_per_warp; ++lane)
    values.insert(values.end(), of_lane.begin(), of_lane.end());
}

}  // namespace

void Evaluation::spread_over_warp() {
  is_warp_ = true;
  repeat_for_lanes(source_widths_);
  repeat_for_lanes(source_names_);
  repeat_for_lanes(results_);
}

void Evaluation::run_in_warp(std::span<const Bits> sources) {
  std::vector<std::vector<Bits>> registers(lanes_per_warp, registers_);
  for (std::size_t lane = 0; lane < lanes_per_warp; ++lane) {
    for (std::size_t i = 0; i < sources_.size(); ++i)
      registers[lane][sources_[i]] = sources[lane * sources_.size() + i];
    registers[lane][carry_] = Bits::boolean(false);
  }
  WarpEffects effects;
  for (const Instruction& instruction : instructions_) effects.execute_for_all(instruction, registers);
  values_.clear();
  for (const std::vector<Bits>& of_lane : registers)
    for (const RegisterId id : result_registers_) values_.push_back(of_lane[id]);
}

std::span<const Bits> Evaluation::run(std::span<const Bits> sources, Effects& effects) {
  if (is_warp_) {
    run_in_warp(sources);
    return values_;
  }
  for (std::size_t i = 0; i < sources_.size(); ++i) registers_[sources_[i]] = sources[i];
  registers_[carry_] = Bits::boolean(false);
  for (const Instruction& instruction : instructions_) execute(instruction, registers_, effects);
  values_.clear();
  for (const RegisterId id : result_registers_) values_.push_back(registers_[id]);
  return values_;
}

bool is_nan_result(const Evaluation::Result& result, const Bits& value) {
  return result.may_be_nan && value.is_constant() && is_nan(result.format, value).is_true();
}

}  // namespace ptxmc
