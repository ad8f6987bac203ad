#include "src/compiler/strength.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/source_text.hpp"
#include "semantics/language/text_file.hpp"
#include "src/kernel/launch/toml_nesting.hpp"

namespace ptxmc {
namespace {

constexpr std::array<std::string_view, 6> ordering_modifiers = {"",         ".relaxed", ".acquire",
                                                                ".release", ".acq_rel", ".sc"};
constexpr std::array<std::string_view, 5> scope_modifiers = {"", ".cta", ".cluster", ".gpu", ".sys"};

constexpr std::array<Ordering, 6> orderings = {Ordering::none,    Ordering::relaxed, Ordering::acquire,
                                               Ordering::release, Ordering::acq_rel, Ordering::sc};

bool is_weaker_or_equal(Ordering a, Ordering b) {
  return a <= b && !(a == Ordering::acquire && b == Ordering::release);
}

/// The place of the cost that a key of the table names; null if it names none.
unsigned* cost_named(StrengthCosts& costs, std::string_view key) {
  if (key == "weak") return &costs.ordering[0];
  if (key == "fence") return &costs.fence;
  const std::string modifier = "." + std::string(key);
  if (const Ordering named = ordering_named(modifier); named != Ordering::none)
    return &costs.ordering[static_cast<std::size_t>(named)];
  if (const Scope named = scope_named(modifier); named != Scope::none)
    return &costs.scope[static_cast<std::size_t>(named)];
  return nullptr;
}

void refuse_cheaper_strength(const StrengthCosts& costs, const std::string& file) {
  for (const Ordering weaker : orderings)
    for (const Ordering stronger : orderings)
      if (is_weaker_or_equal(weaker, stronger) && costs.ordering[static_cast<std::size_t>(weaker)] >
                                                      costs.ordering[static_cast<std::size_t>(stronger)])
        throw InputError(file, {},
                         fmt::format("found a higher cost of {} than of {}, expected none of what is weaker",
                                     weaker == Ordering::none ? "weak" : modifier_of(weaker).substr(1),
                                     modifier_of(stronger).substr(1)));
  for (std::size_t i = 2; i < costs.scope.size(); ++i)
    if (costs.scope[i - 1] > costs.scope[i])
      throw InputError(file, {},
                       fmt::format("found a higher cost of {} than of {}, expected none of what is weaker",
                                   scope_modifiers[i - 1].substr(1), scope_modifiers[i].substr(1)));
}

SourcePosition position_of(const toml::source_region& source) {
  return {source.begin.line, source.begin.column};
}

}  // namespace

bool is_weaker_or_equal(Strength a, Strength b) {
  return a.ordering == Ordering::none || (is_weaker_or_equal(a.ordering, b.ordering) && a.scope <= b.scope);
}

std::string text_of(Strength strength) {
  if (strength.ordering == Ordering::none) return "";
  return std::string(modifier_of(strength.ordering).substr(1)) + std::string(modifier_of(strength.scope));
}

std::string_view modifier_of(Ordering ordering) {
  return ordering_modifiers[static_cast<std::size_t>(ordering)];
}

std::string_view modifier_of(Scope scope) { return scope_modifiers[static_cast<std::size_t>(scope)]; }

Ordering ordering_named(std::string_view modifier) {
  const auto found = std::ranges::find(ordering_modifiers, modifier);
  return found == ordering_modifiers.end()
             ? Ordering::none
             : orderings[static_cast<std::size_t>(found - ordering_modifiers.begin())];
}

Scope scope_named(std::string_view modifier) {
  const auto found = std::ranges::find(scope_modifiers, modifier);
  return found == scope_modifiers.end() ? Scope::none : static_cast<Scope>(found - scope_modifiers.begin());
}

unsigned cost_of(const StrengthCosts& costs, Strength strength, bool is_fence) {
  const unsigned order = costs.ordering[static_cast<std::size_t>(strength.ordering)];
  if (strength.ordering == Ordering::none) return is_fence ? 0 : order;
  return order * costs.scope[static_cast<std::size_t>(strength.scope)] + (is_fence ? costs.fence : 0);
}

StrengthCosts read_costs(const std::filesystem::path& path) {
  constexpr std::int64_t most = 1000;
  const std::string file = path.string();
  StrengthCosts costs;
  const std::string text = text_of_input(path, "a table of costs");
  kernel::check_toml_nesting(SourceText(file, text));
  toml::table table;
  try {
    table = toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw InputError(file, position_of(error.source()), std::string(error.description()));
  }
  for (const auto& [key, node] : table) {
    unsigned* cost = cost_named(costs, key.str());
    if (cost == nullptr)
      throw InputError(file, position_of(key.source()),
                       fmt::format("found '{}', expected weak, relaxed, acquire, release, acq_rel, sc, cta, "
                                   "cluster, gpu, sys or fence",
                                   key.str()));
    const auto number = node.value_exact<std::int64_t>();
    if (!number || *number < 0 || *number > most)
      throw InputError(
          file, position_of(node.source()),
          fmt::format("found no number from 0 to {}, expected one as the cost of {}", most, key.str()));
    *cost = static_cast<unsigned>(*number);
  }
  refuse_cheaper_strength(costs, file);
  return costs;
}

}  // namespace ptxmc
