#pragma once

#include <string>
#include <vector>

#include "semantics/language/instruction.hpp"
#include "src/ptx/syntax.hpp"

namespace ptxmc::kernel {

/// The position of a thread in one of its open calls.
struct CallPlace {
  std::string function;
  SourcePosition where;              ///< in the module
  syntax::LinePosition source = {};  ///< by `.loc`; file 0: unknown
};

/// An error that a thread of an execution caused or encountered.
struct Finding {
  std::string kind;  ///< a verdict of the launch format, or "division-by-zero", "step-limit"
  std::string message;
  std::string thread;            ///< "thread (1, 0, 0) of CTA (0, 0, 0)"; empty: of the whole launch
  std::vector<CallPlace> calls;  ///< innermost first
};

}  // namespace ptxmc::kernel
