#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "semantics/values/check.hpp"
#include "semantics/values/float_format.hpp"
#include "semantics/values/number_map.hpp"
#include "semantics/values/simplify.hpp"

namespace ptxmc {

__extension__ using u128 = unsigned __int128;
__extension__ using s128 = __int128;

class TermGraph;
struct Term;

/// Numbers the unknowns of one TermGraph, densely from 0.
using VariableId = std::uint32_t;

/// A bit-vector of 1 to 128 bits: a constant held inline, or a node of a hash-consed term graph.
///
/// An operation on constants gives a constant, and an operation on unknowns gives a term, so one rule serves
/// both execution and solving. A predicate is a Bits of width 1. The operands of a binary operation must have
/// the same width unless its comment says otherwise (assertion). A value that contains unknowns is valid as
/// long as the TermGraph that created them.
class Bits {
 public:
  static constexpr unsigned max_width = 128;

  Bits() = default;                  ///< no value: width 0
  Bits(unsigned width, u128 value);  ///< a constant, reduced modulo 2^width
  explicit Bits(const Term* term);
  // Copies word by word: a wider load of a value that has just been computed would stall on its narrower
  // stores.
  Bits(const Bits& other) noexcept
      : low_(other.low_), high_(other.high_), term_(other.term_), width_(other.width_) {}
  Bits& operator=(const Bits& other) noexcept {
    low_ = other.low_;
    high_ = other.high_;
    term_ = other.term_;
    width_ = other.width_;
    return *this;
  }

  static Bits boolean(bool value) { return Bits(1, value); }

  unsigned width() const { return width_; }
  bool is_constant() const { return term_ == nullptr; }
  bool is_true() const { return width_ == 1 && is_constant() && low_ == 1; }
  bool is_false() const { return width_ == 1 && is_constant() && low_ == 0; }

  u128 value() const;            ///< of a constant
  std::uint64_t to_u64() const;  ///< of a constant: its low 64 bits
  std::int64_t to_s64() const;   ///< of a constant of at most 64 bits, read as two's complement
  s128 to_s128() const;          ///< of a constant, read as two's complement
  const Term* term() const { return term_; }

  /// Bits [low, low + width).
  Bits extract(unsigned low, unsigned width) const;
  Bits zero_extend(unsigned width) const;
  Bits sign_extend(unsigned width) const;
  /// Truncated, or zero-extended (sign-extended), to the width.
  Bits resize_unsigned(unsigned width) const;
  Bits resize_signed(unsigned width) const;
  Bits bit(unsigned index) const { return extract(index, 1); }

  /// Equal constants, or the same node of the same graph. Terms that are equal for other reasons may be
  /// different nodes.
  friend bool identical(const Bits& a, const Bits& b) {
    return a.width_ == b.width_ && a.term_ == b.term_ && a.low_ == b.low_ && a.high_ == b.high_;
  }

 private:
  std::uint64_t low_ = 0, high_ = 0;  // 0 when there is a term
  const Term* term_ = nullptr;
  std::uint16_t width_ = 0;
};

Bits operator+(const Bits&, const Bits&);
Bits operator-(const Bits&, const Bits&);
Bits operator*(const Bits&, const Bits&);
Bits operator-(const Bits&);
Bits operator&(const Bits&, const Bits&);
Bits operator|(const Bits&, const Bits&);
Bits operator^(const Bits&, const Bits&);
Bits operator~(const Bits&);
Bits implies(const Bits& a, const Bits& b);  ///< ~a | b

/// Division as in SMT-LIB 2: x / 0 is all ones (signed: 1 for a negative x), and the remainder is x. A rule
/// that requires another result for division by zero uses `ite`.
Bits divide_unsigned(const Bits&, const Bits&);
Bits remainder_unsigned(const Bits&, const Bits&);
Bits divide_signed(const Bits&, const Bits&);
Bits remainder_signed(const Bits&, const Bits&);  ///< sign of the dividend

/// Amounts are unsigned and may have any width; an amount of at least the width of the value shifts out every
/// bit.
Bits shift_left(const Bits&, const Bits& amount);
Bits shift_right_unsigned(const Bits&, const Bits& amount);
Bits shift_right_signed(const Bits&, const Bits& amount);

Bits concat(const Bits& high, const Bits& low);

/// Comparisons have width 1.
Bits equal(const Bits&, const Bits&);
Bits less_unsigned(const Bits&, const Bits&);
Bits less_equal_unsigned(const Bits&, const Bits&);
Bits less_signed(const Bits&, const Bits&);
Bits less_equal_signed(const Bits&, const Bits&);

Bits ite(const Bits& condition, const Bits& then_value, const Bits& else_value);

/// `0x1f` for a constant; an expression such as `(a + zext64(b))` for a term. In large terms, shared subterms
/// get a name: `let t7 = (a * b); …`.
std::string to_string(const Bits&);
/// The same as an SMT-LIB 2 expression of sort (_ BitVec width), predicates included: of QF_BV, or of QF_BVFP
/// with `fp.to_ieee_bv` where there is floating-point arithmetic. An approximation is a call of a function
/// that is not defined: `(sine.approx.f32 a)`.
std::string to_smtlib(const Bits&);

/// The operators of terms. Operands are in the order of the functions above. The amount of a shift may have
/// another width than the value.
enum class Operator : std::uint8_t {
  constant,
  variable,
  bit_not,
  bit_and,
  bit_or,
  bit_xor,
  negate,
  add,
  subtract,
  multiply,
  divide_unsigned,
  remainder_unsigned,
  divide_signed,
  remainder_signed,
  shift_left,
  shift_right_unsigned,
  shift_right_signed,
  concat,
  extract,
  zero_extend,
  sign_extend,
  equal,
  less_unsigned,
  less_equal_unsigned,
  less_signed,
  less_equal_signed,
  ite,
  // float_operations.hpp
  float_add,
  float_multiply,
  float_divide,
  float_multiply_add,
  float_square_root,
  float_round_to_integral,
  float_convert,
  float_from_unsigned,
  float_from_signed,
  float_to_unsigned,
  float_to_signed,
  float_approximate,
  float_add_error,  // sum_error.hpp
};

/// A node of the graph. Two nodes of a graph with the same content are the same node.
struct Term {
  Operator op;
  FloatFormat format =
      {};                  ///< floating point: of the result, or of the operand when the result is an integer
  FloatFormat from = {};   ///< float_convert: of the operand
  Rounding rounding = {};  ///< floating point
  std::uint16_t width;
  std::uint16_t low = 0;     ///< extract: the lowest bit taken; float_approximate: the function's number;
                             ///< float_add_error: the exponent of the least factor
  std::uint32_t number = 0;  ///< dense, in order of creation: operands before their users
  VariableId variable = 0;   ///< variable
  u128 value = 0;            ///< constant; float_approximate: the relative error of a sum
  const Term* operands[3] = {};
  TermGraph* graph = nullptr;

  unsigned arity() const;
};

/// Applies the operation of a term to other operands; operands beyond its arity are ignored.
Bits operate(const Term&, const Bits& a, const Bits& b, const Bits& c);

/// Owns terms, and creates each only once. Not safe for concurrent use by several threads.
class TermGraph {
 public:
  TermGraph();
  ~TermGraph();
  TermGraph(const TermGraph&) = delete;
  TermGraph& operator=(const TermGraph&) = delete;

  /// A new unknown. Names appear in printed terms and need not be unique.
  Bits variable(unsigned width, std::string name);
  std::size_t variable_count() const;
  const std::string& variable_name(VariableId) const;
  unsigned variable_width(VariableId) const;
  bool is_first_of_name(VariableId) const;  ///< no variable created before has the same name
  std::size_t size() const;                 ///< the number of terms

  /// The node with this content; `number` and `graph` of the argument are ignored. It does not fold
  /// constants; the functions above do.
  const Term* intern(const Term& content);

 private:
  struct Store;
  std::unique_ptr<Store> store_;
};

/// How to_smtlib writes a variable: by its name, if the name is a plain SMT-LIB symbol and no variable
/// created before has it.
std::string smtlib_symbol(const TermGraph&, VariableId);

/// The variables that occur in a term, in increasing order.
std::vector<VariableId> variables_of(const Bits&);

/// Replaces variables by values, all at the same time, and folds constants. Results of subterms are kept for
/// later calls. Replacing every variable by a constant evaluates a term. The terms that it is applied to
/// belong to one graph; the values may belong to another.
class Substitution {
 public:
  void set(VariableId, const Bits&);  ///< call it before the first apply to a term with this variable
  /// Replaces a term by a value. Call it before the first apply to a term that contains this one.
  void replace(const Bits& term, const Bits& value);
  Bits apply(const Bits&);

 private:
  bool is_computed(const Term*) const;
  const Term* first_operand_to_compute(const Term&) const;
  Bits rebuild(const Term&) const;
  Bits computed(const Term*) const;

  NumberMap<Bits> values_;    // by variable
  NumberMap<Bits> computed_;  // by number of the term
};

}  // namespace ptxmc

#include "semantics/values/bits_inline.hpp"  // needs all of the above
