// Spellings that ptxas 13.0 was asked about: instructions/accepted.csv, `spelling;sm;1|0`.
#include <doctest/doctest.h>

#include <array>
#include <fstream>
#include <memory>
#include <sstream>

#include "src/ptx/capabilities.hpp"
#include "src/ptx/check.hpp"
#include "tests/semantics/every_form.hpp"
#include "tests/spellings/instruction_text.hpp"

using namespace ptxmc;

namespace {

/// Where the catalogue and ptxas differ, and why: docs/catalogue-notes.md.
struct Difference {
  std::string_view spelling, target;
};
constexpr std::array differences = {
    // § 9.7.8.6: immLut ranges from 0 to 255
    Difference{"lop3.b32 %r2,%r3,%r4,%r5,256", "sm_80"},
    Difference{"lop3.b32 %r2,%r3,%r4,%r5,256", "sm_90a"},
    Difference{"lop3.b32 %r2,%r3,%r4,%r5,256", "sm_100a"},
    Difference{"lop3.b32 %r2,%r3,%r4,%r5,256", "sm_120a"},
    // the table's operands are no pairs of registers of 128 bits: § 9.7.13.5 has the form since PTX 8.3,
    // sm_90
    Difference{"atom.cas.b128", "sm_90a"},
    Difference{"atom.cas.b128", "sm_100a"},
    Difference{"atom.cas.b128", "sm_120a"},
};

bool is_explained(const std::string& spelling, const std::string& target) {
  return std::any_of(differences.begin(), differences.end(),
                     [&](const Difference& d) { return d.spelling == spelling && d.target == target; });
}

bool accepts(const std::string& target, const std::string& instruction) {
  const auto source = std::make_shared<const SourceText>(
      "instruction.ptx", test::module_text("9.0", target, std::vector<std::string>{instruction}));
  syntax::Diagnostics diagnostics;
  (void)syntax::read_module(source, ptx(), diagnostics);
  return !diagnostics.has_errors();
}

ModifierSet modifiers_in(const std::string& spelling) {
  ModifierSet modifiers;
  for (std::size_t dot = spelling.find('.'); dot != std::string::npos;) {
    const std::size_t next = spelling.find('.', dot + 1);
    const auto known = Modifier::find(std::string_view(spelling).substr(dot, next - dot));
    if (known) modifiers.add(*known);
    dot = next;
  }
  return modifiers;
}

/// Does the target have the spelling with some operands that a syntax line of its opcode takes?
bool has_spelling(const std::string& target, const std::string& spelling) {
  const std::string opcode = spelling.substr(0, spelling.find('.'));
  for (const auto& entry : ptx().declarations())
    for (const SyntaxLine& line : entry->notation.lines) {
      if (line.opcode != opcode) continue;
      for (const bool optional : {false, true}) {
        const auto shapes = test::shapes_for(line, modifiers_in(spelling), optional);
        const Match match = ptx().match(spelling, shapes);
        if (match && accepts(target, test::instruction_text(*match.form, shapes))) return true;
      }
    }
  return false;
}

}  // namespace

TEST_CASE("the catalogue has a spelling for a target when ptxas takes it, but for what is explained") {
  std::ifstream table(PTXMC_SHARED_INPUTS "/conformance/instructions/accepted.csv");
  REQUIRE(table);
  std::string row;
  while (std::getline(table, row)) {
    std::istringstream fields(row);
    std::string spelling, target, accepted;
    std::getline(fields, spelling, ';');
    std::getline(fields, target, ';');
    std::getline(fields, accepted, ';');
    const bool has_operands = spelling.find(' ') != std::string::npos;
    const bool is_there = has_operands ? accepts(target, spelling + ";") : has_spelling(target, spelling);
    INFO(spelling << " for " << target << ", ptxas: " << accepted);
    CHECK((is_there == (accepted == "1")) == !is_explained(spelling, target));
  }
}
