#pragma once

#include <algorithm>
#include <span>

#include "model/program/execution.hpp"

namespace ptxmc {

/// An element of memory at the end of an execution.
struct FinalContent {
  int variable = 0;
  std::size_t element = 0;
  Bits value;  ///< a term
};

/// Sets the final memory of an execution, whose other elements are unknown. The values are constant.
inline void set_final_memory(Execution& execution, std::span<const FinalContent> contents) {
  auto& memory = execution.final_memory;
  memory.resize(execution.program->memory.size());
  for (const auto& [variable, element, value] : contents) {
    auto& elements = memory[static_cast<std::size_t>(variable)];
    elements.resize(std::max(elements.size(), element + 1));
    elements[element] = value;
  }
}

}  // namespace ptxmc
