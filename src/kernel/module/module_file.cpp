#include "src/kernel/module/module_file.hpp"

#include <fmt/format.h>

#include <memory>
#include <tuple>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/text_file.hpp"
#include "src/ptx/check.hpp"

namespace ptxmc::kernel {

syntax::Module read_module_of(const Launch& launch) {
  const std::filesystem::path& file = launch.module;
  auto text = launch.module_text ? launch.module_text : text_of_file(file);
  if (!text)
    throw InputError(
        launch.module_where.file, launch.module_where.where,
        fmt::format("found {} '{}', expected the PTX module", unreadable_text(file), file.string()));
  const auto source = std::make_shared<const SourceText>(file.string(), std::move(*text));
  syntax::Diagnostics diagnostics;
  syntax::Module module = syntax::read_module(source, ptx(), diagnostics);
  for (const syntax::Diagnostic& diagnostic : diagnostics.all())
    if (diagnostic.severity == syntax::Diagnostic::Severity::error)
      throw InputError(file.string(), diagnostic.where, diagnostic.message);
  return module;
}

SourceLines::SourceLines(const syntax::Module& module) {
  for (const syntax::ModuleStatement& statement : module.statements) {
    if (const auto* file = std::get_if<syntax::File>(&statement.is))
      files_[file->index] = std::string(file->name.substr(1, file->name.size() - 2));
    const auto* function = std::get_if<syntax::Function>(&statement.is);
    if (function == nullptr || !function->body) continue;
    syntax::LinePosition current;
    add(*function->body, module, current);
  }
}

/// For inlined code the position of the outermost call; the position of a call may be inlined itself.
syntax::LinePosition SourceLines::outermost(const syntax::Location& location) {
  const auto key = [](const syntax::LinePosition& p) { return std::tuple(p.file, p.line, p.column); };
  if (location.inlined_at.file == 0) return location.position;
  const auto outer = inlined_.find(key(location.inlined_at));
  return inlined_[key(location.position)] = outer == inlined_.end() ? location.inlined_at : outer->second;
}

void SourceLines::add(const syntax::Block& block, const syntax::Module& module,
                      syntax::LinePosition& current) {
  for (const syntax::Statement& statement : block.statements) {
    if (const auto* location = std::get_if<syntax::Location>(&statement.is)) current = outermost(*location);
    if (const auto* inner = std::get_if<syntax::Block>(&statement.is)) add(*inner, module, current);
    if (const auto* instruction = std::get_if<syntax::Instruction>(&statement.is);
        instruction != nullptr && current.file != 0)
      lines_.emplace(module.position(instruction->text).line, current);
  }
}

std::optional<SourceLine> SourceLines::of(std::uint32_t line) const {
  const auto found = lines_.find(line);
  if (found == lines_.end()) return std::nullopt;
  const auto file = files_.find(found->second.file);
  return SourceLine{file == files_.end() ? fmt::format("file {}", found->second.file) : file->second,
                    found->second.line};
}

}  // namespace ptxmc::kernel
