#include "src/litmus/thread_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "semantics/language/instruction_set.hpp"
#include "semantics/language/spelling.hpp"
#include "src/litmus/dialect.hpp"
#include "src/litmus/numbers.hpp"
#include "src/litmus/spelling.hpp"
#include "src/ptx/type_agreement.hpp"

namespace ptxmc {

namespace {

/// The meaning of a bare name as an operand.
enum class Role { value, location, label };

Role role_of(std::string_view opcode, std::size_t index) {
  static constexpr std::array location_first = {"st", "sust", "red", "sured", "discard"};
  static constexpr std::array location_second = {"ld", "tld", "suld", "cold", "atom", "suatom"};
  const std::string_view name = opcode.substr(0, opcode.find('.'));
  const auto is_one_of = [&](const auto& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (name == "goto" || name == "bra") return Role::label;
  if (branch_comparison(name) && index == 2) return Role::label;
  if (index == 0 && is_one_of(location_first)) return Role::location;
  if (index == 1 && is_one_of(location_second) && opcode != "ld") return Role::location;
  return Role::value;
}

/// Registers may be written as in PTX: `%r0` is `r0`.
std::string register_name(const std::string& written) {
  return written.starts_with('%') ? written.substr(1) : written;
}

/// Whether a name looks like a register, such as `r0`, even if no instruction requires one.
bool looks_like_register(const std::string& written) {
  return written.starts_with('%') || (written.size() > 1 && written[0] == 'r' &&
                                      std::all_of(written.begin() + 1, written.end(), [](char c) {
                                        return std::isdigit(static_cast<unsigned char>(c)) != 0;
                                      }));
}

class ThreadTranslator {
 public:
  ThreadTranslator(const ThreadSource& source, MemoryLayout& memory, const SourceText& text,
                   Mistakes& mistakes)
      : source_(source), memory_(memory), text_(text), mistakes_(mistakes) {}

  ThreadCode translate() {
    thread_.name = fmt::format("P{}", source_.header.name.number);
    thread_.placement = source_.placement;
    for (const auto& initialisation : source_.registers)
      mistakes_.collect([&] { initialise(initialisation); });
    for (const litmus_syntax::Cell* cell : source_.column)
      if (cell->instruction) find_registers(*cell->instruction);
    for (const litmus_syntax::Cell* cell : source_.column) {
      for (const litmus_syntax::Name& label : cell->labels) mistakes_.collect([&] { define(label); });
      if (cell->instruction) translate_or_leave_out(*cell->instruction);
    }
    for (const LabelUse& use : label_uses_) mistakes_.collect([&] { resolve(use); });
    mistakes_.collect([&] { finish_registers(); });
    ThreadCode result{std::move(thread_), {}};
    for (Register& made : registers_) result.formats.push_back(std::move(made.formats));
    return result;
  }

 private:
  struct Register {
    const litmus_syntax::RegisterInitialisation* initialisation = nullptr;
    RegisterFormats formats;
    unsigned width = 0;  ///< 0: not known from any use yet; 1: a predicate
  };

  struct LabelUse {
    std::size_t instruction;
    std::size_t operand;
    litmus_syntax::Name name;
    bool is_left_out = false;  ///< with its instruction, which is wrong
  };

  [[noreturn]] void fail(SourcePosition where, const std::string& message) const {
    throw InputError(text_.file(), where, message);
  }

  // ---- registers ----

  RegisterId add_register(const std::string& name) {
    const auto [found, is_new] = ids_.try_emplace(name, static_cast<RegisterId>(registers_.size()));
    if (is_new) {
      registers_.emplace_back();
      thread_.register_names.push_back(name);
    }
    return found->second;
  }

  bool is_register(const std::string& written) const { return ids_.contains(register_name(written)); }

  void initialise(const litmus_syntax::RegisterInitialisation& initialisation) {
    const litmus_syntax::Name& name = initialisation.target.name;
    Register& target = registers_[add_register(register_name(name.text))];
    if (target.initialisation)
      fail(name.where, fmt::format("found a second initial value of '{}', expected one", name.text));
    target.initialisation = &initialisation;
    if (!initialisation.type) return;
    target.formats.declared = float_format_of(type_named(initialisation.type->text));
    if (!target.formats.declared)
      fail(initialisation.type->where,
           fmt::format("found type '{}', expected f16, bf16, f32 or f64: other registers have no type",
                       initialisation.type->text));
  }

  /// `ld r0, 1`, `ld r0, r1`; what is neither a number nor a register is a location: `ld r0, x`.
  bool is_move(const litmus_syntax::Instruction& instruction) const {
    using Kind = litmus_syntax::Operand::Kind;
    if (instruction.opcode.text != "ld") return false;
    if (instruction.operands.size() < 2) return true;
    const litmus_syntax::Operand& source = instruction.operands[1];
    if (source.kind != Kind::name) return source.kind != Kind::address;
    return is_register(source.place.variable.text) || source.place.variable.text == "_";
  }

  /// The role of an operand; only valid once all registers are known.
  Role role(const litmus_syntax::Instruction& instruction, std::size_t index) const {
    const bool is_load = instruction.opcode.text == "ld" && index == 1;
    return is_load && !is_move(instruction) ? Role::location : role_of(instruction.opcode.text, index);
  }

  void find_registers(const litmus_syntax::Instruction& instruction) {
    if (instruction.guard) add_register(register_name(instruction.guard->predicate.text));
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      const litmus_syntax::Operand& operand = instruction.operands[i];
      const bool may_be_location = instruction.opcode.text == "ld" && i == 1;
      const bool is_value = role_of(instruction.opcode.text, i) == Role::value &&
                            (!may_be_location || looks_like_register(operand.place.variable.text));
      if (operand.kind == litmus_syntax::Operand::Kind::name && is_value) find_register(operand);
      for (const litmus_syntax::Operand& element : operand.elements)
        if (element.kind == litmus_syntax::Operand::Kind::name) find_register(element);
    }
  }

  void find_register(const litmus_syntax::Operand& operand) {
    const std::string& name = operand.place.variable.text;
    if (name != "_" && !memory_.declares(name)) add_register(register_name(name));
  }

  /// Records from a use whether a register is a predicate, its required width, and its floating-point type.
  void note_use(RegisterId id, Type type, SourcePosition where) {
    Register& used = registers_[id];
    if (const auto format = float_format_of(type)) used.formats.used.insert(*format);
    const unsigned width = type.kind == Type::Kind::predicate ? 1 : std::max(64u, unsigned{type.width});
    if (used.width != 0 && (used.width == 1) != (width == 1))
      fail(where, fmt::format("found '{}' both as a predicate and as a number, expected two registers",
                              thread_.register_names[id]));
    used.width = std::max(used.width, width);
  }

  void finish_registers() {
    for (std::size_t id = 0; id < registers_.size(); ++id) {
      const Register& made = registers_[id];
      const unsigned width = made.width == 0 ? 64 : made.width;
      const std::uint64_t initial = initial_value(made);
      if (width == 1 && initial > 1)
        fail(made.initialisation->target.name.where,
             fmt::format("found a value of '{}' that needs more than one bit, expected 0 or 1 for "
                         "a predicate",
                         thread_.register_names[id]));
      thread_.initial_registers.emplace_back(width, initial);
    }
  }

  std::uint64_t initial_value(const Register& made) const {
    if (!made.initialisation || !made.initialisation->value) return 0;
    const litmus_syntax::InitialValue& value = *made.initialisation->value;
    const bool is_float =
        value.kind == litmus_syntax::InitialValue::Kind::number && !value.number.is_integer();
    if (made.formats.declared || (is_float && made.formats.known()))
      return memory_.float_of(value, *made.formats.known()).to_u64();
    return memory_.integer_of(value, source_.cta).to_u64();
  }

  // ---- labels ----

  void define(const litmus_syntax::Name& label) {
    const auto here = static_cast<Target>(thread_.code.size());
    if (!labels_.emplace(label.text, here).second)
      fail(label.where, fmt::format("found a second label '{}', expected each label once", label.text));
  }

  std::vector<std::string> label_names() const {
    std::vector<std::string> names;
    for (const auto& [name, target] : labels_) names.push_back(name);
    return names;
  }

  void translate_or_leave_out(const litmus_syntax::Instruction& written) {
    const std::size_t first_use = label_uses_.size(), size = thread_.code.size();
    mistakes_.collect([&] { translate(written); });
    for (std::size_t i = first_use; thread_.code.size() == size && i < label_uses_.size(); ++i)
      label_uses_[i].is_left_out = true;
  }

  void resolve(const LabelUse& use) {
    const auto found = labels_.find(use.name.text);
    if (found == labels_.end())
      fail(use.name.where, fmt::format("found '{}', expected a label of {}{}", use.name.text, thread_.name,
                                       did_you_mean(use.name.text, label_names())));
    if (use.is_left_out) return;
    thread_.code[use.instruction].operands[use.operand].is = Operand::Label{found->second};
  }

  // ---- operands ----

  Operand::Address address_of(const litmus_syntax::Operand& operand, bool register_may_be_base) {
    const Bits offset(64, operand.number.bits);
    if (!operand.has_place) return {std::nullopt, offset};
    const litmus_syntax::Name& name = operand.place.variable;
    const bool declared = memory_.declares(name.text);
    if (!declared && (is_register(name.text) || looks_like_register(name.text))) {
      if (!register_may_be_base)
        fail(name.where, fmt::format("found the register '{}', expected a location such as x or [{}]",
                                     name.text, name.text));
      if (operand.place.element)
        fail(operand.place.element->where, "found an index, expected ']' after a register");
      const RegisterId base = add_register(register_name(name.text));
      note_use(base, Type{Type::Kind::bits, 64}, name.where);
      return {base, offset};
    }
    if (!declared) memory_.declare_undeclared(name.text);
    return {std::nullopt, Bits(64, memory_.find(operand.place, source_.cta).address) + offset};
  }

  Operand value_of(const litmus_syntax::Operand& operand, std::string_view opcode) {
    const litmus_syntax::Name& name = operand.place.variable;
    if (name.text == "_") return {Operand::Sink{}};
    const bool is_plain = !operand.place.element && operand.number.bits == 0;
    if (is_register(name.text) && is_plain)
      return {Operand::Register{ids_.at(register_name(name.text)), operand.is_negated}};
    const bool takes_addresses =
        opcode.starts_with("mov.") || opcode.starts_with("cvta.") || opcode.starts_with("mapa.");
    if (takes_addresses && memory_.declares(name.text))
      return {Operand::Immediate{Bits(64, memory_.find(operand.place, source_.cta).address) +
                                 Bits(64, operand.number.bits)}};
    fail(name.where, fmt::format("found the location '{}', expected a register or a number", name.text));
  }

  Operand operand(const litmus_syntax::Operand& written, Role role, std::string_view opcode,
                  std::size_t index) {
    using Kind = litmus_syntax::Operand::Kind;
    switch (written.kind) {
      case Kind::number:  // a floating-point one gets its bits when the type of the operand is known
        return {Operand::Immediate{Bits(64, written.number.bits)}};
      case Kind::address:
        return {address_of(written, true)};
      case Kind::vector: {
        Operand::Vector vector;
        for (const auto& element : written.elements)
          vector.elements.push_back(operand(element, Role::value, opcode, index));
        return {vector};
      }
      case Kind::name:
        break;
    }
    if (role == Role::location) return {address_of(written, false)};
    if (role == Role::value) return value_of(written, opcode);
    label_uses_.push_back({thread_.code.size(), index, written.place.variable, false});
    return {Operand::Label{0}};
  }

  /// The type of the variable that an access names; 64 bits for registers and undeclared variables.
  VariableType accessed_type(const litmus_syntax::Instruction& instruction) const {
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      const litmus_syntax::Operand& operand = instruction.operands[i];
      const bool is_location =
          operand.kind == litmus_syntax::Operand::Kind::address || role(instruction, i) == Role::location;
      if (!is_location || !operand.has_place || !memory_.declares(operand.place.variable.text)) continue;
      const auto place = memory_.find({{}, operand.place.variable, std::nullopt}, source_.cta);
      const Variable& variable = memory_.variable(place);
      return {variable.element_size * 8, variable.is_signed, variable.format};
    }
    return {};
  }

  // ---- instructions ----

  void translate(const litmus_syntax::Instruction& instruction) {
    const std::string& opcode = instruction.opcode.text;
    const std::string name = opcode.substr(0, opcode.find('.'));
    if (!is_known_opcode(name))
      fail(instruction.opcode.where,
           fmt::format("found '{}', expected an instruction such as '{}'", name, nearest_opcode(name)));
    if (const auto comparison = branch_comparison(opcode)) return branch(instruction, *comparison);
    const bool moves = is_move(instruction);
    const VariableType accessed = accessed_type(instruction);
    const std::string spelling = moves              ? "mov.s64"
                                 : opcode == "goto" ? "bra"
                                                    : complete_spelling(opcode, accessed);
    std::vector<Operand> operands;
    for (std::size_t i = 0; i < instruction.operands.size(); ++i)
      operands.push_back(
          operand(instruction.operands[i], role(instruction, i), moves ? opcode : spelling, i));
    if (opcode.starts_with("bar.cta.") && !operands.empty() &&
        !std::holds_alternative<Operand::Immediate>(operands[0].is))
      fail(instruction.operands[0].where, "found no number, expected the number of the barrier in the text");
    emit(instruction, spelling, std::move(operands), guard_of(instruction));
    const bool has_type_of_variable = !moves && opcode != "goto" && spelling != opcode;
    type_operands(instruction, has_type_of_variable ? accessed.format : std::nullopt);
  }

  /// Of the instruction that was made last. An access without a type whose form has bits takes numbers of the
  /// variable's own format.
  void type_operands(const litmus_syntax::Instruction& written, std::optional<FloatFormat> accessed) {
    Instruction& made = thread_.code.back();
    for (std::size_t i = 0; i < written.operands.size(); ++i) {
      const FormOperand& formal = made.form->operands[i];
      const bool is_of_variable = accessed && formal.type.kind == Type::Kind::bits;
      const Type type = is_of_variable
                            ? Type{Type::Kind::floating, formal.type.width, formal.type.elements, accessed}
                            : formal.type;
      type_operand(made.operands[i], written.operands[i], type, syntax::instruction_type(*made.form, formal));
    }
  }

  void type_operand(Operand& made, const litmus_syntax::Operand& written, Type type,
                    const syntax::InstructionType& wanted) {
    if (const auto* used = std::get_if<Operand::Register>(&made.is)) note_use(used->id, type, written.where);
    if (auto* immediate = std::get_if<Operand::Immediate>(&made.is);
        immediate && written.kind == litmus_syntax::Operand::Kind::number)
      immediate->value = constant_of(written.number, type, wanted).resize_unsigned(64);
    if (auto* vector = std::get_if<Operand::Vector>(&made.is))
      for (std::size_t i = 0; i < vector->elements.size(); ++i)
        type_operand(vector->elements[i], written.elements[i], type, wanted);
  }

  /// PTX ISA 8.7 § 4.5: integers for integers, floating-point numbers for their own types and for as many
  /// bits. More than that, hexadecimal integers give the bits of floating-point numbers, and those of 16 bits
  /// may be written.
  Bits constant_of(const litmus_syntax::Number& number, Type type,
                   const syntax::InstructionType& wanted) const {
    using enum litmus_syntax::Number::Notation;
    if (const auto format = float_format_of(type)) {
      if (number.notation == decimal)
        fail(number.where,
             fmt::format("found an integer, expected a number of type {} such as 1.0", name_of(*format)));
      const auto value = float_value(*format, number);
      if (!value) fail(number.where, more_bits_than(*format));
      return *value;
    }
    using Kind = syntax::Constant::Kind;
    if (!number.is_integer() &&
        !agrees(wanted, {number.notation == f32 ? Kind::f32 : Kind::f64, number.bits}))
      fail(number.where, fmt::format("found a floating-point number, expected a constant of type {}",
                                     syntax::name_of(wanted)));
    return Bits(64, number.bits);
  }

  /// `blt a, b, L`: setp.lt.s64 %branch, a, b; @%branch bra L;
  void branch(const litmus_syntax::Instruction& instruction, std::string_view comparison) {
    if (instruction.guard) fail(instruction.where, "found a guard, expected none before a comparing branch");
    if (instruction.operands.size() != 3)
      fail(instruction.where,
           fmt::format("found {} operands, expected two values and a label", instruction.operands.size()));
    const RegisterId predicate = add_register("%branch");
    std::vector<Operand> operands = {{Operand::Register{predicate}}};
    for (std::size_t i = 0; i < 2; ++i) {
      if (!instruction.operands[i].number.is_integer())
        fail(instruction.operands[i].where,
             "found a floating-point number, expected an integer: use setp and bra to compare others");
      operands.push_back(operand(instruction.operands[i], Role::value, instruction.opcode.text, i));
    }
    emit(instruction, fmt::format("setp.{}.s64", comparison), std::move(operands), {});
    Operand target = operand(instruction.operands[2], Role::label, instruction.opcode.text, 0);
    emit(instruction, "bra", {std::move(target)}, Guard{predicate});
  }

  std::optional<Guard> guard_of(const litmus_syntax::Instruction& instruction) {
    if (!instruction.guard) return std::nullopt;
    const litmus_syntax::Name& name = instruction.guard->predicate;
    const RegisterId id = add_register(register_name(name.text));
    note_use(id, Type{Type::Kind::predicate, 1}, name.where);
    return Guard{id, instruction.guard->is_negated};
  }

  void emit(const litmus_syntax::Instruction& written, const std::string& spelling,
            std::vector<Operand> operands, std::optional<Guard> guard) {
    Instruction instruction;
    instruction.form = &find_form(written, spelling, operands);
    instruction.operands = std::move(operands);
    instruction.guard = guard;
    instruction.where = written.where;
    instruction.text = collapse_blanks(written.text);
    refuse_windows(*instruction.form, written.where);
    for (std::size_t i = 0; i < instruction.form->operands.size(); ++i) {
      const FormOperand& formal = instruction.form->operands[i];
      if (formal.is_hidden) instruction.operands.push_back({Operand::Register{add_register("%CC")}});
      note_uses(instruction.operands[i], formal.type, written.where);
    }
    thread_.code.push_back(std::move(instruction));
  }

  /// The locations of a litmus test are in no window of generic addresses, so these instructions are
  /// unsupported: isspacep, cvta, mapa, getctarank.
  static void refuse_windows(const Form& form, SourcePosition where) {
    static constexpr std::string_view sections[] = {"9.7.9.19", "9.7.9.20", "9.7.9.23", "9.7.9.24"};
    if (std::ranges::find(sections, form.definition->section) != std::end(sections))
      throw Unsupported(form.spelling + " in a litmus test", where);
  }

  void note_uses(const Operand& operand, Type type, SourcePosition where) {
    if (const auto* used = std::get_if<Operand::Register>(&operand.is)) note_use(used->id, type, where);
    if (const auto* vector = std::get_if<Operand::Vector>(&operand.is))
      for (const Operand& element : vector->elements) note_uses(element, type, where);
  }

  const Form& find_form(const litmus_syntax::Instruction& written, const std::string& spelling,
                        const std::vector<Operand>& operands) const {
    std::vector<OperandShape> shapes;
    for (const Operand& operand : operands) shapes.push_back(shape_of(operand));
    const Match match = match_instruction(spelling, shapes);
    if (match) return *match.form;
    SourcePosition where = written.opcode.where;
    if (match.operand < written.operands.size()) where = written.operands[match.operand].where;
    if (match.spelling_offset < written.opcode.text.size())
      where.column += static_cast<std::uint32_t>(match.spelling_offset);
    fail(where, match.error);
  }

  const ThreadSource& source_;
  MemoryLayout& memory_;
  const SourceText& text_;
  Mistakes& mistakes_;
  Thread thread_;
  std::vector<Register> registers_;
  std::map<std::string, RegisterId> ids_;
  std::map<std::string, Target> labels_;
  std::vector<LabelUse> label_uses_;
};

}  // namespace

ThreadCode translate_thread(const ThreadSource& source, MemoryLayout& memory, const SourceText& text,
                            Mistakes& mistakes) {
  return ThreadTranslator(source, memory, text, mistakes).translate();
}

}  // namespace ptxmc
