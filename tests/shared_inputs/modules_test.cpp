// Real compiler output that stands beside the checkout: read without a complaint, printed, read again.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "src/ptx/check.hpp"
#include "src/ptx/print.hpp"

namespace fs = std::filesystem;
using namespace ptxmc;

namespace {

std::string text_of_file(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

syntax::Module read(std::string text, syntax::Diagnostics& diagnostics) {
  return syntax::read_module(std::make_shared<const SourceText>("module.ptx", std::move(text)), ptx(),
                             diagnostics);
}

/// Errors, notes and what else there is to say about a module.
std::string complaints(const syntax::Diagnostics& diagnostics) {
  std::string text;
  for (const syntax::Diagnostic& d : diagnostics.all())
    text += std::to_string(d.where.line) + ": " + d.message + "\n";
  return text;
}

}  // namespace

TEST_CASE("every module is read without an error, with one note at most, and printed so that it reads back") {
  std::size_t modules = 0;
  for (const auto& entry : fs::recursive_directory_iterator(PTXMC_SHARED_INPUTS)) {
    if (entry.path().extension() != ".ptx") continue;
    ++modules;
    syntax::Diagnostics once, again;
    const syntax::Module module = read(text_of_file(entry.path()), once);
    INFO(entry.path().string() << "\n" << complaints(once));
    CHECK_FALSE(once.has_errors());
    CHECK(once.all().size() == (module.version > 90 ? 1 : 0));
    const std::string printed = print(module);
    const syntax::Module read_back = read(printed, again);
    CHECK_FALSE(again.has_errors());
    CHECK(print(read_back) == printed);
    CHECK(read_back.statements.size() == module.statements.size());
  }
  CHECK(modules > 0);
}
