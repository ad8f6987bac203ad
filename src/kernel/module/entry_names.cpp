#include "src/kernel/module/entry_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "semantics/language/diagnostic.hpp"
#include "src/kernel/module/memory.hpp"

namespace ptxmc::kernel {

namespace {

constexpr std::size_t most_listed = 10;
constexpr std::string_view result_type = "void ";  ///< of kernels; c++filt prints that of templates only

/// The position of the bracket that belongs to the closing one at the end of a text; npos if there is none.
std::size_t opening_of_last(std::string_view text, char open, char close) {
  std::size_t depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == close) ++depth;
    if (text[i] == open && --depth == 0) return i;
  }
  return std::string_view::npos;
}

std::string without_blanks(std::string_view text) {
  std::string result(text);
  std::erase(result, ' ');
  return result;
}

/// `k<int>(int*)` without `(int*)`; the text itself if it does not end with such brackets.
std::string without_last(const std::string& text, char open, char close) {
  return text.ends_with(close) ? text.substr(0, opening_of_last(text, open, close)) : text;
}

/// The names of an entry. Names to compare with have no blanks.
struct EntryNames {
  const syntax::Function* entry = nullptr;
  std::string ptx;
  std::string shown;  ///< in C++
  std::string whole, without_parameters, without_arguments;
};

EntryNames names_of(const syntax::Function& entry) {
  EntryNames names;
  names.entry = &entry;
  names.ptx = entry.name.text;
  names.shown = cpp_name(entry);
  names.whole = without_blanks(names.shown);
  names.without_parameters = without_last(names.whole, '(', ')');
  names.without_arguments = without_last(names.without_parameters, '<', '>');
  return names;
}

std::vector<EntryNames> entries_of(const syntax::Module& module) {
  std::vector<EntryNames> result;
  for (const syntax::ModuleStatement& statement : module.statements) {
    const auto* function = std::get_if<syntax::Function>(&statement.is);
    if (function != nullptr && function->is_entry && function->body) result.push_back(names_of(*function));
  }
  return result;
}

/// The C++ names of entries: `a, b(int*) and 3 more`.
std::string list_of(const std::vector<EntryNames>& entries) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(entries.size(), most_listed); ++i) names.push_back(entries[i].shown);
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (entries.size() > most_listed) text += fmt::format(" and {} more", entries.size() - most_listed);
  return text;
}

/// The entries for which the first rule that fits any of them fits.
std::vector<EntryNames> matching(std::string_view name, const std::vector<EntryNames>& entries) {
  const std::string wanted =
      without_blanks(name.substr(name.starts_with(result_type) ? result_type.size() : 0));
  const std::function<bool(const EntryNames&)> rules[] = {
      [&](const EntryNames& entry) { return entry.ptx == name; },
      [&](const EntryNames& entry) { return entry.whole == wanted; },
      [&](const EntryNames& entry) { return entry.without_parameters == wanted; },
      [&](const EntryNames& entry) { return entry.without_arguments == wanted; },
      [&](const EntryNames& entry) {
        return entry.ptx.find(wanted) != std::string::npos || entry.whole.find(wanted) != std::string::npos;
      }};
  std::vector<EntryNames> found;
  for (const auto& fits : rules) {
    std::ranges::copy_if(entries, std::back_inserter(found), fits);
    if (!found.empty()) break;
  }
  return found;
}

}  // namespace

std::string cpp_name(const syntax::Function& entry) {
  const std::string name = source_name(std::string(entry.name.text));
  return name.starts_with(result_type) ? name.substr(result_type.size()) : name;
}

std::vector<std::string> entries_in(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('+', start), text.size());
    names.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return names;
}

const syntax::Function& entry_named(std::string_view name, const syntax::Module& module,
                                    const LaunchPlace& place) {
  const std::string& file = module.source->file();
  const auto fail = [&](const std::string& message) { throw InputError(place.file, place.where, message); };
  const std::vector<EntryNames> entries = entries_of(module);
  if (entries.empty()) fail(fmt::format("found no entry in {}, expected a module with a kernel", file));
  const std::vector<EntryNames> found = matching(name, entries);
  if (found.empty())
    fail(fmt::format("found no entry '{}' in {}, expected {}{}", name, file,
                     entries.size() > 1 ? "one of " : "", list_of(entries)));
  if (found.size() > 1 && name.empty())
    fail(fmt::format("found no name of an entry, expected one of the {} in {}: {}", found.size(), file,
                     list_of(found)));
  if (found.size() > 1)
    fail(fmt::format("found '{}', which fits {} entries of {}, expected one of {}", name, found.size(), file,
                     list_of(found)));
  return *found.front().entry;
}

Launch with_ptx_names(Launch launch, const syntax::Module& module) {
  for (std::string& name : launch.entries) name = entry_named(name, module, launch.entry_where).name.text;
  return launch;
}

}  // namespace ptxmc::kernel
