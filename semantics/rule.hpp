#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>

#include "semantics/effects.hpp"
#include "semantics/instruction.hpp"

namespace ptxmc {

/// A few values, held without a heap: the results of an instruction, the elements of a vector.
class Values {
 public:
  static constexpr std::size_t capacity = 8;

  Values() {}
  Values(const Bits& value) { push_back(value); }
  Values(const Values& other) { *this = other; }
  Values(std::initializer_list<Bits> values) {
    for (const Bits& value : values) push_back(value);
  }

  Values& operator=(const Values& other) {
    for (size_ = 0; size_ < other.size_; ++size_) items_[size_] = other.items_[size_];
    return *this;
  }

  /// Throws std::logic_error beyond the capacity.
  void push_back(const Bits& value) {
    check(size_ < capacity, "an instruction with more than 8 values in one operand");
    items_[size_++] = value;
  }

  std::size_t size() const { return size_; }
  const Bits& operator[](std::size_t i) const { return items_[i]; }
  const Bits* begin() const { return items_; }
  const Bits* end() const { return items_ + size_; }

 private:
  union {  // not initialised: rules run millions of times a second
    Bits items_[capacity];
  };
  std::uint8_t size_ = 0;
};

/// What an instruction writes to its destinations, in their order.
using Results = Values;

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
