#include "src/ptx/lower.hpp"

#include <fmt/format.h>

#include <bit>
#include <map>
#include <tuple>
#include <unordered_map>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/form.hpp"
#include "src/ptx/check_operand.hpp"
#include "src/ptx/counted_operands.hpp"
#include "src/ptx/type_agreement.hpp"

namespace ptxmc::syntax {

namespace {

constexpr unsigned address_width = 64;

unsigned width_of(Modifier type) { return type_of(type).width; }

/// The number of bytes of a register that is passed.
std::uint64_t size_of(const LoweredRegister& r) { return (r.width + 7) / 8; }

/// `.x` or `.r` is 0.
unsigned selected_element(std::string_view selector) {
  if (selector.empty()) return 0;
  constexpr std::string_view positions = "xyzw", colors = "rgba";
  const auto at = positions.find(selector[1]);
  return static_cast<unsigned>(at != std::string_view::npos ? at : colors.find(selector[1]));
}

}  // namespace

Bits value_of(const Constant& constant, const Type& type) {
  const unsigned width = type.width == 0 ? 64 : type.width;
  if (type.kind == Type::Kind::predicate) return Bits::boolean(constant.bits != 0);
  if (type.is_float() && width == 32 && constant.kind == Constant::Kind::f64)
    return Bits(32, std::bit_cast<std::uint32_t>(static_cast<float>(constant.to_double())));
  if (type.is_float() && width == 64 && constant.kind == Constant::Kind::f32) {
    const auto single = std::bit_cast<float>(static_cast<std::uint32_t>(constant.bits));
    return Bits(64, std::bit_cast<std::uint64_t>(static_cast<double>(single)));
  }
  const bool is_negative = constant.kind == Constant::Kind::s64 && constant.to_signed() < 0;
  const Bits value(64, constant.bits);
  return is_negative ? value.resize_signed(width) : value.resize_unsigned(width);
}

namespace {

/// Lowers one body.
class Lowering {
 public:
  Lowering(const Module& module, const AddressOf& address_of) : module_(module), address_of_(address_of) {}

  LoweredFunction lower(const Function& function) {
    if (!function.is_entry) {
      lowered_.returns = formals(function.returns);
      lowered_.parameters = formals(function.parameters);
    }
    number_instructions(*function.body);
    lower_block(*function.body);
    return std::move(lowered_);
  }

 private:
  // Numbers the instructions first, so that labels are known for forward jumps.
  void number_instructions(const Block& block) {
    for (const Statement& statement : block.statements) {
      if (std::holds_alternative<Instruction>(statement.is)) ++next_;
      if (const auto* label = std::get_if<Label>(&statement.is)) labels_[label->name.symbol] = next_;
      if (const auto* targets = std::get_if<Targets>(&statement.is))
        targets_[targets->label.symbol] = targets;
      if (const auto* inner = std::get_if<Block>(&statement.is)) number_instructions(*inner);
    }
  }

  void lower_block(const Block& block) {
    for (const Statement& statement : block.statements) {
      if (const auto* instruction = std::get_if<Instruction>(&statement.is)) lower_instruction(*instruction);
      if (const auto* location = std::get_if<Location>(&statement.is)) line_ = location->position;
      if (const auto* inner = std::get_if<Block>(&statement.is)) lower_block(*inner);
    }
  }

  void lower_instruction(const Instruction& instruction) {
    ptxmc::Instruction lowered;
    lowered.form = instruction.form;
    lowered.where = module_.position(instruction.text);
    lowered.text = instruction.text;
    if (instruction.guard)
      lowered.guard = {register_of(instruction.guard->predicate, 0), instruction.guard->negated};
    if (instruction.form->line->opcode == "call")
      lower_call(instruction);
    else
      lower_operands(instruction, lowered);
    lowered_.code.push_back(std::move(lowered));
    lowered_.lines.push_back(line_);
  }

  // --- calls -----------------------------------------------------------------------------------------

  /// `(returns), callee, (arguments), targets`.
  void lower_call(const Instruction& instruction) {
    LoweredCall call;
    call.at = static_cast<ptxmc::Target>(lowered_.code.size());
    const auto& operands = instruction.operands;
    std::size_t at = 0;
    if (const auto* returns = std::get_if<Arguments>(&operands[at].is)) {
      call.returns = actuals(*returns);
      ++at;
    }
    const Name& callee = std::get<NameOperand>(operands[at++].is).name;
    const bool is_direct = module_.symbols[callee.symbol].kind == Symbol::Kind::function;
    if (is_direct) call.function = callee.symbol;
    if (!is_direct) call.pointer = register_of(callee, 0);
    if (at < operands.size())
      if (const auto* arguments = std::get_if<Arguments>(&operands[at].is))
        call.arguments = actuals(*arguments);
    lowered_.calls.push_back(std::move(call));
  }

  std::vector<PassedValue> formals(const std::vector<Declaration>& declarations) {
    std::vector<PassedValue> result;
    for (const Declaration& declaration : declarations)
      for (const Declarator& declarator : declaration.declarators)
        result.push_back(passed(declarator.name, ""));
    return result;
  }

  std::vector<PassedValue> actuals(const Arguments& operands) {
    std::vector<PassedValue> result;
    for (const Operand& operand : operands.list) {
      PassedValue value;
      if (const auto* named = std::get_if<NameOperand>(&operand.is))
        value = passed(named->name, named->selector);
      else if (const auto* constant = std::get_if<Constant>(&operand.is))
        value.number = *constant;
      result.push_back(std::move(value));
    }
    return result;
  }

  PassedValue passed(const Name& name, std::string_view selector) {
    const Symbol& symbol = module_.symbols[name.symbol];
    PassedValue value;
    value.type = type_of(*symbol.type);
    if (!is_register(symbol)) {
      value.address = address_of_(name.symbol);
      value.size = symbol.size;
      return value;
    }
    const unsigned first = selector.empty() ? 0 : selected_element(selector);
    const unsigned last = selector.empty() ? symbol.elements : first + 1;
    for (unsigned element = first; element < last; ++element) {
      value.registers.push_back(register_of(name, element));
      value.size += size_of(lowered_.registers[value.registers.back()]);
    }
    return value;
  }

  // --- instructions ----------------------------------------------------------------------------------

  void lower_operands(const Instruction& instruction, ptxmc::Instruction& lowered) {
    std::vector<CountedOperand> counted;
    count_operands(instruction, counted);
    form_ = instruction.form;
    for (std::size_t i = 0; i < counted.size(); ++i) {
      form_operand_ = &instruction.form->operands[i];
      lowered.operands.push_back(counted[i].is_address ? lower_address(*counted[i].operand)
                                                       : lower_operand(*counted[i].operand));
    }
    for (const FormOperand& operand : instruction.form->operands)
      if (operand.is_hidden) lowered.operands.push_back({ptxmc::Operand::Register{carry(), false}});
  }

  // --- registers -------------------------------------------------------------------------------------

  RegisterId carry() {
    if (!carry_) carry_ = add_register({"CC.CF", 1, no_symbol, nullptr, 0, 0});
    return *carry_;
  }

  RegisterId add_register(LoweredRegister added) {
    lowered_.registers.push_back(std::move(added));
    return static_cast<RegisterId>(lowered_.registers.size() - 1);
  }

  RegisterId register_of(const Name& name, unsigned element) {
    const auto [found, is_new] = registers_.try_emplace({name.symbol, name.index, element}, 0);
    if (!is_new) return found->second;
    const Symbol& symbol = module_.symbols[name.symbol];
    std::string text(name.text);
    if (symbol.elements > 1) text += fmt::format(".{}", "xyzw"[element]);
    found->second = add_register(
        {std::move(text), width_of(*symbol.type), name.symbol, symbol.special, element, name.index});
    return found->second;
  }

  // --- operands --------------------------------------------------------------------------------------

  ptxmc::Operand lower_operand(const Operand& operand) {
    return std::visit([&](const auto& part) { return lower_part(operand, part); }, operand.is);
  }

  ptxmc::Operand lower_part(const Operand&, const NameOperand& named) {
    const Symbol& symbol = module_.symbols[named.name.symbol];
    if (symbol.kind == Symbol::Kind::label) return label(named.name.symbol);
    if (symbol.kind == Symbol::Kind::branch_targets) return lower_targets(*targets_.at(named.name.symbol));
    if (!is_register(symbol)) return address_value(address_of_(named.name.symbol));
    if (symbol.elements > 1 && named.selector.empty()) return whole_vector(named.name, symbol.elements);
    const unsigned element = symbol.elements > 1 ? selected_element(named.selector) : 0;
    return {ptxmc::Operand::Register{register_of(named.name, element),
                                     named.prefix == NameOperand::Prefix::negation}};
  }

  ptxmc::Operand whole_vector(const Name& name, unsigned elements) {
    ptxmc::Operand::Vector vector;
    for (unsigned i = 0; i < elements; ++i)
      vector.elements.push_back({ptxmc::Operand::Register{register_of(name, i), false}});
    return {std::move(vector)};
  }

  ptxmc::Operand label(SymbolId symbol) const { return {ptxmc::Operand::Label{labels_.at(symbol)}}; }

  ptxmc::Operand lower_targets(const Targets& targets) const {
    ptxmc::Operand::Vector vector;
    for (const Targets::Target& target : targets.targets) {
      for (const SymbolId numbered : target.numbered) vector.elements.push_back(label(numbered));
      if (!target.count) vector.elements.push_back(label(target.name.symbol));
    }
    return {std::move(vector)};
  }

  /// The type of an immediate; for elements of a packing `mov` it has their share of the total width.
  Type immediate_type() const {
    if (form_operand_->type.kind != Type::Kind::none) return form_operand_->type;
    const unsigned elements = std::max(1u, form_operand_->elements);
    return {Type::Kind::bits, static_cast<std::uint16_t>(form_->width() / elements)};
  }

  ptxmc::Operand address_value(std::uint64_t address) const {
    return {ptxmc::Operand::Immediate{value_of(Constant::of_unsigned(address), immediate_type())}};
  }

  ptxmc::Operand lower_part(const Operand&, const Constant& constant) const {
    return {ptxmc::Operand::Immediate{value_of(constant, immediate_type())}};
  }

  ptxmc::Operand lower_part(const Operand&, const Address& address) {
    const std::uint64_t offset = address.offset ? address.offset->bits : 0;
    if (!address.base) return {ptxmc::Operand::Address{std::nullopt, Bits(address_width, offset)}};
    if (!address.in_brackets) return address_value(address_of_(address.base->symbol) + offset);
    return memory(*address.base, offset);
  }

  ptxmc::Operand memory(const Name& base, std::uint64_t offset) {
    if (is_register(module_.symbols[base.symbol]))
      return {ptxmc::Operand::Address{register_of(base, 0), Bits(address_width, offset)}};
    return {ptxmc::Operand::Address{std::nullopt, Bits(address_width, address_of_(base.symbol) + offset)}};
  }

  /// The address `a` in `[a, c]`.
  ptxmc::Operand lower_address(const Operand& operand) {
    if (const auto* named = std::get_if<NameOperand>(&operand.is)) return memory(named->name, 0);
    if (const auto* constant = std::get_if<Constant>(&operand.is))
      return {ptxmc::Operand::Address{std::nullopt, Bits(address_width, constant->bits)}};
    const auto& address = std::get<Address>(operand.is);
    return memory(*address.base, address.offset ? address.offset->bits : 0);
  }

  /// § 6.4.2: the index counts elements.
  ptxmc::Operand lower_part(const Operand& operand, const ArrayElement& element) const {
    const auto* index = std::get_if<Constant>(&element.index[0].is);
    if (index == nullptr) throw Unsupported("an array indexed by a register", module_.position(operand.text));
    const Symbol& symbol = module_.symbols[element.array.symbol];
    const std::uint64_t size = symbol.elements * width_of(*symbol.type) / 8;
    const std::uint64_t address = address_of_(element.array.symbol) + index->bits * size;
    if (form_operand_->pattern->kind != OperandPattern::Kind::address) return address_value(address);
    return {ptxmc::Operand::Address{std::nullopt, Bits(address_width, address)}};
  }

  ptxmc::Operand lower_part(const Operand&, const Vector& vector) {
    ptxmc::Operand::Vector elements;
    for (const Operand& element : vector.elements) elements.elements.push_back(lower_operand(element));
    return {std::move(elements)};
  }

  ptxmc::Operand lower_part(const Operand&, const Sink&) const { return {ptxmc::Operand::Sink{}}; }

  ptxmc::Operand lower_part(const Operand& operand, const auto&) const {
    throw std::logic_error("an operand that was not counted: " + std::string(operand.text));
  }

  const Module& module_;
  const AddressOf& address_of_;
  LoweredFunction lowered_;
  LinePosition line_;
  ptxmc::Target next_ = 0;
  std::unordered_map<SymbolId, ptxmc::Target> labels_;
  std::unordered_map<SymbolId, const Targets*> targets_;
  std::map<std::tuple<SymbolId, std::uint32_t, unsigned>, RegisterId> registers_;
  std::optional<RegisterId> carry_;
  const Form* form_ = nullptr;                 // of the current instruction
  const FormOperand* form_operand_ = nullptr;  // of its current operand
};

}  // namespace

LoweredFunction lower(const Module& module, const Function& function, const AddressOf& address_of) {
  return Lowering(module, address_of).lower(function);
}

}  // namespace ptxmc::syntax
