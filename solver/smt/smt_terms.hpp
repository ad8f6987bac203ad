#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "semantics/values/bits.hpp"
#include "solver/smt/z3.hpp"

namespace ptxmc {

/// A floating-point operation. Z3's solver for finite domains supports only bits, so formulas contain a
/// variable for the result.
struct FloatOperation {
  const Term* term = nullptr;
  z3::expr result;  ///< the variable
  z3::expr value;   ///< in Z3's theory of floating point
};

/// Translates the terms of one TermGraph to Z3. Width 1 is Bool, every other width a bit-vector.
class SmtTerms {
 public:
  explicit SmtTerms(z3::context& context) : context_(context) {}

  z3::expr translate(const Bits&);
  z3::expr constant(unsigned width, u128 value);
  /// All operations in the translated terms so far, operands before their users.
  const std::vector<FloatOperation>& float_operations() const { return float_operations_; }
  /// The formula that the result has the bits of the value.
  z3::expr definition(const FloatOperation&);
  /// The constraints on variables for approximate results that were added since the last call.
  std::vector<z3::expr> take_bounds() { return std::exchange(bounds_, {}); }
  /// For each approximation the variable of its result.
  const std::map<const Term*, VariableId>& approximations() const { return approximations_; }
  /// By id: the Z3 declarations of variables that occur in translated terms.
  const std::vector<std::optional<z3::func_decl>>& variables() const { return variables_; }

 private:
  void translate_below(const Term* root);
  z3::expr operand(const Term& term, unsigned i);
  z3::expr as_vector(const z3::expr& e);
  z3::expr as_natural(const z3::expr& e);
  z3::expr translate_node(const Term& term);
  z3::expr translate_boolean(const Term& term);
  z3::expr translate_vector(const Term& term);
  z3::expr expr(Z3_ast ast);
  z3::sort float_sort(FloatFormat format);
  z3::expr as_float(FloatFormat format, const z3::expr& bits);
  z3::expr as_bits(FloatFormat format, const z3::expr& number);
  z3::expr rounding_mode(Rounding rounding);
  z3::expr translate_float(const Term& term, const z3::expr& a);
  z3::expr float_value(const Term& term, const z3::expr& a);
  z3::expr rounded_to_integral(const Term& term, const z3::expr& number);
  z3::expr power_of_2(const z3::sort& format, unsigned power, bool is_negative);
  z3::expr to_integer(const Term& term, const z3::expr& number, bool is_signed);
  z3::expr approximation(const Term& term);
  z3::expr translate_shift(Operator op, const z3::expr& value, const z3::expr& amount);
  z3::expr variable(VariableId id, unsigned width);

  z3::context& context_;
  std::vector<std::optional<z3::expr>> translated_;      // by number of the term
  std::vector<std::optional<z3::func_decl>> variables_;  // by id
  std::vector<FloatOperation> float_operations_;
  std::map<const Term*, VariableId> approximations_;
  std::vector<z3::expr> bounds_;
};

}  // namespace ptxmc
