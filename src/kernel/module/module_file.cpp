#include "src/kernel/module/module_file.hpp"

#include <fmt/format.h>

#include <memory>
#include <string_view>
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

namespace {

/// A chain of calls is followed so far.
constexpr std::size_t most_levels = 64;
/// So many levels are printed.
constexpr std::size_t most_shown = 4;

std::string text_of(const SourcePlace& place) { return fmt::format("{}:{}", place.file, place.line); }

/// Whether a file belongs to the CUDA toolkit or to libcu++.
bool is_of_toolkit(const std::string& file) {
  for (const char* part : {"/usr/", "cuda/std/", "targets/x86_64-linux/include/",
                           "targets/sbsa-linux/include/", "targets/aarch64-linux/include/"})
    if (file.find(part) != std::string::npos && (part != std::string_view("/usr/") || file.starts_with(part)))
      return true;
  return false;
}

/// The levels to be shown, the innermost first.
std::vector<SourcePlace> shown_levels(const SourceLine& source) {
  std::vector<SourcePlace> levels = source.inlined;
  std::erase_if(levels, [](const SourcePlace& place) { return is_of_toolkit(place.file); });
  levels.push_back(source);
  return levels;
}

}  // namespace

std::string source_text(const SourceLine& source) {
  const std::vector<SourcePlace> levels = shown_levels(source);
  std::string text = text_of(levels.front());
  for (std::size_t i = 1; i < levels.size(); ++i) {
    if (levels.size() > most_shown && i == most_shown / 2) {
      text += ", …";
      i = levels.size() - most_shown / 2;
    }
    text += ", inlined at " + text_of(levels[i]);
  }
  return text;
}

std::string short_source_text(const SourceLine& source) {
  const std::vector<SourcePlace> levels = shown_levels(source);
  if (levels.size() == 1) return text_of(source);
  return fmt::format("{} inlined into {}", text_of(levels.front()), text_of(source));
}

SourceLines::SourceLines(const syntax::Module& module) {
  for (const syntax::ModuleStatement& statement : module.statements) {
    if (const auto* file = std::get_if<syntax::File>(&statement.is))
      files_[file->index] = std::string(file->name.substr(1, file->name.size() - 2));
    const auto* function = std::get_if<syntax::Function>(&statement.is);
    if (function == nullptr || !function->body) continue;
    inlined_.clear();
    std::optional<std::size_t> current;
    add(*function->body, module, current);
  }
}

/// The position of a call may be inlined itself: then it is the position of an earlier `.loc`.
std::size_t SourceLines::level_of(const syntax::Location& location) {
  const auto key = [](const syntax::LinePosition& p) { return std::tuple(p.file, p.line, p.column); };
  std::optional<std::size_t> call;
  if (location.inlined_at.file != 0) {
    const auto outer = inlined_.find(key(location.inlined_at));
    if (outer == inlined_.end()) levels_.push_back({location.inlined_at, std::nullopt});
    call = outer == inlined_.end() ? levels_.size() - 1 : outer->second;
  }
  levels_.push_back({location.position, call});
  if (call) inlined_[key(location.position)] = levels_.size() - 1;
  return levels_.size() - 1;
}

void SourceLines::add(const syntax::Block& block, const syntax::Module& module,
                      std::optional<std::size_t>& current) {
  for (const syntax::Statement& statement : block.statements) {
    if (const auto* location = std::get_if<syntax::Location>(&statement.is)) current = level_of(*location);
    if (const auto* inner = std::get_if<syntax::Block>(&statement.is)) add(*inner, module, current);
    if (const auto* instruction = std::get_if<syntax::Instruction>(&statement.is);
        instruction != nullptr && current && levels_[*current].position.file != 0)
      lines_.emplace(module.position(instruction->text).line, *current);
  }
}

SourcePlace SourceLines::place(const syntax::LinePosition& position) const {
  const auto file = files_.find(position.file);
  return {file == files_.end() ? fmt::format("file {}", position.file) : file->second, position.line,
          position.column};
}

std::optional<SourceLine> SourceLines::of(std::uint32_t line) const {
  const auto found = lines_.find(line);
  if (found == lines_.end()) return std::nullopt;
  const Level* level = &levels_[found->second];
  SourceLine result;
  for (; level->call; level = &levels_[*level->call])
    if (result.inlined.size() < most_levels) result.inlined.push_back(place(level->position));
  static_cast<SourcePlace&>(result) = place(level->position);
  return result;
}

}  // namespace ptxmc::kernel
