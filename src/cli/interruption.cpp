#include "src/cli/interruption.hpp"

#include <csignal>

namespace ptxmc {

namespace {

std::atomic<bool> flag = false;
static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers may only use lock-free atomics");

void set_flag(int) {
  flag = true;
  std::signal(SIGINT, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& interrupted() { return flag; }

void catch_interruption() { std::signal(SIGINT, set_flag); }

}  // namespace ptxmc
