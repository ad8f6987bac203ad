#include "src/report/table.hpp"

#include <doctest/doctest.h>

#include "tests/src/report/sample_tests.hpp"

using namespace ptxmc;

namespace {

std::vector<TableRow> sample_rows() {
  Answer allowed = allowed_answer(), forbidden = forbidden_answer(), unknown;
  allowed.holds = true;
  forbidden.holds = false;
  unknown.reason = "timeout";
  unknown.seconds = 12.5;
  return {table_row("MP", "ptx-8.7", allowed, true), table_row("MP.gpu-long", "sc", forbidden, false),
          table_row("IRIW", "sc", unknown, {})};
}

}  // namespace

TEST_CASE("columns are aligned, numbers to the right, and the last line has the totals") {
  CHECK(table_text(sample_rows(), false) ==
        "test         model    verdict    holds  expected  states  executions      time\n"
        "MP           ptx-8.7  allowed    yes    ✓              4           7   0.004 s\n"
        "MP.gpu-long  sc       forbidden  no     ✗              3           -   0.004 s\n"
        "IRIW         sc       unknown    ?      -             0+           -  12.500 s  timeout\n"
        "3 tests: 1 allowed, 1 forbidden, 1 unknown; 1 hold; 1 of 2 as expected; 12.51 s\n");
}

TEST_CASE("columns that no row needs are left out") {
  Answer answer = forbidden_answer();
  answer.holds = true;
  const TableRow row = table_row("MP", "sc", answer, {});
  CHECK(table_text({&row, 1}, false) ==
        "test  model  verdict    holds  states     time\n"
        "MP    sc     forbidden  yes         3  0.004 s\n"
        "1 test: 0 allowed, 1 forbidden, 0 unknown; 1 hold; 0.00 s\n");
}

TEST_CASE("a file in error has no verdict") {
  TableRow row;
  row.name = "bad.litmus";
  row.model = "sc";
  row.reason = "bad.litmus:3:1: found …";
  row.failed = true;
  CHECK(table_text({&row, 1}, false) ==
        "test        model  verdict  holds  states     time\n"
        "bad.litmus  sc     error    -           -  0.000 s  bad.litmus:3:1: found …\n"
        "1 test: 0 allowed, 0 forbidden, 0 unknown, 1 in error; 0 hold; 0.00 s\n");
}

TEST_CASE("color changes nothing but color") {
  const std::vector<TableRow> rows = sample_rows();
  const std::string colored = table_text(rows, true);
  CHECK(colored.find("\x1b[32m✓\x1b[0m") != std::string::npos);
  CHECK(colored.find("\x1b[1;31m✗\x1b[0m") != std::string::npos);
  std::string plain;
  for (std::size_t i = 0; i < colored.size(); ++i) {
    if (colored[i] == '\x1b')
      i = colored.find('m', i);
    else
      plain += colored[i];
  }
  CHECK(plain == table_text(rows, false));
}

TEST_CASE("tests of one name are told apart by their files") {
  std::vector<TableRow> rows = sample_rows();
  rows[2] = rows[0];
  rows[0].file = "a/MP.litmus";
  rows[1].file = "a/MP.gpu-long.litmus";
  rows[2].file = "b/MP.litmus";
  const std::string text = table_text(rows, false);
  CHECK(text.find("MP (a/MP.litmus)  ptx-8.7") != std::string::npos);
  CHECK(text.find("MP (b/MP.litmus)  ptx-8.7") != std::string::npos);
  CHECK(text.find("MP.gpu-long       sc") != std::string::npos);
}
