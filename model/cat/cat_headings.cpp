#include "model/cat/cat_headings.hpp"

#include <fmt/format.h>

#include <cctype>
#include <tuple>

namespace ptxmc::cat {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The numbers of sections at the beginning of a text, "8.7.1, 8.7.2"; empty if there are none.
std::string_view sections_at(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t at = 0; at < text.size() && is_digit(text[at]);) {
    bool has_dot = false;
    for (; at < text.size() && (is_digit(text[at]) || text[at] == '.'); ++at) has_dot |= text[at] == '.';
    if (!has_dot || text[at - 1] == '.') break;
    end = at;
    if (text.substr(at, 2) == ", ") at += 2;
  }
  return text.substr(0, end);
}

std::string heading_text(const Heading* heading) {
  return heading == nullptr ? "" : fmt::format(" ({} {})", heading->section, heading->title);
}

}  // namespace

std::vector<Heading> headings_of(const SourceText& source, std::uint32_t file) {
  std::vector<Heading> headings;
  const std::string_view text = source.text();
  for (std::size_t begin = text.find("(*"); begin != text.npos; begin = text.find("(*", begin + 2)) {
    const std::size_t first = text.find_first_not_of(" \t\r\n", begin + 2);
    if (first == text.npos) break;
    const std::string_view sections = sections_at(text.substr(first));
    if (sections.empty()) continue;
    const std::size_t title = text.find_first_not_of(" \t", first + sections.size());
    std::size_t end = std::min(text.find_first_of(".,:;\n", title), text.find("*)", title));
    if (title == text.npos || end == text.npos) continue;
    while (end > title && text[end - 1] == ' ') --end;
    headings.push_back({std::string(sections),
                        std::string(text.substr(title, end - title)),
                        {file, source.position(begin)}});
  }
  return headings;
}

const Heading* heading_of(const Model& model, const Place& place) {
  const Heading* found = nullptr;
  for (const Heading& heading : model.headings)
    if (heading.place.file == place.file && std::tie(heading.place.where.line, heading.place.where.column) <
                                                std::tie(place.where.line, place.where.column))
      found = &heading;
  return found;
}

std::string with_heading(const Model& model, std::string_view name) {
  const Definition* definition = model.find(name);
  return std::string(name) + heading_text(definition ? heading_of(model, definition->place) : nullptr);
}

std::string with_heading(const Model& model, const Test& axiom) {
  return axiom.name + heading_text(heading_of(model, axiom.place));
}

}  // namespace ptxmc::cat
