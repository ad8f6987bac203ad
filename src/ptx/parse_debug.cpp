#include "src/ptx/parse_debug.hpp"

#include <limits>

namespace ptxmc::syntax {

namespace {

constexpr std::uint64_t most_u32 = std::numeric_limits<std::uint32_t>::max();

LinePosition parse_line_position(TokenStream& tokens) {
  LinePosition position;
  position.file = static_cast<std::uint32_t>(tokens.expect_integer("the index of a file", most_u32));
  position.line = static_cast<std::uint32_t>(tokens.expect_integer("a line number", most_u32));
  position.column = static_cast<std::uint32_t>(tokens.expect_integer("a column", most_u32));
  return position;
}

/// `info_string0`, `.debug_str`: labels and sections.
void expect_debug_label(TokenStream& tokens) {
  if (tokens.peek().kind != TokenKind::word) {
    tokens.expect_name("a label or a section");
    return;
  }
  tokens.take();
}

/// `label`, `label+4`, `label1-label2`.
void expect_label_expression(TokenStream& tokens) {
  expect_debug_label(tokens);
  if (tokens.next_is('-') && tokens.peek_second().kind != TokenKind::number) {
    tokens.take();
    expect_debug_label(tokens);
  } else if (tokens.next_is('+') || tokens.next_is('-')) {
    tokens.expect_constant();
  }
}

/// Bits of `.b8`, `.b16`, `.b32`, `.b64`, or 0.
unsigned bits_of(std::string_view word) {
  if (word == ".b8") return 8;
  if (word == ".b16") return 16;
  if (word == ".b32") return 32;
  return word == ".b64" ? 64 : 0;
}

bool fits(const Constant& value, unsigned bits) {
  if (!value.is_integer()) return false;
  if (bits == 64) return true;
  const bool is_negative = value.kind == Constant::Kind::s64 && value.to_signed() < 0;
  return is_negative ? value.to_signed() >= -(std::int64_t{1} << (bits - 1)) : value.bits >> bits == 0;
}

void expect_value(TokenStream& tokens, unsigned bits) {
  if (!tokens.at_constant()) {
    if (bits < 32) tokens.fail("an integer");
    expect_label_expression(tokens);
    return;
  }
  const std::string_view first = tokens.peek().text;
  if (!fits(tokens.expect_constant(), bits))
    tokens.fail_at(first, "an integer of " + std::to_string(bits) + " bits");
}

/// `.b8 1, 2`, or `label:`.
std::string_view parse_section_line(TokenStream& tokens) {
  const std::string_view first = tokens.peek().text;
  const unsigned bits = bits_of(first);
  if (bits == 0) {
    tokens.expect_name("'.b8', '.b16', '.b32', '.b64' or a label");
    tokens.expect(':');
    return tokens.text_since(first);
  }
  tokens.take();
  do expect_value(tokens, bits);
  while (tokens.accept(','));
  return tokens.text_since(first);
}

}  // namespace

Location parse_location(TokenStream& tokens) {
  Location location;
  const std::string_view first = tokens.take().text;
  location.position = parse_line_position(tokens);
  if (tokens.accept(',')) {
    if (!tokens.accept("function_name")) tokens.fail("'function_name'");
    const std::string_view name = tokens.peek().text;
    expect_label_expression(tokens);
    location.function_name = tokens.text_since(name);
    tokens.expect(',');
    if (!tokens.accept("inlined_at")) tokens.fail("'inlined_at'");
    location.inlined_at = parse_line_position(tokens);
  }
  location.text = tokens.text_since(first);
  return location;
}

File parse_file(TokenStream& tokens) {
  File file;
  const std::string_view first = tokens.take().text;
  file.index = tokens.expect_integer("the index of the file");
  file.name = tokens.expect(TokenKind::string, "the name of the file in quotes").text;
  if (tokens.accept(',')) {
    file.time_and_size.push_back(tokens.expect_integer("the time of the last change"));
    tokens.expect(',');
    file.time_and_size.push_back(tokens.expect_integer("the size of the file"));
  }
  file.text = tokens.text_since(first);
  return file;
}

DebugSection parse_section(TokenStream& tokens) {
  DebugSection section;
  section.text = tokens.take().text;
  section.name = tokens.expect(TokenKind::word, "the name of a section").text;
  tokens.expect('{');
  while (!tokens.next_is('}')) section.lines.push_back(parse_section_line(tokens));
  tokens.expect('}');
  section.lines.shrink_to_fit();
  return section;
}

DebugSection parse_dwarf_line(TokenStream& tokens) {
  const std::string_view line = tokens.take_line();
  return {line, {}, {line}};
}

}  // namespace ptxmc::syntax
