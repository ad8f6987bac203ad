#include "semantics/chapters/lane_exchange.hpp"

#include "semantics/chapters/float_form.hpp"
#include "semantics/values/arithmetic.hpp"

namespace ptxmc {

namespace {

Results exchange(const Form& form, const Operands& x, const Bits& value, Effects& effects,
                 std::function<Results(const ExchangedValues&)> after) {
  Exchange exchange{form.spelling, std::nullopt, std::span(&value, 1)};
  if (const Bits& members = x["membermask"]; members.width() != 0) exchange.members = members;
  return effects.await_exchange(exchange, std::move(after));
}

/// A mask whose bit i is f(lane i), or false for lanes that do not take part.
template <class Function>
Bits mask_of(const ExchangedValues& lanes, Function f) {
  const auto bit = [&](unsigned lane) {
    const Bits& takes_part = lanes.takes_part(lane);
    return takes_part.is_false() ? takes_part : takes_part & f(lanes.value(lane));
  };
  Bits mask = bit(0);
  for (unsigned i = 1; i < lanes_per_warp; ++i) mask = concat(bit(i), mask);
  return mask;
}

Bits members_of(const ExchangedValues& lanes) {
  return mask_of(lanes, [](const Bits&) { return Bits::boolean(true); });
}

/// The value of the lane with this number; undefined if the lane does not take part.
Bits value_of(const ExchangedValues& lanes, const Bits& number, unsigned width, Effects& effects) {
  Bits value;
  Bits is_defined = Bits::boolean(false);
  for (unsigned i = 0; i < lanes_per_warp; ++i) {
    const Bits is_chosen = equal(number, Bits(32, i)) & lanes.takes_part(i);
    if (is_chosen.is_false()) continue;
    value = value.width() == 0 ? lanes.value(i) : ite(is_chosen, lanes.value(i), value);
    is_defined = is_defined | is_chosen;
  }
  if (is_defined.is_true()) return value;
  const Bits undefined = effects.unspecified(width);
  return value.width() == 0 ? undefined : ite(is_defined, value, undefined);
}

/// The source lane of a shuffle, and whether it is in range.
struct Source {
  Bits lane, is_in_range;
};

/// The semantics of § 9.7.9.6, in 32 bits.
Source source_of(const Form& form, const Operands& x, const Bits& own) {
  const Bits low(32, 0x1f);
  const Bits offset = x.b & low, clamp = x.c & low, segments = x.c.extract(8, 5).zero_extend(32);
  const Bits lowest = own & segments, highest = lowest | (clamp & ~segments & low);
  Source source;
  if (form.has(".up")) {
    source.lane = own - offset;
    source.is_in_range = less_equal_signed(highest, source.lane);
    return source;
  }
  source.lane = form.has(".down")   ? own + offset
                : form.has(".bfly") ? own ^ offset
                                    : lowest | (offset & ~segments & low);
  source.is_in_range = less_equal_signed(source.lane, highest);
  return source;
}

bool has_two_results(const Form& form) { return form.operands[1].is_destination; }

/// § 9.7.13.12: −0 < +0. Without .NaN a number rather than a NaN; the NaN is canonical.
Bits reduce_floats(const Form& form, const ExchangedValues& lanes) {
  Bits result, are_any = Bits::boolean(false);
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
    const Bits& takes_part = lanes.takes_part(lane);
    if (takes_part.is_false()) continue;
    const Bits value = form.has(".abs") ? float_absolute(form, lanes.value(lane)) : lanes.value(lane);
    const Bits first =
        form.has(".min") ? float_minimum(form, value, value) : float_maximum(form, value, value);
    if (result.width() == 0) {
      result = first;
    } else {
      const Bits both =
          form.has(".min") ? float_minimum(form, result, value) : float_maximum(form, result, value);
      result = ite(takes_part, ite(are_any, both, first), result);
    }
    are_any = are_any | takes_part;
  }
  return result;
}

Bits combine_lanes(const Form& form, const Bits& a, const Bits& b) {
  if (form.has(".and")) return a & b;
  if (form.has(".or")) return a | b;
  if (form.has(".xor")) return a ^ b;
  if (form.has(".min")) return minimum(a, b, form.is_signed());
  if (form.has(".max")) return maximum(a, b, form.is_signed());
  return a + b;
}

}  // namespace

Results shuffle(const Form& form, const Operands& x, Effects& effects) {
  return exchange(form, x, x.a, effects, [&form, x, &effects](const ExchangedValues& lanes) {
    const Source source = source_of(form, x, lanes.own);
    const Bits copied =
        source.is_in_range.is_false() ? x.a : value_of(lanes, source.lane, x.a.width(), effects);
    Results results(ite(source.is_in_range, copied, x.a));
    if (has_two_results(form)) results.push_back(source.is_in_range);
    return results;
  });
}

namespace {

Bits vote_of(const Form& form, const ExchangedValues& lanes) {
  const Bits voted = mask_of(lanes, [](const Bits& value) { return value; });
  if (form.has(".ballot")) return voted;
  const Bits any = ~is_zero(voted), all = equal(voted, members_of(lanes));
  if (form.has(".any")) return any;
  return form.has(".all") ? all : all | ~any;
}

Results match_of(const Form& form, const ExchangedValues& lanes, const Bits& own) {
  const Bits same = mask_of(lanes, [&](const Bits& value) { return equal(value, own); });
  if (form.has(".any")) return same;
  const Bits all = equal(same, members_of(lanes));
  Results results(ite(all, same, Bits(32, 0)));
  if (has_two_results(form)) results.push_back(all);
  return results;
}

Bits reduce(const Form& form, const ExchangedValues& lanes) {
  if (form.is_float()) return reduce_floats(form, lanes);
  Bits result, are_any = Bits::boolean(false);
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
    const Bits &takes_part = lanes.takes_part(lane), &value = lanes.value(lane);
    if (takes_part.is_false()) continue;
    result = result.width() == 0
                 ? value
                 : ite(takes_part, ite(are_any, combine_lanes(form, result, value), value), result);
    are_any = are_any | takes_part;
  }
  return result;
}

}  // namespace

Results vote(const Form& form, const Operands& x, Effects& effects) {
  return exchange(form, x, x.a, effects,
                  [&form](const ExchangedValues& lanes) { return Results(vote_of(form, lanes)); });
}

Results match_values(const Form& form, const Operands& x, Effects& effects) {
  return exchange(form, x, x.a, effects,
                  [&form, own = x.a](const ExchangedValues& lanes) { return match_of(form, lanes, own); });
}

Results active_mask(const Form& form, const Operands& x, Effects& effects) {
  return exchange(form, x, Bits::boolean(true), effects,
                  [](const ExchangedValues& lanes) { return Results(members_of(lanes)); });
}

Results reduce_lanes(const Form& form, const Operands& x, Effects& effects) {
  return exchange(form, x, x["src"], effects,
                  [&form](const ExchangedValues& lanes) { return Results(reduce(form, lanes)); });
}

Results elect(const Form& form, const Operands& x, Effects& effects) {
  return exchange(form, x, Bits::boolean(true), effects, [](const ExchangedValues& lanes) -> Results {
    Bits lowest(32, lanes_per_warp);
    for (unsigned lane = lanes_per_warp; lane-- > 0;)
      lowest = ite(lanes.takes_part(lane), Bits(32, lane), lowest);
    return {lowest, equal(lowest, lanes.own)};
  });
}

}  // namespace ptxmc
