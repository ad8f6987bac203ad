// `--html` as the shell sees it: a page of litmus tests, launches and comparisons, and of a campaign.
#include "run.hpp"
#include "test_folder.hpp"

namespace {

const std::string two_tests = PTXMC_SOURCE_DIR "/litmus/manual/manual-MP.litmus " PTXMC_SOURCE_DIR
                                               "/litmus/manual/manual-SB-acq_rel.litmus";

}  // namespace

TEST_CASE("a page has tests with sources, reasons and pictures") {
  const TestFolder folder;
  const std::string page = (folder.path / "a.html").string();
  const Run run_of_tests = run("litmus --html " + page + " " + two_tests);
  CHECK(run_of_tests.status == 0);
  CHECK(contains(run_of_tests.output, "2 tests: 1 allowed, 1 forbidden"));
  const std::string text = text_in(page);
  CHECK(contains(text, "PTX manual-MP\\n"));                                           // the source
  CHECK(contains(text, "Axiom causality (8.10.6 Causality) forbids it"));              // the reason
  CHECK(contains(text, "\"title\":\"manual-MP (ptx-8.7): forbidden by causality\""));  // its picture
  CHECK(contains(text, "data-relation=\\\"rf\\\""));
}

TEST_CASE("launches and comparisons have pages too") {
  const TestFolder folder;
  const std::string page = (folder.path / "a.html").string();
  run("check --html " + page + " " PTXMC_SOURCE_DIR "/tests/kernels/scale_bug_bound.toml");
  CHECK(contains(text_in(page), ".visible .entry scale("));
  CHECK(contains(text_in(page), "\"heading\":\"Findings\""));
  folder.add("t.source.litmus",
             "PTX s\n{}\n P0 | P1 ;\n st.release.gpu x, 1 | ld.acquire.gpu r0, x ;\nexists (P1:r0 = 1)\n");
  folder.add("t.target.litmus",
             "PTX t\n{}\n P0 | P1 ;\n st.release.gpu x, 2 | ld.acquire.gpu r0, x ;\nexists (P1:r0 = 2)\n");
  CHECK(run("compare --html " + page + " " + folder.path.string()).status == 1);
  CHECK(contains(text_in(page), "\"verdict\":\"differs\""));
  CHECK(contains(text_in(page), "\"title\":\"target: "));
}

TEST_CASE("a campaign with pictures makes the same page") {
  const TestFolder folder;
  const auto file = [&](const char* name) { return (folder.path / name).string(); };
  run("litmus --pictures --shard 1/2 --results " + file("1.jsonl") + " " + two_tests);
  run("litmus --pictures --shard 2/2 --results " + file("2.jsonl") + " " + two_tests);
  CHECK(run("merge --html " + file("a.html") + " " + file("1.jsonl") + " " + file("2.jsonl")).status == 0);
  CHECK(contains(text_in(file("a.html")), "forbidden by causality"));
  run("litmus --results " + file("r.jsonl") + " " + two_tests);
  CHECK(run("merge --html " + file("b.html") + " " + file("r.jsonl")).status == 0);
  CHECK(!contains(text_in(file("b.html")), "forbidden by causality"));
  CHECK(contains(text_in(file("b.html")), "manual-MP"));
}

TEST_CASE("wrong uses of pages are named") {
  CHECK(contains(run("litmus --html a.html --witness a.svg " + two_tests).output,
                 "--html: error: found --witness too"));
  CHECK(contains(run("litmus --html a.html -").output, "--html: error: found standard input"));
  CHECK(run("litmus --html /missing/a.html " + two_tests).status == 2);
}
