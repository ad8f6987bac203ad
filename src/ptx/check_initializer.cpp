#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "semantics/language/type.hpp"
#include "src/ptx/check_declaration.hpp"

namespace ptxmc::syntax {

namespace {

/// A named member of opaque types.
struct Member {
  std::string_view name;
  bool of_texture, of_sampler, of_surface;

  bool is_of(Modifier type) const {
    if (type == Modifier(".samplerref")) return of_sampler;
    return type == Modifier(".texref") ? of_texture : of_surface;
  }
};

/// PTX ISA 8.7 § 5.3.2.
constexpr Member members[] = {{"width", true, false, true},
                              {"height", true, false, true},
                              {"depth", true, false, true},
                              {"channel_data_type", true, false, true},
                              {"channel_order", true, false, true},
                              {"array_size", true, false, true},
                              {"memory_layout", false, false, true},
                              {"num_mipmap_levels", true, false, false},
                              {"num_samples", true, false, false},
                              {"normalized_coords", true, false, false},
                              {"filter_mode", true, true, false},
                              {"addr_mode_0", true, true, false},
                              {"addr_mode_1", true, true, false},
                              {"addr_mode_2", true, true, false},
                              {"force_unnormalized_coords", false, true, false}};

/// The named values of `filter_mode` and `addr_mode_…`; values of other members are numbers.
constexpr std::array<std::string_view, 7> named_values = {
    "nearest", "linear", "wrap", "mirror", "clamp_ogl", "clamp_to_edge", "clamp_to_border"};

/// Checks the initializer of one variable.
class InitializerChecker {
 public:
  InitializerChecker(CheckContext& context, const Scope& scope, Modifier type)
      : context_(context), scope_(scope), type_(type), is_opaque_(type_of(type).kind == Type::Kind::opaque) {}

  /// Returns the number of elements of the list (1 for a scalar).
  std::uint64_t check(Initializer& initializer, std::span<const Dimension> dimensions) {
    if (is_opaque_) return check_members(initializer);
    if (dimensions.empty()) {
      check_scalar(initializer);
      return 1;
    }
    const std::uint64_t count = check_list(initializer, dimensions);
    if (dimensions[0] && count > *dimensions[0])
      context_.error(initializer.text,
                     fmt::format("found {} initial values, expected at most {}", count, *dimensions[0]));
    return count;
  }

 private:
  std::uint64_t check_list(Initializer& initializer, std::span<const Dimension> dimensions) {
    const auto inner = dimensions.subspan(1);
    if (auto* list = std::get_if<InitializerList>(&initializer.is)) {
      for (Initializer& element : list->elements) check(element, inner);
      return list->elements.size();
    }
    const auto* constants = std::get_if<ConstantList>(&initializer.is);
    if (constants == nullptr || (!inner.empty() && !constants->elements.empty())) {
      context_.error(initializer.text, fmt::format("found {}, expected a list in braces for each dimension",
                                                   constants == nullptr ? "one value" : "a list of numbers"));
      return 0;
    }
    for (const Constant& constant : constants->elements)
      if (!check_constant(constant, initializer.text)) break;
    return constants->elements.size();
  }

  void check_scalar(Initializer& initializer) {
    if (const auto* constant = std::get_if<Constant>(&initializer.is))
      check_constant(*constant, initializer.text);
    else if (auto* address = std::get_if<AddressValue>(&initializer.is))
      check_address(*address);
    else
      context_.error(initializer.text, "found a list, expected one value");
  }

  bool check_constant(const Constant& constant, std::string_view text) {
    const Type type = type_of(type_);
    const bool fits = type.is_float() ? !constant.is_integer() : constant.is_integer() || !type.is_integer();
    if (!fits)
      context_.error(text,
                     fmt::format("found {}, expected {} constant for {}",
                                 constant.is_integer() ? "an integer" : "a floating-point constant",
                                 type.is_float() ? "a floating-point" : "an integer", type_.spelling()));
    return fits;
  }

  void check_address(AddressValue& address) {
    const std::string_view at = address.base.text;
    if (!context_.resolve(scope_, address.base)) return;
    const Symbol& symbol = context_.symbol(address.base);
    const bool is_function = symbol.kind == Symbol::Kind::function || symbol.kind == Symbol::Kind::entry;
    const bool is_variable = symbol.kind == Symbol::Kind::variable &&
                             (symbol.space == Space::global || symbol.space == Space::constant);
    if (!is_function && (!is_variable || type_of(*symbol.type).kind == Type::Kind::opaque))
      context_.error(
          at, fmt::format("found '{}', expected a variable in '.global' or '.const' or a function", at));
    if (is_function && (address.is_generic || address.offset != 0))
      context_.error(at, fmt::format("found '{}', expected the address of a function as it is", at));
    check_address_type(address, at);
  }

  void check_address_type(const AddressValue& address, std::string_view at) {
    const bool is_masked = address.mask != 0;
    if (is_masked) context_.require(at, "a mask of an address", 71);
    const bool is_wide = type_ == Modifier(".u32") || type_ == Modifier(".u64");
    if (is_wide || (is_masked && type_ == Modifier(".u8"))) return;
    context_.error(at, fmt::format("found {}, expected .u32 or .u64 for an address, or .u8 for a byte of it",
                                   type_.spelling()));
  }

  std::uint64_t check_members(const Initializer& initializer) {
    const auto* list = std::get_if<InitializerList>(&initializer.is);
    if (list == nullptr) {
      context_.error(initializer.text, "found a value, expected members such as { width = 64 }");
      return 0;
    }
    for (const Initializer& element : list->elements)
      if (const auto* member = std::get_if<MemberValue>(&element.is))
        check_member(*member, element.text);
      else
        context_.error(element.text, "found a value, expected a member such as width = 64");
    return 1;
  }

  void check_member(const MemberValue& member, std::string_view text) {
    std::vector<std::string_view> own;
    for (const Member& known : members)
      if (known.is_of(type_)) own.push_back(known.name);
    if (std::ranges::find(own, member.member) == own.end())
      return context_.error(
          text, fmt::format("found '{}', expected one of {}", member.member, fmt::join(own, ", ")));
    const auto* value = std::get_if<std::string_view>(&member.value);
    if (value != nullptr && std::ranges::find(named_values, *value) == named_values.end())
      context_.error(text, fmt::format("found '{}', expected a number or one of {}", *value,
                                       fmt::join(named_values, ", ")));
  }

  CheckContext& context_;
  const Scope& scope_;
  Modifier type_;
  bool is_opaque_;
};

}  // namespace

std::uint64_t check_initializer(CheckContext& context, const Scope& scope, Initializer& initializer,
                                const Declaration& declaration, std::vector<Dimension> dimensions) {
  return InitializerChecker(context, scope, *declaration.type).check(initializer, dimensions);
}

}  // namespace ptxmc::syntax
