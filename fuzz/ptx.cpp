// Any bytes are read without a crash, and a module without errors is printed so that it reads back alike.
#include "reading.hpp"
#include "semantics/language/instruction_set.hpp"
#include "src/ptx/check.hpp"
#include "src/ptx/print.hpp"

using namespace ptxmc::syntax;

namespace {

Module read(std::string text, Diagnostics& diagnostics) {
  return read_module(std::make_shared<const ptxmc::SourceText>("fuzz.ptx", std::move(text)), ptxmc::ptx(),
                     diagnostics);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Diagnostics diagnostics;
  const Module module = read(text_of(data, size), diagnostics);
  if (diagnostics.has_errors()) return 0;
  const std::string printed = print(module);
  Diagnostics again;
  const Module read_back = read(printed, again);
  for (const Diagnostic& d : again.all())
    if (again.has_errors())
      std::fprintf(stderr, "%u:%u: %s\n", d.where.line, d.where.column, d.message.c_str());
  if (again.has_errors() || print(read_back) != printed) fail("does not read back alike", printed);
  return 0;
}
