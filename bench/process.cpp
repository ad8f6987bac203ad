#include "bench/process.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <system_error>

namespace ptxmc::bench {

namespace {

[[noreturn]] void become(const std::vector<std::string>& command, int output) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  dup2(output, STDOUT_FILENO);
  dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
  execv(arguments[0], arguments.data());
  _exit(127);
}

void check_call(bool success, const char* what) {
  if (!success) throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

Run run(const std::vector<std::string>& command) {
  std::array<int, 2> ends;
  check_call(pipe2(ends.data(), O_CLOEXEC) == 0, "pipe");
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  check_call(child >= 0, "fork");
  if (child == 0) become(command, ends[1]);
  close(ends[1]);
  Run result;
  std::array<char, 65536> buffer;
  for (ssize_t count; (count = read(ends[0], buffer.data(), buffer.size())) > 0;)
    result.output.append(buffer.data(), static_cast<std::size_t>(count));
  close(ends[0]);
  int status = 0;
  rusage usage{};
  check_call(wait4(child, &status, 0, &usage) == child, "wait");
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.peak_megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

Run median_run(const std::vector<std::string>& command, unsigned times) {
  std::vector<Run> runs;
  for (unsigned i = 0; i < times; ++i) runs.push_back(run(command));
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.seconds < b.seconds; });
  return runs[runs.size() / 2];
}

}  // namespace ptxmc::bench
