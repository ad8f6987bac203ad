#include "semantics/language/source_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "semantics/values/check.hpp"

namespace ptxmc {

namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '%' || c == '$' || c == '.';
}

}  // namespace

SourceText::SourceText(std::string file, std::string text) : file_(std::move(file)), text_(std::move(text)) {
  std::vector<std::size_t> starts = {0};
  for (auto end = text_.find('\n'); end != std::string::npos; end = text_.find('\n', end + 1))
    starts.push_back(end + 1);
  line_starts_ = std::make_shared<const std::vector<std::size_t>>(std::move(starts));
}

SourceText::SourceText(const SourceText& original, std::string text, std::vector<std::size_t> origins)
    : file_(original.file_),
      text_(std::move(text)),
      line_starts_(original.line_starts_),
      origins_(std::move(origins)) {
  check(origins_.size() == text_.size() + 1, "each byte of a text, and its end, come from somewhere");
}

SourcePosition SourceText::position(std::size_t offset) const {
  if (!origins_.empty()) offset = origins_[std::min(offset, text_.size())];
  const std::vector<std::size_t>& starts = *line_starts_;
  const auto next = std::ranges::upper_bound(starts, offset);
  const auto line = static_cast<std::size_t>(next - starts.begin());
  return {static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(offset - starts[line - 1] + 1)};
}

std::string SourceText::found(std::size_t offset) const {
  constexpr std::size_t longest = 40;
  if (offset >= text_.size()) return "end of file";
  std::size_t end = offset;
  while (end < text_.size() && is_word(text_[end])) ++end;
  if (end - offset > longest) return "'" + text_.substr(offset, longest) + "…'";
  if (end > offset) return "'" + text_.substr(offset, end - offset) + "'";
  const auto byte = static_cast<unsigned char>(text_[offset]);
  if (byte == '\n') return "end of line";
  if (byte < 0x20 || byte >= 0x7f) return fmt::format("byte 0x{:02x}", byte);
  return fmt::format("'{}'", text_[offset]);
}

InputError SourceText::expected(std::size_t offset, std::string_view what) const {
  return InputError(file_, position(offset), fmt::format("found {}, expected {}", found(offset), what));
}

}  // namespace ptxmc
