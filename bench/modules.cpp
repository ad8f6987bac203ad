#include "bench/modules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

namespace ptxmc::bench {

namespace {

namespace fs = std::filesystem;

/// What follows the head of a module, and the names that it declares for all of it.
struct Body {
  std::string text;
  std::set<std::string> names;
};

bool is_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%';
}

/// None (an empty text) when the module does not fit.
Body body_of(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream read;
  read << in.rdbuf();
  const std::string text = std::move(read).str();
  static const std::regex plain_target("\n\\.target sm_\\d+\\s*\n");
  static const std::regex function("\n\\.(visible |weak )?\\.?func|\n\\s*\\.(file|section)|\n\\.func");
  const std::string head_end = ".address_size 64";
  const std::size_t begin = text.find(head_end);
  if (begin == std::string::npos || !std::regex_search(text, plain_target) ||
      std::regex_search(text, function))
    return {};
  Body body{text.substr(begin + head_end.size()), {}};
  static const std::regex declared(
      R"(\n\s*(?:\.extern |\.visible |\.weak )?\.(?:entry|global|const|shared)[^;=\[({]*?([\w$]+)\s*[\[=;(])");
  for (std::sregex_iterator at(body.text.begin(), body.text.end(), declared), end; at != end; ++at)
    body.names.insert((*at)[1]);
  return body;
}

void append_renamed(std::string& out, const Body& body, std::size_t number) {
  const std::string& text = body.text;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_of_name(text[at])) {
      out += text[at++];
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_of_name(text[end])) ++end;
    const std::string name = text.substr(at, end - at);
    const bool opcode = end < text.size() && text[end] == '.';  // a kernel may be called `redux`
    out += !opcode && body.names.contains(name) ? fmt::format("{}_{}", name, number) : name;
    at = end;
  }
}

}  // namespace

std::string repeated_modules(const fs::path& folder, std::size_t bytes) {
  std::vector<fs::path> files;
  if (fs::exists(folder))
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".ptx") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Body> bodies;
  for (const fs::path& file : files)
    if (Body body = body_of(file); !body.text.empty()) bodies.push_back(std::move(body));
  if (bodies.empty()) return "";
  std::string module = ".version 8.7\n.target sm_100\n.address_size 64\n";
  for (std::size_t i = 0; module.size() < bytes; ++i) append_renamed(module, bodies[i % bodies.size()], i);
  return module;
}

}  // namespace ptxmc::bench
