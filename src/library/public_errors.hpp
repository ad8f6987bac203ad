#pragma once

#include <exception>
#include <string>

#include "src/library/public.hpp"

namespace ptxmc {

/// An exception of a callback, which a public function throws again as it was.
struct ThrownByCallback {
  std::exception_ptr exception;
};

/// Converts the exception that is being handled to an Error about `file`. An Error stays as it is. An
/// exception of a callback is thrown again.
v1::Error public_error(const std::string& file);

/// Runs the work of a public function, and throws its exceptions as Errors about `file`.
template <class Work>
auto with_public_errors(const std::string& file, const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (...) {
    throw public_error(file);
  }
}

}  // namespace ptxmc
