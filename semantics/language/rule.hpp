#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "semantics/language/effects.hpp"
#include "semantics/language/instruction.hpp"
#include "semantics/values/values.hpp"

namespace ptxmc {

/// The values of the source operands, each with the width that the form gives it.
struct Operands {
  Bits a, b, c, d;  ///< the sources with these names; for an address `[a]` its 64 bits
  Values elements;  ///< the elements of a vector source: `st.v2`, `mov.b64 d, {lo, hi}`
  Values others;    ///< sources with other names, in the order of the syntax
  const Form* form = nullptr;
  std::span<const Operand> written;  ///< the operands of the instruction, for example labels

  /// Any scalar source by its name in the syntax: `x["membermask"]`; width 0 if it was left out.
  const Bits& operator[](std::string_view name) const;
  /// Carry flag CC.CF, width 1: PTX ISA 8.7 § 9.7.2.
  const Bits& carry() const { return (*this)["CC"]; }
};

/// The meaning of an instruction: a function of its operands, which may perform effects.
class Rule {
 public:
  using Function = Results (*)(const Form&, const Operands&, Effects&);

  constexpr Rule() = default;  ///< no rule: the form is declared and cannot be executed

  constexpr Rule(Function function) : function_(function) {}

  /// From a lambda without captures, `(const Form&, const Operands&)` and perhaps `Effects&` →
  /// Results, Bits or nothing.
  template <class F>
  requires(std::is_empty_v<F> && !std::is_same_v<F, Rule>) constexpr Rule(F)
      : function_([](const Form& form, const Operands& operands, Effects& effects) -> Results {
          if constexpr (std::is_invocable_v<F, const Form&, const Operands&>) {
            (void)effects;
            return F{}(form, operands);
          } else if constexpr (std::is_void_v<
                                   std::invoke_result_t<F, const Form&, const Operands&, Effects&>>) {
            F{}(form, operands, effects);
            return {};
          } else {
            return F{}(form, operands, effects);
          }
        }),
        has_effects_(!std::is_invocable_v<F, const Form&, const Operands&>) {}

  explicit operator bool() const { return function_ != nullptr; }
  /// Whether it may have effects besides computing its results.
  bool has_effects() const { return has_effects_; }
  Results operator()(const Form& form, const Operands& operands, Effects& effects) const {
    return function_(form, operands, effects);
  }

 private:
  Function function_ = nullptr;
  bool has_effects_ = true;
};

}  // namespace ptxmc
