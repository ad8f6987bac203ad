#include "src/ptx/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "semantics/language/special_registers.hpp"
#include "src/ptx/check_context.hpp"
#include "src/ptx/check_declaration.hpp"
#include "src/ptx/check_function.hpp"
#include "src/ptx/parse.hpp"

namespace ptxmc::syntax {

namespace {

/// Checks the statements of one module, from first to last.
class ModuleChecker {
 public:
  ModuleChecker(Module& module, const InstructionSet& instructions, Diagnostics& diagnostics)
      : context_{module, instructions, diagnostics, {static_cast<PtxVersion>(module.version), 0, '\0'}, false,
                 {}},
        scope_(&predefined_) {
    context_.known_forms.resize(module.mnemonics.size());
  }

  void check() {
    declare_special_registers();
    auto& statements = context_.module.statements;
    for (std::uint32_t i = 0; i < statements.size(); ++i)
      std::visit([&](auto& part) { check_part(part, i); }, statements[i].is);
  }

 private:
  void declare_special_registers() {
    for (const SpecialRegister& special : special_registers()) {
      Symbol symbol;
      symbol.kind = Symbol::Kind::special_register;
      symbol.name = special.name;
      symbol.space = Space::sreg;
      symbol.type = special.type;
      symbol.elements = static_cast<std::uint8_t>(special.elements);
      if (special.count != 0) symbol.count = special.count;
      symbol.special = &special;
      context_.module.symbols.push_back(symbol);
      predefined_.declare(context_.module.symbols, static_cast<SymbolId>(context_.module.symbols.size() - 1));
    }
  }

  void check_part(Declaration& declaration, std::uint32_t) {
    if (declaration.linkage == Linkage::external || declares_external(declaration))
      return check_repeated(declaration);
    check_declaration(context_, scope_, declaration, Place::module);
  }

  /// Whether an earlier `.extern` declaration has declared the same names.
  bool declares_external(const Declaration& declaration) const {
    return std::any_of(declaration.declarators.begin(), declaration.declarators.end(),
                       [&](const Declarator& d) {
                         const auto earlier = scope_.find_here(d.name.text);
                         return earlier && context_.module.symbols[*earlier].linkage == Linkage::external;
                       });
  }

  /// § 11.6.1: an external variable may be declared several times and defined once, with the same type each
  /// time.
  void check_repeated(Declaration& declaration) {
    Scope apart(&scope_);
    check_declaration(context_, apart, declaration, Place::module);
    for (Declarator& declarator : declaration.declarators) {
      const auto earlier = scope_.find_here(declarator.name.text);
      const auto later = apart.find_here(declarator.name.text);
      if (!later) continue;
      if (!earlier) {
        scope_.declare(context_.module.symbols, *later);
        continue;
      }
      check_alike(declarator, *earlier, *later);
    }
  }

  void check_alike(Declarator& declarator, SymbolId earlier, SymbolId later) {
    Symbol& known = context_.module.symbols[earlier];
    const Symbol& repeated = context_.module.symbols[later];
    const auto line = context_.module.position(known.name).line;
    const std::string_view name = declarator.name.text;
    const bool is_variable = known.kind == Symbol::Kind::variable;
    const bool is_open = known.size == 0 || repeated.size == 0;
    const bool alike = is_variable && known.space == repeated.space && known.type == repeated.type &&
                       known.elements == repeated.elements && known.is_array == repeated.is_array &&
                       (is_open || known.size == repeated.size);
    const bool is_defined = known.linkage != Linkage::external && repeated.linkage != Linkage::external;
    if (is_defined)
      context_.error(name, fmt::format("'{}' is declared twice, first in line {}", name, line));
    else if (!alike)
      context_.error(name, fmt::format("'{}' is declared with another type in line {}", name, line));
    else if (known.linkage == Linkage::external && repeated.linkage == Linkage::none)
      context_.error(name,
                     fmt::format("found '{}' without linkage, expected '.visible': it is external in line {}",
                                 name, line));
    declarator.name.symbol = earlier;
    if (repeated.linkage != Linkage::external) known = repeated;
  }

  void check_part(Function& function, std::uint32_t statement) {
    check_function(context_, scope_, function, statement);
  }

  /// § 11.1.2. Later `.target` directives change what may be used after them.
  void check_part(Target& target, std::uint32_t) {
    static constexpr std::array<std::string_view, 4> options = {"texmode_unified", "texmode_independent",
                                                                "debug", "map_f64_to_f32"};
    bool has_architecture = false;
    for (const std::string_view name : target.names) {
      if (name.starts_with("texmode_")) check_texture_mode(name);
      if (std::find(options.begin(), options.end(), name) != options.end()) continue;
      has_architecture = true;
      check_architecture(name);
    }
    if (!has_architecture) context_.error(target.text, "found no architecture, expected one such as sm_90");
  }

  /// § 9.7.10.1: a module has one texture mode, by default the unified one.
  void check_texture_mode(std::string_view name) {
    if (!texture_mode_.empty() && texture_mode_ != name)
      context_.error(
          name, fmt::format("found '{}', expected the module's one texture mode, {}", name, texture_mode_));
    texture_mode_ = name;
    context_.has_independent_samplers = name == "texmode_independent";
  }

  void check_architecture(std::string_view name) {
    const auto named = target_named(name);
    const PtxVersion version = context_.capabilities.version;
    if (!named || (named->introduced == 0 && version <= newest_version))
      return context_.error(name, fmt::format("found '{}', expected a target such as sm_90", name));
    if (named->introduced > version)
      context_.error(name, fmt::format("'{}' needs PTX ISA {}, the module says {}", name,
                                       version_text(named->introduced), version_text(version)));
    context_.capabilities.sm = named->sm;
    context_.capabilities.suffix = named->suffix;
  }

  void check_part(Alias& alias, std::uint32_t) { check_alias(context_, scope_, alias); }

  void check_part(File& file, std::uint32_t) {
    if (std::find(files_.begin(), files_.end(), file.index) != files_.end())
      context_.error(file.text, fmt::format("found file {} again, expected another index", file.index));
    files_.push_back(file.index);
  }

  void check_part(Location&, std::uint32_t) {}
  void check_part(DebugSection&, std::uint32_t) {}
  void check_part(Pragma&, std::uint32_t) {}

  CheckContext context_;
  Scope predefined_;
  Scope scope_;
  std::vector<std::uint64_t> files_;
  std::string_view texture_mode_;  ///< empty: not given
};

}  // namespace

void check(Module& module, const InstructionSet& instructions, Diagnostics& diagnostics) {
  ModuleChecker(module, instructions, diagnostics).check();
}

Module read_module(std::shared_ptr<const SourceText> source, const InstructionSet& instructions,
                   Diagnostics& diagnostics) {
  Module module = parse(std::move(source), diagnostics);
  check(module, instructions, diagnostics);
  diagnostics.sort_by_position();
  return module;
}

}  // namespace ptxmc::syntax
