#include "src/compiler/cpp_operation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "semantics/language/form.hpp"
#include "src/litmus/c_words.hpp"

namespace ptxmc {
namespace {

constexpr std::array<std::string_view, 6> orders = {"none",    "relaxed", "acquire",
                                                    "release", "acq_rel", "seq_cst"};
constexpr std::array<std::string_view, 5> cuda_scopes = {"thread", "block", "cluster", "device", "system"};
constexpr std::array<std::string_view, 5> opencl_scopes = {"work_item", "work_group", "cluster", "device",
                                                           "all_svm_devices"};

std::string_view order_word(Ordering ordering) { return orders[static_cast<std::size_t>(ordering)]; }

std::vector<Ordering> orderings_of(std::string_view opcode) {
  using enum Ordering;
  if (opcode == "load") return {relaxed, acquire, sc};
  if (opcode == "store") return {relaxed, release, sc};
  if (opcode == "rmw" || opcode.starts_with("cas_")) return {relaxed, acquire, release, acq_rel, sc};
  if (opcode == "fence") return {none, acquire, release, acq_rel, sc};
  return {};
}

/// A word in a text: [first, last).
struct WordRange {
  std::size_t first = 0, last = 0;
};

/// The first name in the text that satisfies a condition; names keep their namespaces.
template <class Condition>
std::optional<WordRange> find_name(std::string_view text, const Condition& condition) {
  const auto is_part = [&](std::size_t at) {
    return std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_' || text[at] == ':';
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_part(at)) continue;
    const std::size_t first = at;
    while (at < text.size() && is_part(at)) ++at;
    if (condition(without_namespace(text.substr(first, at - first)))) return WordRange{first, at};
  }
  return std::nullopt;
}

/// Replaces what follows `stem` and `_` or `::` in a word of the text: `memory_order_relaxed`.
void replace_ending(std::string& text, WordRange word, std::string_view stem, std::string_view ending) {
  std::size_t at = text.find(stem, word.first) + stem.size();
  at += text[at] == ':' ? 2 : 1;
  text.replace(at, word.last - at, ending);
}

bool add_argument(std::string& text, const std::string& argument) {
  if (!text.ends_with(')')) return false;
  text.pop_back();
  text += (text.ends_with('(') ? "" : ", ") + argument + ")";
  return true;
}

/// Gives a call without an order its `_explicit` form: `atomic_load(x)`; of a member function the same name.
bool make_explicit(std::string& text) {
  const std::size_t open = text.find('(');
  if (open == std::string::npos || !text.ends_with(')')) return false;
  const std::string name = without_namespace(text.substr(0, open));
  if (name.starts_with("atomic_") && name.find_first_of(".->*") == std::string::npos) {
    text.insert(open, "_explicit");
    return true;
  }
  return text.find("->") != std::string::npos || text.find('.') != std::string::npos;
}

bool set_order(std::string& text, Ordering ordering) {
  const auto written = find_name(text, [](std::string_view name) { return memory_order(name).has_value(); });
  if (!written)
    return make_explicit(text) && add_argument(text, fmt::format("memory_order_{}", order_word(ordering)));
  if (text.compare(written->first, 9, "__ATOMIC_") != 0) {
    replace_ending(text, *written, "memory_order", order_word(ordering));
    return true;
  }
  std::string upper(order_word(ordering));
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
  replace_ending(text, *written, "__ATOMIC", upper);
  return true;
}

/// `atomicAdd_block(x, 1)`: the name says the scope, and there is no order.
bool is_cuda_function(std::string_view text) {
  constexpr std::string_view prefix = "atomic";
  return text.size() > prefix.size() && text.starts_with(prefix) &&
         std::isupper(static_cast<unsigned char>(text[prefix.size()])) != 0;
}

std::optional<std::string> cuda_function(std::string_view text, Scope scope) {
  if (scope == Scope::cluster) return std::nullopt;
  const std::size_t open = std::min(text.find('('), text.size());
  const std::string_view name = text.substr(0, open);
  return fmt::format("{}{}{}", name.substr(0, name.find('_')),
                     scope == Scope::cta   ? "_block"
                     : scope == Scope::sys ? "_system"
                                           : "",
                     text.substr(open));
}

bool set_scope(std::string& text, Scope scope) {
  const auto written = find_name(text, [](std::string_view name) { return memory_scope(name).has_value(); });
  const auto number = static_cast<std::size_t>(scope);
  if (!written) return add_argument(text, fmt::format("memory_scope_{}", opencl_scopes[number]));
  const bool is_cuda =
      text.substr(written->first, written->last - written->first).find("thread_scope") != std::string::npos;
  replace_ending(text, *written, is_cuda ? "thread_scope" : "memory_scope",
                 is_cuda ? cuda_scopes[number] : opencl_scopes[number]);
  return true;
}

}  // namespace

std::optional<CppOperation> cpp_operation(const Instruction& instruction) {
  const std::string_view spelling = instruction.form->spelling;
  CppOperation result;
  std::size_t dot = std::min(spelling.find('.'), spelling.size());
  result.orderings = orderings_of(spelling.substr(0, dot));
  result.is_fence = spelling.starts_with("fence");
  while (dot < spelling.size()) {
    const std::size_t next = std::min(spelling.find('.', dot + 1), spelling.size());
    const std::string_view modifier = spelling.substr(dot, next - dot);
    if (const Ordering ordering = ordering_named(modifier); ordering != Ordering::none)
      result.strength.ordering = ordering;
    if (const Scope scope = scope_named(modifier); scope != Scope::none) result.strength.scope = scope;
    dot = next;
  }
  const bool is_known = !result.orderings.empty() && result.strength.ordering != Ordering::none &&
                        result.strength.scope != Scope::none;
  return is_known ? std::optional(result) : std::nullopt;
}

std::string cpp_strength_name(Strength strength) {
  if (strength.ordering == Ordering::none) return "none";
  return fmt::format("{}.{}", order_word(strength.ordering),
                     cuda_scopes[static_cast<std::size_t>(strength.scope)]);
}

std::optional<std::string> with_cpp_strength(std::string_view text, Strength given, Strength wanted) {
  if (text.starts_with("__threadfence")) return cpp_fence(wanted);
  if (is_cuda_function(text))
    return wanted.ordering == given.ordering ? cuda_function(text, wanted.scope) : std::nullopt;
  std::string result(text);
  if (wanted.ordering != given.ordering && !set_order(result, wanted.ordering)) return std::nullopt;
  if (wanted.scope == given.scope) return result;
  // A scope stands behind an order, so that the order must be written too.
  const bool has_order =
      find_name(result, [](std::string_view name) { return memory_order(name).has_value(); }).has_value();
  if (!has_order && !set_order(result, wanted.ordering)) return std::nullopt;
  return set_scope(result, wanted.scope) ? std::optional(result) : std::nullopt;
}

std::string cpp_fence(Strength strength) {
  const std::string scope =
      strength.scope == Scope::sys
          ? ""
          : fmt::format(", memory_scope_{}", opencl_scopes[static_cast<std::size_t>(strength.scope)]);
  return fmt::format("atomic_thread_fence(memory_order_{}{})", order_word(strength.ordering), scope);
}

}  // namespace ptxmc
