#include "solver/algebra/provenance.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>

namespace ptxmc {

namespace {

constexpr std::size_t most_origins = 64;

using Origins = std::vector<Origin>;

/// Stores results of subterms, since terms share them. It computes operands first, without recursion, since
/// terms may be deep.
class Search {
 public:
  std::optional<Origins> run(const Bits& value) {
    if (value.is_constant()) return Origins{{value.to_u64(), false}};
    std::vector<const Term*> open{value.term()};
    while (!open.empty()) {
      const Term& term = *open.back();
      const std::size_t before = open.size();
      for (const Term* part : made_of(term))
        if (!Bits(part).is_constant() && !known_.contains(part)) open.push_back(part);
      if (open.size() != before) continue;
      open.pop_back();
      Origins& result = known_[&term] = compute(term);
      if (result.size() > most_origins) return std::nullopt;
    }
    return known_.at(value.term());
  }

 private:
  /// The operands whose origins are the origins of the term.
  static std::span<const Term* const> made_of(const Term& term) {
    switch (term.op) {
      case Operator::ite:
        return {term.operands + 1, 2};
      case Operator::add:
      case Operator::subtract:
      case Operator::bit_and:
      case Operator::bit_or:
      case Operator::concat:
      case Operator::zero_extend:
      case Operator::sign_extend:
      case Operator::extract:
        return {term.operands, term.arity()};
      default:
        return {};
    }
  }

  Origins operand(const Term& term, unsigned i) const {
    const Bits value(term.operands[i]);
    return value.is_constant() ? Origins{{value.to_u64(), false}} : known_.at(value.term());
  }

  static void insert(Origins& into, const Origin& origin) {
    if (std::ranges::find(into, origin) == into.end()) into.push_back(origin);
  }

  template <class Combine>
  Origins each(const Term& term, Combine combine) const {
    const Origins left = operand(term, 0), right = operand(term, 1);
    Origins result;
    for (const Origin& a : left)
      for (const Origin& b : right)
        insert(result, {Bits(term.width, combine(a.value, b.value)).to_u64(), a.is_open || b.is_open});
    return result;
  }

  template <class Change>
  Origins each_one(const Term& term, Change change) const {
    Origins result;
    for (const Origin& a : operand(term, 0)) insert(result, {change(a.value), a.is_open});
    return result;
  }

  Origins compute(const Term& term) const {
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
};

}  // namespace

std::optional<std::vector<Origin>> origins_of(const Bits& value) { return Search().run(value); }

}  // namespace ptxmc
