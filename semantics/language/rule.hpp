#pragma once

#include <type_traits>

#include "semantics/language/effects.hpp"

namespace ptxmc {

struct Form;
struct Operands;

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
