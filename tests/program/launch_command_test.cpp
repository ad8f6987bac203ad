// `ptxmc launch`, as the shell sees it.
#include "run.hpp"
#include "test_folder.hpp"
#include "two_kernels.hpp"

TEST_CASE("check and run accept the file that launch writes") {
  const TestFolder folder;
  const std::string module = folder.add("two.ptx", two_kernels);
  const std::string file = (folder.path / "k.toml").string();
  CHECK(run("launch " + module + " --entry k --output " + file).output.empty());
  CHECK(contains(text_in(file), "module = \"" + module + "\"\nentry = \"k\"\n"));
  CHECK(contains(run("run " + file).output, ": no findings, "));
  CHECK(contains(run("check " + file).output, ": safe\n"));
  const Run printed = shell("cd " + folder.path.string() + " && \"$PTXMC\" launch two.ptx --entry twice");
  CHECK(printed.status == 0);
  CHECK(contains(printed.output, "module = \"two.ptx\"\nentry = \"_Z5twiceIiEvPT_\"\n"));
  CHECK(contains(printed.output, "buffer = \"s32[64]\""));
}

TEST_CASE("launch does not overwrite a file, and names the entries if it cannot choose one") {
  const TestFolder folder;
  const std::string module = folder.add("two.ptx", two_kernels);
  const std::string file = folder.add("k.toml", "mine");
  const Run refused = run("launch " + module + " --entry k -o " + file);
  CHECK(refused.status == 2);
  CHECK(
      contains(refused.output, "k.toml: error: found a file of this name, expected a new name, or --force"));
  CHECK(text_in(file) == "mine");
  CHECK(run("launch " + module + " --entry k --force -o " + file).status == 0);
  CHECK(contains(text_in(file), "entry = \"k\""));
  const Run several = run("launch " + module);
  CHECK(several.status == 2);
  CHECK(contains(several.output, "two.ptx: error: found no name of an entry, expected one of the 2 in " +
                                     module + ": k, twice<int>(int*)\n"));
  CHECK(contains(run("launch " + module + " --entry l").output, "--entry l: error: found no entry 'l' in "));
  CHECK(run("launch missing.ptx").status == 2);
}
