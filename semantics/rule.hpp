#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "semantics/effects.hpp"
#include "semantics/instruction.hpp"
#include "semantics/values.hpp"

namespace ptxmc {

/// The values of the source operands, each of the width that the form says.
struct Operands {
  Bits a, b, c, d;  ///< the sources with these names; of an address `[a]`, its 64 bits
  Values elements;  ///< of the vector among the sources: `st.v2`, `mov.b64 d, {lo, hi}`
  Values others;    ///< sources with other names, in the order of the syntax
  const Form* form = nullptr;
  std::span<const Operand> written;  ///< as the instruction has them: labels

  /// Any scalar source by its name in the syntax: `x["membermask"]`; width 0 when left out.
  const Bits& operator[](std::string_view name) const;
  /// Carry flag CC.CF, width 1: PTX ISA 8.7 § 9.7.2.
  const Bits& carry() const { return (*this)["CC"]; }
};

/// The meaning of an instruction: a function of its operands, which may perform effects.
class Rule {
 public:
  using Function = Results (*)(const Form&, const Operands&, Effects&);

  constexpr Rule() = default;  ///< declared, not executable

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
  /// It may do more than compute its results.
  bool has_effects() const { return has_effects_; }
  Results operator()(const Form& form, const Operands& operands, Effects& effects) const {
    return function_(form, operands, effects);
  }

 private:
  Function function_ = nullptr;
  bool has_effects_ = true;
};

}  // namespace ptxmc
