#include "solver/provenance.hpp"

#include <algorithm>
#include <unordered_map>

namespace ptxmc {

namespace {

constexpr std::size_t most_origins = 64;

using Origins = std::vector<Origin>;

/// Keeps what it has computed: terms share parts.
class Search {
 public:
  std::optional<Origins> run(const Bits& value) {
    Origins result = of(value);
    if (is_too_much_) return std::nullopt;
    return result;
  }

 private:
  const Origins& of(const Bits& value) {
    if (value.is_constant()) return constant_ = {{value.to_u64(), false}};
    const auto known = known_.find(value.term());
    if (known != known_.end()) return known->second;
    Origins result = compute(*value.term());
    if (result.size() > most_origins) is_too_much_ = true;
    if (is_too_much_) result = {{0, true}};
    return known_[value.term()] = std::move(result);
  }

  Origins operand(const Term& term, unsigned i) { return of(Bits(term.operands[i])); }

  static void insert(Origins& into, const Origin& origin) {
    if (std::ranges::find(into, origin) == into.end()) into.push_back(origin);
  }

  template <class Combine>
  Origins each(const Term& term, Combine combine) {
    const Origins left = operand(term, 0), right = operand(term, 1);
    Origins result;
    for (const Origin& a : left)
      for (const Origin& b : right)
        insert(result, {Bits(term.width, combine(a.value, b.value)).to_u64(), a.is_open || b.is_open});
    return result;
  }

  template <class Change>
  Origins each_one(const Term& term, Change change) {
    Origins result;
    for (const Origin& a : operand(term, 0)) insert(result, {change(a.value), a.is_open});
    return result;
  }

  Origins compute(const Term& term) {
    using Value = std::uint64_t;
    switch (term.op) {
      case Operator::add:
        return each(term, [](Value a, Value b) { return a + b; });
      case Operator::subtract:
        return each(term, [](Value a, Value b) { return a - b; });
      case Operator::bit_and:
        return each(term, [](Value a, Value b) { return a & b; });
      case Operator::bit_or:
        return each(term, [](Value a, Value b) { return a | b; });
      case Operator::concat: {
        const unsigned low = term.operands[1]->width;
        if (low >= 64) return operand(term, 1);
        return each(term, [low](Value a, Value b) { return a << low | b; });
      }
      case Operator::ite: {
        Origins result = operand(term, 1);
        for (const Origin& other : operand(term, 2)) insert(result, other);
        return result;
      }
      case Operator::zero_extend:
        return operand(term, 0);
      case Operator::sign_extend:
        return each_one(
            term, [&](Value a) { return Bits(term.operands[0]->width, a).sign_extend(term.width).to_u64(); });
      case Operator::extract:
        if (term.low >= 64 || term.operands[0]->width > 64) break;
        return each_one(term, [&](Value a) { return Bits(term.width, a >> term.low).to_u64(); });
      default:
        break;
    }
    return {{0, true}};
  }

  std::unordered_map<const Term*, Origins> known_;
  Origins constant_;
  bool is_too_much_ = false;
};

}  // namespace

std::optional<std::vector<Origin>> origins_of(const Bits& value) { return Search().run(value); }

}  // namespace ptxmc
