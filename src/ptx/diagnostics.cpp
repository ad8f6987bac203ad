#include "src/ptx/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "semantics/language/visible_text.hpp"

namespace ptxmc::syntax {

namespace {

std::string_view line_of(std::string_view text, std::uint32_t number) {
  for (; number > 1; --number) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

}  // namespace

void Diagnostics::error(SourcePosition where, std::string message) {
  if (++errors_ <= most_errors) all_.push_back({Diagnostic::Severity::error, where, std::move(message)});
}

void Diagnostics::note(SourcePosition where, std::string message) {
  all_.push_back({Diagnostic::Severity::note, where, std::move(message)});
}

void Diagnostics::sort_by_position() {
  std::stable_sort(all_.begin(), all_.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::pair(a.where.line, a.where.column) < std::pair(b.where.line, b.where.column);
  });
}

std::string show(const Diagnostic& diagnostic, const SourceText& source) {
  const auto [line, column] = diagnostic.where;
  const auto severity = diagnostic.severity == Diagnostic::Severity::error ? "error" : "note";
  const auto shown = fmt::format("{}:{}:{}: {}: {}\n", visible_line(source.file()), line, column, severity,
                                 diagnostic.message);
  return line == 0 ? shown : shown + marked_line(line_of(source.text(), line), column);
}

}  // namespace ptxmc::syntax
