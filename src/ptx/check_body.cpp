#include "src/ptx/check_body.hpp"

#include <fmt/format.h>

#include "src/ptx/check_declaration.hpp"
#include "src/ptx/check_instruction.hpp"
#include "src/ptx/function_signature.hpp"

namespace ptxmc::syntax {

namespace {

/// Checks the blocks of one function.
class BodyChecker {
 public:
  explicit BodyChecker(CheckContext& context) : context_(context), instructions_(context) {}

  /// Labels belong to their block and may be used before their position; variables, lists of targets (§
  /// 9.7.12.4) and prototypes must precede their uses.
  void check(Scope& scope, Block& block) {
    for (Statement& statement : block.statements) declare_label(scope, statement);
    for (Statement& statement : block.statements)
      std::visit([&](auto& part) { check_part(scope, part); }, statement.is);
  }

 private:
  void declare(Scope& scope, Name& name, Symbol::Kind kind) {
    Symbol symbol;
    symbol.kind = kind;
    context_.declare(scope, name, symbol);
  }

  void declare_label(Scope& scope, Statement& statement) {
    if (auto* label = std::get_if<Label>(&statement.is)) declare(scope, label->name, Symbol::Kind::label);
  }

  void check_part(Scope& scope, Block& block) {
    Scope inner(&scope);
    check(inner, block);
  }
  void check_part(Scope& scope, Declaration& declaration) {
    check_declaration(context_, scope, declaration, Place::body);
  }
  void check_part(Scope& scope, Instruction& instruction) { instructions_.check(scope, instruction); }
  void check_part(Scope&, Label&) {}
  void check_part(Scope&, Location&) {}
  void check_part(Scope&, Pragma&) {}

  void check_part(Scope& scope, Targets& targets) {
    declare(scope, targets.label,
            targets.are_functions ? Symbol::Kind::call_targets : Symbol::Kind::branch_targets);
    instructions_.add(targets);
    const auto wanted = targets.are_functions ? Symbol::Kind::function : Symbol::Kind::label;
    for (Targets::Target& target : targets.targets) {
      if (target.count) {
        check_numbered(scope, target);
        continue;
      }
      if (!context_.resolve(scope, target.name)) continue;
      if (context_.symbol(target.name).kind != wanted)
        context_.error(target.name.text, fmt::format("found '{}', expected a {}", target.name.text,
                                                     targets.are_functions ? "function" : "label"));
    }
    if (targets.are_functions) check_same_signature(targets);
  }

  /// `N<5>`: the labels N0 to N4.
  void check_numbered(const Scope& scope, Targets::Target& target) {
    if (*target.count == 0)
      context_.error(target.name.text,
                     fmt::format("found '{}<0>', expected at least one label", target.name.text));
    for (std::uint32_t i = 0; i < *target.count; ++i) {
      const std::string text = fmt::format("{}{}", target.name.text, i);
      Name name{text};
      if (!scope.resolve(name) || context_.symbol(name).kind != Symbol::Kind::label)
        return context_.error(target.name.text, fmt::format("label '{}' is not declared here", text));
      target.numbered.push_back(name.symbol);
    }
  }

  void check_same_signature(const Targets& targets) {
    const Function* first = nullptr;
    for (const Targets::Target& target : targets.targets) {
      if (target.name.symbol == no_symbol || context_.symbol(target.name).kind != Symbol::Kind::function)
        continue;
      const Function& function = function_of(context_.module, context_.symbol(target.name));
      if (first != nullptr && !same_signature(*first, function))
        context_.error(target.name.text,
                       fmt::format("found '{}', expected a function with the parameters of '{}'",
                                   target.name.text, first->name.text));
      if (first == nullptr) first = &function;
    }
  }

  void check_part(Scope& scope, Prototype& prototype) {
    declare(scope, prototype.label, Symbol::Kind::prototype);
    instructions_.add(prototype);
    check_returns(context_, scope, prototype.returns, Place::prototype_return, prototype.label.text);
    check_parameters(context_, scope, prototype.parameters, Place::prototype);
    if (prototype.is_noreturn && !prototype.returns.empty())
      context_.error(prototype.label.text,
                     "found '.noreturn', expected it for prototypes without return values");
  }

  CheckContext& context_;
  InstructionChecker instructions_;
};

}  // namespace

void check_body(CheckContext& context, Scope& scope, Function& function) {
  BodyChecker(context).check(scope, *function.body);
}

}  // namespace ptxmc::syntax
