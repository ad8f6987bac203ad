#include "src/litmus/c_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace ptxmc {

namespace {

using c_syntax::CType;

template <class Table>
auto looked_up(const Table& table, std::string_view name)
    -> std::optional<std::remove_cv_t<decltype(table.begin()->second)>> {
  const auto found = std::ranges::find(table, name, [](const auto& row) { return row.first; });
  if (found == table.end()) return std::nullopt;
  return found->second;
}

struct Integer {
  unsigned width;
  bool is_signed;
};

/// The names of integer types, and behind `atomic_`.
constexpr std::array<std::pair<std::string_view, Integer>, 25> integers = {{
    {"char", {8, true}},        {"schar", {8, true}},      {"uchar", {8, false}},     {"short", {16, true}},
    {"ushort", {16, false}},    {"int", {32, true}},       {"uint", {32, false}},     {"long", {64, true}},
    {"ulong", {64, false}},     {"llong", {64, true}},     {"ullong", {64, false}},   {"int8_t", {8, true}},
    {"int16_t", {16, true}},    {"int32_t", {32, true}},   {"int64_t", {64, true}},   {"uint8_t", {8, false}},
    {"uint16_t", {16, false}},  {"uint32_t", {32, false}}, {"uint64_t", {64, false}}, {"size_t", {64, false}},
    {"uintptr_t", {64, false}}, {"intptr_t", {64, true}},  {"ptrdiff_t", {64, true}}, {"signed", {32, true}},
    {"unsigned", {32, false}},
}};

constexpr std::array<std::string_view, 11> idle_qualifiers = {
    "const",      "static",   "register", "restrict",  "__restrict", "__restrict__",
    "__device__", "__global", "global",   "constexpr", "inline"};

/// Words that begin a type, besides the names of scalars.
constexpr std::array<std::string_view, 9> other_beginnings = {
    "volatile", "void", "auto", "atomic", "atomic_ref", "_Atomic", "float", "double", "half"};

constexpr std::array<std::pair<std::string_view, Sem>, 6> orders = {{{"relaxed", Sem::relaxed},
                                                                     {"consume", Sem::acquire},
                                                                     {"acquire", Sem::acquire},
                                                                     {"release", Sem::release},
                                                                     {"acq_rel", Sem::acq_rel},
                                                                     {"seq_cst", Sem::sc}}};

constexpr std::array<std::pair<std::string_view, Sem>, 6> builtin_orders = {
    {{"__ATOMIC_RELAXED", Sem::relaxed},
     {"__ATOMIC_CONSUME", Sem::acquire},
     {"__ATOMIC_ACQUIRE", Sem::acquire},
     {"__ATOMIC_RELEASE", Sem::release},
     {"__ATOMIC_ACQ_REL", Sem::acq_rel},
     {"__ATOMIC_SEQ_CST", Sem::sc}}};

constexpr std::array<std::pair<std::string_view, Scope>, 15> scopes = {
    {{"thread_scope_thread", Scope::none},
     {"thread_scope_block", Scope::cta},
     {"thread_scope_cluster", Scope::cluster},
     {"thread_scope_device", Scope::gpu},
     {"thread_scope_system", Scope::sys},
     {"memory_scope_work_item", Scope::none},
     {"memory_scope_thread", Scope::none},
     {"memory_scope_work_group", Scope::cta},
     {"memory_scope_block", Scope::cta},
     {"memory_scope_cluster", Scope::cluster},
     {"memory_scope_device", Scope::gpu},
     {"memory_scope_system", Scope::sys},
     {"memory_scope_all_devices", Scope::sys},
     {"memory_scope_all_svm_devices", Scope::sys},
     {"memory_scope_sys", Scope::sys}}};

std::optional<CType> integer_type(std::string_view name) {
  CType type;
  if (name == "bool" || name == "_Bool") {
    type.is_bool = true;
    type.width = 8;
    type.is_signed = false;
    return type;
  }
  const auto integer = looked_up(integers, name);
  if (!integer) return std::nullopt;
  type.width = integer->width;
  type.is_signed = integer->is_signed;
  return type;
}

}  // namespace

std::string without_namespace(std::string_view name) {
  constexpr std::array<std::string_view, 3> namespaces = {"::", "cuda::", "std::"};
  for (bool found = true; found;) {
    found = false;
    for (const std::string_view space : namespaces)
      if (name.starts_with(space)) {
        name.remove_prefix(space.size());
        found = true;
      }
  }
  const bool is_enumerator = name.starts_with("memory_order::") || name.starts_with("thread_scope::");
  if (!is_enumerator) return std::string(name);
  const std::size_t end = name.find("::");
  return std::string(name.substr(0, end)).append("_").append(name.substr(end + 2));
}

bool is_idle_qualifier(std::string_view name) {
  return std::ranges::find(idle_qualifiers, name) != idle_qualifiers.end();
}

std::optional<CType> scalar_type(std::string_view name) {
  constexpr std::string_view atomic = "atomic_";
  if (!name.starts_with(atomic)) return integer_type(name);
  auto type = name == "atomic_flag" ? integer_type("bool") : integer_type(name.substr(atomic.size()));
  if (type) type->is_atomic = true;
  return type;
}

bool begins_type(std::string_view name) {
  return is_idle_qualifier(name) || scalar_type(name) ||
         std::ranges::find(other_beginnings, name) != other_beginnings.end();
}

std::optional<Sem> memory_order(std::string_view name) {
  constexpr std::string_view prefix = "memory_order_";
  if (name.starts_with(prefix)) return looked_up(orders, name.substr(prefix.size()));
  return looked_up(builtin_orders, name);
}

std::optional<c_syntax::AtomicScope> memory_scope(std::string_view name) { return looked_up(scopes, name); }

std::string type_text(const CType& type) {
  return fmt::format("{}{}", type.is_signed && !type.is_pointer ? 's' : 'u',
                     type.is_pointer ? 64 : type.width);
}

}  // namespace ptxmc
