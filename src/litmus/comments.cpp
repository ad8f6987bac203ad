#include "src/litmus/comments.hpp"

#include <fmt/format.h>

#include <array>

#include "semantics/language/characters.hpp"

namespace ptxmc {

namespace {

/// The words of one line of a comment, with their positions.
class Words {
 public:
  Words(const SourceText& source, std::size_t begin, std::size_t end)
      : source_(source), at_(begin), end_(end) {
    skip_blanks();
  }

  std::size_t offset() const { return at_; }

  std::string next() {
    const std::size_t begin = at_;
    while (at_ < end_ && !is_blank(source_.text()[at_])) ++at_;
    const std::string word = source_.text().substr(begin, at_ - begin);
    skip_blanks();
    return word;
  }

  std::string rest() {
    std::size_t end = end_;
    while (end > at_ && is_blank(source_.text()[end - 1])) --end;
    return source_.text().substr(at_, end - at_);
  }

 private:
  void skip_blanks() {
    while (at_ < end_ && is_blank(source_.text()[at_])) ++at_;
  }

  const SourceText& source_;
  std::size_t at_, end_;
};

Expectation read_expectation(const SourceText& source, Words words) {
  const std::size_t begin = words.offset();
  const std::string model = words.next();
  const std::size_t word = words.offset();
  const std::string said = words.rest();
  if (said == "unknown") return {model, LitmusProperty::condition, said, source.position(begin)};
  for (const LitmusPropertyWords& property : litmus_properties())
    if (said == property.yes || said == property.no)
      return {model, property.property, said, source.position(begin)};
  std::string expected;
  for (const LitmusPropertyWords& property : litmus_properties())
    expected += fmt::format("{}, {}, ", property.yes, property.no);
  throw InputError(
      source.file(), source.position(word),
      fmt::format("found '{}', expected {}or unknown after the name of a model", said, expected));
}

void add_expectation(const SourceText& source, Expectation expectation, UncommentedText& result) {
  for (const Expectation& earlier : result.expectations)
    if (earlier.model == expectation.model && earlier.property == expectation.property)
      throw InputError(source.file(), expectation.where,
                       fmt::format("found a second expectation of {}, expected one", expectation.model));
  result.expectations.push_back(std::move(expectation));
}

void read_comment(const SourceText& source, std::size_t begin, std::size_t end, UncommentedText& result) {
  while (begin < end) {
    const std::size_t line_end = std::min(end, source.text().find('\n', begin));
    Words words(source, begin, line_end);
    const std::string first = words.next();
    if (first == "expect") add_expectation(source, read_expectation(source, words), result);
    if (first == "source") result.sources.push_back(words.rest());
    begin = line_end + 1;
  }
}

/// The offset after the comment that begins at `begin`.
std::size_t end_of_comment(const SourceText& source, std::size_t begin) {
  const std::string& text = source.text();
  int depth = 0;
  for (std::size_t i = begin; i + 1 < text.size(); ++i) {
    if (text[i] == '(' && text[i + 1] == '*') {
      ++depth, ++i;
    } else if (text[i] == '*' && text[i + 1] == ')') {
      ++i;
      if (--depth == 0) return i + 1;
    }
  }
  throw InputError(source.file(), source.position(begin),
                   "found end of file, expected '*)' to end the comment that begins here");
}

std::size_t end_of_string(const SourceText& source, std::size_t begin) {
  const std::size_t end = source.text().find('"', begin + 1);
  if (end == std::string::npos)
    throw InputError(source.file(), source.position(begin),
                     "found end of file, expected '\"' to end the string that begins here");
  return end + 1;
}

void check_is_text(const SourceText& source) {
  for (std::size_t i = 0; i < source.text().size(); ++i) {
    const auto byte = static_cast<unsigned char>(source.text()[i]);
    if ((byte < 0x20 && !is_blank(source.text()[i])) || byte == 0x7f)
      throw InputError(source.file(), source.position(i),
                       fmt::format("found byte 0x{:02x}, expected text: this is no litmus file", byte));
  }
}

/// The offset after a comment of C++ that begins at `begin`: `// …`, `/* … */`.
std::size_t end_of_cpp_comment(const SourceText& source, std::size_t begin) {
  const std::string& text = source.text();
  if (text[begin + 1] == '/') return std::min(text.find('\n', begin), text.size());
  const std::size_t end = text.find("*/", begin + 2);
  if (end == std::string::npos)
    throw InputError(source.file(), source.position(begin),
                     "found end of file, expected '*/' to end the comment that begins here");
  return end + 2;
}

/// Where in the text of a test a scan is. A test of C++ has the comments of C++ as well, and in its functions
/// no others: `(*x)` is no comment there.
class Position {
 public:
  void pass(std::string_view text, std::size_t at) {
    const char c = text[at];
    if (is_blank(c)) return;
    if (!has_begun_) is_cpp_ = c == 'C' && at + 1 < text.size() && is_blank(text[at + 1]);
    has_begun_ = true;
    if (c == '{' && is_cpp_ && (depth_ > 0 || last_ == ')')) ++depth_;
    if (c == '}' && depth_ > 0) --depth_;
    last_ = c;
  }

  bool begins_comment(std::string_view text, std::size_t at) const {
    return depth_ == 0 && text.substr(at, 2) == "(*";
  }
  bool begins_cpp_comment(std::string_view text, std::size_t at) const {
    return is_cpp_ && (text.substr(at, 2) == "//" || text.substr(at, 2) == "/*");
  }

 private:
  bool has_begun_ = false, is_cpp_ = false;
  unsigned depth_ = 0;  ///< braces of a function that are open
  char last_ = ' ';     ///< except blanks and comments
};

}  // namespace

UncommentedText remove_comments(const SourceText& source) {
  check_is_text(source);
  std::string text = source.text();
  UncommentedText result{SourceText(source.file(), ""), {}, {}};
  Position position;
  for (std::size_t i = 0; i < text.size();) {
    const bool is_cpp_comment = position.begins_cpp_comment(text, i);
    if (text[i] == '"') {
      i = end_of_string(source, i);
    } else if (is_cpp_comment || position.begins_comment(text, i)) {
      const std::size_t end = is_cpp_comment ? end_of_cpp_comment(source, i) : end_of_comment(source, i);
      const bool is_line = is_cpp_comment && text[i + 1] == '/';
      read_comment(source, i + 2, is_line ? end : end - 2, result);
      for (; i < end; ++i)
        if (text[i] != '\n') text[i] = ' ';
    } else {
      if (static_cast<unsigned char>(text[i]) >= 0x80)
        throw source.expected(i, "no such byte outside of comments and strings");
      position.pass(text, i);
      ++i;
    }
  }
  result.text = SourceText(source.file(), std::move(text));
  return result;
}

}  // namespace ptxmc
