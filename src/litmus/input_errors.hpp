#pragma once

#include <optional>
#include <vector>

#include "semantics/diagnostic.hpp"

namespace ptxmc {

/// All that is wrong with an input; as an InputError, the first of them.
struct InputErrors : InputError {
  /// Not empty.
  explicit InputErrors(std::vector<InputError> errors) : InputError(errors.front()), all(std::move(errors)) {}
  std::vector<InputError> all;  ///< in the order of their places
};

/// What is wrong with an input, found one after the other.
class Mistakes {
 public:
  /// Does a part of the work; whether it could.
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

  /// Throws InputErrors, or the first Unsupported, if there was any.
  void throw_all();

 private:
  std::vector<InputError> errors_;
  std::optional<Unsupported> unsupported_;
};

}  // namespace ptxmc
