#include "tests/campaign/litmus_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ptxmc {

std::string litmus_columns(const std::vector<LitmusColumn>& threads) {
  std::string text;
  std::size_t rows = 0;
  for (std::size_t thread = 0; thread < threads.size(); ++thread) {
    text += fmt::format("{} P{}@{} ", thread == 0 ? "" : "|", thread, threads[thread].placement);
    rows = std::max(rows, threads[thread].code.size());
  }
  for (std::size_t row = 0; row < rows; ++row) {
    text += ";\n";
    for (std::size_t thread = 0; thread < threads.size(); ++thread) {
      const auto& code = threads[thread].code;
      text += fmt::format("{} {} ", thread == 0 ? "" : "|", row < code.size() ? code[row] : "");
    }
  }
  return text + ";\n";
}

}  // namespace ptxmc
