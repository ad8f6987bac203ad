#include "assembler.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <span>
#include <stdexcept>

#include "instruction_text.hpp"

namespace ptxmc::test {

namespace {

namespace fs = std::filesystem;

struct Assembly {
  bool is_right = false;
  std::map<std::size_t, Verdict> wrong;  ///< by number of the instruction
};

std::string output_of(const std::string& command, int& status) {
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start: " + command);
  std::string output;
  std::array<char, 4096> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    output.append(buffer.data(), count);
  status = pclose(pipe);
  return output;
}

/// "ptxas FILE, line 25; error   : Unexpected instruction types specified for 'add'"
Assembly assemble_once(const std::string& ptxas, const std::string& target,
                       std::span<const std::string> instructions) {
  const fs::path file = fs::temp_directory_path() / fmt::format("ptxmc-spellings-{}.ptx", getpid());
  std::ofstream(file) << module_text("9.0", target, instructions);
  int status = 0;
  const std::string output = output_of(fmt::format("'{}' -O0 -arch={} '{}' -o /dev/null 2>&1", ptxas,
                                                   target.substr(0, target.find(',')), file.string()),
                                       status);
  fs::remove(file);
  Assembly assembly;
  assembly.is_right = status == 0;
  static const std::regex error(R"(line (\d+); (?:error|fatal)\s*: (.*))");
  for (std::sregex_iterator at(output.begin(), output.end(), error), end; at != end; ++at) {
    const std::size_t line = std::stoul((*at)[1]);
    if (line >= first_line && line < first_line + instructions.size())
      assembly.wrong.emplace(line - first_line, (*at)[2]);
  }
  if (instructions.size() == 1 && !assembly.is_right && assembly.wrong.empty())
    assembly.wrong.emplace(0, output.substr(0, output.find('\n')));
  return assembly;
}

/// Later phases of the assembler find more: what is wrong is taken out, the rest assembled again; in two
/// halves when it does not say where.
void judge(const std::string& ptxas, const std::string& target, const std::vector<std::string>& instructions,
           const std::vector<std::size_t>& which, std::vector<Verdict>& verdicts) {
  if (which.empty()) return;
  std::vector<std::string> module;
  for (const std::size_t i : which) module.push_back(instructions[i]);
  const Assembly assembly = assemble_once(ptxas, target, module);
  if (assembly.is_right) return;
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < which.size(); ++i) {
    const auto wrong = assembly.wrong.find(i);
    if (wrong == assembly.wrong.end())
      rest.push_back(which[i]);
    else
      verdicts[which[i]] = wrong->second;
  }
  if (!assembly.wrong.empty()) return judge(ptxas, target, instructions, rest, verdicts);
  const auto middle = rest.begin() + static_cast<std::ptrdiff_t>(rest.size() / 2);
  judge(ptxas, target, instructions, {rest.begin(), middle}, verdicts);
  judge(ptxas, target, instructions, {middle, rest.end()}, verdicts);
}

}  // namespace

std::vector<Verdict> assemble(const std::string& ptxas, const std::string& target,
                              const std::vector<std::string>& instructions) {
  constexpr std::size_t most_a_module = 300;
  std::vector<Verdict> verdicts(instructions.size());
  for (std::size_t first = 0; first < instructions.size(); first += most_a_module) {
    std::vector<std::size_t> which;
    for (std::size_t i = first; i < std::min(first + most_a_module, instructions.size()); ++i)
      which.push_back(i);
    judge(ptxas, target, instructions, which, verdicts);
  }
  return verdicts;
}

}  // namespace ptxmc::test
