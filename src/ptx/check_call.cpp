#include "src/ptx/check_call.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "src/ptx/check_operand.hpp"
#include "src/ptx/function_signature.hpp"
#include "src/ptx/type_agreement.hpp"

namespace ptxmc::syntax {

namespace {

struct Signature {
  const std::vector<Declaration>* returns = nullptr;
  const std::vector<Declaration>* parameters = nullptr;
};

/// Checks one call.
class CallChecker {
 public:
  CallChecker(CheckContext& context, const FunctionLabels& labels, const Instruction& call)
      : context_(context), labels_(labels), call_(call) {}

  void check() {
    static const std::vector<Operand> none;
    const auto& operands = call_.operands;
    std::size_t at = 0;
    const Arguments* returns = operands.empty() ? nullptr : std::get_if<Arguments>(&operands[at].is);
    if (returns != nullptr) ++at;
    if (at == operands.size())
      return context_.error(call_.text, "found no function, expected one to be called");
    const Operand& callee = operands[at++];
    const Arguments* arguments = at < operands.size() ? std::get_if<Arguments>(&operands[at].is) : nullptr;
    if (arguments != nullptr) ++at;
    const auto signature = signature_of(callee, at < operands.size() ? &operands[at] : nullptr);
    if (!signature) return check_without_signature(returns, arguments);
    check_list(returns != nullptr ? returns->list : none, *signature->returns, true);
    check_list(arguments != nullptr ? arguments->list : none, *signature->parameters, false);
  }

 private:
  void error(const Operand& operand, std::string message) {
    context_.error(operand.text, std::move(message));
  }

  static Signature signature(const Function& function) { return {&function.returns, &function.parameters}; }

  std::optional<Signature> signature_of(const Operand& callee, const Operand* list) {
    const auto* named = std::get_if<NameOperand>(&callee.is);
    const Symbol* symbol = named != nullptr ? &context_.symbol(named->name) : nullptr;
    if (symbol != nullptr && symbol->kind == Symbol::Kind::function) {
      if (list != nullptr) error(*list, "found a prototype, expected none for a direct call");
      return signature(function_of(context_.module, *symbol));
    }
    if (symbol == nullptr || !is_register(*symbol)) {
      error(callee,
            fmt::format("found '{}', expected a function or a register with its address", callee.text));
      return std::nullopt;
    }
    const Type type = type_of(*symbol->type);
    if (type.width != context_.address_bits() || (type.kind != Type::Kind::bits && !type.is_integer()))
      error(callee, fmt::format("found '{}' of type {}, expected an integer or bit-size type of {} bits",
                                callee.text, symbol->type->spelling(), context_.address_bits()));
    return signature_of_indirect(callee, list);
  }

  std::optional<Signature> signature_of_indirect(const Operand& callee, const Operand* list) {
    const auto* named = list != nullptr ? std::get_if<NameOperand>(&list->is) : nullptr;
    if (named == nullptr) {
      error(callee, "found no prototype, expected '.callprototype' or '.calltargets' for an indirect call");
      return std::nullopt;
    }
    if (const auto prototype = labels_.prototypes.find(named->name.symbol);
        prototype != labels_.prototypes.end())
      return Signature{&prototype->second->returns, &prototype->second->parameters};
    if (const auto targets = labels_.targets.find(named->name.symbol);
        targets != labels_.targets.end() && targets->second->are_functions)
      return signature_of_targets(*targets->second);
    if (context_.symbol(named->name).kind == Symbol::Kind::variable)
      return std::nullopt;  // a table of functions
    error(*list,
          fmt::format("found '{}', expected a label of '.callprototype' or '.calltargets'", list->text));
    return std::nullopt;
  }

  std::optional<Signature> signature_of_targets(const Targets& targets) {
    for (const Targets::Target& target : targets.targets)
      if (target.name.symbol != no_symbol && context_.symbol(target.name).kind == Symbol::Kind::function)
        return signature(function_of(context_.module, context_.symbol(target.name)));
    return std::nullopt;
  }

  static bool is_open(const Declaration& formal) {
    const auto& dimensions = formal.declarators[0].dimensions;
    return !dimensions.empty() && !dimensions[0];
  }

  void check_list(const std::vector<Operand>& actuals, const std::vector<Declaration>& formals,
                  bool returns) {
    const bool may_lack_last = !formals.empty() && is_open(formals.back());
    const std::size_t least = formals.size() - (may_lack_last ? 1 : 0);
    if (actuals.size() < least || actuals.size() > formals.size())
      return context_.error(call_.text, fmt::format("found {} {}, expected {}", actuals.size(),
                                                    returns ? "return values" : "arguments", formals.size()));
    for (std::size_t i = 0; i < actuals.size(); ++i) check_one(actuals[i], formals[i], returns);
  }

  /// A call through a table of functions, which does not give their parameters.
  void check_without_signature(const Arguments* returns, const Arguments* arguments) {
    for (const Arguments* list : {returns, arguments})
      for (const Operand& actual : list != nullptr ? list->list : std::vector<Operand>{}) {
        const auto* named = std::get_if<NameOperand>(&actual.is);
        const bool is_number = std::holds_alternative<Constant>(actual.is) && list == arguments;
        const bool is_nothing = std::holds_alternative<Sink>(actual.is) && list == returns;
        if (named != nullptr ? !can_be_passed(context_.symbol(named->name), *named)
                             : !is_number && !is_nothing)
          error(actual, fmt::format("found '{}', expected a register or variable in .param", actual.text));
      }
  }

  void check_one(const Operand& actual, const Declaration& formal, bool is_return) {
    if (std::holds_alternative<Sink>(actual.is)) {
      if (!is_return) error(actual, "found '_', expected an argument");
      return;
    }
    if (const auto* constant = std::get_if<Constant>(&actual.is)) {
      const bool fits = formal.declarators[0].dimensions.empty() && formal.elements == 1 &&
                        (agrees({type_of(*formal.type), formal.type, false}, *constant));
      if (is_return || !fits)
        error(actual, fmt::format("found '{}', expected {} for '{}'", actual.text, described(formal),
                                  formal.declarators[0].name.text));
      return;
    }
    const auto* named = std::get_if<NameOperand>(&actual.is);
    if (named == nullptr || !fits(context_.symbol(named->name), *named, formal))
      error(actual, fmt::format("found '{}', expected {} for '{}'", actual.text, described(formal),
                                formal.declarators[0].name.text));
  }

  static std::string described(const Declaration& formal) {
    if (!formal.declarators[0].dimensions.empty()) return "an array in .param of the same size and alignment";
    return fmt::format("a register or variable in .param of type {}", formal.type->spelling());
  }

  /// § 7.1: a register, or a variable in `.param` that the body declares.
  static bool can_be_passed(const Symbol& symbol, const NameOperand& named) {
    const bool is_in_body = symbol.space == Space::param && symbol.role == Symbol::Role::local;
    return symbol.kind == Symbol::Kind::variable && (is_in_body || symbol.space == Space::reg) &&
           named.prefix == NameOperand::Prefix::none;
  }

  /// § 7.1: scalars may be in either state space; arrays are in `.param`, of the same size and alignment.
  bool fits(const Symbol& symbol, const NameOperand& named, const Declaration& formal) const {
    if (!can_be_passed(symbol, named)) return false;
    const bool is_local_parameter = symbol.space == Space::param;
    const auto& dimensions = formal.declarators[0].dimensions;
    const std::uint32_t element = std::max(1, type_of(*formal.type).width / 8);
    if (dimensions.empty()) {
      const bool is_whole = named.selector.empty() ? symbol.elements == formal.elements : symbol.elements > 1;
      return !symbol.is_array && is_whole &&
             agrees({type_of(*formal.type), formal.type, false}, *symbol.type);
    }
    const std::uint32_t alignment = formal.alignment != 0 ? formal.alignment : element;
    if (!is_local_parameter || !symbol.is_array) return false;
    if (is_open(formal)) return symbol.alignment >= alignment;
    std::uint64_t size = element;
    for (const Dimension& dimension : dimensions) size *= *dimension;
    return symbol.size == size && symbol.alignment == alignment;
  }

  CheckContext& context_;
  const FunctionLabels& labels_;
  const Instruction& call_;
};

}  // namespace

void check_call(CheckContext& context, const FunctionLabels& labels, const Instruction& call) {
  CallChecker(context, labels, call).check();
}

void check_branch(CheckContext& context, const Instruction& branch) {
  const Operand& target = branch.operands.back();
  const bool is_indexed = branch.operands.size() > 1;
  const auto wanted = is_indexed ? Symbol::Kind::branch_targets : Symbol::Kind::label;
  const auto* named = std::get_if<NameOperand>(&target.is);
  if (named != nullptr && context.symbol(named->name).kind == wanted) return;
  context.error(target.text, fmt::format("found '{}', expected {}", target.text,
                                         is_indexed ? "the label of '.branchtargets'" : "a label"));
}

}  // namespace ptxmc::syntax
