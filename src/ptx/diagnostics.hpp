#pragma once

#include <string>
#include <vector>

#include "semantics/source_text.hpp"

namespace ptxmc::syntax {

/// Something to say about a place in a module.
struct Diagnostic {
  enum class Severity : std::uint8_t { error, note };
  Severity severity = Severity::error;
  SourcePosition where;
  std::string message;
};

/// What is to be said about a module, in the order in which it was found. Of errors only the first ones
/// are kept: one mistake should not hide behind hundreds that follow from it.
class Diagnostics {
 public:
  static constexpr std::size_t most_errors = 50;

  void error(SourcePosition where, std::string message);
  void note(SourcePosition where, std::string message);

  bool has_errors() const { return errors_ > 0; }
  std::size_t errors() const { return errors_; }  ///< found, also those not kept
  const std::vector<Diagnostic>& all() const { return all_; }
  void sort_by_position();

 private:
  std::vector<Diagnostic> all_;
  std::size_t errors_ = 0;
};

/// `file:line:column: error: message`, the source line, and a caret under the column.
std::string show(const Diagnostic&, const SourceText&);

}  // namespace ptxmc::syntax
