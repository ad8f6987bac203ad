#pragma once

#include <optional>
#include <span>
#include <string>

#include "solver/smt_engine/answers.hpp"

namespace ptxmc {

/// One test under one model.
struct TableRow {
  std::string name;
  std::string model;
  Verdict verdict = Verdict::unknown;
  std::optional<bool> holds;
  std::optional<bool> as_expected;  ///< empty: the file expects nothing for this model
  std::size_t states = 0;
  bool states_complete = true;
  std::optional<std::uint64_t> executions;
  double seconds = 0;
  std::string reason;     ///< why the verdict is unknown, or an error; printed at the end of the row
  bool failed = false;    ///< wrong or unsupported input: no verdict, only the reason
  std::string file = {};  ///< shown with the name if several tests have the same name
  std::string word = {};  ///< shown in place of the verdict, when not empty
};

TableRow table_row(const std::string& name, const std::string& model, const Answer&,
                   std::optional<bool> as_expected);

/// Aligned columns under a heading, and a line of totals. The columns of executions and of expectations exist
/// if some row has a value for them. `color` adds ANSI escapes; without it the text is plain.
std::string table_text(std::span<const TableRow>, bool color);

}  // namespace ptxmc
