// `ptxmc parse` and `ptxmc isa`.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "run.hpp"

namespace fs = std::filesystem;

namespace {

const std::string modules = std::string(PTXMC_SOURCE_DIR) + "/tests/src/ptx/modules/";

/// A module in a file, gone after the test.
struct ModuleFile {
  fs::path path = fs::temp_directory_path() / ("ptxmc-module-" + std::to_string(getpid()) + ".ptx");
  explicit ModuleFile(const std::string& text) { std::ofstream(path) << text; }
  ~ModuleFile() { fs::remove(path); }
};

}  // namespace

TEST_CASE("parse says what a module has") {
  const Run right = run("parse " + modules + "language.ptx");
  CHECK(right.status == 0);
  CHECK(contains(right.output, "language.ptx: PTX ISA 8.7, sm_90a: 2 entries, 4 functions, "));
}

TEST_CASE("parse shows every mistake at its place and goes on to the next file") {
  const ModuleFile wrong(".version 8.7\n.target sm_90\n.func f() {\n  mov.u32 x, 1;\n  ret\n}\n");
  const Run both = run("parse -q " + wrong.path.string() + " nowhere.ptx " + modules + "language.ptx");
  CHECK(both.status == 2);
  CHECK(contains(both.output,
                 ".ptx:4:11: error: 'x' is not declared here\n    mov.u32 x, 1;\n            ^\n"));
  CHECK(contains(both.output, ".ptx:6:1: error: found '}', expected ';'\n"));
  CHECK(contains(both.output, "nowhere.ptx: error: found no such file, expected a PTX module\n"));
}

TEST_CASE("what parse prints is a module that it prints alike") {
  const Run once = run("parse --print " + modules + "language.ptx");
  CHECK(once.status == 0);
  const ModuleFile printed(once.output);
  const Run twice = run("parse --print " + printed.path.string());
  CHECK(twice.status == 0);
  CHECK(twice.output == once.output);
}

TEST_CASE("parse in JSON") {
  const ModuleFile newer(".version 9.1\n.target sm_90\n");
  const Run json = run("parse --json " + newer.path.string());
  CHECK(json.status == 0);
  CHECK(contains(json.output,
                 R"("version":"9.1","target":"sm_90","entries":0,"functions":0,"instructions":0,)"
                 R"("errors":0,"diagnostics":[{"severity":"note","line":1,"column":10,"message":)"));
}

TEST_CASE("isa lists the catalogue, all forms of an opcode, and refuses what is none") {
  const Run all = run("isa");
  CHECK(all.status == 0);
  CHECK(contains(all.output, "9.7.12 Control flow\n"));
  const Run bra = run("isa bra");
  CHECK(bra.status == 0);
  CHECK(bra.output == "§ 9.7.12.3\n  bra{.uni} tgt;\n    PTX 1.0\n");
  const Run none = run("isa frobnicate");
  CHECK(none.status == 2);
  CHECK(contains(none.output, "found no instruction of this name"));
}

TEST_CASE("of very many errors the first fifty are shown, and the number of all") {
  std::string text = ".version 8.7\n.target sm_90\n";
  for (int i = 0; i < 60; ++i) text += ".global .u32 1;\n";
  const ModuleFile wrong(text);
  const Run all = run("parse " + wrong.path.string());
  CHECK(all.status == 2);
  CHECK(contains(all.output, ".ptx: 60 errors; the first 50 are shown\n"));
  CHECK_FALSE(contains(all.output, ".ptx:53:"));
}
