#pragma once

#include <optional>
#include <vector>

#include "semantics/language/diagnostic.hpp"

namespace ptxmc {

/// All errors of an input. As an InputError it is the first of them.
struct InputErrors : InputError {
  /// `errors` must not be empty.
  explicit InputErrors(std::vector<InputError> errors) : InputError(errors.front()), all(std::move(errors)) {}
  std::vector<InputError> all;  ///< in the order of their positions
};

/// Collects the errors of an input.
class Mistakes {
 public:
  /// Runs a part of the work, and records its errors. Returns whether it succeeded.
  template <class Work>
  bool collect(const Work& work) {
    try {
      work();
      return true;
    } catch (const InputError& error) {
      errors_.push_back(error);
    } catch (const Unsupported& unsupported) {
      if (!unsupported_) unsupported_ = unsupported;
    }
    return false;
  }
  void add(InputError error) { errors_.push_back(std::move(error)); }

  /// Throws InputErrors if there are errors, otherwise the first Unsupported if there is one.
  void throw_all();

 private:
  std::vector<InputError> errors_;
  std::optional<Unsupported> unsupported_;
};

}  // namespace ptxmc
