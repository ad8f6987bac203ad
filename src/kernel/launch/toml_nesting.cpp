#include "src/kernel/launch/toml_nesting.hpp"

#include <algorithm>
#include <vector>

#include "semantics/language/nesting.hpp"

namespace ptxmc::kernel {

namespace {

/// The offset after the string that begins here. The parser of TOML reports a string without an end.
std::size_t end_of_string(const std::string& text, std::size_t begin) {
  const char quote = text[begin];
  const std::string three(3, quote);
  const bool is_long = text.compare(begin, 3, three) == 0;
  for (std::size_t i = begin + (is_long ? 3 : 1); i < text.size(); ++i) {
    if (is_long ? text.compare(i, 3, three) == 0 : text[i] == quote) return i + (is_long ? 3 : 1);
    if (!is_long && text[i] == '\n') return i;
    if (quote == '"' && text[i] == '\\') ++i;
  }
  return text.size();
}

}  // namespace

void check_toml_nesting(const SourceText& source) {
  const std::string& text = source.text();
  std::vector<unsigned> outside;  // by open bracket: the levels around it
  unsigned levels = 0;            // at the current position
  const auto deepen = [&](std::size_t i) {
    if (++levels > deepest_nesting) throw InputError(source.file(), source.position(i), nesting_error());
  };
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (c == '"' || c == '\'') {
      i = end_of_string(text, i);
      continue;
    }
    if (c == '[' || c == '{') {
      outside.push_back(levels);
      deepen(i);
    } else if (c == '.') {
      deepen(i);
    } else if ((c == ']' || c == '}') && !outside.empty()) {
      levels = outside.back();
      outside.pop_back();
    } else if (c == ',' || c == '\n') {  // the next key or element
      levels = outside.empty() ? 0 : outside.back() + 1;
    }
    ++i;
  }
}

}  // namespace ptxmc::kernel
