#pragma once

#include <functional>
#include <string>

#include "semantics/instruction.hpp"
#include "src/cli/exit_status.hpp"

namespace ptxmc {

/// Why an input has no answer.
struct Failure {
  std::string kind;  ///< "wrong input", "unsupported", "the engines disagree",
                     ///< "internal error", "unknown": not decided in time
  std::string file;
  SourcePosition where;  ///< line 0: the whole file
  std::string message;
  std::string text;  ///< as it is said on standard error; ends with a line's end
  ExitStatus status = ExitStatus::internal_error;

  /// In a few words, for a table: `unsupported: wgmma (line 3)`.
  std::string reason() const;
};

/// What the exception that is being handled says of `file`: an InputError, Unsupported, OutOfTime, a
/// Disagreement of the engines, or a mistake of ours (std::logic_error). Other exceptions are thrown again.
Failure current_failure(const std::string& file);

/// The same of an exception that ended the reading of `file`.
Failure reading_failure(const std::string& file);

/// One JSON object on one line, without the line's end: `file`, `name` and `model` where they are known,
/// `verdict` ("error" for wrong input, else "unknown"), `error` (the kind), `line` and `column` (null for a
/// whole file), `message`.
std::string failure_json(const Failure&, const std::string& name = {}, const std::string& model = {});

/// Says it on standard error and, with `json`, as an object on standard output.
void report_failure(const Failure&, bool json, const std::string& name = {}, const std::string& model = {});

/// Does the work of a verb, or of one of its files, and reports a failure.
ExitStatus reporting_failures(bool json, const std::string& file, const std::function<ExitStatus()>& work);

}  // namespace ptxmc
