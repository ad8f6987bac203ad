#include "src/cli/interruption.hpp"

#include <signal.h>

#include <cstdlib>
#include <thread>

namespace ptxmc {

namespace {

std::atomic<bool> flag = false;

}  // namespace

const std::atomic<bool>& interrupted() { return flag; }

void interrupt() { flag = true; }

// A thread waits for the blocked signal; there is no signal handler. Z3 sets a handler for each query, and
// its queries in several threads would restore each other's handlers.
void catch_interruption() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals] {
    int signal = 0;
    sigwait(&signals, &signal);
    flag = true;
    constexpr timespec patience = {.tv_sec = 5, .tv_nsec = 0};
    sigtimedwait(&signals, nullptr, &patience);
    constexpr int ended_by_interruption = 128 + SIGINT;
    std::_Exit(ended_by_interruption);
  }).detach();
}

}  // namespace ptxmc
