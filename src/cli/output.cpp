#include "src/cli/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "src/cli/interruption.hpp"

namespace ptxmc {

namespace {

std::atomic<bool> has_lost_errors = false;

[[noreturn]] void fail() {
  const std::string reason = std::strerror(errno);
  interrupt();
  throw OutputError("standard output cannot be written: " + reason);
}

}  // namespace

void prepare_output() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1)  // open() returns the smallest free number, which is this one
      static_cast<void>(open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

void write_output(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size()) fail();
}

void flush_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) fail();
}

void write_error(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stderr) != bytes.size()) has_lost_errors = true;
}

bool error_output_failed() { return has_lost_errors; }

}  // namespace ptxmc
