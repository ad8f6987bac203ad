#pragma once

#include <doctest/doctest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

/// What the tests of the program share.

struct Run {
  std::string output;  ///< both streams
  int status = 0;
};

/// What a shell makes of a script in which "$PTXMC" is the program; its standard output.
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
