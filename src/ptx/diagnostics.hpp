#pragma once

#include <string>
#include <vector>

#include "semantics/language/source_text.hpp"

namespace ptxmc::syntax {

/// A message about a position in a module.
struct Diagnostic {
  enum class Severity : std::uint8_t { error, note };
  Severity severity = Severity::error;
  SourcePosition where;
  std::string message;
};

/// The messages about a module, in the order in which they were found. Only the first errors are kept, so
/// that a mistake is not hidden among hundreds of errors that it causes.
class Diagnostics {
 public:
  static constexpr std::size_t most_errors = 50;

  void error(SourcePosition where, std::string message);
  void note(SourcePosition where, std::string message);

  bool has_errors() const { return errors_ > 0; }
  std::size_t errors() const { return errors_; }  ///< the number of errors, including those not kept
  const std::vector<Diagnostic>& all() const { return all_; }
  void sort_by_position();

 private:
  std::vector<Diagnostic> all_;
  std::size_t errors_ = 0;
};

/// `file:line:column: error: message`, the source line, and a caret under the column.
std::string show(const Diagnostic&, const SourceText&);

}  // namespace ptxmc::syntax
