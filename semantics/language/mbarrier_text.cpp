#include "semantics/language/mbarrier_text.hpp"

#include <fmt/format.h>

#include "semantics/language/mbarrier_state.hpp"

namespace ptxmc {

std::string mbarrier_text(const Bits& word) {
  const MbarrierState state = mbarrier_state(word);
  const std::int64_t bytes = state.transactions.to_s64();
  return fmt::format("phase {}, {} pending{}", state.phase.to_u64(), state.pending.to_u64(),
                     bytes == 0 ? "" : fmt::format(", {} bytes", bytes));
}

std::string pending_text(const Bits& word) {
  const MbarrierState state = mbarrier_state(word);
  const std::uint64_t arrivals = state.pending.to_u64();
  const std::int64_t bytes = state.transactions.to_s64();
  std::string text;
  if (arrivals != 0) text = fmt::format("{} arrival{}", arrivals, arrivals == 1 ? "" : "s");
  if (bytes > 0) text += fmt::format("{}{} bytes", text.empty() ? "" : " and ", bytes);
  if (bytes < 0) text += fmt::format("{}an expect_tx of {} bytes", text.empty() ? "" : " and ", -bytes);
  return text.empty() ? "an arrival or a complete_tx" : text;
}

}  // namespace ptxmc
