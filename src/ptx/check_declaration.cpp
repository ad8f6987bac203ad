#include "src/ptx/check_declaration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "semantics/language/type.hpp"
#include "src/ptx/parse_declaration.hpp"
#include "src/ptx/type_agreement.hpp"

namespace ptxmc::syntax {

namespace {

bool is_opaque(Modifier type) { return type_of(type).kind == Type::Kind::opaque; }

/// Checks one declaration, whose type is known.
class DeclarationChecker {
 public:
  DeclarationChecker(CheckContext& context, Scope& scope, Declaration& declaration, Place place)
      : context_(context),
        scope_(scope),
        declaration_(declaration),
        place_(place),
        type_(*declaration.type) {}

  void check() {
    check_space();
    check_type();
    check_vector();
    check_alignment();
    check_linkage();
    check_attributes(context_, declaration_.attributes, false, declaration_.space);
    if (declaration_.pointer) check_pointer(*declaration_.pointer);
    for (Declarator& declarator : declaration_.declarators) check_declarator(declarator);
  }

 private:
  void error(std::string message) { context_.error(declaration_.text, std::move(message)); }
  void error_unless(bool condition, std::string_view found, std::string_view expected) {
    if (!condition) error(fmt::format("found {}, expected {}", found, expected));
  }

  void check_space() {
    const Space space = declaration_.space;
    const std::string_view name = name_of(space);
    const bool in_module = place_ == Place::module;
    error_unless(space != Space::sreg, name, "no declaration: special registers are predefined");
    switch (place_) {
      case Place::module:
        error_unless(space != Space::param, name, "parameters in the header or the body of a function");
        if (context_.capabilities.version >= 30)
          error_unless(space != Space::reg && space != Space::local, name,
                       "it in a function: since PTX ISA 3.0 there is none at module scope");
        break;
      case Place::entry_parameter:
        return error_unless(space == Space::param, name, "'.param' for the parameter of an entry");
      case Place::function_parameter:
      case Place::function_return:
      case Place::prototype:
      case Place::prototype_return:
        return error_unless(space == Space::param || space == Space::reg, name, "'.param' or '.reg'");
      case Place::body:
        break;
    }
    if (space == Space::tex) error_unless(in_module, name, "textures at module scope");
  }

  void check_type() {
    const std::string_view name = type_.spelling();
    if (is_opaque(type_)) {
      if (type_ == Modifier(".samplerref") && !context_.has_independent_samplers)
        error("found '.samplerref', expected it in a module of '.target texmode_independent' only");
      const bool in_module = place_ == Place::module && declaration_.space == Space::global;
      return error_unless(in_module || place_ == Place::entry_parameter, name,
                          "opaque types in '.global' at module scope or as parameters of entries");
    }
    if (!is_fundamental(type_))
      return error(fmt::format("found {}, expected a fundamental type such as .b{}", name,
                               std::max<unsigned>(8, type_of(type_).width)));
    if (type_ == Modifier(".b128")) context_.require(declaration_.text, "the type .b128", 83, 70);
    if (type_ == Modifier(".pred")) error_unless(declaration_.space == Space::reg, name, "it in '.reg'");
    if (declaration_.space == Space::tex)
      error_unless(type_ == Modifier(".u32") || type_ == Modifier(".u64"), name, "'.u32' or '.u64'");
  }

  void check_vector() {
    if (declaration_.elements == 1) return;
    const std::string found = fmt::format(".v{} {}", declaration_.elements, type_.spelling());
    const Type type = type_of(type_);
    error_unless(declaration_.elements <= 4, found, "a vector of 2 or 4 elements");
    error_unless(type.kind != Type::Kind::predicate && !is_opaque(type_), found, "a vector of numbers");
    error_unless(declaration_.elements * type.width <= 128, found, "a vector of at most 128 bits");
    error_unless(declaration_.space != Space::param && declaration_.space != Space::tex, found,
                 fmt::format("one value or an array in '{}'", name_of(declaration_.space)));
  }

  void check_alignment() {
    const auto check = [&](std::uint32_t alignment) {
      if (alignment != 0)
        error_unless(std::has_single_bit(alignment), fmt::format("alignment {}", alignment),
                     "a power of two");
    };
    check(declaration_.alignment);
    if (declaration_.pointer) check(declaration_.pointer->alignment);
  }

  void check_linkage() {
    if (declaration_.linkage != Linkage::common) return;
    context_.require(declaration_.text, ".common", 50, 20);
    error_unless(declaration_.space == Space::global && !is_opaque(type_), "'.common'",
                 "it for variables in '.global' that are not opaque");
  }

  void check_pointer(const PointerAttribute& pointer) {
    error_unless(place_ == Place::entry_parameter, "'.ptr'", "it for the parameter of an entry");
    const Type type = type_of(type_);
    error_unless(type.kind == Type::Kind::bits || type.is_integer(), type_.spelling(),
                 "an integer type for a pointer");
    if (!pointer.space) return;
    const Space space = *pointer.space;
    error_unless(
        space == Space::constant || space == Space::global || space == Space::local || space == Space::shared,
        name_of(space), "'.const', '.global', '.local' or '.shared' after '.ptr'");
  }

  void check_declarator(Declarator& declarator) {
    if (declarator.name.text == "_" && !is_in_prototype())
      return context_.error(declarator.name.text, "found '_', expected a name");
    if (declarator.count) check_numbered(declarator);
    if (declaration_.space == Space::reg && !declarator.dimensions.empty())
      context_.error(declarator.name.text, "found an array, expected registers one by one");
    if (declarator.initializer) check_initial_value(declarator);
    check_dimensions(declarator);
    if (!is_in_prototype()) context_.declare(scope_, declarator.name, symbol_of(declarator));
  }

  void check_numbered(const Declarator& declarator) {
    const bool is_variable = place_ == Place::module || place_ == Place::body;
    if (!is_variable || !declarator.dimensions.empty() || declarator.initializer)
      context_.error(declarator.name.text,
                     fmt::format("found '{}<{}>', expected numbered names for variables without dimensions "
                                 "and initial values only",
                                 declarator.name.text, *declarator.count));
  }

  void check_initial_value(Declarator& declarator) {
    const std::string_view at = declarator.name.text;
    const bool has_space = declaration_.space == Space::global || declaration_.space == Space::constant;
    if (!has_space || (place_ != Place::module && place_ != Place::body))
      return context_.error(at, "found an initial value, expected it in '.global' and '.const' only");
    if (declaration_.linkage == Linkage::external)
      return context_.error(at, "found an initial value, expected none for an external variable");
    if (type_ == Modifier(".f16") || type_ == Modifier(".f16x2") || type_ == Modifier(".pred"))
      return context_.error(at,
                            fmt::format("found an initial value, expected none for {}", type_.spelling()));
    std::vector<Dimension> dimensions = declarator.dimensions;
    if (declaration_.elements > 1) dimensions.push_back(declaration_.elements);
    const std::uint64_t found =
        check_initializer(context_, scope_, *declarator.initializer, declaration_, dimensions);
    if (!declarator.dimensions.empty() && !declarator.dimensions[0]) declarator.dimensions[0] = found;
  }

  /// § 5.1.6, § 11.2.2: what is passed is one value or an array of one dimension.
  void check_dimensions(const Declarator& declarator) {
    if (place_ != Place::module && place_ != Place::body && declarator.dimensions.size() > 1)
      context_.error(declarator.name.text,
                     fmt::format("found an array of {} dimensions, expected one dimension for what is passed",
                                 declarator.dimensions.size()));
    for (std::size_t i = 0; i < declarator.dimensions.size(); ++i) {
      const Dimension& dimension = declarator.dimensions[i];
      if (dimension && *dimension == 0 && !declarator.initializer)
        context_.error(declarator.name.text, "found a dimension of 0, expected at least one element");
      if (dimension) continue;
      const bool may_be_open = i == 0 && (declaration_.linkage == Linkage::external || is_parameter());
      if (!may_be_open)
        context_.error(declarator.name.text,
                       "found an open dimension, expected its size: only the first dimension of what is "
                       "external, initialized or the last parameter may be open");
    }
  }

  bool is_in_prototype() const { return place_ == Place::prototype || place_ == Place::prototype_return; }
  bool is_parameter() const { return place_ == Place::function_parameter || place_ == Place::prototype; }

  Symbol::Role role() const {
    switch (place_) {
      case Place::entry_parameter:
        return Symbol::Role::entry_parameter;
      case Place::function_parameter:
        return Symbol::Role::parameter;
      case Place::function_return:
        return Symbol::Role::return_value;
      default:
        return Symbol::Role::local;
    }
  }

  Symbol symbol_of(const Declarator& declarator) {
    Symbol symbol;
    symbol.linkage = declaration_.linkage;
    symbol.space = declaration_.space;
    symbol.role = role();
    symbol.type = type_;
    symbol.elements = declaration_.elements;
    symbol.is_array = !declarator.dimensions.empty();
    symbol.count = declarator.count;
    const Type type = type_of(type_);
    if (type.kind == Type::Kind::predicate || is_opaque(type_)) return symbol;
    const std::uint64_t bytes = std::max(1, type.width / 8) * declaration_.elements;
    symbol.alignment =
        declaration_.alignment != 0 ? declaration_.alignment : static_cast<std::uint32_t>(bytes);
    symbol.size = size_of(declarator, bytes);
    return symbol;
  }

  std::uint64_t size_of(const Declarator& declarator, std::uint64_t bytes) {
    for (const Dimension& dimension : declarator.dimensions)
      if (!dimension) return 0;
    for (const Dimension& dimension : declarator.dimensions)
      if (__builtin_mul_overflow(bytes, *dimension, &bytes) || bytes >> 40 != 0) {
        context_.error(declarator.name.text, "found an array of over a terabyte, expected one that fits");
        return 0;
      }
    return bytes;
  }

  CheckContext& context_;
  Scope& scope_;
  Declaration& declaration_;
  Place place_;
  Modifier type_;
};

}  // namespace

void check_declaration(CheckContext& context, Scope& scope, Declaration& declaration, Place place) {
  DeclarationChecker(context, scope, declaration, place).check();
}

void check_parameters(CheckContext& context, Scope& scope, std::vector<Declaration>& parameters,
                      Place place) {
  for (Declaration& parameter : parameters) {
    check_declaration(context, scope, parameter, place);
    const auto& dimensions = parameter.declarators[0].dimensions;
    if (!dimensions.empty() && !dimensions[0] && &parameter != &parameters.back())
      context.error(parameter.text, "found an open array, expected it as the last parameter only");
  }
}

/// § 7.1.1 allows one return value from sm_20 on; NVIDIA's assembler accepts several in registers, without
/// the ABI.
void check_returns(CheckContext& context, Scope& scope, std::vector<Declaration>& returns, Place place,
                   std::string_view name) {
  const bool are_registers =
      std::ranges::all_of(returns, [](const Declaration& value) { return value.space == Space::reg; });
  if (returns.size() > 1 && context.capabilities.sm >= 20 && !are_registers)
    context.error(
        name, fmt::format("found {} return values, expected at most one, or registers only", returns.size()));
  check_parameters(context, scope, returns, place);
}

void check_attributes(CheckContext& context, const std::vector<Attribute>& attributes, bool of_function,
                      Space space) {
  const bool is_global = !of_function && space == Space::global;
  for (const Attribute& attribute : attributes) {
    if (attribute.text == ".managed") {
      if (!is_global || attribute.uuid)
        context.error(attribute.text,
                      "found '.managed', expected it without numbers, for variables in '.global'");
      context.require(attribute.text, "'.managed'", 40, 30);
    } else if (attribute.text == ".unified") {
      if (!(is_global || of_function) || !attribute.uuid)
        context.error(
            attribute.text,
            "found '.unified', expected it with two numbers, for functions and variables in '.global'");
      context.require(attribute.text, "'.unified'", 80, 90);
    } else {
      context.error(attribute.text,
                    fmt::format("found '{}', expected '.managed' or '.unified'", attribute.text));
    }
  }
}

}  // namespace ptxmc::syntax
