#include "src/ptx/check_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "src/ptx/check_body.hpp"
#include "src/ptx/check_declaration.hpp"
#include "src/ptx/function_signature.hpp"

namespace ptxmc::syntax {

namespace {

/// For each directive of functions, where it is allowed and the version that introduced it: PTX ISA 8.7 §
/// 11.4 and § 11.7.
struct DirectiveRule {
  std::string_view word;
  bool for_entries;
  PtxVersion introduced;
  std::uint16_t sm;
  bool takes_zero = false;
};
constexpr std::array<DirectiveRule, 12> directive_rules = {{{".maxntid", true, 13, 0},
                                                            {".reqntid", true, 21, 0},
                                                            {".minnctapersm", true, 20, 0},
                                                            {".maxnctapersm", true, 13, 0},
                                                            {".maxnreg", true, 13, 0},
                                                            {".noreturn", false, 64, 30},
                                                            {".reqnctapercluster", true, 78, 90},
                                                            {".explicitcluster", true, 78, 90},
                                                            {".maxclusterrank", true, 78, 90},
                                                            {".blocksareclusters", true, 90, 90},
                                                            {".abi_preserve", false, 90, 80, true},
                                                            {".abi_preserve_control", false, 90, 80, true}}};

/// Checks one header.
class HeaderChecker {
 public:
  HeaderChecker(CheckContext& context, const Function& function) : context_(context), function_(function) {}

  void check() {
    for (const FunctionDirective& directive : function_.directives) check_directive(directive);
    conflict(".maxntid", ".reqntid");
    conflict(".reqnctapercluster", ".maxclusterrank");
    if (function_.has(".noreturn") && !function_.returns.empty())
      error("found '.noreturn', expected it for functions without return values");
    if (function_.linkage == Linkage::common) error("found '.common', expected it for variables");
    if (function_.linkage == Linkage::external && function_.body)
      error("found a body, expected none for an external function");
    if (!function_.is_entry && !function_.pragmas.empty())
      context_.error(function_.pragmas.front().text, "found '.pragma', expected it for entries");
    // PTX ISA 9.0
    if (function_.has(".blocksareclusters") &&
        !(function_.has(".reqntid") && function_.has(".reqnctapercluster")))
      error("found '.blocksareclusters', expected '.reqntid' and '.reqnctapercluster' with it");
    check_attributes(context_, function_.attributes, true, Space::global);
  }

 private:
  void error(std::string message) { context_.error(function_.name.text, std::move(message)); }

  void check_directive(const FunctionDirective& directive) {
    const auto rule = std::find_if(directive_rules.begin(), directive_rules.end(),
                                   [&](const DirectiveRule& r) { return r.word == directive.text; });
    if (rule->for_entries != function_.is_entry)
      return context_.error(directive.text, fmt::format("found '{}', expected it for {}", directive.text,
                                                        rule->for_entries ? "entries" : "functions"));
    context_.require(directive.text, fmt::format("'{}'", directive.text), rule->introduced, rule->sm);
    const bool has_zero =
        std::find(directive.values.begin(), directive.values.end(), 0) != directive.values.end();
    if (has_zero && !rule->takes_zero) context_.error(directive.text, "found 0, expected a positive number");
  }

  void conflict(std::string_view a, std::string_view b) {
    if (function_.has(a) && function_.has(b))
      error(fmt::format("found '{}' and '{}', expected only one of them", a, b));
  }

  CheckContext& context_;
  const Function& function_;
};

/// Checks the total size of the parameters of an entry: PTX ISA 8.7 § 11.2.1.
void check_parameter_space(CheckContext& context, const Scope& scope, const Function& function) {
  const std::uint64_t most = context.capabilities.version >= 81 ? 32764 : 4352;
  std::uint64_t end = 0;
  for (const Declaration& parameter : function.parameters) {
    Name name = parameter.declarators[0].name;
    if (!scope.resolve(name)) continue;
    const Symbol& symbol = context.symbol(name);
    const std::uint64_t alignment = std::max<std::uint64_t>(1, symbol.alignment);
    end = (end + alignment - 1) / alignment * alignment + symbol.size;
  }
  if (end > most)
    context.error(function.name.text,
                  fmt::format("found {} bytes of parameters, expected at most {}", end, most));
}

/// Declares the function, or checks that it agrees with its earlier declaration.
void declare_function(CheckContext& context, Scope& scope, Function& function, std::uint32_t statement) {
  Symbol symbol;
  symbol.kind = function.is_entry ? Symbol::Kind::entry : Symbol::Kind::function;
  symbol.linkage = function.linkage;
  symbol.function = statement;
  const auto earlier = scope.find_here(function.name.text);
  const bool is_function = earlier && (context.module.symbols[*earlier].kind == Symbol::Kind::function ||
                                       context.module.symbols[*earlier].kind == Symbol::Kind::entry);
  if (!is_function) return context.declare(scope, function.name, symbol);
  function.name.symbol = *earlier;
  Symbol& known = context.module.symbols[*earlier];
  const Function& declared = function_of(context.module, known);
  const auto line = context.module.position(declared.name.text).line;
  if (declared.is_entry != function.is_entry || !same_signature(declared, function))
    context.error(function.name.text,
                  fmt::format("'{}' is declared with other parameters in line {}", function.name.text, line));
  if (!function.body) return;
  if (declared.body)
    context.error(function.name.text,
                  fmt::format("'{}' is defined twice, first in line {}", function.name.text, line));
  known.function = statement;
}

}  // namespace

void check_function(CheckContext& context, Scope& module_scope, Function& function, std::uint32_t statement) {
  HeaderChecker(context, function).check();
  declare_function(context, module_scope, function, statement);
  Scope scope(&module_scope);
  const Place place = function.is_entry ? Place::entry_parameter : Place::function_parameter;
  check_returns(context, scope, function.returns, function.is_entry ? place : Place::function_return,
                function.name.text);
  check_parameters(context, scope, function.parameters, place);
  if (function.is_entry) check_parameter_space(context, scope, function);
  if (function.body) check_body(context, scope, function);
}

void check_alias(CheckContext& context, const Scope& module_scope, Alias& alias) {
  context.require(alias.text, "'.alias'", 63, 30);
  const bool both =
      context.resolve(module_scope, alias.alias) && context.resolve(module_scope, alias.aliasee);
  if (!both) return;
  const Symbol& from = context.symbol(alias.alias);
  const Symbol& to = context.symbol(alias.aliasee);
  for (const Name* name : {&alias.alias, &alias.aliasee})
    if (context.symbol(*name).kind != Symbol::Kind::function)
      return context.error(name->text,
                           fmt::format("found '{}', expected a function declared with '.func'", name->text));
  const Function& alias_function = function_of(context.module, from);
  const Function& aliasee_function = function_of(context.module, to);
  if (alias_function.body)
    context.error(alias.alias.text,
                  fmt::format("found '{}' with a body, expected a declaration only", alias.alias.text));
  if (!aliasee_function.body)
    context.error(alias.aliasee.text,
                  fmt::format("found '{}' without a body, expected a definition", alias.aliasee.text));
  if (to.linkage == Linkage::weak)
    context.error(alias.aliasee.text,
                  fmt::format("found '{}' with '.weak', expected another linkage", alias.aliasee.text));
  if (!same_signature(alias_function, aliasee_function))
    context.error(alias.text,
                  fmt::format("'{}' and '{}' have other parameters", alias.alias.text, alias.aliasee.text));
}

}  // namespace ptxmc::syntax
