#include "src/compiler/test_outline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "semantics/language/diagnostic.hpp"
#include "src/litmus/c_parser.hpp"
#include "src/litmus/comments.hpp"
#include "src/litmus/resolution.hpp"

namespace ptxmc {
namespace {

constexpr std::string_view white_space = " \t\r\n";

/// The text with each run of blanks as one, and none at its ends.
std::string in_one_line(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool is_blank = white_space.find(c) != std::string_view::npos;
    if (!is_blank)
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  if (result.ends_with(' ')) result.pop_back();
  return result;
}

/// Parts of a text between `separator`s that stand in no brackets.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> result;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && std::string_view("([{<").find(text[i]) != std::string_view::npos) ++depth;
    if (i < text.size() && std::string_view(")]}>").find(text[i]) != std::string_view::npos) --depth;
    if (i < text.size() && (text[i] != separator || depth > 0)) continue;
    if (std::string part = in_one_line(text.substr(begin, i - begin)); !part.empty())
      result.push_back(std::move(part));
    begin = i + 1;
  }
  return result;
}

/// Behind the bracket that closes the one at `open`; quoted strings contain no brackets.
std::size_t behind_bracket(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '{' || text[i] == '(') ++depth;
    if ((text[i] == '}' || text[i] == ')') && --depth == 0) return i + 1;
  }
  return text.size();
}

/// The entries of the initial state: the first braces behind the quoted strings below the header.
std::vector<std::string> initial_entries(std::string_view text) {
  std::size_t i = text.find('\n');
  for (bool is_quoted = false; i < text.size(); ++i) {
    if (text[i] == '"') is_quoted = !is_quoted;
    if (text[i] == '{' && !is_quoted) break;
  }
  if (i >= text.size()) return {};
  const std::size_t end = behind_bracket(text, i);
  return split(text.substr(i + 1, end - i - 2), ';');
}

std::string header_text(const litmus_syntax::ThreadHeader& header) {
  const std::string name = fmt::format("P{}", header.name.number);
  if (!header.is_placed) return name;
  std::vector<std::string> places;
  const auto add = [&](const char* unit, const std::optional<litmus_syntax::Number>& number) {
    if (number) places.push_back(fmt::format("{} {}", unit, number->bits));
  };
  add("warp", header.warp);
  add("cta", header.cta);
  add("cluster", header.cluster);
  add("gpu", header.gpu);
  add("grid", header.grid);
  return fmt::format("{}@{}", name, fmt::join(places, ","));
}

OutlineCode column_code(const litmus_syntax::Column& cells) {
  OutlineCode code;
  for (const litmus_syntax::Cell* cell : cells) {
    for (const litmus_syntax::Name& label : cell->labels) {
      if (!code.empty() && code.back().text.empty()) code.emplace_back();
      if (code.empty() || !code.back().text.empty()) code.emplace_back();
      code.back().label = label.text + ":";
    }
    if (!cell->instruction) continue;
    if (cell->labels.empty()) code.emplace_back();
    code.back().text = in_one_line(cell->instruction->text);
  }
  return code;
}

class FunctionOutline {
 public:
  explicit FunctionOutline(std::string_view text) : text_(text) {}

  OutlineCode code(const c_syntax::Statement& statement) const {
    if (statement.kind != c_syntax::Statement::Kind::block) return {one(statement)};
    OutlineCode result;
    for (const c_syntax::Statement& inner : statement.statements) result.push_back(one(inner));
    return result;
  }

 private:
  using Kind = c_syntax::Statement::Kind;

  std::string between(std::size_t first, std::size_t last) const {
    return in_one_line(text_.substr(first, last - first));
  }

  OutlineStatement one(const c_syntax::Statement& statement) const {
    OutlineStatement result;
    const auto& inner = statement.statements;
    const Kind kind = statement.kind;
    if (kind == Kind::block) {
      result.has_body = true;
      result.body = code(statement);
      return result;
    }
    if (kind != Kind::if_ && kind != Kind::while_ && kind != Kind::do_ && kind != Kind::for_) {
      result.text = between(statement.first, statement.last);
      return result;
    }
    const c_syntax::Statement& body = inner.front();
    result.has_body = true;
    result.text = between(statement.first, body.first);
    result.body = code(body);
    if (kind == Kind::if_ && inner.size() > 1) result.otherwise = code(inner[1]);
    if (kind == Kind::do_) result.end = between(body.last, statement.last);
    return result;
  }

  std::string_view text_;
};

void add_statement(const OutlineStatement& statement, const std::string& indent, std::string& text) {
  if (!statement.has_body) {
    text += fmt::format("{}{}\n", indent, statement.text);
    return;
  }
  text += fmt::format("{}{}{}{{\n", indent, statement.text, statement.text.empty() ? "" : " ");
  for (const OutlineStatement& inner : statement.body) add_statement(inner, indent + "  ", text);
  if (!statement.otherwise.empty()) {
    text += indent + "} else {\n";
    for (const OutlineStatement& inner : statement.otherwise) add_statement(inner, indent + "  ", text);
  }
  text += fmt::format("{}}}{}{}\n", indent, statement.end.empty() ? "" : " ", statement.end);
}

std::string functions_text(const TestOutline& outline) {
  std::string text;
  for (const OutlineThread& thread : outline.threads) {
    text += fmt::format("\n{} ({}) {{\n", thread.header, fmt::join(thread.parameters, ", "));
    for (const OutlineStatement& statement : thread.code) add_statement(statement, "  ", text);
    text += "}\n";
  }
  return text + "\n";
}

std::string code_text(const TestOutline& outline) {
  std::vector<std::vector<std::string>> columns;
  for (const OutlineThread& thread : outline.threads) {
    columns.push_back({thread.header});
    for (const OutlineStatement& statement : thread.code)
      columns.back().push_back(statement.label + (statement.label.empty() ? "" : " ") + statement.text);
  }
  return rows_text(std::move(columns));
}

}  // namespace

TestOutline outline_of(std::string_view text, const std::string& file_name) {
  const UncommentedText uncommented = remove_comments(SourceText(file_name, std::string(text)));
  const SourceText& source = uncommented.text;
  const litmus_syntax::File file = litmus_syntax::parse(source);
  if (file.filter) throw Unsupported("a smaller test of one with a filter", file.name.where);
  TestOutline outline;
  outline.language = file.is_cpp ? Language::cpp : Language::ptx;
  outline.name = file.name.text;
  outline.initial = initial_entries(source.text());
  for (const litmus_syntax::ThreadHeader& header : file.threads)
    outline.threads.push_back({fmt::format("P{}", header.name.number), header_text(header), {}, {}});
  if (!file.is_cpp) {
    const auto columns = columns_of(file, source);
    for (std::size_t i = 0; i < columns.size(); ++i) outline.threads[i].code = column_code(columns[i]);
    return outline;
  }
  for (std::size_t i = 0; i < file.functions.size(); ++i) {
    const std::size_t open = source.text().find('(', file.functions[i].first);
    const std::size_t end = behind_bracket(source.text(), open);
    outline.threads[i].parameters = split(source.text().substr(open + 1, end - open - 2), ',');
    outline.threads[i].code =
        FunctionOutline(source.text()).code(parse_c_function(source, file.functions[i]).body);
  }
  return outline;
}

std::string rows_text(std::vector<std::vector<std::string>> columns) {
  std::size_t rows = 0;
  for (const auto& column : columns) rows = std::max(rows, column.size());
  for (auto& column : columns) {
    column.resize(rows);
    std::size_t width = 0;
    for (const std::string& cell : column) width = std::max(width, cell.size());
    for (std::string& cell : column) cell.resize(width, ' ');
  }
  std::string text;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i)
      text += fmt::format("{}{}", i == 0 ? " " : " | ", columns[i][row]);
    text += " ;\n";
  }
  return text;
}

std::string text_of(const TestOutline& outline) {
  const bool is_cpp = outline.language == Language::cpp;
  std::string text = fmt::format("{} {}\n{{", is_cpp ? "C" : "PTX", outline.name);
  for (const std::string& entry : outline.initial) text += fmt::format(" {};", entry);
  text += " }\n";
  return text + (is_cpp ? functions_text(outline) : code_text(outline)) + "exists (true)\n";
}

std::string declared_name(std::string_view entry) {
  const std::size_t end = std::min(entry.find_first_of("=:[@{"), entry.size());
  const auto is_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::size_t last = end;
  while (last > 0 && !is_of_name(entry[last - 1])) --last;
  std::size_t first = last;
  while (first > 0 && is_of_name(entry[first - 1])) --first;
  return std::string(entry.substr(first, last - first));
}

}  // namespace ptxmc
