#include "bench/families.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ptxmc::bench {

namespace {

using Code = std::vector<std::string>;

/// The test with one thread for each code, each thread in a CTA of its own.
std::string litmus_text(const std::string& name, const std::vector<Code>& threads,
                        const std::string& question, bool is_one_cta = false) {
  std::string text = fmt::format("PTX {}\n{{}}\n", name);
  for (std::size_t i = 0; i < threads.size(); ++i)
    text += fmt::format("{}P{}@cta {},gpu 0", i == 0 ? " " : " | ", i, is_one_cta ? 0 : i);
  std::size_t rows = 0;
  for (const Code& code : threads) rows = std::max(rows, code.size());
  for (std::size_t row = 0; row < rows; ++row) {
    text += " ;\n";
    for (std::size_t i = 0; i < threads.size(); ++i)
      text += (i == 0 ? " " : " | ") + (row < threads[i].size() ? threads[i][row] : "");
  }
  return text + " ;\n" + question + "\n";
}

std::string conjunction(const std::vector<std::string>& conditions) {
  return fmt::format("{}", fmt::join(conditions, " /\\ "));
}

/// The condition, and registers of each thread. Which of the threads is meant makes no difference to such a
/// condition, but to the states that a test shows.
std::string told_apart(std::string condition, unsigned threads) {
  for (unsigned i = 0; i < threads; ++i) condition += fmt::format(" \\/ P{}:r0 < 0", i);
  return condition;
}

std::string independent_reads(unsigned readers, bool has_fences) {
  std::vector<Code> codes = {{"st.relaxed.gpu x, 1"}, {"st.relaxed.gpu y, 1"}};
  std::vector<std::string> disagree;
  for (unsigned i = 0; i < readers; ++i) {
    const char first = i % 2 == 0 ? 'x' : 'y';
    const char second = i % 2 == 0 ? 'y' : 'x';
    Code& code = codes.emplace_back(Code{fmt::format("ld.relaxed.gpu r0, {}", first)});
    if (has_fences) code.push_back("fence.sc.gpu");
    code.push_back(fmt::format("ld.relaxed.gpu r1, {}", second));
    disagree.push_back(fmt::format("P{0}:r0 == 1 /\\ P{0}:r1 == 0", i + 2));
  }
  return litmus_text(fmt::format("independent-reads-{}", readers), codes,
                     (has_fences ? "~exists (" : "exists (") + conjunction(disagree) + ")");
}

std::string ticket_lock(unsigned threads, const std::string& condition) {
  const Code code = {"atom.relaxed.gpu.add r0, ticket, 1",
                     "Wait: ld.acquire.gpu r1, turn",
                     "bne r1, r0, Wait",
                     "ld.weak r2, count",
                     "add r2, r2, 1",
                     "st.weak count, r2",
                     "add r3, r0, 1",
                     "st.release.gpu turn, r3"};
  return litmus_text(fmt::format("ticket-lock-{}", threads), std::vector<Code>(threads, code),
                     "~exists (" + condition + ")");
}

std::string counter(unsigned threads, const std::string& condition) {
  const Code code = {"atom.relaxed.gpu.add r0, count, 1"};
  return litmus_text(fmt::format("counter-{}", threads), std::vector<Code>(threads, code),
                     "~exists (" + condition + ")");
}

std::string compare_and_swap_lock(unsigned threads, const std::string& condition) {
  const Code code = {"Try: atom.acquire.gpu.cas r0, lock, 0, 1",
                     "bne r0, 0, Try",
                     "ld.weak r1, count",
                     "add r1, r1, 1",
                     "st.weak count, r1",
                     "st.release.gpu lock, 0"};
  return litmus_text(fmt::format("compare-and-swap-lock-{}", threads), std::vector<Code>(threads, code),
                     "~exists (" + condition + ")");
}

std::string wrong_count(unsigned threads) { return fmt::format("count != {}", threads); }

}  // namespace

std::string store_buffer_ring(unsigned threads) {
  std::vector<Code> codes;
  std::vector<std::string> all_zero;
  for (unsigned i = 0; i < threads; ++i) {
    codes.push_back({fmt::format("st.relaxed.gpu x{}, 1", i), "fence.sc.gpu",
                     fmt::format("ld.relaxed.gpu r0, x{}", (i + 1) % threads)});
    all_zero.push_back(fmt::format("P{}:r0 == 0", i));
  }
  return litmus_text(fmt::format("store-buffer-ring-{}", threads), codes,
                     "~exists (" + conjunction(all_zero) + ")");
}

std::string message_passing_chain(unsigned threads) {
  std::vector<Code> codes = {{"st.weak x, 1", "st.release.gpu f0, 1"}};
  std::vector<std::string> stale;
  for (unsigned i = 1; i < threads; ++i) {
    const bool last = i + 1 == threads;
    codes.push_back({fmt::format("ld.acquire.gpu r0, f{}", i - 1),
                     last ? "ld.weak r1, x" : fmt::format("st.release.gpu f{}, 1", i)});
    stale.push_back(fmt::format("P{}:r0 == 1", i));
  }
  stale.push_back(fmt::format("P{}:r1 == 0", threads - 1));
  return litmus_text(fmt::format("message-passing-chain-{}", threads), codes,
                     "~exists (" + conjunction(stale) + ")");
}

std::string independent_reads(unsigned readers) { return independent_reads(readers, true); }
std::string relaxed_independent_reads(unsigned readers) { return independent_reads(readers, false); }

std::string ticket_lock(unsigned threads) { return ticket_lock(threads, wrong_count(threads)); }
std::string ticket_lock_told_apart(unsigned threads) {
  return ticket_lock(threads, told_apart(wrong_count(threads), threads));
}

std::string counter(unsigned threads) { return counter(threads, wrong_count(threads)); }
std::string counter_told_apart(unsigned threads) {
  return counter(threads, told_apart(wrong_count(threads), threads));
}

std::string compare_and_swap_lock(unsigned threads) {
  return compare_and_swap_lock(threads, wrong_count(threads));
}
std::string compare_and_swap_lock_told_apart(unsigned threads) {
  return compare_and_swap_lock(threads, told_apart(wrong_count(threads), threads));
}

std::string racing_writers(unsigned threads) {
  std::vector<Code> codes;
  for (unsigned i = 0; i < threads; ++i) codes.push_back({fmt::format("st.relaxed.gpu x, {}", i + 1)});
  return litmus_text(fmt::format("racing-writers-{}", threads), codes, "~exists (x == 0)");
}

std::string treiber_stack(unsigned threads) {
  std::vector<Code> codes;
  std::vector<std::string> on_top;
  for (unsigned i = 0; i < threads; ++i) {
    codes.push_back({"ld.relaxed.gpu r0, top", fmt::format("st.weak next{}, r0", i),
                     fmt::format("atom.release.gpu.cas r1, top, r0, {}", i + 1)});
    on_top.push_back(fmt::format("P{0}:r0 == P{0}:r1 /\\ P{0}:r0 == {1}", i, i + 1));
  }
  return litmus_text(fmt::format("treiber-stack-{}", threads), codes,
                     "~exists (" + fmt::format("{}", fmt::join(on_top, " \\/ ")) + ")");
}

std::string grid_barrier(unsigned blocks) {
  std::vector<Code> codes;
  std::vector<std::string> stale;
  for (unsigned i = 0; i < blocks; ++i) {
    codes.push_back({fmt::format("st.weak x{}, 1", i), "atom.acq_rel.gpu.add r0, arrived, 1",
                     "Wait: ld.acquire.gpu r1, arrived", fmt::format("bne r1, {}, Wait", blocks),
                     fmt::format("ld.weak r2, x{}", (i + 1) % blocks)});
    stale.push_back(fmt::format("P{}:r2 == 0", i));
  }
  return litmus_text(fmt::format("grid-barrier-{}", blocks), codes,
                     "~exists (" + fmt::format("{}", fmt::join(stale, " \\/ ")) + ")");
}

std::string tree_reduction(unsigned threads) {
  std::vector<Code> codes;
  for (unsigned i = 0; i < threads; ++i) {
    Code& code =
        codes.emplace_back(Code{fmt::format("add r0, r0, {}", i + 1), fmt::format("st.weak x{}, r0", i)});
    for (unsigned half = threads / 2; half > 0; half /= 2) {
      code.push_back("bar.cta.sync 0");
      if (i >= half) continue;
      code.push_back(fmt::format("ld.weak r1, x{}", i + half));
      code.push_back("add r0, r0, r1");
      code.push_back(fmt::format("st.weak x{}, r0", i));
    }
  }
  return litmus_text(fmt::format("tree-reduction-{}", threads), codes,
                     fmt::format("~exists (x0 != {})", threads * (threads + 1) / 2), true);
}

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"store-buffer-ring", store_buffer_ring, 2, Family::Growth::doubles},
      {"message-passing-chain", message_passing_chain, 2, Family::Growth::doubles},
      {"independent-reads", independent_reads, 2, Family::Growth::doubles},
      {"relaxed-independent-reads", relaxed_independent_reads, 2, Family::Growth::doubles},
      {"ticket-lock", ticket_lock, 2, Family::Growth::by_one},
      {"ticket-lock, threads told apart", ticket_lock_told_apart, 2, Family::Growth::by_one},
      {"counter", counter, 2, Family::Growth::by_one},
      {"counter, threads told apart", counter_told_apart, 2, Family::Growth::by_one},
      {"compare-and-swap-lock", compare_and_swap_lock, 2, Family::Growth::by_one},
      {"compare-and-swap-lock, threads told apart", compare_and_swap_lock_told_apart, 2,
       Family::Growth::by_one},
      {"racing-writers", racing_writers, 2, Family::Growth::by_one},
      {"treiber-stack", treiber_stack, 2, Family::Growth::by_one},
      {"grid-barrier", grid_barrier, 2, Family::Growth::by_one},
      {"tree-reduction", tree_reduction, 2, Family::Growth::doubles, 1024}};
  return all;
}

unsigned Family::next(unsigned threads) const {
  if (growth == Growth::doubles) return 2 * threads;
  return threads < 12 ? threads + 1 : threads + threads / 2;
}

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {{"ticket-lock, threads told apart", 8, true, 3.6},
                                          {"compare-and-swap-lock, threads told apart", 8, true, 2.55},
                                          {"counter, threads told apart", 9, true, 15},
                                          {"racing-writers", 10, true, 6},
                                          {"store-buffer-ring", 15, true, 12.5},
                                          {"message-passing-chain", 21, true, 13},
                                          {"relaxed-independent-reads", 10, true, 2.95},
                                          {"ticket-lock", 16, false, 20},
                                          {"counter", 32, false, 20},
                                          {"store-buffer-ring", 96, false, 20},
                                          {"message-passing-chain", 128, false, 20},
                                          {"independent-reads", 128, false, 20},
                                          {"relaxed-independent-reads", 128, false, 20}};
  return all;
}

}  // namespace ptxmc::bench
