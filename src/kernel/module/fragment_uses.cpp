#include "src/kernel/module/fragment_uses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "semantics/chapters/fragment.hpp"
#include "semantics/language/operands.hpp"

namespace ptxmc::kernel {

namespace {

bool is_wmma(const Instruction& instruction) { return instruction.form->line->opcode == "wmma"; }

/// What a register holds: a number of a kind of fragments, or one of these.
using Kind = std::uint16_t;
constexpr Kind unreached = 0, other = 1;

Kind joined(Kind a, Kind b) {
  if (a == unreached || a == b) return b;
  return b == unreached ? a : other;
}

/// `.row` or `.col` of A or B in the spelling of an instruction, which names that of A first.
std::string_view layout_of(const Form& form, char operand) {
  const std::string_view spelling = form.spelling;
  const auto next = [&](std::size_t from) {
    return std::min(spelling.find(".row", from), spelling.find(".col", from));
  };
  std::size_t at = next(0);
  if (operand == 'b' && form.has(".mma")) at = next(at + 1);
  return at >= spelling.size() ? std::string_view() : spelling.substr(at, 4);
}

/// The code of one function.
class FragmentUses {
 public:
  FragmentUses(std::span<const Instruction> code, std::size_t registers)
      : code_(code), registers_(registers) {}

  std::vector<bool> find() {
    follow();
    std::vector<bool> result(code_.size());
    for (Target node = 0; node < code_.size(); ++node)
      if (is_wmma(code_[node]) && !before_[node].empty()) result[node] = uses_other(node);
    return result;
  }

 private:
  /// The kind of the fragment that an operand of wmma is or wants: that of the matrix, of which the form also
  /// has a third size. C and D are alike.
  Kind kind_of(const Form& form, char operand) {
    const MatrixShape shape = matrix_shape(form);
    const bool is_factor = operand == 'a' || operand == 'b';
    const unsigned rows = operand == 'b' ? shape.k : shape.m, columns = operand == 'a' ? shape.k : shape.n;
    std::string text = fmt::format("{} {}x{}", is_factor ? operand : 'c', rows, columns);
    text += matrix_type(form, operand).spelling();
    if (is_factor) text += layout_of(form, operand);
    const auto found = std::ranges::find(kinds_, text);
    if (found == kinds_.end()) kinds_.push_back(text);
    return static_cast<Kind>(other + 1 + std::ranges::find(kinds_, text) - kinds_.begin());
  }

  /// Forward, from the beginning of the function, until nothing changes.
  void follow() {
    before_.resize(code_.size());
    if (code_.empty()) return;
    before_[0].assign(registers_, other);
    std::vector<Target> waiting = {0};
    while (!waiting.empty()) {
      const Target node = waiting.back();
      waiting.pop_back();
      const std::vector<Kind> after = after_of(node);
      const ControlFlow flow = control_flow(code_[node]);
      std::vector<Target> next = flow.targets;
      if (flow.falls_through) next.push_back(node + 1);
      for (const Target target : next)
        if (target < code_.size() && join(before_[target], after)) waiting.push_back(target);
    }
  }

  /// Whether `state` changed.
  static bool join(std::vector<Kind>& state, const std::vector<Kind>& more) {
    if (state.empty()) {
      state = more;
      return true;
    }
    bool changed = false;
    for (std::size_t i = 0; i < state.size(); ++i) {
      const Kind both = joined(state[i], more[i]);
      changed = changed || both != state[i];
      state[i] = both;
    }
    return changed;
  }

  std::vector<Kind> after_of(Target node) {
    const Instruction& instruction = code_[node];
    std::vector<Kind> state = before_[node];
    Kind written = other;
    if (is_wmma(instruction)) {
      const char matrix = instruction.form->has(".mma") ? 'd' : moved_matrix(*instruction.form);
      written = kind_of(*instruction.form, matrix);
    } else if (instruction.form->line->opcode == "mov") {
      const auto* source = std::get_if<Operand::Register>(&instruction.operands.back().is);
      const bool is_whole = std::holds_alternative<Operand::Register>(instruction.operands.front().is);
      if (source != nullptr && is_whole) written = state[source->id];
    }
    for (const RegisterId id : register_use(instruction).written)
      state[id] = instruction.guard ? joined(state[id], written) : written;
    return state;
  }

  bool uses_other(Target node) {
    const Instruction& instruction = code_[node];
    const Form& form = *instruction.form;
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      if (form.operands[i].is_destination) continue;
      const std::string_view name = form.operands[i].name();
      const bool is_fragment = form.has(".mma") ? name == "a" || name == "b" || name == "c" : name == "r";
      if (!is_fragment) continue;
      const Kind wanted = kind_of(form, name == "r" ? moved_matrix(form) : name[0]);
      if (holds_other(instruction.operands[i], wanted, before_[node])) return true;
    }
    return false;
  }

  /// Whether some register certainly holds a fragment of another kind.
  static bool holds_other(const Operand& operand, Kind wanted, const std::vector<Kind>& state) {
    const auto* vector = std::get_if<Operand::Vector>(&operand.is);
    const std::span<const Operand> parts = vector != nullptr ? std::span<const Operand>(vector->elements)
                                                             : std::span<const Operand>(&operand, 1);
    return std::ranges::any_of(parts, [&](const Operand& part) {
      const auto* r = std::get_if<Operand::Register>(&part.is);
      return r != nullptr && state[r->id] > other && state[r->id] != wanted;
    });
  }

  std::span<const Instruction> code_;
  std::size_t registers_;
  std::vector<std::string> kinds_;
  std::vector<std::vector<Kind>> before_;  // by instruction: what the registers hold; empty: not reached
};

}  // namespace

std::vector<bool> uses_of_other_fragments(std::span<const Instruction> code, std::size_t registers) {
  if (std::ranges::none_of(code, is_wmma)) return std::vector<bool>(code.size());
  return FragmentUses(code, registers).find();
}

}  // namespace ptxmc::kernel
