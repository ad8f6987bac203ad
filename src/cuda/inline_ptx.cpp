#include "src/cuda/inline_ptx.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/form.hpp"
#include "src/litmus/dialect.hpp"

namespace ptxmc {

namespace {

using Link = OperandPattern::Link;

constexpr unsigned register_bits = 64;

bool is_shared(const Variable& variable) { return variable.space == StateSpace::shared_cta; }

bool is_of_dialect(const Form& form) {
  return std::ranges::any_of(litmus_dialect().declarations(),
                             [&](const auto& each) { return each->definition == form.definition; });
}

/// Whether an address in the instruction is one in the window of shared memory, not a generic one.
bool takes_shared_addresses(const Form& form) {
  return form.has(".shared") || form.has(".shared::cta") || form.has(".shared::cluster");
}

/// The number of threads that a barrier with a count awaits: PTX ISA 8.7 § 9.7.13.1.
bool is_count_of_barrier(const Form& form, const FormOperand& operand) {
  return form.definition->section == "9.7.13.1" && operand.name() == "b";
}

class ThreadText {
 public:
  ThreadText(const Program& program, std::size_t thread, const GpuPlacement& placement)
      : program_(program), thread_(program.threads[thread]), number_(thread), placement_(placement) {}

  std::string text(std::span<const FinalTerm> shown) {
    find_window_registers();
    initialise_registers();
    std::set<Target> targets;
    for (const Instruction& instruction : thread_.code)
      for (const Target target : control_flow(instruction).targets) targets.insert(target);
    for (std::size_t i = 0; i < thread_.code.size(); ++i) {
      if (targets.contains(static_cast<Target>(i))) add(fmt::format("target_{}:", i));
      add(thread_.code[i]);
    }
    add("target_end:");
    for (std::size_t i = 0; i < shown.size(); ++i)
      if (shown[i].kind == FinalTerm::Kind::thread_register &&
          static_cast<std::size_t>(shown[i].thread) == number_)
        store(i, shown[i].register_id);
    std::string result = "{\n";
    for (const std::string& line : declarations_) result += line + "\n";
    for (const std::string& line : lines_) result += line + "\n";
    return result + "}\n";
  }

 private:
  void add(std::string line) { lines_.push_back(std::move(line)); }

  [[noreturn]] void refuse(const std::string& reason) const {
    throw Unsupported(instruction_->form->spelling, reason, instruction_->where);
  }

  unsigned width_of(RegisterId id) const { return thread_.initial_registers[id].width(); }

  // ---- registers ----

  /// Finds the registers whose addresses are in the window of shared memory, as the accesses through them
  /// say.
  void find_window_registers() {
    std::set<RegisterId> generic;
    for (const Instruction& instruction : thread_.code) {
      instruction_ = &instruction;
      for (const Operand& operand : instruction.operands) {
        const auto* address = std::get_if<Operand::Address>(&operand.is);
        if (address == nullptr || !address->base) continue;
        const bool in_window = takes_shared_addresses(*instruction.form);
        (in_window ? window_registers_ : generic).insert(*address->base);
        if ((in_window ? generic : window_registers_).contains(*address->base))
          refuse("a register with generic addresses and addresses of shared memory");
      }
    }
  }

  bool holds_window_address(const Operand& operand) const {
    const auto* r = std::get_if<Operand::Register>(&operand.is);
    return r != nullptr && window_registers_.contains(r->id);
  }

  void initialise_registers() {
    for (std::size_t id = 0; id < thread_.initial_registers.size(); ++id) {
      const Bits& value = thread_.initial_registers[id];
      if (value.width() == 1) {
        declarations_.push_back(fmt::format(".reg .pred r{};", id));
        add(fmt::format("setp.ne.u32 r{}, {}, 0;", id, value.to_u64()));
        continue;
      }
      if (value.width() != register_bits)
        throw Unsupported(fmt::format("a register of {} bits", value.width()), {});
      declarations_.push_back(fmt::format(".reg .b64 r{};", id));
      const auto place = variable_at(program_, value.to_u64());
      add(fmt::format(
          "mov.b64 r{}, {};", id,
          place ? address_with_offset(*place, window_registers_.contains(static_cast<RegisterId>(id)))
                : std::to_string(value.to_s64())));
    }
  }

  void store(std::size_t index, RegisterId id) {
    std::string value = fmt::format("r{}", id);
    if (width_of(id) == 1) {
      value = temporary(register_bits);
      add(fmt::format("selp.b64 {}, 1, 0, r{};", value, id));
    }
    add(fmt::format("st.volatile.global.b64 [%3+{}], {};", index * sizeof(std::int64_t), value));
  }

  std::string temporary(unsigned width) {
    std::string name = fmt::format("t{}", temporaries_++);
    declarations_.push_back(fmt::format(".reg .b{} {};", std::max(width, 16u), name));
    return name;
  }

  // ---- addresses ----

  /// The register with the address of a variable, generic or in the window of shared memory.
  std::string address_register(std::size_t variable, bool in_window) {
    const Variable& its = program_.memory[variable];
    const bool uses_window = in_window && is_shared(its);
    std::string name = fmt::format("{}{}", uses_window ? "w" : "v", variable);
    if (!addresses_.insert(name).second) return name;
    declarations_.push_back(fmt::format(".reg .b64 {};", name));
    declarations_.push_back(fmt::format("add.u64 {}, {}, {};", name,
                                        !is_shared(its) ? "%0"
                                        : uses_window   ? "%2"
                                                        : "%1",
                                        placement_.offsets[variable]));
    if (is_shared(its) && its.cta != thread_.placement.cta)
      declarations_.push_back(fmt::format("mapa{}.u64 {}, {}, {};", uses_window ? ".shared::cluster" : "",
                                          name, name, rank_of(its)));
    return name;
  }

  /// The rank of another CTA of the cluster.
  std::size_t rank_of(const Variable& variable) const {
    const auto& ctas = placement_.ctas[static_cast<std::size_t>(placement_.threads[number_].cluster)];
    const auto found = std::ranges::find(ctas, variable.cta);
    if (found == ctas.end())
      throw Unsupported("the shared variable " + variable.name + " of another cluster", {});
    return static_cast<std::size_t>(found - ctas.begin());
  }

  /// An address as a value.
  std::string address_with_offset(const VariableAt& place, bool in_window) {
    const std::string base = address_register(place.variable, in_window);
    if (place.offset == 0) return base;
    const std::string sum = temporary(register_bits);
    add(fmt::format("add.u64 {}, {}, {};", sum, base, place.offset));
    return sum;
  }

  std::string address(const Operand::Address& written) {
    const bool in_window = takes_shared_addresses(*instruction_->form);
    if (written.base) return fmt::format("r{}+{}", *written.base, written.offset.to_s64());
    const auto place = variable_at(program_, written.offset.to_u64());
    if (!place) refuse("an address of no variable");
    return fmt::format("{}+{}", address_register(place->variable, in_window), place->offset);
  }

  // ---- operands ----

  /// Immediates of 16-bit formats do not exist in PTX.
  std::string immediate(const Bits& value, const FormOperand& formal) {
    const Type& type = formal.type;
    const std::string& spelling = instruction_->form->spelling;
    if (spelling.starts_with("mov.") || spelling.starts_with("cvta.") || spelling.starts_with("mapa."))
      if (const auto place = variable_at(program_, value.to_u64()))
        return address_with_offset(*place, holds_window_address(instruction_->operands.front()));
    if (is_count_of_barrier(*instruction_->form, formal))
      return std::to_string(value.to_u64() * lanes_per_warp);
    const unsigned width = type.width == 0 ? value.width() : type.width;
    if (type.is_float() && width >= 32)
      return width == 32 ? fmt::format("0f{:08x}", value.to_u64()) : fmt::format("0d{:016x}", value.to_u64());
    const Bits bits = value.width() < width ? value.sign_extend(width) : value.extract(0, width);
    const std::string number = type.is_signed() || width > register_bits ? std::to_string(bits.to_s64())
                                                                         : std::to_string(bits.to_u64());
    if (!type.is_float() && type.kind != Type::Kind::packed) return number;
    const std::string copy = temporary(width);
    add(fmt::format("mov.b{} {}, {};", width, copy, number));
    return copy;
  }

  std::string register_text(const Operand::Register& r, const FormOperand& formal) {
    const unsigned width = formal.type.width, own = width_of(r.id);
    const std::string name = fmt::format("r{}", r.id);
    if (own == 1) return (r.negated ? "!" : "") + name;
    if (width == 0 || width == own) return name;
    if (is_count_of_barrier(*instruction_->form, formal)) refuse("a number of threads in a register");
    if (width > own || width == 1) refuse(fmt::format("an operand of {} bits in a register", width));
    // A wider register holds the sign-extended or zero-extended value: PTX ISA 8.7 § 9.4.1.
    const std::string narrow = temporary(width);
    const char kind = formal.type.is_signed() ? 's' : 'u';
    if (formal.is_destination)
      after_.push_back(fmt::format("cvt.{0}{1}.{0}{2} {3}, {4};", kind, own, width, name, narrow));
    else
      add(fmt::format("{}cvt.u{}.u{} {}, {};", guard_, width, own, narrow, name));
    return narrow;
  }

  std::string scalar(const Operand& operand, const FormOperand& formal) {
    if (std::holds_alternative<Operand::Sink>(operand.is)) return "_";
    if (const auto* r = std::get_if<Operand::Register>(&operand.is)) return register_text(*r, formal);
    if (const auto* value = std::get_if<Operand::Immediate>(&operand.is))
      return immediate(value->value, formal);
    if (const auto* label = std::get_if<Operand::Label>(&operand.is)) return target_name(label->target);
    if (const auto* place = std::get_if<Operand::Address>(&operand.is)) return "[" + address(*place) + "]";
    refuse("operands in braces within braces");
  }

  std::string target_name(Target target) const {
    return target >= thread_.code.size() ? "target_end" : fmt::format("target_{}", target);
  }

  std::string operand_text(const Operand& operand, const FormOperand& formal) {
    const auto* vector = std::get_if<Operand::Vector>(&operand.is);
    if (vector == nullptr)
      return (formal.has_minus ? "-" : "") + scalar(operand, formal) +
             (formal.selector.empty() ? "" : "." + formal.selector);
    std::string text = "{";
    for (const Operand& element : vector->elements)
      text += (text.size() == 1 ? "" : ", ") + scalar(element, formal);
    return text + "}";
  }

  // ---- instructions ----

  void require_same_meaning(const Form& form) const {
    if (is_of_dialect(form)) refuse("a form that PTX does not have");
    if (form.definition->flow == Flow::end && form.line->opcode == "trap") refuse("it ends the whole launch");
    if (form.line->opcode == "brx" || form.line->opcode == "call") refuse("");
    const bool is_aligned = form.has(".aligned") || form.line->opcode == "bar";
    if (is_aligned && !form.spelling.starts_with("bar.warp") && shares_warp())
      refuse("threads of one warp that do not execute it together");
  }

  bool shares_warp() const {
    return std::ranges::count_if(program_.threads, [&](const Thread& other) {
             return other.placement.warp == thread_.placement.warp;
           }) > 1;
  }

  void add(const Instruction& instruction) {
    instruction_ = &instruction;
    const Form& form = *instruction.form;
    require_same_meaning(form);
    guard_ = !instruction.guard ? ""
                                : fmt::format("@{}r{} ", instruction.guard->negated ? "!" : "",
                                              instruction.guard->predicate);
    if (form.definition->flow == Flow::end) return add(guard_ + "bra target_end;");
    after_.clear();
    std::string operands;
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      const FormOperand& formal = form.operands[i];
      if (formal.is_hidden) continue;
      const std::string text = operand_text(instruction.operands[i], formal);
      const Link link = formal.pattern->link;
      if (link == Link::bracket && operands.ends_with(']')) {
        operands.back() = ',';
        operands += " " + text + "]";
      } else {
        operands += (operands.empty() ? "" : link == Link::pipe ? "|" : ", ") + text;
      }
    }
    add(guard_ + form.spelling + (operands.empty() ? "" : " ") + operands + ";");
    for (const std::string& line : after_) add(guard_ + line);
  }

  const Program& program_;
  const Thread& thread_;
  const std::size_t number_;
  const GpuPlacement& placement_;
  const Instruction* instruction_ = nullptr;
  std::string guard_;
  std::vector<std::string> declarations_, lines_;
  std::vector<std::string> after_;  ///< follow the current instruction
  std::set<std::string> addresses_;
  std::set<RegisterId> window_registers_;
  unsigned temporaries_ = 0;
};

}  // namespace

std::optional<VariableAt> variable_at(const Program& program, std::uint64_t address) {
  for (std::size_t i = 0; i < program.memory.size(); ++i) {
    const Variable& variable = program.memory[i];
    if (address - variable.address < variable.size()) return VariableAt{i, address - variable.address};
  }
  return std::nullopt;
}

std::string inline_ptx(const Program& program, std::size_t thread, const GpuPlacement& placement,
                       std::span<const FinalTerm> shown) {
  return ThreadText(program, thread, placement).text(shown);
}

std::string architecture_for(const Program& program, const GpuPlacement& placement) {
  constexpr unsigned oldest = 80, with_clusters = 90;
  unsigned sm = placement.cluster_size > 1 ? with_clusters : oldest;
  bool is_exact = false;
  for (const Thread& thread : program.threads)
    for (const Instruction& instruction : thread.code) {
      const auto& targets = instruction.form->targets;
      if (targets.empty()) continue;
      const auto lowest = std::ranges::min_element(targets, {}, &Architecture::sm);
      if (lowest->sm < sm) continue;
      sm = lowest->sm;
      is_exact = is_exact || lowest->exact;
    }
  return fmt::format("sm_{}{}", sm, is_exact ? "a" : "");
}

}  // namespace ptxmc
