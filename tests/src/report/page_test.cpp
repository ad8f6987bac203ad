#include "src/report/page.hpp"

#include <doctest/doctest.h>

#include "tests/src/report/occurrences.hpp"

using namespace ptxmc;
using test::count;

namespace {

Record hostile_record() {
  TableRow row;
  row.name = "</script><b>";
  row.model = "sc";
  Record record;
  record.input = "a.litmus";
  Picture picture;
  picture.title = "a (sc)";
  picture.svg = "<svg></svg>";
  picture.relations = {{"rf", "reads from", "#007F5C"}};
  picture.file = "a.litmus";
  record.results.push_back({R"({"model":"sc","states":[]})", row, {"Reasons", "since </script>", {picture}}});
  record.sources = {{"a.litmus", "PTX a <!--\n"}};
  return record;
}

RecordedCampaign hostile_campaign() {
  return {"r.jsonl", {"1.0", "litmus", {}, {}, 1}, {hostile_record()}, 0};
}

}  // namespace

TEST_CASE("a page is one file whose data cannot end its script") {
  const std::string page = results_page(results_in(hostile_campaign()));
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK(count(page, "</script>") == 2);
  CHECK(count(page, "<!--") == 0);
  CHECK(count(page, "@CSS@") + count(page, "@SCRIPT@") + count(page, "@RESULTS@") == 0);
  for (const char* network : {"http:", "https:", "src=", "@import", "url("}) CHECK(count(page, network) == 0);
  CHECK(count(page, "since \\u003c/script>") == 1);
  CHECK(count(page, "ptxmc 1.0 litmus") == 1);
}

TEST_CASE("what a page shows is kept in records") {
  const std::string line = record_line(hostile_record());
  CHECK(count(line, R"("relations":[["rf","reads from","#007F5C"]])") == 1);
  CHECK(count(line, R"("sources":{"a.litmus":"PTX a <!--\n"})") == 1);
}
