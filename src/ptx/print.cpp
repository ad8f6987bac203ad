#include "src/ptx/print.hpp"

#include <fmt/format.h>

#include "src/ptx/parse_declaration.hpp"

namespace ptxmc::syntax {

namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;  // clang 16 requires it

std::string list(const auto& items, const auto& print_item) {
  std::string text;
  for (const auto& item : items) {
    if (!text.empty()) text += ", ";
    text += print_item(item);
  }
  return text;
}

std::string operands(const std::vector<Operand>& all) {
  return list(all, [](const Operand& operand) { return print(operand); });
}

/// `+4`, `+-4`, `+7U`: an offset is always added (§ 6.4.1).
std::string offset(const Constant& constant) { return "+" + to_string(constant); }

std::string address(const Address& address) {
  std::string text;
  if (address.base) text += address.base->text;
  if (address.offset) text += address.base ? offset(*address.offset) : to_string(*address.offset);
  if (address.in_brackets) text = "[" + text + "]";
  return address.is_unified ? text + ".unified" : text;
}

std::string_view prefix_text(NameOperand::Prefix prefix) {
  switch (prefix) {
    case NameOperand::Prefix::none:
      return "";
    case NameOperand::Prefix::negation:
      return "!";
    case NameOperand::Prefix::minus:
      return "-";
  }
  return "";
}

// --- declarations ----------------------------------------------------------------------------------

std::string print_initializer(const Initializer& initializer) {
  const auto address_value = [](const AddressValue& value) {
    std::string text(value.base.text);
    if (value.is_generic) text = "generic(" + text + ")";
    if (value.offset != 0) text += offset(Constant::of_signed(value.offset));
    return value.mask == 0 ? text : fmt::format("0x{:X}({})", value.mask, text);
  };
  const auto member = [](const MemberValue& value) {
    const auto* name = std::get_if<std::string_view>(&value.value);
    return fmt::format("{} = {}", value.member,
                       name != nullptr ? std::string(*name) : to_string(std::get<Constant>(value.value)));
  };
  return std::visit(
      Overloaded{[](const Constant& constant) { return to_string(constant); },
                 [](const ConstantList& constants) {
                   return "{" + list(constants.elements, [](const Constant& c) { return to_string(c); }) +
                          "}";
                 },
                 [](const InitializerList& all) { return "{" + list(all.elements, print_initializer) + "}"; },
                 address_value, member},
      initializer.is);
}

std::string declarator(const Declarator& declarator) {
  std::string text(declarator.name.text);
  if (declarator.count) text += fmt::format("<{}>", *declarator.count);
  for (const Dimension& dimension : declarator.dimensions)
    text += dimension ? fmt::format("[{}]", *dimension) : "[]";
  if (declarator.initializer) text += " = " + print_initializer(*declarator.initializer);
  return text;
}

std::string attributes(const std::vector<Attribute>& all) {
  if (all.empty()) return "";
  return fmt::format(" .attribute({})", list(all, [](const Attribute& attribute) {
                       return attribute.uuid
                                  ? fmt::format("{}({}, {})", attribute.text,
                                                to_string(Constant::of_unsigned(attribute.uuid->first)),
                                                to_string(Constant::of_unsigned(attribute.uuid->second)))
                                  : std::string(attribute.text);
                     }));
}

std::string_view linkage(Linkage linkage) {
  switch (linkage) {
    case Linkage::none:
      return "";
    case Linkage::external:
      return ".extern ";
    case Linkage::visible:
      return ".visible ";
    case Linkage::weak:
      return ".weak ";
    case Linkage::common:
      return ".common ";
  }
  return "";
}

std::string alignment(std::uint32_t bytes) { return bytes == 0 ? "" : fmt::format(" .align {}", bytes); }

std::string pointer(const PointerAttribute& pointer) {
  std::string text = " .ptr";
  if (pointer.space) text += fmt::format(" {}", name_of(*pointer.space));
  return text + alignment(pointer.alignment);
}

std::string print_declaration(const Declaration& declaration) {
  std::string text(linkage(declaration.linkage));
  text += name_of(declaration.space);
  text += alignment(declaration.alignment) + attributes(declaration.attributes);
  if (declaration.elements > 1) text += fmt::format(" .v{}", declaration.elements);
  if (declaration.type) text += fmt::format(" {}", declaration.type->spelling());
  if (declaration.pointer) text += pointer(*declaration.pointer);
  return text + " " + list(declaration.declarators, declarator);
}

std::string parameters(const std::vector<Declaration>& all) {
  return "(" + list(all, print_declaration) + ")";
}

// --- statements ------------------------------------------------------------------------------------

std::string print_location(const Location& location) {
  const auto numbers = [](const LinePosition& p) {
    return fmt::format("{} {} {}", p.file, p.line, p.column);
  };
  std::string text = ".loc " + numbers(location.position);
  if (!location.function_name.empty())
    text += fmt::format(", function_name {}, inlined_at {}", location.function_name,
                        numbers(location.inlined_at));
  return text;
}

std::string print_pragma(const Pragma& pragma) {
  return fmt::format(".pragma {};", list(pragma.strings, [](std::string_view s) { return std::string(s); }));
}

std::string print_targets(const Targets& targets) {
  return fmt::format("{}: {} {};", targets.label.text,
                     targets.are_functions ? ".calltargets" : ".branchtargets",
                     list(targets.targets, [](const Targets::Target& target) {
                       return target.count ? fmt::format("{}<{}>", target.name.text, *target.count)
                                           : std::string(target.name.text);
                     }));
}

std::string print_prototype(const Prototype& prototype) {
  std::string text = fmt::format("{}: .callprototype ", prototype.label.text);
  if (!prototype.returns.empty()) text += parameters(prototype.returns) + " ";
  text += "_";
  if (!prototype.parameters.empty()) text += " " + parameters(prototype.parameters);
  return text + (prototype.is_noreturn ? " .noreturn;" : ";");
}

/// Appends the lines of statements.
class Printer {
 public:
  explicit Printer(const Module& module) : module_(module) {}

  std::string print_module() {
    line(fmt::format(".version {}.{}", module_.version / 10, module_.version % 10));
    bool is_first = true;
    for (const ModuleStatement& statement : module_.statements) {
      std::visit([&](const auto& part) { add(part); }, statement.is);
      if (is_first && module_.address_size) line(fmt::format(".address_size {}", *module_.address_size));
      is_first = false;
    }
    return std::move(text_);
  }

 private:
  void line(std::string_view content) {
    text_.append(static_cast<std::size_t>(indentation_), '\t');
    text_ += content;
    text_ += '\n';
  }

  void add(const Target& target) {
    line(".target " + list(target.names, [](std::string_view name) { return std::string(name); }));
  }
  void add(const Declaration& declaration) { line(print_declaration(declaration) + ";"); }
  void add(const Alias& alias) { line(fmt::format(".alias {}, {};", alias.alias.text, alias.aliasee.text)); }
  void add(const Location& location) { line(print_location(location)); }
  void add(const Pragma& pragma) { line(print_pragma(pragma)); }
  void add(const Targets& targets) { line(print_targets(targets)); }
  void add(const Prototype& prototype) { line(print_prototype(prototype)); }
  void add(const Instruction& instruction) { line(print(instruction, module_)); }

  void add(const File& file) {
    std::string text = fmt::format(".file {} {}", file.index, file.name);
    for (const std::uint64_t number : file.time_and_size) text += fmt::format(", {}", number);
    line(text);
  }

  void add(const DebugSection& section) {
    if (section.name.empty()) return line(section.lines.front());
    line(fmt::format(".section {}", section.name));
    line("{");
    for (const std::string_view content : section.lines) line(content);
    line("}");
  }

  void add(const Label& label) {
    --indentation_;
    line(fmt::format("{}:", label.name.text));
    ++indentation_;
  }

  void add(const Block& block) {
    line("{");
    ++indentation_;
    for (const Statement& statement : block.statements)
      std::visit([&](const auto& part) { add(part); }, statement.is);
    --indentation_;
    line("}");
  }

  void add(const Function& function) {
    std::string head = std::string(linkage(function.linkage)) + (function.is_entry ? ".entry" : ".func");
    head += attributes(function.attributes) + " ";
    if (!function.returns.empty()) head += parameters(function.returns) + " ";
    line(fmt::format("{}{}{}", head, function.name.text, parameters(function.parameters)));
    for (const FunctionDirective& directive : function.directives)
      line(fmt::format("{} {}", directive.text, fmt::join(directive.values, ", ")));
    for (const Pragma& pragma : function.pragmas) add(pragma);
    if (function.body)
      add(*function.body);
    else
      line(";");
  }

  const Module& module_;
  std::string text_;
  int indentation_ = 0;
};

}  // namespace

std::string print(const Operand& operand) {
  return std::visit(
      Overloaded{[](const NameOperand& named) {
                   return fmt::format("{}{}{}", prefix_text(named.prefix), named.name.text, named.selector);
                 },
                 [](const Constant& constant) { return to_string(constant); },
                 [](const Address& a) { return address(a); },
                 [](const Vector& vector) { return "{" + operands(vector.elements) + "}"; },
                 [](const Pair& pair) { return print(pair.both[0]) + "|" + print(pair.both[1]); },
                 [](const Sink&) { return std::string("_"); },
                 [](const ArrayElement& element) {
                   return fmt::format("{}[{}]", element.array.text, operands(element.index));
                 },
                 [](const CompositeAddress& composite) {
                   return fmt::format("[{}]{}", operands(composite.parts),
                                      composite.is_unified ? ".unified" : "");
                 },
                 [](const Arguments& arguments) { return "(" + operands(arguments.list) + ")"; }},
      operand.is);
}

std::string print(const Instruction& instruction, const Module& module) {
  std::string text;
  if (instruction.guard)
    text = fmt::format("@{}{} ", instruction.guard->negated ? "!" : "", instruction.guard->predicate.text);
  text += module.mnemonics[instruction.mnemonic].spelling;
  if (!instruction.operands.empty()) text += " " + operands(instruction.operands);
  return text + ";";
}

std::string print(const Module& module) { return Printer(module).print_module(); }

}  // namespace ptxmc::syntax
