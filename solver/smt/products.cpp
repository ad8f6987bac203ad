#include "solver/smt/products.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "semantics/values/subterms.hpp"
#include "solver/limits/time_limit.hpp"

namespace ptxmc {

namespace {

constexpr unsigned most_width = 32;  // of a factor
constexpr unsigned most_low_bits = 5;
constexpr unsigned bits_apart = 4;

Bits operand(const Term& term, unsigned i) { return Bits(term.operands[i]); }

Bits wide(const Bits& factor) { return factor.zero_extend(2 * most_width); }

/// A power of two only shifts.
bool is_product(const Term& term) {
  if (term.op != Operator::multiply) return false;
  const Term& second = *term.operands[1];  // a constant comes second
  const bool is_constant = second.op == Operator::constant;
  return !is_constant ||
         (second.value >> most_width == 0 && std::popcount(static_cast<std::uint64_t>(second.value)) > 1);
}

bool is_zero_constant(const Term& term) { return term.op == Operator::constant && term.value == 0; }

/// A multiple of an unknown by a constant: the constant; otherwise 0.
std::uint64_t constant_scale(const Term& term) {
  const bool has_constant = term.arity() == 2 && term.operands[1]->op == Operator::constant;
  if (!has_constant) return 0;
  const u128 value = term.operands[1]->value;
  if (term.op == Operator::multiply) return value >> most_width == 0 ? static_cast<std::uint64_t>(value) : 0;
  return term.op == Operator::shift_left && value < most_width ? std::uint64_t{1} << value : 0;
}

}  // namespace

/// Operands of the width of the multiplication may overflow, since the result does so too. What was extended,
/// may not.
Products::Factor Products::factor_of(const Bits& value) {
  if (value.is_constant()) return {value.resize_unsigned(most_width)};
  Factor result = {value};
  for (bool may_overflow = true; !result.core.is_constant();) {
    const Term& term = *result.core.term();
    if (term.arity() == 0) break;
    const Bits inner = operand(term, 0);
    std::uint64_t scale = 1;
    if (term.op == Operator::zero_extend) {
      may_overflow = false;
    } else if (term.op == Operator::sign_extend) {
      may_overflow = false;
      result.core = inner;
      result.is_negative = inner.bit(inner.width() - 1);
      if (result.is_negative.is_constant() || constant_scale(*inner.term()) == 0) break;
      result.is_exact = result.is_exact & ~std::exchange(result.is_negative, Bits::boolean(false));
    } else if (term.op == Operator::concat && is_zero_constant(*term.operands[1])) {
      may_overflow = false;
      scale = std::uint64_t{1} << std::min<unsigned>(term.operands[1]->width, most_width);
    } else if (scale = constant_scale(term); scale > 0) {
      if (!may_overflow && inner.width() > most_width) return {};
      if (!may_overflow)
        result.is_exact =
            result.is_exact & equal(wide(result.core), wide(inner) * Bits(2 * most_width, scale));
    } else {
      break;
    }
    if (scale >> (most_width - 1) != 0 || (result.scale * scale) >> (most_width - 1) != 0) return {};
    result.scale *= scale;
    result.core = inner;
  }
  if (result.core.is_constant() || result.core.width() > most_width) return {};
  return result;
}

Bits Products::replace_in(const Bits& term) {
  visit_subterms(term, is_seen_, [&](const Term& next) {
    TimeLimit::check();
    if (is_product(next)) note(next);
    if (next.op == Operator::add) note_sum(next);
    return true;
  });
  return replaced_.apply(term);
}

void Products::note(const Term& multiplication) {
  const Factor a = factor_of(operand(multiplication, 0)), b = factor_of(operand(multiplication, 1));
  if (a.core.width() == 0 || b.core.width() == 0) return;
  const unsigned width = multiplication.width;
  const Bits product = signed_product(a, b, width);
  note_steps(a, b);
  const Bits exact = product * Bits(width, a.scale) * Bits(width, b.scale);
  const Bits is_exact = a.is_exact & b.is_exact;
  // The solver can multiply by a constant, but does not know how the products are ordered.
  if (is_exact.is_true() && !b.core.is_constant())
    replaced_.replace(Bits(&multiplication), exact);
  else
    facts_ = facts_ & implies(is_exact, equal(Bits(&multiplication), exact));
}

/// The product of the cores, of which each may be negative. With (a - m · 2^i) · (b - n · 2^k) for a negative
/// number, the product without signs is all that has to be multiplied.
Bits Products::signed_product(const Factor& a, const Factor& b, unsigned width) {
  const auto shifted = [&](const Bits& condition, const Bits& value, unsigned amount) {
    const Bits none(width, 0);
    if (condition.is_false() || amount >= width) return none;
    return ite(condition, shift_left(value.resize_unsigned(width), Bits(32, amount)), none);
  };
  const unsigned of_a = a.core.width(), of_b = b.core.width();
  return product_of(a.core, b.core).resize_unsigned(width) - shifted(a.is_negative, b.core, of_a) -
         shifted(b.is_negative, a.core, of_b) +
         shifted(a.is_negative & b.is_negative, Bits(width, 1), of_a + of_b);
}

/// A loop that is unrolled goes on in steps: a · 4 < b implies (a · 4) · f + 4 · f ≤ b · f if b is a multiple
/// of 4, for example.
void Products::note_steps(const Factor& a, const Factor& b) {
  const std::uint64_t step = a.scale * b.scale;
  constexpr std::uint64_t most = 64;
  if (step == 1 || step > most || a.core.is_constant() || b.core.is_constant()) return;
  const Bits scale(2 * most_width, step), product = product_of(a.core, b.core);
  const Bits fits = less_unsigned(product, Bits(2 * most_width, ~std::uint64_t{0} / step));
  compare(a.core, {wide(b.core) * scale, product * scale, step, fits});
  if (!identical(a.core, b.core)) compare(b.core, {wide(a.core) * scale, product * scale, step, fits});
}

Bits Products::product_of(const Bits& a, const Bits& b) {
  Product& product = products_[{std::min(key_of(a), key_of(b)), std::max(key_of(a), key_of(b))}];
  if (product.value.width() != 0) return product.value;
  const Bits result = graph_.variable(2 * most_width, "product");
  product = {a, b, result};
  for (const auto& [factor, times] : {std::pair(a, b), std::pair(b, a)}) {
    const Bits zero = equal(factor, Bits(factor.width(), 0));
    facts_ = facts_ & implies(zero, equal(result, Bits(2 * most_width, 0))) &
             implies(~zero, less_equal_unsigned(wide(times), result));
    // A multiple of a power of two is one.
    for (unsigned bits = 1; bits <= most_low_bits && bits <= factor.width(); ++bits)
      facts_ = facts_ & implies(equal(factor.extract(0, bits), Bits(bits, 0)),
                                equal(result.extract(0, bits), Bits(bits, 0)));
    // A factor of some bits makes a product of so many more bits at most.
    for (unsigned bits = bits_apart; bits < factor.width(); bits += bits_apart)
      facts_ =
          facts_ & implies(equal(factor.extract(bits, factor.width() - bits), Bits(factor.width() - bits, 0)),
                           less_equal_unsigned(result, shift_left(wide(times), Bits(32, bits))));
    compare(factor, {times, result});
    if (identical(a, b)) break;
  }
  return result;
}

/// If one factor is a constant, the solver needs only additions.
Bits Products::corrections(Substitution& values) {
  Bits result = Bits::boolean(true);
  for (const auto& [factors, product] : products_) {
    if (product.b.is_constant()) continue;
    const Bits a = values.apply(product.a), b = values.apply(product.b);
    if (identical(values.apply(product.value), wide(a) * wide(b))) continue;
    const bool is_a_smaller = a.to_u64() < b.to_u64();
    const auto& [factor, other] =
        is_a_smaller ? std::pair(product.a, product.b) : std::pair(product.b, product.a);
    const Bits value = is_a_smaller ? a : b;
    result = result & implies(equal(factor, value), equal(product.value, wide(other) * wide(value)));
  }
  return result;
}

Bits Products::definitions() {
  Bits result = Bits::boolean(true);
  for (const auto& [factors, product] : products_)
    if (!product.b.is_constant())
      result =
          result & equal(product.value, wide(replaced_.apply(product.a)) * wide(replaced_.apply(product.b)));
  return result;
}

namespace {

/// a < b at the larger of their widths
Bits is_less(const Bits& a, const Bits& b) {
  const unsigned width = std::max(a.width(), b.width());
  return less_unsigned(a.zero_extend(width), b.zero_extend(width));
}

Bits is_same(const Bits& a, const Bits& b) {
  const unsigned width = std::max(a.width(), b.width());
  return equal(a.zero_extend(width), b.zero_extend(width));
}

}  // namespace

/// a < b implies a · f + f ≤ b · f.
void Products::compare(const Bits& factor, const Multiple& multiple) {
  constexpr std::size_t most = 16;  // there are facts for each two of them
  std::vector<Multiple>& others = multiples_[key_of(factor)];
  if (others.size() == most) return;
  const auto is_behind = [&](const Multiple& first, const Multiple& second) {
    // The second condition follows, but is what bounds the first product by the second in few steps.
    Bits result = less_equal_unsigned(first.product + wide(factor), second.product) &
                  less_equal_unsigned(first.product, second.product);
    const std::uint64_t step = std::max(first.step, second.step);
    if (step == 1) return result;
    const Bits next = wide(first.times) + Bits(2 * most_width, step);
    return result & implies(less_equal_unsigned(next, wide(second.times)),
                            less_equal_unsigned(first.product + wide(factor) * Bits(2 * most_width, step),
                                                second.product));
  };
  for (const Multiple& other : others) {
    const Bits &a = multiple.times, &b = other.times;
    facts_ = facts_ & implies(multiple.fits & other.fits,
                              implies(is_same(a, b), equal(multiple.product, other.product)) &
                                  implies(is_less(a, b), is_behind(multiple, other)) &
                                  implies(is_less(b, a), is_behind(other, multiple)));
  }
  others.push_back(multiple);
  if (multiple.step > 1) return;
  for (const Sum& sum : sums_[key_of(factor)]) compare(factor, sum, multiple);
}

void Products::note_sum(const Term& addition) {
  for (unsigned i = 0; i < 2; ++i) {
    const Bits product = operand(addition, i), digit = operand(addition, 1 - i);
    if (product.is_constant() || addition.width > most_width || !is_product(*product.term())) continue;
    const Factor a = factor_of(operand(*product.term(), 0)), b = factor_of(operand(*product.term(), 1));
    const bool is_plain = a.core.width() != 0 && b.core.width() != 0 && a.scale == 1 && b.scale == 1 &&
                          a.is_exact.is_true() && b.is_exact.is_true() && a.is_negative.is_false() &&
                          b.is_negative.is_false();
    if (!is_plain) continue;
    const Bits value = product_of(a.core, b.core);
    note_sum(b.core, {Bits(&addition), a.core, digit, value});
    if (!b.core.is_constant()) note_sum(a.core, {Bits(&addition), b.core, digit, value});
  }
}

/// Numbers are ordered by their upper digits, and then by the lower ones.
void Products::note_sum(const Bits& base, const Sum& sum) {
  constexpr std::size_t most = 12;
  std::vector<Sum>& others = sums_[key_of(base)];
  if (others.size() == most) return;
  const auto is_number = [&](const Sum& one) {  // without overflow
    const Bits limit(2 * most_width, std::uint64_t{1} << one.value.width());
    return is_less(one.digit, base) & less_equal_unsigned(one.product, limit) &
           less_equal_unsigned(one.product + wide(base), limit);
  };
  for (const Sum& other : others) {
    const Bits order = implies(is_less(sum.times, other.times), is_less(sum.value, other.value)) &
                       implies(is_less(other.times, sum.times), is_less(other.value, sum.value)) &
                       implies(is_same(sum.times, other.times) & ~is_same(sum.digit, other.digit),
                               ~is_same(sum.value, other.value));
    facts_ = facts_ & implies(is_number(sum) & is_number(other), order);
  }
  others.push_back(sum);
  for (const Multiple& multiple : multiples_[key_of(base)])
    if (multiple.step == 1) compare(base, sum, multiple);
}

/// A number with fewer multiples of the base than a product is less than the product.
void Products::compare(const Bits& base, const Sum& sum, const Multiple& multiple) {
  const Bits is_below = is_less(sum.times, multiple.times) & is_less(sum.digit, base);
  facts_ =
      facts_ & implies(is_below, less_unsigned(sum.product + wide(sum.digit), multiple.product) &
                                     implies(less_equal_unsigned(
                                                 multiple.product,
                                                 Bits(2 * most_width, std::uint64_t{1} << sum.value.width())),
                                             is_less(sum.value, multiple.product)));
}

}  // namespace ptxmc
