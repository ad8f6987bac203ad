#include "src/litmus/litmus_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ptxmc {

std::string litmus_columns(const std::vector<LitmusColumn>& threads) {
  std::vector<std::vector<std::string>> cells(threads.size());
  std::size_t rows = 0;
  for (std::size_t thread = 0; thread < threads.size(); ++thread) {
    cells[thread].push_back(fmt::format("P{}@{}", thread, threads[thread].placement));
    cells[thread].insert(cells[thread].end(), threads[thread].code.begin(), threads[thread].code.end());
    rows = std::max(rows, cells[thread].size());
  }
  std::string text;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t thread = 0; thread < threads.size(); ++thread) {
      const std::vector<std::string>& column = cells[thread];
      const std::size_t width = std::ranges::max(column, {}, &std::string::size).size();
      text += fmt::format("{} {:{}} ", thread == 0 ? "" : "|", row < column.size() ? column[row] : "", width);
    }
    text += ";\n";
  }
  return text;
}

}  // namespace ptxmc
