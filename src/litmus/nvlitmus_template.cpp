#include "src/litmus/nvlitmus_template.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "semantics/language/characters.hpp"

namespace ptxmc {

namespace {

/// A part of the file.
struct Field {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The offset after the comment that begins here; the same offset if there is none.
std::size_t end_of_c_comment(const SourceText& source, std::size_t begin) {
  const std::string& text = source.text();
  if (text.compare(begin, 2, "//") == 0) return std::min(text.find('\n', begin), text.size());
  if (text.compare(begin, 2, "/*") != 0) return begin;
  const std::size_t end = text.find("*/", begin + 2);
  if (end == std::string::npos)
    throw InputError(source.file(), source.position(begin),
                     "found end of file, expected '*/' to end the comment that begins here");
  return end + 2;
}

void check_byte(const SourceText& source, std::size_t offset) {
  const auto byte = static_cast<unsigned char>(source.text()[offset]);
  if ((byte < 0x20 && !is_blank(source.text()[offset])) || byte >= 0x7f)
    throw source.expected(offset, "text: this is no litmus test");
}

/// The text with comments replaced by blanks.
SourceText without_comments(const SourceText& source) {
  std::string text = source.text();
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = end_of_c_comment(source, i);
    if (end == i) {
      check_byte(source, i);
      ++i;
    }
    for (; i < end; ++i)
      if (text[i] != '\n') text[i] = ' ';
  }
  return {source.file(), std::move(text)};
}

Field trimmed(const std::string& text, Field field) {
  while (field.begin < field.end && is_blank(text[field.begin])) ++field.begin;
  while (field.begin < field.end && is_blank(text[field.end - 1])) --field.end;
  return field;
}

std::vector<Field> fields_of(const std::string& text, Field line) {
  std::vector<Field> fields;
  for (std::size_t begin = line.begin; begin <= line.end;) {
    const std::size_t end = std::min(text.find('|', begin), line.end);
    fields.push_back(trimmed(text, {begin, end}));
    begin = end + 1;
  }
  return fields;
}

/// The template before `end` with the fields of one line inserted.
SourceText instance(const SourceText& source, std::size_t end, const std::vector<Field>& fields) {
  const std::string& text = source.text();
  std::string made;
  std::vector<std::size_t> origins;
  const auto copy = [&](Field part) {
    made.append(text, part.begin, part.end - part.begin);
    for (std::size_t i = part.begin; i < part.end; ++i) origins.push_back(i);
  };
  for (std::size_t i = 0; i < end;) {
    if (text[i] != '$' || i + 1 == end || !is_digit(text[i + 1])) {
      copy({i, i + 1});
      ++i;
      continue;
    }
    std::size_t number = 0;
    std::size_t after = i + 1;
    for (; after < end && is_digit(text[after]); ++after)
      number =
          std::min<std::size_t>(10 * number + static_cast<std::size_t>(text[after] - '0'), fields.size());
    if (number >= fields.size()) {
      const auto line = fields.empty() ? 0 : source.position(fields.front().begin).line;
      throw InputError(source.file(), source.position(i),
                       fmt::format("found '{}', expected a field of line {}, which has {}",
                                   text.substr(i, after - i), line, fields.size()));
    }
    copy(fields[number]);
    i = after;
  }
  origins.push_back(end);
  return {source, std::move(made), std::move(origins)};
}

}  // namespace

std::vector<SourceText> instances_of_template(const SourceText& file) {
  const SourceText source = without_comments(file);
  const std::string& text = source.text();
  const std::size_t table = text.find("$$");
  if (table == std::string::npos) return {source};
  std::vector<SourceText> instances;
  for (std::size_t begin = table + 2; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const Field line = trimmed(text, {begin, end});
    if (line.begin < line.end) instances.push_back(instance(source, table, fields_of(text, line)));
    begin = end + 1;
  }
  if (instances.empty()) throw source.expected(text.size(), "a line of fields after '$$'");
  return instances;
}

}  // namespace ptxmc
