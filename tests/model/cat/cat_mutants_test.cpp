#include "model/cat/cat_mutants.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace ptxmc::cat;

namespace {

const std::string lines = R"(PTX "lines"
let read = R \ RED
let ordered =
    (po & loc)
  | rf; [read]
  | fr
let strong = (ordered | po)
  \ ext
let unused = po; po
acyclic ordered as coherence
irreflexive strong; rf as causality
flag ~empty unused as something
)";

Model parsed_model(const std::string& text) { return parse({"lines.cat", text}, {}); }

/// A line for each.
std::string text_of(const std::vector<Mutant>& mutants) {
  std::string result;
  for (const Mutant& mutant : mutants)
    result += std::to_string(mutant.place.where.line) + ": " + mutant.text + "\n";
  return result;
}

const Mutant& mutant_with(const std::vector<Mutant>& mutants, const std::string& part) {
  const auto found = std::ranges::find_if(
      mutants, [&](const Mutant& mutant) { return mutant.text.find(part) != part.npos; });
  REQUIRE(found != mutants.end());
  return *found;
}

}  // namespace

TEST_CASE("axioms, definitions, and the parts of definitions over several lines can be taken out") {
  const std::string expected = R"(2: `read` is empty
3: `ordered` is empty
3: `ordered` without `fr`
4: `ordered` without `(po & loc)`
5: `ordered` without `(rf; [read])`
7: `strong` is empty
7: `strong` without `ordered`
7: `strong` without `po`
8: `strong` without `\ ext`
9: `unused` is empty
10: without axiom `coherence`
11: without axiom `causality`
)";
  CHECK(text_of(without_each_line(parsed_model(lines))) == expected);
}

TEST_CASE("what is taken out is not in the axioms any more") {
  const Model model = parsed_model(lines);
  const auto mutants = without_each_line(model);
  CHECK(mutant_with(mutants, "axiom `coherence`").model.axioms.size() == 1);
  CHECK(have_same_axioms(mutant_with(mutants, "without `fr`").model,
                         parsed_model(std::string(lines).replace(lines.find("\n  | fr"), 7, ""))));
  CHECK(have_same_axioms(mutant_with(mutants, "`unused` is empty").model, model));
  for (const Mutant& mutant : mutants)
    if (mutant.text.find("unused") == std::string::npos) {
      CAPTURE(mutant.text);
      CHECK_FALSE(have_same_axioms(mutant.model, model));
    }
}

TEST_CASE("models have the same axioms if their definitions are the same") {
  const Model model = parsed_model(lines);
  CHECK(have_same_axioms(model, parsed_model(lines)));
  CHECK(have_same_axioms(model, parsed_model("(* a comment *)\nlet also = rf\n" + lines.substr(12))) ==
        false);  // not of PTX: its coherence order is another one
  CHECK_FALSE(have_same_axioms(model, parsed_model(lines + "acyclic rf as more\n")));
}
