#pragma once

#include <string>
#include <string_view>

#include "semantics/language/instruction_set.hpp"

namespace ptxmc {

/// One row of the table of declarations.
struct CatalogueRow {
  std::string section;        ///< of the manual: "9.7.1.4"
  std::string instructions;   ///< "vadd, vsub", "cp.async.bulk"
  std::size_t lines = 0;      ///< syntax lines
  std::size_t spellings = 0;  ///< choices of modifiers, without excluded combinations
  std::string since;          ///< "PTX 7.8, sm_90": what the oldest form needs
  bool has_rule = false;
};

std::vector<CatalogueRow> catalogue_rows(const InstructionSet&);

/// The rows by chapter as aligned columns, with totals: `ptxmc isa`.
std::string catalogue_text(const InstructionSet&);

/// The same table in Markdown: docs/coverage.md.
std::string catalogue_markdown(const InstructionSet&);

/// Every syntax line that a pattern selects, with the choices of its modifiers, versions and section: `ptxmc
/// isa atom`. A pattern is an opcode, the beginning of an instruction (`atom.add`), or has `*` for any
/// characters (`cvt.*.f16`); capitals count as small letters. Empty if no line matches.
std::string forms_text(const InstructionSet&, std::string_view pattern);

}  // namespace ptxmc
