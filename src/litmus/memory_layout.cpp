#include "src/litmus/memory_layout.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "semantics/language/mbarrier_state.hpp"
#include "semantics/language/spelling.hpp"
#include "semantics/language/type.hpp"
#include "src/litmus/numbers.hpp"

namespace ptxmc {

namespace {

using litmus_syntax::AliasDeclaration;
using litmus_syntax::File;
using litmus_syntax::InitialValue;
using litmus_syntax::Name;
using litmus_syntax::Place;
using litmus_syntax::VariableDeclaration;

constexpr std::uint64_t most_elements = 65536;

constexpr std::array<std::pair<std::string_view, Proxy>, 4> proxies = {{{"generic", Proxy::generic},
                                                                        {"constant", Proxy::constant},
                                                                        {"texture", Proxy::texture},
                                                                        {"surface", Proxy::surface}}};

/// Whether a number fits a type of `width` bits, signed or unsigned.
bool fits(std::uint64_t bits, unsigned width, bool is_signed) {
  if (width == 64) return true;
  const std::uint64_t high = bits >> (is_signed ? width - 1 : width);
  const std::uint64_t all_ones = ~std::uint64_t{0} >> (is_signed ? width - 1 : width);
  return high == 0 || (is_signed && high == all_ones);
}

bool is_mbarrier(const VariableDeclaration& declaration) {
  return declaration.type && declaration.type->text == "mbarrier";
}

SourcePosition place_of(const InitialValue& value) {
  return value.kind == InitialValue::Kind::number ? value.number.where : value.place.variable.where;
}

}  // namespace

MemoryLayout::MemoryLayout(const File& file, const SourceText& source, const std::vector<Cta>& ctas,
                           Mistakes& mistakes)
    : file_(source.file()), ctas_(ctas) {
  const auto declare_each = [&](const auto& declarations) {
    for (const auto& declaration : declarations) {
      const bool is_right = mistakes.collect([&] { declare(declaration); });
      // Declares the name, so that its uses give no further errors.
      if (!is_right && !declares(declaration.name.text)) declare_undeclared(declaration.name.text);
    }
  };
  declare_each(file.variables);
  declare_each(file.aliases);
  for (const VariableDeclaration& variable : file.variables) mistakes.collect([&] { initialise(variable); });
  for (const auto& [alias, target] : aliases_) variables_[alias].initial = variables_[target].initial;
}

/// PTX ISA 8.7 § 9.7.13.15.1: mbarriers are in shared memory. Each has a count, its initial value.
void MemoryLayout::require_count(const VariableDeclaration& declaration) const {
  if (!declaration.is_shared)
    fail(declaration.type->where, "found an mbarrier outside of shared memory, expected '.shared' before it");
  if (declaration.values.size() != (declaration.elements ? declaration.elements->bits : 1))
    fail(declaration.type->where,
         "found an mbarrier without a count of arrivals, expected its count as the initial value");
}

void MemoryLayout::fail(SourcePosition where, const std::string& message) const {
  throw InputError(file_, where, message);
}

void MemoryLayout::require_new(const Name& name) const {
  if (declares(name.text))
    fail(name.where, fmt::format("found a second '{}', expected each variable once", name.text));
}

std::vector<std::string> MemoryLayout::names() const {
  std::vector<std::string> names;
  for (const auto& [name, declared] : by_name_) names.push_back(name);
  return names;
}

std::size_t MemoryLayout::add(Variable variable) {
  if (variable.address == 0) {
    variable.address = next_address_;
    next_address_ += (variable.size() + page - 1) / page * page;
  }
  if (variable.location == 0) variable.location = variable.address;
  variables_.push_back(std::move(variable));
  return variables_.size() - 1;
}

void MemoryLayout::declare(const VariableDeclaration& declaration) {
  require_new(declaration.name);
  Variable variable;
  if (is_mbarrier(declaration)) {
    require_count(declaration);
    variable.is_mbarrier = true;
    variable.is_signed = false;
  } else if (declaration.type) {
    const Type type = type_named(declaration.type->text);
    variable.format = float_format_of(type);
    const bool is_integer = type.is_integer() || type.kind == Type::Kind::bits;
    if (type.width < 8 || type.width > 64 || (!is_integer && !variable.format))
      fail(declaration.type->where,
           fmt::format("found type '{}', expected one of u8, u16, u32, u64, s8, …, b64, f16, bf16, f32, f64, "
                       "mbarrier",
                       declaration.type->text));
    variable.element_size = type.width / 8u;
    variable.is_signed = type.is_signed();
  }
  const std::uint64_t elements = declaration.elements ? declaration.elements->bits : 1;
  if (elements == 0 || elements > most_elements)
    fail(declaration.elements->where,
         fmt::format("found {} elements, expected 1 to {}", elements, most_elements));
  variable.initial.assign(elements, Bits(variable.element_size * 8, 0));

  Declared& declared = by_name_[declaration.name.text];
  declared.is_shared = declaration.is_shared;
  for (std::size_t i = 0; i < (declaration.is_shared ? ctas_.size() : 1); ++i) {
    if (declaration.is_shared) {
      variable.space = StateSpace::shared_cta;
      variable.cta = ctas_[i].number;
    }
    variable.name = (declaration.is_shared ? ctas_[i].name + ":" : "") + declaration.name.text;
    declared.instances.push_back(add(variable));
  }
}

void MemoryLayout::declare_undeclared(const std::string& name) {
  Variable variable;
  variable.name = name;
  variable.initial = {Bits(64, 0)};
  by_name_[name].instances = {add(variable)};
}

void MemoryLayout::declare(const AliasDeclaration& alias) {
  require_new(alias.name);
  const auto* proxy = std::find_if(proxies.begin(), proxies.end(),
                                   [&](const auto& known) { return known.first == alias.proxy.text; });
  if (proxy == proxies.end())
    fail(alias.proxy.where, fmt::format("found '{}', expected one of the proxies generic, constant, texture, "
                                        "surface",
                                        alias.proxy.text));
  if (alias.target.text == alias.name.text)
    fail(alias.target.where, fmt::format("found '{}', expected another variable", alias.target.text));
  if (!declares(alias.target.text)) declare_undeclared(alias.target.text);

  const Declared target = by_name_.at(alias.target.text);
  Declared& declared = by_name_[alias.name.text];
  declared.is_shared = target.is_shared;
  for (std::size_t i = 0; i < target.instances.size(); ++i) {
    Variable variable = variables_[target.instances[i]];
    if (target.is_shared) variable.space = StateSpace::shared_cta;
    variable.name = (target.is_shared ? ctas_[i].name + ":" : "") + alias.name.text;
    variable.proxy = proxy->second;
    if (proxy->second == Proxy::generic) variable.address = 0;  // an address of its own
    declared.instances.push_back(add(std::move(variable)));
    aliases_.emplace_back(declared.instances.back(), target.instances[i]);
  }
}

void MemoryLayout::initialise(const VariableDeclaration& declaration) {
  const Declared& declared = by_name_.at(declaration.name.text);
  for (std::size_t i = 0; i < declared.instances.size(); ++i) {
    Variable& variable = variables_[declared.instances[i]];
    if (declaration.has_list != declaration.elements.has_value() && !declaration.values.empty())
      fail(declaration.name.where,
           declaration.has_list ? "found a list of values, expected one value, or an array as in a : u32[2]"
                                : "found one value, expected a list in braces for an array");
    if (declaration.values.size() > variable.initial.size())
      fail(declaration.name.where, fmt::format("found {} values, expected at most {}",
                                               declaration.values.size(), variable.initial.size()));
    for (std::size_t element = 0; element < declaration.values.size(); ++element)
      variable.initial[element] = element_of(variable, declaration.values[element],
                                             declared.is_shared ? std::optional(i) : std::nullopt);
  }
}

Bits MemoryLayout::element_of(const Variable& variable, const InitialValue& written,
                              std::optional<std::size_t> cta) const {
  if (variable.format) return float_of(written, *variable.format);
  const unsigned width = variable.element_size * 8;
  const Bits value = integer_of(written, cta);
  if (variable.is_mbarrier) {
    if (value.to_u64() == 0 || value.to_u64() > largest_mbarrier_count)
      fail(place_of(written), fmt::format("found a count of arrivals of {}, expected 1 to {}", value.to_u64(),
                                          largest_mbarrier_count));
    return word_of(initial_mbarrier_state(value.extract(0, 32)));
  }
  if (!fits(value.to_u64(), width, variable.is_signed))
    fail(place_of(written), fmt::format("found a value that needs more than the {} bits of {}", width,
                                        variable.name.substr(variable.name.rfind(':') + 1)));
  return value.extract(0, width);
}

Bits MemoryLayout::integer_of(const InitialValue& value, std::optional<std::size_t> cta) const {
  if (value.kind == InitialValue::Kind::address)
    return Bits(64, find(value.place, cta).address + value.number.bits);
  if (!value.number.is_integer())
    fail(value.number.where,
         "found a floating-point number, expected an integer, or a type such as f32 before '='");
  return Bits(64, value.number.bits);
}

Bits MemoryLayout::float_of(const InitialValue& value, FloatFormat format) const {
  if (value.kind == InitialValue::Kind::address)
    fail(value.place.variable.where, fmt::format("found the location '{}', expected a number of type {}",
                                                 value.place.variable.text, name_of(format)));
  const auto number = float_value(format, value.number);
  if (!number) fail(value.number.where, more_bits_than(format));
  return *number;
}

std::size_t MemoryLayout::instance(const Place& place, const Declared& declared,
                                   std::optional<std::size_t> cta) const {
  if (!declared.is_shared) {
    if (!place.instance.empty())
      fail(place.instance.front().where,
           fmt::format("found '{}:', expected '{}' alone, which is no shared variable",
                       place.instance.front().text, place.variable.text));
    return declared.instances.front();
  }
  if (place.instance.empty() && cta) return declared.instances[*cta];
  std::vector<std::size_t> meant;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < ctas_.size(); ++i) {
    names.push_back(fmt::format("{}:{}", ctas_[i].name, place.variable.text));
    const bool matches = std::all_of(place.instance.begin(), place.instance.end(), [&](const Name& part) {
      return part.text == fmt::format("gpu{}", ctas_[i].gpu) ||
             part.text == fmt::format("cta{}", ctas_[i].cta) ||
             (ctas_[i].cluster && part.text == fmt::format("cluster{}", *ctas_[i].cluster));
    });
    if (matches) meant.push_back(declared.instances[i]);
  }
  if (meant.size() == 1) return meant.front();
  fail(place.instance.empty() ? place.variable.where : place.instance.front().where,
       fmt::format("found a shared variable of {} CTAs, expected one of {}", meant.size(),
                   fmt::join(names, ", ")));
}

MemoryLayout::Element MemoryLayout::find(const Place& place, std::optional<std::size_t> cta) const {
  const auto declared = by_name_.find(place.variable.text);
  if (declared == by_name_.end())
    fail(place.variable.where, fmt::format("found '{}', expected a variable of the test{}",
                                           place.variable.text, did_you_mean(place.variable.text, names())));
  const std::size_t index = instance(place, declared->second, cta);
  const Variable& variable = variables_[index];
  const std::uint64_t element = place.element ? place.element->bits : 0;
  if (element >= variable.initial.size())
    fail(place.element->where,
         fmt::format("found element {}, expected one below {}", element, variable.initial.size()));
  return {static_cast<int>(index), static_cast<int>(element),
          variable.address + element * variable.element_size};
}

void MemoryLayout::require_scalar(const Place& place, const Element& element) const {
  if (!place.element && variable(element).initial.size() > 1)
    fail(place.variable.where, fmt::format("found the array '{}', expected one of its elements, as {}[0]",
                                           place.variable.text, place.variable.text));
}

}  // namespace ptxmc
