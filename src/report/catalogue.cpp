#include "src/report/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

#include "semantics/language/form_construction.hpp"

namespace ptxmc {

namespace {

/// Groups of § 9.7 of 8.7.
constexpr std::array<std::string_view, 20> chapters = {"",
                                                       "Integer arithmetic",
                                                       "Extended-precision integer arithmetic",
                                                       "Floating point",
                                                       "Half-precision floating point",
                                                       "Mixed-precision floating point",
                                                       "Comparison and selection",
                                                       "Half-precision comparison",
                                                       "Logic and shift",
                                                       "Data movement and conversion",
                                                       "Texture",
                                                       "Surface",
                                                       "Control flow",
                                                       "Parallel synchronization and communication",
                                                       "Warp-level matrix",
                                                       "Asynchronous warpgroup-level matrix",
                                                       "Tensor core, 5th generation",
                                                       "Stack manipulation",
                                                       "Video",
                                                       "Miscellaneous"};

/// The number after `9.7.`; 0 if it is not a section of 8.7.
std::size_t chapter_of(std::string_view section) {
  if (!section.starts_with("9.7.")) return 0;
  const std::size_t number = static_cast<std::size_t>(std::atoi(std::string(section.substr(4)).c_str()));
  return number < chapters.size() ? number : 0;
}

std::string chapter_title(std::size_t chapter) {
  if (chapter == 0) return "Dropped by 8.7";
  return fmt::format("9.7.{} {}", chapter, chapters[chapter]);
}

std::string version_text(PtxVersion version) { return fmt::format("PTX {}.{}", version / 10, version % 10); }

std::string architectures_text(const std::vector<Architecture>& architectures) {
  std::string text;
  for (const Architecture& a : architectures) {
    text += fmt::format("{}sm_{}{}", text.empty() ? "" : " or ", a.sm, a.exact ? "a" : "");
    if (a.since != 0) text += " since " + version_text(a.since);
  }
  return text;
}

/// The requirements of a note: "PTX 7.8, sm_90".
std::string note_text(const VersionNote& note) {
  const std::string targets = architectures_text(note.targets);
  return version_text(note.ptx) + (targets.empty() ? "" : ", " + targets);
}

/// The opcode with the modifiers that all forms of the line have: `cp.async.bulk`.
std::string name_of(const SyntaxLine& line) {
  std::string name = line.opcode;
  for (const ModifierSlot& slot : line.modifiers) {
    const bool is_fixed = slot.role.empty() && !slot.optional && slot.choices.size() == 1;
    if (!is_fixed || type_of(slot.choices[0][0]).kind != Type::Kind::none) break;
    for (const Modifier m : slot.choices[0]) name += m.spelling();
  }
  return name;
}

std::size_t spellings_of(const Declaration& entry, const SyntaxLine& line) {
  const std::size_t all = InstructionSet::choices(line);
  constexpr std::size_t most_counted = 100'000;  // beyond this number, excluded combinations are not counted
  if (entry.notation.exceptions.empty() || all > most_counted) return all;
  std::size_t count = 0;
  for (std::size_t i = 0; i < all; ++i) {
    const auto choices = InstructionSet::slot_choices(line, i);
    const ModifierSet modifiers = modifiers_of(line, choices);
    count += std::none_of(entry.notation.exceptions.begin(), entry.notation.exceptions.end(),
                          [&](const FormFilter& filter) { return selects(filter, line, modifiers, {}); });
  }
  return count;
}

std::string since(const Notation& notation) {
  const VersionNote* oldest = nullptr;
  for (const VersionNote& note : notation.versions)
    if (!note.removed && (oldest == nullptr || note.ptx < oldest->ptx)) oldest = &note;
  return oldest != nullptr ? note_text(*oldest) : "";
}

/// `.type = { .u16, .u32 }` for every role of a line.
std::string roles_text(const SyntaxLine& line) {
  std::string text;
  std::set<std::string> shown;
  for (const ModifierSlot& slot : line.modifiers) {
    if (slot.role.empty() || !shown.insert(slot.role).second) continue;
    std::string choices;
    for (const ModifierSequence& sequence : slot.choices) {
      choices += choices.empty() ? "" : ", ";
      for (const Modifier m : sequence) choices += m.spelling();
    }
    text += fmt::format("    {} = {{ {} }}\n", slot.role, choices);
  }
  return text;
}

std::string filter_text(const FormFilter& filter) {
  std::string text = filter.opcode;
  for (const Modifier m : filter.modifiers) text += m.spelling();
  return filter.operand.empty() ? text : text + "(" + filter.operand + ")";
}

std::string filters_text(const std::vector<FormFilter>& filters) {
  std::string text;
  for (const FormFilter& filter : filters) text += (text.empty() ? "" : ", ") + filter_text(filter);
  return text;
}

/// The positions in a pattern that a text may have reached, while it is matched character by character.
class PatternPlaces {
 public:
  explicit PatternPlaces(std::string_view pattern) : pattern_(pattern) { reach(0); }

  void read(std::string_view text) {
    for (const char c : text)
      for (const std::size_t place : std::exchange(places_, {})) {
        if (place == pattern_.size()) continue;
        if (pattern_[place] == '*') reach(place);
        if (pattern_[place] == small(c)) reach(place + 1);
      }
  }
  void add(const PatternPlaces& other) { places_.insert(other.places_.begin(), other.places_.end()); }
  void clear() { places_.clear(); }
  bool is_at_end() const { return places_.contains(pattern_.size()); }

  static char small(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

 private:
  /// A star also matches nothing.
  void reach(std::size_t place) {
    places_.insert(place);
    if (place < pattern_.size() && pattern_[place] == '*') places_.insert(place + 1);
  }

  std::string_view pattern_;  // without a star behind a star
  std::set<std::size_t> places_;
};

/// Whether the line allows a spelling that matches the pattern, which is in lower case.
bool selects(std::string_view pattern, const SyntaxLine& line) {
  PatternPlaces places(pattern);
  places.read(line.opcode);
  for (const ModifierSlot& slot : line.modifiers) {
    const PatternPlaces before = places;
    if (!slot.optional) places.clear();
    for (const ModifierSequence& sequence : slot.choices) {
      PatternPlaces with = before;
      for (const Modifier m : sequence) with.read(m.spelling());
      places.add(with);
    }
  }
  return places.is_at_end();
}

std::string entry_text(const Declaration& entry, const auto& is_selected) {
  std::string text = fmt::format("§ {}{}\n", entry.definition->section,
                                 entry.definition->rule ? "" : "  (declared, not executable)");
  for (const SyntaxLine& line : entry.notation.lines)
    if (is_selected(line)) text += fmt::format("  {};\n", line.text) + roles_text(line);
  if (!entry.notation.exceptions.empty())
    text += fmt::format("    except {}\n", filters_text(entry.notation.exceptions));
  for (const VersionNote& note : entry.notation.versions)
    text += fmt::format("    {}{}{}\n", note.removed ? "removed " : "", note_text(note),
                        note.forms.empty() ? "" : ": " + filters_text(note.forms));
  return text;
}

std::string selected_forms(const InstructionSet& instructions, const auto& is_selected) {
  std::string text;
  for (const auto& entry : instructions.declarations()) {
    const auto& lines = entry->notation.lines;
    if (std::any_of(lines.begin(), lines.end(), is_selected)) text += entry_text(*entry, is_selected);
  }
  return text;
}

/// Calls `heading(title)` before the rows of each chapter, and `row(r)` for each.
void by_chapter(const std::vector<CatalogueRow>& rows, const auto& heading, const auto& row) {
  std::vector<std::size_t> order;
  for (std::size_t chapter = 1; chapter < chapters.size(); ++chapter) order.push_back(chapter);
  order.push_back(0);
  for (const std::size_t chapter : order) {
    bool is_first = true;
    for (const CatalogueRow& r : rows) {
      if (chapter_of(r.section) != chapter) continue;
      if (is_first) heading(chapter_title(chapter));
      is_first = false;
      row(r);
    }
  }
}

/// Rows for sections without an opcode, which the grammar of PTX implements.
std::vector<CatalogueRow> grammar_rows() {
  return {{"9.7.12.1", "{ }", 1, 1, "PTX 1.0", true}, {"9.7.12.2", "@{!}p", 1, 1, "PTX 1.0", true}};
}

/// 9, 7, 12, 1: the numbers of a section, for sorting by number.
std::vector<int> section_numbers(std::string_view section) {
  std::vector<int> numbers(1);
  for (const char c : section) {
    if (c >= '0' && c <= '9')
      numbers.back() = numbers.back() * 10 + (c - '0');
    else
      numbers.push_back(0);
  }
  return numbers;
}

std::string totals_text(const std::vector<CatalogueRow>& rows) {
  std::set<std::string> sections, executable;
  std::size_t lines = 0, spellings = 0;
  for (const CatalogueRow& row : rows) {
    sections.insert(row.section);
    if (row.has_rule) executable.insert(row.section);
    lines += row.lines;
    spellings += row.spellings;
  }
  return fmt::format("{} sections, {} with rules; {} syntax lines; {} spellings", sections.size(),
                     executable.size(), lines, spellings);
}

}  // namespace

std::vector<CatalogueRow> catalogue_rows(const InstructionSet& instructions) {
  std::vector<CatalogueRow> rows = grammar_rows();
  for (const auto& entry : instructions.declarations()) {
    CatalogueRow row;
    row.section = entry->definition->section;
    row.has_rule = static_cast<bool>(entry->definition->rule);
    row.since = since(entry->notation);
    std::vector<std::string> names;
    for (const SyntaxLine& line : entry->notation.lines) {
      ++row.lines;
      row.spellings += spellings_of(*entry, line);
      const std::string name = name_of(line);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    row.instructions = fmt::format("{}", fmt::join(names, ", "));
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const CatalogueRow& a, const CatalogueRow& b) {
    return section_numbers(a.section) < section_numbers(b.section);
  });
  return rows;
}

std::string catalogue_text(const InstructionSet& instructions) {
  const auto rows = catalogue_rows(instructions);
  std::string text;
  by_chapter(
      rows, [&](const std::string& title) { text += fmt::format("{}{}\n", text.empty() ? "" : "\n", title); },
      [&](const CatalogueRow& row) {
        constexpr std::size_t widest = 48;
        const std::string names = row.instructions.size() <= widest
                                      ? row.instructions
                                      : row.instructions.substr(0, widest - 3) + "...";
        text += fmt::format("  {:<14} {:<48} {:>3} {:>9}  {:<22} {}\n", row.section, names, row.lines,
                            row.spellings, row.since, row.has_rule ? "rule" : "-");
      });
  return text + "\n" + totals_text(rows) + "\n";
}

std::string catalogue_markdown(const InstructionSet& instructions) {
  const auto rows = catalogue_rows(instructions);
  std::string text =
      "# What of PTX is there\n\n"
      "Every declaration of the instruction set, by section of PTX ISA 8.7: its syntax lines, how many\n"
      "spellings they allow, what the oldest form needs, and whether there is a rule (without one an\n"
      "instruction is read and checked, but not executed). `ptxmc isa` prints the totals.\n\n"
      "Generated from the table by `make coverage`; a test compares. After a merge conflict in this file\n"
      "take either side and generate it again.\n";
  by_chapter(
      rows,
      [&](const std::string& title) {
        text += fmt::format(
            "\n## {}\n\n| section | instructions | lines | spellings | since | rule |\n"
            "|---|---|---|---|---|---|\n",
            title);
      },
      [&](const CatalogueRow& row) {
        text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", row.section, row.instructions, row.lines,
                            row.spellings, row.since, row.has_rule ? "yes" : "no");
      });
  return text;
}

std::string forms_text(const InstructionSet& instructions, std::string_view pattern) {
  std::string small(pattern);
  for (char& c : small) c = PatternPlaces::small(c);
  if (small.empty()) return {};
  const auto has_opcode = [&](const SyntaxLine& line) { return line.opcode == small; };
  if (const std::string forms = selected_forms(instructions, has_opcode); !forms.empty()) return forms;
  if (small.find('*') == std::string::npos) small += '*';
  const auto are_stars = [](char a, char b) { return a == '*' && b == '*'; };
  small.erase(std::unique(small.begin(), small.end(), are_stars), small.end());
  return selected_forms(instructions, [&](const SyntaxLine& line) { return selects(small, line); });
}

}  // namespace ptxmc
