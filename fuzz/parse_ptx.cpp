// Any bytes are read without a crash, and a module without errors is printed so that it reads back alike.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "semantics/instruction_set.hpp"
#include "src/ptx/check.hpp"
#include "src/ptx/print.hpp"

using namespace ptxmc::syntax;

namespace {

Module read(std::string text, Diagnostics& diagnostics) {
  return read_module(std::make_shared<const ptxmc::SourceText>("fuzz.ptx", std::move(text)), ptxmc::ptx(),
                     diagnostics);
}

void fail(const std::string& printed, const Diagnostics& diagnostics) {
  std::fprintf(stderr, "does not read back alike:\n%s", printed.c_str());
  for (const Diagnostic& d : diagnostics.all())
    std::fprintf(stderr, "%u:%u: %s\n", d.where.line, d.where.column, d.message.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Diagnostics diagnostics;
  const Module module = read(std::string(reinterpret_cast<const char*>(data), size), diagnostics);
  if (diagnostics.has_errors()) return 0;
  const std::string printed = print(module);
  Diagnostics again;
  const Module read_back = read(printed, again);
  if (again.has_errors() || print(read_back) != printed) fail(printed, again);
  return 0;
}
