// `make spellings`: does NVIDIA's assembler take what the catalogue has, and the other way round? No test,
// for it needs ptxas, which says less (PTX ISA decides) and more (it is newer): see docs/catalogue-notes.md.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <set>

#include "../semantics/every_form.hpp"
#include "assembler.hpp"
#include "instruction_text.hpp"
#include "src/ptx/capabilities.hpp"
#include "src/ptx/check.hpp"

using namespace ptxmc;

namespace {

struct Candidate {
  std::string text;
  std::string section;
};
using ByTarget = std::map<std::string, std::vector<Candidate>>;

/// A target of ptxas 13 that has the form; empty when there is none.
std::string target_for(const Form& form) {
  if (form.removed != 0) return "";
  for (const std::string name : {"sm_100a", "sm_90a", "sm_120a"}) {
    const auto target = syntax::target_named(name);
    if (syntax::has_architecture({90, target->sm, target->suffix}, form.targets)) return name;
  }
  return "";
}

ByTarget every_spelling(std::size_t most_of_line) {
  ByTarget candidates;
  std::set<std::string> seen;
  for (const auto& entry : ptx().declarations())
    for (const SyntaxLine& line : entry->notation.lines) {
      if (line.opcode == "call") continue;  // its operands are functions and parameters declared elsewhere
      test::for_each_spelling(
          *entry, line, most_of_line, [&](const std::string& spelling, const auto& shapes) {
            const Match match = ptx().match(spelling, shapes);
            if (!match) return;
            std::string target = target_for(*match.form);
            const std::string text = test::instruction_text(*match.form, shapes);
            if (!target.empty() && text.find("sampler") != std::string::npos)
              target += ", texmode_independent";
            if (!target.empty() && seen.insert(text).second)
              candidates[target].push_back({text, std::string(entry->definition->section)});
          });
    }
  return candidates;
}

/// Instructions with one modifier too many, too few or another one of the same opcode.
ByTarget neighbours(const ByTarget& spellings) {
  std::map<std::string, std::set<std::string>> modifiers_of;
  for (const auto& entry : ptx().declarations())
    for (const SyntaxLine& line : entry->notation.lines)
      for (const ModifierSlot& slot : line.modifiers)
        for (const ModifierSequence& choice : slot.choices)
          modifiers_of[line.opcode].insert(std::string(choice[0].spelling()));
  ByTarget result;
  std::mt19937_64 random(1);
  for (const auto& [target, candidates] : spellings)
    for (const Candidate& candidate : candidates) {
      std::string text = candidate.text;
      const auto& pool = modifiers_of[text.substr(0, text.find_first_of(". ;"))];
      const std::size_t end = text.find_first_of(" ;");
      std::vector<std::size_t> dots;
      for (std::size_t dot = text.find('.'); dot < end; dot = text.find('.', dot + 1)) dots.push_back(dot);
      if (dots.empty() || pool.empty()) continue;
      const std::size_t at = dots[random() % dots.size()];
      const std::string other = *std::next(pool.begin(), static_cast<std::ptrdiff_t>(random() % pool.size()));
      const std::size_t length = std::min(text.find('.', at + 1), end) - at;
      const unsigned kind = random() % 3;
      text.replace(at, kind == 0 ? 0 : length, kind == 1 ? "" : other);
      result[target].push_back({text, candidate.section});
    }
  return result;
}

/// What the front end says about one instruction; empty: nothing.
std::string complaint(const std::string& target, const std::string& instruction) {
  const auto source = std::make_shared<const SourceText>(
      "instruction.ptx", test::module_text("9.0", target, std::vector<std::string>{instruction}));
  syntax::Diagnostics diagnostics;
  (void)syntax::read_module(source, ptx(), diagnostics);
  return diagnostics.all().empty() ? "" : diagnostics.all().front().message;
}

/// Messages without the names and numbers that differ from instruction to instruction.
std::string kind_of(std::string message) {
  for (std::size_t open; (open = message.find('\'')) != std::string::npos;) {
    const std::size_t close = message.find('\'', open + 1);
    if (close == std::string::npos) break;
    message.replace(open, close - open + 1, "_");
  }
  return message;
}

void report(const char* title, const std::map<std::string, std::vector<std::string>>& by_reason) {
  std::size_t total = 0;
  for (const auto& [reason, instructions] : by_reason) total += instructions.size();
  fmt::print("{}: {}\n", title, total);
  for (const auto& [reason, instructions] : by_reason) {
    fmt::print("  {} x {}\n", instructions.size(), reason);
    for (const std::string& instruction : instructions) fmt::print("      {}\n", instruction);
  }
}

void compare(const std::string& ptxas, const ByTarget& candidates) {
  std::map<std::string, std::vector<std::string>> only_here, only_there;
  std::size_t asked = 0, both = 0, neither = 0;
  for (const auto& [target, list] : candidates) {
    std::vector<std::string> texts;
    for (const Candidate& candidate : list) texts.push_back(candidate.text);
    const auto verdicts = test::assemble(ptxas, target, texts);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::string mine = complaint(target, texts[i]);
      const std::string shown = fmt::format("{}  {}  {}", list[i].section, target, texts[i]);
      ++asked;
      if (mine.empty() && verdicts[i].empty()) ++both;
      if (!mine.empty() && !verdicts[i].empty()) ++neither;
      if (mine.empty() && !verdicts[i].empty())
        only_here[list[i].section + ": " + kind_of(verdicts[i])].push_back(shown);
      if (!mine.empty() && verdicts[i].empty())
        only_there[list[i].section + ": " + kind_of(mine)].push_back(shown + "   # " + mine);
    }
  }
  fmt::print("{} instructions: both take {}, neither {}\n", asked, both, neither);
  report("only the catalogue takes", only_here);
  report("only ptxas takes", only_there);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: compare_with_ptxas PTXAS [MOST_OF_A_LINE]\n");
    return 2;
  }
  const ByTarget spellings = every_spelling(argc > 2 ? std::stoul(argv[2]) : 30);
  fmt::print("== every spelling of the catalogue\n");
  compare(argv[1], spellings);
  fmt::print("== their neighbours\n");
  compare(argv[1], neighbours(spellings));
  return 0;
}
