#pragma once

#include <array>
#include <random>
#include <vector>

#include "semantics/values/bits.hpp"

namespace ptxmc::test {

/// The same computation on unknowns and on numbers.
struct Twin {
  Bits term;
  Bits number;
};

/// A random computation: the operands of each operation are results of earlier ones, so that the equations
/// that simplify terms apply.
class RandomTerms {
 public:
  RandomTerms(TermGraph& graph, unsigned seed) : graph_(graph), random_(seed) {}

  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }

  /// An unknown and its value.
  const Twin& add_variable(unsigned width) {
    const Bits value = random_number(width);
    const std::string name = "x" + std::to_string(graph_.variable_count());
    variables_.push_back({graph_.variable(width, name), value});
    return results_.emplace_back(variables_.back());
  }

  const Twin& add_operation() { return results_.emplace_back(operation()); }

  const std::vector<Twin>& variables() const { return variables_; }

  /// Replaces the unknowns by their values.
  Substitution evaluation() const {
    Substitution values;
    for (const Twin& v : variables_) values.set(v.term.term()->variable, v.number);
    return values;
  }

 private:
  // Often a number with few bits set or cleared, as in programs.
  Bits random_number(unsigned width) {
    const u128 random = static_cast<u128>(random_()) << 64 | random_();
    const u128 power = u128{1} << below(width);
    const std::array<u128, 8> numbers = {0, 1, ~u128{0}, power, power - 1, ~power, random, below(8)};
    return Bits(width, numbers[below(numbers.size())]);
  }

  Twin constant(unsigned width) {
    const Bits number = random_number(width);
    return {number, number};
  }

  const Twin& earlier() { return results_[below(static_cast<unsigned>(results_.size()))]; }

  // An earlier result of this width, one converted to it, or a constant.
  Twin earlier(unsigned width) {
    if (below(4) == 0) return constant(width);
    for (int attempt = 0; attempt < 20; ++attempt)
      if (const Twin& found = earlier(); found.term.width() == width) return found;
    const bool is_signed = below(2) == 0;
    return apply(earlier(), [&](const Bits& x) {
      return is_signed ? x.resize_signed(width) : x.resize_unsigned(width);
    });
  }

  template <class Operation>
  static Twin apply(const Twin& a, Operation f) {
    return {f(a.term), f(a.number)};
  }
  template <class Operation>
  static Twin apply(const Twin& a, const Twin& b, Operation f) {
    return {f(a.term, b.term), f(a.number, b.number)};
  }

  Twin operation() {
    using Binary = Bits (*)(const Bits&, const Bits&);
    static constexpr std::array<Binary, 17> same_width = {operator+,
                                                          operator-,
                                                          operator*,
                                                          operator&,
                                                          operator|,
                                                          operator^,
                                                          operator&,
                                                          operator|,
                                                          divide_unsigned,
                                                          remainder_unsigned,
                                                          divide_signed,
                                                          remainder_signed,
                                                          equal,
                                                          less_unsigned,
                                                          less_equal_unsigned,
                                                          less_signed,
                                                          less_equal_signed};
    static constexpr std::array<Binary, 3> shifts = {shift_left, shift_right_unsigned, shift_right_signed};
    const Twin a = earlier();
    const unsigned width = a.term.width();
    switch (below(16)) {
      case 0:
        return apply(a, [](const Bits& x) { return ~x; });
      case 1:
        return apply(a, [](const Bits& x) { return -x; });
      case 2: {
        const unsigned low = below(width), count = 1 + below(width - low);
        return apply(a, [&](const Bits& x) { return x.extract(low, count); });
      }
      case 3: {
        const unsigned wider = width + below(Bits::max_width - width + 1);
        return apply(a, [&](const Bits& x) { return x.zero_extend(wider); });
      }
      case 4: {
        const unsigned wider = width + below(Bits::max_width - width + 1);
        return apply(a, [&](const Bits& x) { return x.sign_extend(wider); });
      }
      case 5: {
        const Twin b = earlier();
        if (width + b.term.width() > Bits::max_width) return a;
        return apply(a, b, concat);
      }
      case 6: {
        const Twin c = earlier(1), b = earlier(width);
        return {ite(c.term, a.term, b.term), ite(c.number, a.number, b.number)};
      }
      case 7:
        return apply(a, below(2) == 0 ? constant(1 + below(Bits::max_width)) : earlier(), shifts[below(3)]);
      default:
        return apply(a, earlier(width), same_width[below(same_width.size())]);
    }
  }

  TermGraph& graph_;
  std::mt19937_64 random_;
  std::vector<Twin> variables_;
  std::vector<Twin> results_;
};

}  // namespace ptxmc::test
