#include "src/ptx/check_operand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "semantics/chapters/coordinates.hpp"
#include "semantics/chapters/fragment.hpp"
#include "semantics/language/special_registers.hpp"
#include "src/ptx/parse_declaration.hpp"
#include "src/ptx/type_agreement.hpp"

namespace ptxmc::syntax {

namespace {

/// § 9.7.9.4: `mov.b64 %rd1, {%r1, %r2};`
bool is_packing(const Form& form) {
  return form.line->opcode == "mov" && !form[".vec"] &&
         std::any_of(form.operands.begin(), form.operands.end(),
                     [](const FormOperand& o) { return o.elements != 0; });
}

/// Whether an instruction has one state space, which is that of its only address.
bool has_plain_address(std::string_view opcode) {
  static constexpr std::array<std::string_view, 9> opcodes = {
      "ld", "ldu", "st", "atom", "red", "prefetch", "discard", "applypriority", "cvta"};
  return std::find(opcodes.begin(), opcodes.end(), opcode) != opcodes.end();
}

/// The state space that a modifier names: `.shared::cta` too.
std::optional<Space> space_of(std::string_view modifier) {
  return space_named(modifier.substr(0, modifier.find("::")));
}

/// The element of a vector that `.x`, `.r` and so on select (§ 6.4.3); empty for other selectors.
std::optional<unsigned> element_of(std::string_view selector) {
  if (selector.size() != 2) return std::nullopt;
  for (const std::string_view letters : {"xyzw", "rgba"})
    if (const auto at = letters.find(selector[1]); at != std::string_view::npos)
      return static_cast<unsigned>(at);
  return std::nullopt;
}

bool is_opaque(const Type& type) { return type.kind == Type::Kind::opaque; }
bool is_opaque(const Symbol& symbol) { return symbol.type && is_opaque(type_of(*symbol.type)); }

bool is_sink(const Operand& operand) { return std::holds_alternative<Sink>(operand.is); }

/// The value of a floating-point immediate of type .f32.
double to_f32(const Constant& constant) {
  if (constant.kind == Constant::Kind::f32)
    return std::bit_cast<float>(static_cast<std::uint32_t>(constant.bits));
  return static_cast<float>(constant.to_double());
}

/// Checks the operands of one instruction.
class OperandChecker {
 public:
  OperandChecker(CheckContext& context, const Instruction& instruction)
      : context_(context),
        instruction_(instruction),
        mnemonic_(context.module.mnemonics[instruction.mnemonic]),
        form_(*instruction.form) {}

  void check(const Operand& operand, const FormOperand& place) {
    place_ = &place;
    wanted_ = is_packing(form_) ? packed_type(place) : instruction_type(form_, place);
    std::visit([&](const auto& part) { check_part(operand, part); }, operand.is);
  }

 private:
  void error(const Operand& operand, std::string message) {
    context_.error(operand.text, std::move(message));
  }

  /// § 9.7.9.4: the total size of the elements on one side of `mov` is the size of the other side.
  InstructionType packed_type(const FormOperand& place) const {
    Type type = form_.type();
    if (place.elements != 0)
      type = {Type::Kind::bits, static_cast<std::uint16_t>(type.width / place.elements)};
    return {type, std::nullopt, false};
  }

  std::string operand_name() const { return fmt::format("`{}`", place_->name()); }

  // --- registers and addresses of variables ----------------------------------------------------------

  void check_part(const Operand& operand, const NameOperand& named) {
    const Symbol& symbol = context_.symbol(named.name);
    if (place_->pattern->kind == OperandPattern::Kind::label) return;
    if (is_opaque(wanted_.type)) return check_opaque(operand, symbol);
    if (place_->pattern->kind == OperandPattern::Kind::address) return check_address_base(operand, symbol);
    if (!is_register(symbol)) return check_address_value(operand, symbol);
    if (symbol.kind == Symbol::Kind::special_register) check_special(operand, *symbol.special);
    if (!check_selector(operand, named, symbol)) return;
    if (mnemonic_.opcode == "isspacep" && !place_->is_destination) return check_base(operand, symbol, 32);
    check_type(operand, *symbol.type, symbol.special);
  }

  void check_special(const Operand& operand, const SpecialRegister& special) {
    if (place_->is_destination)
      return error(operand, fmt::format("found '{}', expected a register that can be written", special.name));
    const auto lack = lack_of(context_.capabilities, fmt::format("'{}'", special.name), special.introduced,
                              std::array{Architecture{special.sm, false}});
    if (!lack.empty()) error(operand, lack);
    if (mnemonic_.opcode != "mov" && mnemonic_.opcode != "cvt")
      error(operand,
            fmt::format("found '{}', expected special registers in 'mov' and 'cvt' only", special.name));
  }

  /// Returns false if the operand has no type to check.
  bool check_selector(const Operand& operand, const NameOperand& named, const Symbol& symbol) {
    if (named.selector.empty()) {
      if (symbol.elements == 1 || place_->elements == symbol.elements) return true;
      error(operand, fmt::format("found the vector '{}', expected one register", operand.text));
      return false;
    }
    if (const auto element = element_of(named.selector); symbol.elements > 1 && element) {
      if (*element < symbol.elements) return true;
      error(operand, fmt::format("found '{}', expected one of {} elements", named.selector, symbol.elements));
      return false;
    }
    if (symbol.elements == 1) return true;  // a video instruction: the form checks the selector
    error(operand, fmt::format("found '{}', expected .x, .y, .z or .w", operand.text));
    return false;
  }

  void check_type(const Operand& operand, Modifier declared, const SpecialRegister* special) {
    if (wanted_.type.kind == Type::Kind::none || agrees(wanted_, declared)) return;
    const Type type = wanted_.type;
    const bool is_old_reading = special != nullptr && special->narrowest != 0 &&
                                type.width >= special->narrowest && type.width < type_of(declared).width;
    if (is_old_reading) return;
    error(operand, fmt::format("found '{}' of type {}, expected {} for {}", operand.text, declared.spelling(),
                               name_of(wanted_), operand_name()));
  }

  /// § 5.3, § 9.7.10.1: a texture, a sampler or a surface, or a register that holds the address of one. In
  /// unified mode the texture has the attributes of a sampler.
  void check_opaque(const Operand& operand, const Symbol& symbol) {
    const bool is_sampler_of_texture = wanted_.modifier == Modifier(".samplerref") &&
                                       !context_.has_independent_samplers &&
                                       symbol.type == Modifier(".texref");
    if (is_register(symbol)) {
      const Type type = type_of(*symbol.type);
      const bool is_integer = type.kind == Type::Kind::bits || type.is_integer();
      if (is_integer && type.width == 64 && symbol.elements == 1) return;
    } else if (symbol.type == wanted_.modifier || is_sampler_of_texture) {
      return;
    }
    error(operand, fmt::format("found '{}', expected a {} or a register of 64 bits for {}", operand.text,
                               wanted_.modifier->spelling(), operand_name()));
  }

  /// `mov.u64 %rd1, x;`, `cvta.shared.u64 %rd1, x;`: the address of a variable or function as a value.
  void check_address_value(const Operand& operand, const Symbol& symbol) {
    static constexpr std::array<std::string_view, 6> with_addresses = {"mov",        "cvta",    "mapa",
                                                                       "getctarank", "istypep", "call"};
    const bool is_function = symbol.kind == Symbol::Kind::function || symbol.kind == Symbol::Kind::entry;
    const bool is_possible =
        std::find(with_addresses.begin(), with_addresses.end(), mnemonic_.opcode) != with_addresses.end();
    if (is_opaque(symbol) && mnemonic_.opcode != "mov" && mnemonic_.opcode != "istypep")
      return refuse_opaque(operand, symbol);
    if (!is_possible || (!is_function && symbol.kind != Symbol::Kind::variable))
      return error(operand,
                   fmt::format("found '{}', expected {}", operand.text,
                               place_->is_destination ? "a register" : "a register or an immediate"));
    if (mnemonic_.opcode == "cvta") return check_converted(operand, symbol);
    if (symbol.space == Space::param && symbol.role == Symbol::Role::local && !is_function)
      return error(operand, fmt::format("found '{}', expected a variable whose address can be taken: "
                                        "parameters of calls have none",
                                        operand.text));
    const Type type = wanted_.type;
    const bool is_integer =
        type.kind == Type::Kind::bits || type.is_integer() || type.kind == Type::Kind::none;
    const unsigned narrowest = is_opaque(symbol) ? 64 : 32;
    if (!is_integer || (type.kind != Type::Kind::none && type.width < narrowest))
      error(operand, fmt::format("found the address of '{}', expected {} for {}", operand.text,
                                 name_of(wanted_), operand_name()));
  }

  /// § 9.7.9.20: a variable of the state space becomes a generic address; `.to` requires a generic address in
  /// a register.
  void check_converted(const Operand& operand, const Symbol& symbol) {
    const bool is_variable = symbol.kind == Symbol::Kind::variable;
    const bool is_of_function = symbol.space == Space::param && (symbol.role == Symbol::Role::parameter ||
                                                                 symbol.role == Symbol::Role::return_value);
    if (is_of_function && form_.has(".local") && !form_.has(".to")) return;  // § 5.1.6.4
    if (form_.has(".to") || !is_variable)
      return error(operand, fmt::format("found '{}', expected a register{}", operand.text,
                                        form_.has(".to") ? "" : " or a variable"));
    check_variable(operand, symbol);
  }

  // --- immediates ------------------------------------------------------------------------------------

  bool is_allowed(const Constant& constant) const {
    const Immediates& allowed = place_->pattern->immediates;
    return constant.is_integer() ? allowed.accepts(constant.to_signed()) : allowed.accepts(to_f32(constant));
  }

  void check_part(const Operand& operand, const Constant& constant) {
    const bool may_be_any = place_->pattern->type.may_be_vector;  // coordinates
    if (wanted_.type.kind == Type::Kind::none && !constant.is_integer() && !may_be_any)
      return error(operand,
                   fmt::format("found '{}', expected an integer for {}", operand.text, operand_name()));
    if (!agrees(wanted_, constant))
      return error(operand, fmt::format("found '{}', expected {} for {}", operand.text,
                                        wanted_.type.is_float() && wanted_.type.width < 32
                                            ? fmt::format("a register of type {}", name_of(wanted_))
                                            : fmt::format("a constant of type {}", name_of(wanted_)),
                                        operand_name()));
    if (!is_allowed(constant))
      error(operand, fmt::format("found {}, expected {} for {}", operand.text,
                                 to_string(place_->pattern->immediates), operand_name()));
  }

  // --- addresses -------------------------------------------------------------------------------------

  void check_part(const Operand& operand, const Address& address) {
    check_offset(operand, address);
    if (!address.base) return;
    const Symbol& symbol = context_.symbol(*address.base);
    if (is_opaque(wanted_.type)) {
      if (address.offset)
        error(operand,
              fmt::format("found '{}', expected no offset: {} holds no bytes", operand.text, operand_name()));
      return check_opaque(operand, symbol);
    }
    if (!address.in_brackets) return check_address_value(operand, symbol);
    check_address_base(operand, symbol);
  }

  void check_address_base(const Operand& operand, const Symbol& symbol) {
    if (is_register(symbol)) return check_base(operand, symbol);
    if (symbol.kind != Symbol::Kind::variable)
      return error(operand,
                   fmt::format("found '{}', expected a register or a variable for the address", symbol.name));
    if (is_opaque(symbol)) return refuse_opaque(operand, symbol);
    check_variable(operand, symbol);
  }

  /// § 5.3: what an opaque variable holds is accessed by texture and surface instructions only.
  void refuse_opaque(const Operand& operand, const Symbol& symbol) {
    error(operand, fmt::format("found '{}' of type {}, expected it in texture and surface instructions only",
                               symbol.name, symbol.type->spelling()));
  }

  void check_offset(const Operand& operand, const Address& address) {
    if (!address.offset) return;
    const auto lowest = address.base ? std::numeric_limits<std::int32_t>::min() : 0;
    const auto highest = address.base ? std::numeric_limits<std::int32_t>::max()
                                      : std::int64_t{std::numeric_limits<std::uint32_t>::max()};
    const std::int64_t offset = address.offset->to_signed();
    if (!address.offset->is_integer() || offset < lowest || offset > highest)
      error(operand, fmt::format("found '{}', expected {} of 32 bits", operand.text,
                                 address.base ? "a signed offset" : "an unsigned address"));
  }

  void check_base(const Operand& operand, const Symbol& symbol, unsigned narrowest = 16) {
    const Type type = type_of(*symbol.type);
    const bool is_integer = type.kind == Type::Kind::bits || type.is_integer();
    if (symbol.kind == Symbol::Kind::special_register)
      return error(operand,
                   fmt::format("found '{}', expected a register of the module for the address", symbol.name));
    if (!is_integer || type.width > 64 || type.width < narrowest || symbol.elements > 1)
      error(operand,
            fmt::format("found '{}' of type {}, expected an integer or bit-size type for the address",
                        operand.text, symbol.type->spelling()));
  }

  /// § 6.4.1, § 5.1.6: checks that the variable is in the state space of the instruction.
  void check_variable(const Operand& operand, const Symbol& symbol) {
    if (!has_plain_address(mnemonic_.opcode)) return;
    std::optional<Space> space;
    for (const std::string_view modifier : mnemonic_.modifiers)
      if (const auto named = space_of(modifier); named && !space) space = named;
    const bool is_generic_space =
        symbol.space == Space::global || symbol.space == Space::shared || symbol.space == Space::local;
    if (space ? *space != symbol.space : !is_generic_space)
      return error(operand, fmt::format("found '{}' in {}, expected a variable in {}", symbol.name,
                                        name_of(symbol.space),
                                        space ? std::string(name_of(*space)) : ".global, .shared or .local"));
    if (symbol.space == Space::param) check_parameter(operand, symbol);
  }

  /// § 5.1.6.4, § 7.1: checks which parameters may be read, written, and accessed under a guard.
  void check_parameter(const Operand& operand, const Symbol& symbol) {
    const bool is_store = mnemonic_.opcode == "st";
    if (symbol.role == Symbol::Role::return_value && !is_store)
      return error(operand, fmt::format("found '{}', expected no return value, which can only be written",
                                        symbol.name));
    if ((symbol.role == Symbol::Role::parameter || symbol.role == Symbol::Role::entry_parameter) && is_store)
      return error(operand, fmt::format("found '{}', expected no input parameter, which can only be read",
                                        symbol.name));
    if (symbol.role == Symbol::Role::local && instruction_.guard)
      error(operand, fmt::format("found a guard, expected none where '{}' of a call is passed", symbol.name));
  }

  void check_part(const Operand& operand, const ArrayElement& element) {
    const Symbol& symbol = context_.symbol(element.array);
    if (symbol.kind != Symbol::Kind::variable || !symbol.is_array)
      return error(operand, fmt::format("found '{}', expected an array before '['", element.array.text));
    const Operand& index = element.index[0];
    const auto* address = std::get_if<Address>(&index.is);
    const auto* named = std::get_if<NameOperand>(&index.is);
    const auto* constant = std::get_if<Constant>(&index.is);
    const Name* base = named != nullptr ? &named->name : nullptr;
    if (address != nullptr && !address->in_brackets && address->base) base = &*address->base;
    const bool is_index =
        base != nullptr ? is_register(context_.symbol(*base)) : constant != nullptr && constant->is_integer();
    if (!is_index)
      error(index, fmt::format("found '{}', expected a register or a constant as index", index.text));
    if (!is_mov()) check_variable(operand, symbol);
  }

  bool is_mov() const { return mnemonic_.opcode == "mov"; }

  // --- others ----------------------------------------------------------------------------------------

  void check_part(const Operand& operand, const Vector& vector) {
    const std::size_t errors_before = context_.diagnostics.errors();
    check_length(operand, vector.elements.size());
    unsigned width = 0;
    bool differs = false;
    for (const Operand& element : vector.elements) {
      std::visit([&](const auto& part) { check_element(element, part); }, element.is);
      const auto* named = std::get_if<NameOperand>(&element.is);
      if (named == nullptr || !is_register(context_.symbol(named->name))) continue;
      const unsigned next = type_of(*context_.symbol(named->name).type).width;
      differs |= width != 0 && width != next;
      width = next;
    }
    if (std::ranges::all_of(vector.elements, is_sink))
      error(operand, fmt::format("found no register in '{}', expected at least one", operand.text));
    if (differs && context_.diagnostics.errors() == errors_before)
      error(operand, "found registers of several sizes, expected one size");
  }

  void check_length(const Operand& operand, std::size_t found) {
    const unsigned fragment = fragment_registers(form_, place_->name());
    const CoordinateCount coordinates = coordinate_count(form_, *place_->pattern);
    const unsigned expected = fragment != 0 ? fragment : coordinates.registers;
    if (expected == 0 || found == expected || (found > expected && coordinates.may_have_more)) return;
    error(operand, fmt::format("found a vector of {}, expected {} register{} for {}", found, expected,
                               expected == 1 ? "" : "s", operand_name()));
  }

  void check_element(const Operand& operand, const NameOperand& named) {
    const bool is_part = !named.selector.empty() && context_.symbol(named.name).elements == 1;
    if (named.prefix != NameOperand::Prefix::none || is_part)
      return error(operand, fmt::format("found '{}', expected a register as it is", operand.text));
    check_part(operand, named);
  }
  void check_element(const Operand& operand, const Constant& constant) {
    if (place_->is_destination)
      return error(operand, fmt::format("found '{}', expected a register to be written", operand.text));
    check_part(operand, constant);
  }
  void check_element(const Operand& operand, const Sink&) {
    if (!place_->is_destination) error(operand, "found '_', expected a value");
  }
  void check_element(const Operand& operand, const auto&) {
    error(operand, fmt::format("found '{}', expected a register or an immediate", operand.text));
  }

  void check_part(const Operand&, const Sink&) {}
  void check_part(const Operand&, const Arguments&) {}
  void check_part(const Operand&, const Pair&) {}              // counted as two
  void check_part(const Operand&, const CompositeAddress&) {}  // counted part by part

  CheckContext& context_;
  const Instruction& instruction_;
  const Mnemonic& mnemonic_;
  const Form& form_;
  const FormOperand* place_ = nullptr;
  InstructionType wanted_;
};

}  // namespace

bool is_register(const Symbol& symbol) {
  return symbol.kind == Symbol::Kind::special_register ||
         (symbol.kind == Symbol::Kind::variable && symbol.space == Space::reg);
}

void check_operands(CheckContext& context, const Instruction& instruction,
                    std::span<const CountedOperand> operands) {
  OperandChecker checker(context, instruction);
  for (std::size_t i = 0; i < operands.size(); ++i)
    checker.check(*operands[i].operand, instruction.form->operands[i]);
}

}  // namespace ptxmc::syntax
