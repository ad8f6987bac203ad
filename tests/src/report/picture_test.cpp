#include "src/report/picture.hpp"

#include <doctest/doctest.h>

#include <set>

#include "tests/src/report/hand_made.hpp"
#include "tests/src/report/occurrences.hpp"

using namespace ptxmc;
using test::count;

TEST_CASE("a picture has its events and its edges by relation") {
  const auto made = message_passing();
  DrawingOptions drawing;
  drawing.title = "MP";
  const Picture picture = draw_svg(made->execution, drawing);
  CHECK(picture.title == "MP");
  CHECK(count(picture.svg, "<g class=\"event access\"") == 4);
  CHECK(count(picture.svg, "<g class=\"edge\" data-relation=\"rf\"") == 2);
  std::set<std::string> names;
  for (const PictureRelation& relation : picture.relations) {
    names.insert(relation.name);
    CHECK(count(picture.svg, "data-relation=\"" + relation.name + "\"") > 0);
  }
  CHECK(names.contains("rf"));
  CHECK(names.contains("po"));
  CHECK(count(picture.svg, "<g") == count(picture.svg, "</g>"));
}

TEST_CASE("a highlighted edge is a relation of its own") {
  const auto made = message_passing();
  const EventId read = static_cast<EventId>(made->execution.events.size()) - 1;
  DrawingOptions drawing;
  drawing.highlighted.push_back({"race", read - 1, read, false});
  const Picture picture = draw_svg(made->execution, drawing);
  CHECK(picture.relations.back().name == "red");
  CHECK(count(picture.svg, "data-relation=\"red\"") == 1);
}

TEST_CASE("the text of instructions is escaped") {
  HandMade made;
  const EventId x = made.variable("x");
  made.thread(0, 0, 0);
  made.reads_from(x, made.read("ld.weak <\"&>, x", x, 0));
  const Picture picture = draw_svg(made.execution);
  CHECK(count(picture.svg, "ld.weak &lt;&quot;&amp;&gt;, x") == 1);
}
