#include "src/report/catalogue.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace ptxmc;

namespace {

// Every section of PTX ISA 8.7 § 9.7 whose title names an instruction.
constexpr std::string_view instruction_sections[] = {
    "9.7.1.1",      "9.7.1.2",      "9.7.1.3",      "9.7.1.4",      "9.7.1.5",      "9.7.1.6",
    "9.7.1.7",      "9.7.1.8",      "9.7.1.9",      "9.7.1.10",     "9.7.1.11",     "9.7.1.12",
    "9.7.1.13",     "9.7.1.14",     "9.7.1.15",     "9.7.1.16",     "9.7.1.17",     "9.7.1.18",
    "9.7.1.19",     "9.7.1.20",     "9.7.1.21",     "9.7.1.22",     "9.7.1.23",     "9.7.1.24",
    "9.7.2.1",      "9.7.2.2",      "9.7.2.3",      "9.7.2.4",      "9.7.2.5",      "9.7.2.6",
    "9.7.3.1",      "9.7.3.2",      "9.7.3.3",      "9.7.3.4",      "9.7.3.5",      "9.7.3.6",
    "9.7.3.7",      "9.7.3.8",      "9.7.3.9",      "9.7.3.10",     "9.7.3.11",     "9.7.3.12",
    "9.7.3.13",     "9.7.3.14",     "9.7.3.15",     "9.7.3.16",     "9.7.3.17",     "9.7.3.18",
    "9.7.3.19",     "9.7.3.20",     "9.7.3.21",     "9.7.3.22",     "9.7.4.1",      "9.7.4.2",
    "9.7.4.3",      "9.7.4.4",      "9.7.4.5",      "9.7.4.6",      "9.7.4.7",      "9.7.4.8",
    "9.7.4.9",      "9.7.4.10",     "9.7.5.1",      "9.7.5.2",      "9.7.5.3",      "9.7.6.1",
    "9.7.6.2",      "9.7.6.3",      "9.7.6.4",      "9.7.7.1",      "9.7.7.2",      "9.7.8.1",
    "9.7.8.2",      "9.7.8.3",      "9.7.8.4",      "9.7.8.5",      "9.7.8.6",      "9.7.8.7",
    "9.7.8.8",      "9.7.8.9",      "9.7.9.3",      "9.7.9.4",      "9.7.9.5",      "9.7.9.6",
    "9.7.9.7",      "9.7.9.8",      "9.7.9.9",      "9.7.9.10",     "9.7.9.11",     "9.7.9.12",
    "9.7.9.13",     "9.7.9.14",     "9.7.9.15",     "9.7.9.16",     "9.7.9.17",     "9.7.9.18",
    "9.7.9.19",     "9.7.9.20",     "9.7.9.21",     "9.7.9.22",     "9.7.9.23",     "9.7.9.24",
    "9.7.9.25.3.1", "9.7.9.25.3.2", "9.7.9.25.3.3", "9.7.9.25.4.1", "9.7.9.25.4.2", "9.7.9.25.4.3",
    "9.7.9.25.5.2", "9.7.9.25.5.3", "9.7.9.25.5.4", "9.7.9.25.6.1", "9.7.9.25.6.2", "9.7.9.26",
    "9.7.10.3",     "9.7.10.4",     "9.7.10.5",     "9.7.10.6",     "9.7.11.1",     "9.7.11.2",
    "9.7.11.3",     "9.7.11.4",     "9.7.12.1",     "9.7.12.2",     "9.7.12.3",     "9.7.12.4",
    "9.7.12.5",     "9.7.12.6",     "9.7.12.7",     "9.7.13.1",     "9.7.13.2",     "9.7.13.3",
    "9.7.13.4",     "9.7.13.5",     "9.7.13.6",     "9.7.13.7",     "9.7.13.8",     "9.7.13.9",
    "9.7.13.10",    "9.7.13.11",    "9.7.13.12",    "9.7.13.13",    "9.7.13.14",    "9.7.13.15.9",
    "9.7.13.15.10", "9.7.13.15.11", "9.7.13.15.12", "9.7.13.15.13", "9.7.13.15.14", "9.7.13.15.15",
    "9.7.13.15.16", "9.7.13.15.17", "9.7.13.16",    "9.7.13.17",    "9.7.13.18",    "9.7.14.4.3",
    "9.7.14.4.4",   "9.7.14.4.5",   "9.7.14.5.14",  "9.7.14.5.15",  "9.7.14.5.16",  "9.7.14.5.17",
    "9.7.14.6.3",   "9.7.15.5.2",   "9.7.15.6.3",   "9.7.15.7.1",   "9.7.15.7.2",   "9.7.15.7.3",
    "9.7.16.6.1",   "9.7.16.7.3",   "9.7.16.7.4",   "9.7.16.7.5",   "9.7.16.8.2",   "9.7.16.8.3",
    "9.7.16.9.9.1", "9.7.16.9.9.2", "9.7.16.9.9.3", "9.7.16.9.9.4", "9.7.16.10.1",  "9.7.16.11.1",
    "9.7.17.1",     "9.7.17.2",     "9.7.17.3",     "9.7.18.1.1",   "9.7.18.1.2",   "9.7.18.1.3",
    "9.7.18.1.4",   "9.7.18.2.1",   "9.7.18.2.2",   "9.7.18.2.3",   "9.7.18.2.4",   "9.7.19.1",
    "9.7.19.2",     "9.7.19.3",     "9.7.19.4",     "9.7.19.5"};

std::string text_of_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("every instruction section of the manual has its row, and no other section has one") {
  const auto rows = catalogue_rows(ptx());
  for (const std::string_view section : instruction_sections) {
    INFO(section);
    CHECK(std::any_of(rows.begin(), rows.end(), [&](const CatalogueRow& r) { return r.section == section; }));
  }
  for (const CatalogueRow& row : rows) {
    INFO(row.section);
    const auto* known =
        std::find(std::begin(instruction_sections), std::end(instruction_sections), row.section);
    CHECK((known != std::end(instruction_sections) || row.section.starts_with("6.4: ")));
  }
}

TEST_CASE("rows stand in the order of the manual") {
  const auto rows = catalogue_rows(ptx());
  const auto place = [&](std::string_view section) {
    return std::find_if(rows.begin(), rows.end(),
                        [&](const CatalogueRow& r) { return r.section == section; });
  };
  CHECK(place("9.7.9.8") < place("9.7.9.19"));
  CHECK(place("9.7.9.26") < place("9.7.10.3"));
}

TEST_CASE("docs/coverage.md is what the table says: make coverage") {
  CHECK(text_of_file(PTXMC_SOURCE_DIR "/docs/coverage.md") == catalogue_markdown(ptx()));
}

TEST_CASE("forms are found by opcode, by beginning, with stars, and in capitals") {
  const auto has = [](std::string_view pattern, std::string_view part) {
    const std::string text = forms_text(ptx(), pattern);
    INFO(text);
    return text.find(part) != std::string::npos;
  };
  CHECK(has("atom", "atom{.sem}{.scope}{.space}.cas"));
  CHECK(has("atom.add", "atom{.sem}{.scope}{.space}.add{.level::cache_hint}.addtype"));
  CHECK_FALSE(has("atom.add", ".incop"));
  CHECK(has("ATOM.Relaxed.add", ".addtype"));
  CHECK(has("add.cc", "add.cc.type"));
  CHECK_FALSE(has("add.cc", "addc"));
  CHECK(has("cvt.*.f16", "cvt"));
  CHECK(has("v*.u32.u32.u32", "vadd"));
  CHECK_FALSE(has("cvt.*.f16", ".f64 d, a"));
  CHECK(has("shf", "shf.l") == true);
  CHECK(has("vad", "vadd"));
  CHECK(forms_text(ptx(), "atom.ad.u33").empty());
  CHECK(forms_text(ptx(), "").empty());
  CHECK_FALSE(forms_text(ptx(), "*").empty());
}
