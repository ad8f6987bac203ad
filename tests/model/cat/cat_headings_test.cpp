#include "model/cat/cat_headings.hpp"

#include <doctest/doctest.h>

#include "model/cat/cat_model.hpp"

using namespace ptxmc;

TEST_CASE("comments that begin with sections are headings") {
  const auto headings = cat::headings_of(
      SourceText("m.cat",
                 "(* 8.2.1 Overlap, 8.2.2 Aliases *)\nlet a = 0\n(* of no section *)\n"
                 "(* 8.7.1, 8.7.2 Conflict and data-races *)\n(* 9.1 Two\n lines *)\n(* 6 is no section *)"),
      3);
  REQUIRE(headings.size() == 3);
  CHECK(headings[0].section == "8.2.1");
  CHECK(headings[0].title == "Overlap");
  CHECK(headings[0].place.file == 3);
  CHECK(headings[1].section == "8.7.1, 8.7.2");
  CHECK(headings[1].title == "Conflict and data-races");
  CHECK(headings[1].place.where.line == 4);
  CHECK(headings[2].title == "Two");
}

TEST_CASE("names and axioms stand under the headings of the manual") {
  const cat::Model model = cat::load("ptx-8.7");
  CHECK(cat::with_heading(model, "pattern_synchronizes") ==
        "pattern_synchronizes (8.9.4 Memory synchronization)");
  CHECK(cat::with_heading(model, "fr") == "fr (8.9.7 Communication order)");
  CHECK(cat::with_heading(model, "po") == "po");
  for (const cat::Test& axiom : model.axioms) {
    CAPTURE(axiom.name);
    const cat::Heading* heading = cat::heading_of(model, axiom.place);
    REQUIRE(heading != nullptr);
    CHECK(heading->section.starts_with("8.10."));
  }
  CHECK(cat::with_heading(model, model.axioms.back()) == "causality (8.10.6 Causality)");
  const cat::Model included = cat::load("ptx-7.5");
  CHECK(cat::with_heading(included, included.axioms.back()) == "causality (8.10.6 Causality)");
}
