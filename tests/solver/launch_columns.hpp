#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/solver/launches.hpp"

namespace ptxmc {

/// The instructions of each thread, as the columns of a launch with the mbarrier objects a and b and the
/// variable x.
class Columns {
 public:
  /// `variables`: further declarations.
  explicit Columns(std::size_t threads, std::string variables = "")
      : columns_(threads), variables_(std::move(variables)) {}

  Columns& add(std::size_t thread, const std::string& instruction) {
    columns_[thread].push_back(instruction);
    return *this;
  }

  /// A loop that waits for the end of a phase.
  Columns& wait(std::size_t thread, const std::string& object, const std::string& phase,
                bool is_token = false, const std::string& qualifiers = "") {
    const std::string label = fmt::format("L{}", labels_++);
    add(thread, fmt::format("{}: mbarrier.try_wait{}{}.b64 p0, [{}], {}", label, is_token ? "" : ".parity",
                            qualifiers, object, phase));
    return add(thread, "@!p0 bra " + label);
  }

  LitmusTest test(unsigned count_of_a, unsigned count_of_b = 1) const {
    std::string text =
        fmt::format("{{ .shared a : mbarrier = {}; .shared b : mbarrier = {}; x : u32 = 0; {} }}\n",
                    count_of_a, count_of_b, variables_);
    std::size_t rows = 1;
    for (std::size_t thread = 0; thread < columns_.size(); ++thread) {
      text += fmt::format("{} P{}@cta 0,cluster 0,gpu 0", thread == 0 ? "" : " |", thread);
      rows = std::max(rows, columns_[thread].size());
    }
    text += " ;\n";
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t thread = 0; thread < columns_.size(); ++thread)
        text += (row < columns_[thread].size() ? " " + columns_[thread][row] : "") +
                (thread + 1 == columns_.size() ? " ;\n" : " |");
    return launch_of(text + "exists (x == 0)");
  }

 private:
  std::vector<std::vector<std::string>> columns_;
  std::string variables_;
  int labels_ = 0;
};

}  // namespace ptxmc
