#pragma once

#include <doctest/doctest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

/// Functions that the tests of the program share.

struct Run {
  std::string output;  ///< both streams
  int status = 0;
};

/// Runs a script in a shell, in which "$PTXMC" is the program, and returns its standard output.
inline Run shell(const std::string& script) {
  setenv("PTXMC", PTXMC_PROGRAM, 1);
  std::FILE* pipe = popen(script.c_str(), "r");
  REQUIRE(pipe != nullptr);
  Run result;
  std::array<char, 4096> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    result.output.append(buffer.data(), count);
  result.status = WEXITSTATUS(pclose(pipe));
  return result;
}

inline Run run(const std::string& arguments) {
  return shell(std::string(PTXMC_PROGRAM) + " " + arguments + " 2>&1 < /dev/null");
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
