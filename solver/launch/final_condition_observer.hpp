#pragma once

#include <optional>
#include <vector>

#include "solver/launch/final_content.hpp"
#include "solver/launch/observed_execution.hpp"

namespace ptxmc {

/// Evaluates the final condition of a launch on complete executions in which all threads have completed.
class FinalConditionObserver {
 public:
  /// The structure must outlive it.
  FinalConditionObserver(const LaunchQuestion&, const EventStructure&, TermGraph&);

  /// The contents of the elements in the condition, if they make it false; empty if no contents at the end of
  /// the execution do.
  std::optional<std::vector<FinalContent>> violation(const ObservedExecution&, const BitMatrix& coherence);

  /// Whether the condition has depended on a value that the launch does not determine.
  bool has_open_end() const { return has_open_end_; }

 private:
  /// An element of memory that the condition names.
  struct Element {
    int variable = 0;
    std::size_t element = 0;
    Bits unknown;                ///< represents the element in the condition
    std::vector<Bits> contents;  ///< at the end of the current execution
  };

  bool may_be_left(const Element&, const ObservedExecution&, const BitMatrix& coherence) const;
  std::optional<std::vector<FinalContent>> try_contents() const;

  const EventStructure& structure_;
  std::vector<Element> elements_;
  Bits holds_;  // width 0: there is no final condition
  bool has_open_end_ = false;
};

}  // namespace ptxmc
