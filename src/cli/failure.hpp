#pragma once

#include <functional>
#include <string>

#include "semantics/language/instruction.hpp"
#include "src/cli/exit_status.hpp"

namespace ptxmc {

/// Why an input has no answer.
struct Failure {
  std::string kind;  ///< "wrong input", "unsupported", "the engines disagree",
                     ///< "internal error", "unknown": not decided in time
  std::string file;
  SourcePosition where;  ///< line 0: the whole file
  std::string message;
  std::string text;  ///< as printed on standard error; ends with a newline
  ExitStatus status = ExitStatus::internal_error;

  /// A short text for tables: `unsupported: wgmma (line 3)`.
  std::string reason() const;
};

/// Converts the exception that is being handled to a failure of `file`: an InputError, Unsupported,
/// OutOfTime, v1::Error, or a mistake in this program (std::logic_error). Other exceptions are rethrown.
Failure current_failure(const std::string& file);

/// The same for an exception that was thrown while `file` was read.
Failure reading_failure(const std::string& file);

/// One JSON object on one line, without the newline: `file`, `name` and `model` if they are known, `verdict`
/// ("error" for wrong input, else "unknown"), `error` (the kind), `line` and `column` (null for a whole
/// file), `message`.
std::string failure_json(const Failure&, const std::string& name = {}, const std::string& model = {});

/// Prints the failure on standard error and, with `json`, an object on standard output.
void report_failure(const Failure&, bool json, const std::string& name = {}, const std::string& model = {});

/// Runs the work of a verb, or of one of its files, and reports a failure.
ExitStatus reporting_failures(bool json, const std::string& file, const std::function<ExitStatus()>& work);

}  // namespace ptxmc
