#pragma once

#include <map>
#include <utility>
#include <vector>

#include "semantics/values/bits.hpp"
#include "semantics/values/number_map.hpp"

namespace ptxmc {

/// Products of unknowns in questions to a solver. A solver that multiplies bit by bit does not find in useful
/// time that `ctaid * ntid + tid` is different for all threads, for example, if `tid < ntid`. So a product of
/// two unknowns of at most 32 bits is replaced by an unknown of 64 bits, about which some facts are known. In
/// an assignment it may have a wrong value, which is then excluded by a further fact.
class Products {
 public:
  explicit Products(TermGraph& graph) : graph_(graph) {}

  /// The term with unknowns in place of products.
  Bits replace_in(const Bits& term);
  /// What is true of the products that were replaced, and was not returned before; width 1.
  Bits new_facts() { return replace_in(std::exchange(facts_, Bits::boolean(true))); }
  /// Facts about products that have a wrong value in an assignment; constant true if there are none.
  Bits corrections(Substitution& values);
  bool has_some() const { return !products_.empty(); }
  /// Defines all products that were replaced.
  Bits definitions();

 private:
  /// A factor: the number of its term, or a constant behind all of them.
  using Key = std::pair<bool, std::uint64_t>;
  /// An operand of a product: `core` times `scale`, or, where it is negative, (core - 2^width) times `scale`.
  struct Factor {
    Bits core;
    std::uint64_t scale = 1;
    Bits is_negative = Bits::boolean(false);
    Bits is_exact = Bits::boolean(true);  ///< otherwise the operand has another value, because of overflow
  };
  struct Product {
    Bits a, b, value;
  };
  /// A product with a factor: the other factor, and the unknown for the product, both multiplied by `step`.
  struct Multiple {
    Bits times, product;
    std::uint64_t step = 1;
    Bits fits = Bits::boolean(true);  ///< width 1: it does not overflow
  };

  /// A number with digits to the base `base`: times · base + digit.
  struct Sum {
    Bits value, times, digit, product;
  };

  static Key key_of(const Bits& factor) {
    return factor.is_constant() ? Key{true, factor.to_u64()} : Key{false, factor.term()->number};
  }
  static Factor factor_of(const Bits& operand);
  void note(const Term& multiplication);
  void note_steps(const Factor& a, const Factor& b);
  Bits product_of(const Bits& a, const Bits& b);
  Bits signed_product(const Factor& a, const Factor& b, unsigned width);
  void compare(const Bits& factor, const Multiple&);
  void note_sum(const Term& addition);
  void note_sum(const Bits& base, const Sum&);
  void compare(const Bits& base, const Sum&, const Multiple&);

  TermGraph& graph_;
  NumberMap<bool> is_seen_;  // by number of the term
  Substitution replaced_;
  std::map<std::pair<Key, Key>, Product> products_;
  std::map<Key, std::vector<Multiple>> multiples_;  // by factor
  std::map<Key, std::vector<Sum>> sums_;            // by base
  Bits facts_ = Bits::boolean(true);                // to be returned
};

}  // namespace ptxmc
