#include "src/report/drawing.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <regex>
#include <set>

#include "src/report/drawing/layout.hpp"
#include "tests/src/report/hand_made.hpp"
#include "tests/src/report/occurrences.hpp"

using namespace ptxmc;
using drawing::Layout;
using drawing::Rectangle;
using test::count;

namespace {

/// The edges between events in a text of the dot language: `rf e3->e4`.
std::multiset<std::string> edges_in(const std::string& dot) {
  static const std::regex edge(R"re(e(\d+) -> e(\d+) \[class="(\w+)")re");
  std::multiset<std::string> edges;
  for (auto it = std::sregex_iterator(dot.begin(), dot.end(), edge); it != std::sregex_iterator(); ++it)
    edges.insert((*it)[3].str() + " " + (*it)[1].str() + "->" + (*it)[2].str());
  return edges;
}

std::multiset<std::string> edges_of(const HandMade& made, const std::string& relation) {
  std::multiset<std::string> edges;
  for (const std::string& edge : edges_in(draw_dot(made.execution)))
    if (edge.starts_with(relation + " ")) edges.insert(edge.substr(relation.size() + 1));
  return edges;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool overlap(const Rectangle& a, const Rectangle& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

bool inside(const Rectangle& a, const Rectangle& outer) {
  return outer.left < a.left && a.right < outer.right && outer.top < a.top && a.bottom < outer.bottom;
}

std::vector<std::unique_ptr<HandMade>> all_hand_made() {
  std::vector<std::unique_ptr<HandMade>> all;
  all.push_back(message_passing());
  all.push_back(message_passing_synchronized());
  all.push_back(store_buffering());
  all.push_back(independent_reads());
  all.push_back(barrier_exchange());
  all.push_back(lock_handover());
  all.push_back(ring_of(8));
  all.push_back(ring_of(20));
  return all;
}

using Strings = std::multiset<std::string>;

}  // namespace

TEST_CASE("message passing: the edges of the picture") {
  // Events: 0 x, 1 flag, 2 st x, 3 st flag, 4 ld flag, 5 ld x.
  const auto made = message_passing();
  CHECK(edges_in(draw_dot(made->execution)) ==
        Strings{"po 2->3", "po 4->5", "rf 3->4", "rf 0->5", "fr 5->2"});
}

TEST_CASE("a relation that the model does not name is not drawn, nor is it in the legend") {
  const auto made = message_passing();
  made->execution.relations.erase("fr");
  const std::string dot = draw_dot(made->execution);
  CHECK(edges_in(dot) == Strings{"po 2->3", "po 4->5", "rf 3->4", "rf 0->5"});
  CHECK(count(dot, "from reads") == 0);
  CHECK(count(dot, "reads from") == 1);
  CHECK(count(draw_dot(message_passing()->execution), "from reads") == 1);
}

TEST_CASE("each event shows its instruction, what it read or wrote, and its line") {
  const std::string dot = draw_dot(message_passing()->execution);
  CHECK(count(dot, "st.release.cta flag, 1") == 1);
  CHECK(count(dot, "b: W flag=1") == 1);
  CHECK(count(dot, "c: R flag=1") == 1);
  CHECK(count(dot, "d: R x=0") == 1);
  CHECK(count(dot, "line 8") == 2);
  CHECK(count(dot, "line 9") == 2);
}

TEST_CASE("initial writes are drawn when something reads them") {
  const std::string dot = draw_dot(message_passing()->execution);
  CHECK(count(dot, "x = 0") == 1);
  CHECK(count(dot, "flag = 0") == 0);
}

TEST_CASE("boxes: CTA in GPU; a cluster only where one has several CTAs") {
  const std::string dot = draw_dot(independent_reads()->execution);
  for (const char* label : {"GPU 0", "GPU 1", "CTA 0", "CTA 3"}) CHECK(count(dot, label) == 1);
  CHECK(count(dot, "cluster 0") == 0);
  CHECK(count(draw_dot(lock_handover()->execution), "\"cluster 0\"") == 1);
  CHECK(count(draw_dot(lock_handover()->execution), "\"cluster 1\"") == 1);
}

TEST_CASE("threads of a CTA stand side by side, whatever their numbers") {
  const auto made = std::make_unique<HandMade>();
  const EventId x = made->variable("x");
  for (const int cta : {0, 1, 0}) {
    made->thread(cta, cta, 0);
    made->write("st.weak x, 1", x, 1);
  }
  const auto content = drawing::content_of(made->execution, {});
  CHECK(content.threads == std::vector<int>{0, 2, 1});
}

TEST_CASE("coherence and from-reads: only what others do not imply") {
  // Events of each thread: cas (read, write), ld, st, st; 5 a thread from event 2 on.
  const auto made = lock_handover();
  CHECK(edges_of(*made, "co") == Strings{"2->6", "6->7", "7->11", "11->12", "12->16", "5->10", "10->15"});
  // A lock's own write is the next one after what it read: no edge leaves the instruction.
  CHECK(edges_of(*made, "fr") == Strings{"4->5", "9->10", "14->15"});
  CHECK(edges_of(*made, "synchronizes") == Strings{"6->7", "11->12"});
  CHECK(count(draw_dot(made->execution), "a: R lock=0, W lock=1") == 1);
}

TEST_CASE("a cyclic relation is drawn whole") {
  CHECK(drawing::transitive_reduction({{1, 2}, {2, 3}, {1, 3}}) == Pairs{{1, 2}, {2, 3}});
  CHECK(drawing::transitive_reduction({{1, 2}, {2, 3}, {3, 1}}) == Pairs{{1, 2}, {2, 3}, {3, 1}});
}

TEST_CASE("Fence-SC order is a chain, and not drawn again as synchronizes") {
  const auto ring = ring_of(8);
  CHECK(edges_of(*ring, "fence_sc").size() == 7);
  CHECK(edges_of(*ring, "fr").size() == 7);
  // store buffering: 0 x, 1 y, then st, fence, ld for each thread
  const auto chosen = store_buffering();
  chosen->execution.choices["fence_sc"] = {{6, 3}};  // what the model chose, where it defines none
  CHECK(edges_of(*chosen, "fence_sc") == Strings{"3->6"});
  chosen->execution.relations.erase("fence_sc");
  CHECK(edges_of(*chosen, "fence_sc") == Strings{"6->3"});
  CHECK(edges_of(*store_buffering(), "fence_sc") == Strings{"3->6"});
  CHECK(edges_of(*store_buffering(), "synchronizes").empty());
}

TEST_CASE("a barrier: waiting neighbours are joined without direction, an arrival points at a wait") {
  const auto made = barrier_exchange();
  const std::string dot = draw_dot(made->execution);
  CHECK(edges_of(*made, "barrier") == Strings{"3->7", "9->7"});
  CHECK(edges_of(*made, "synchronizes").empty());
  // One of the edges, and the sample in the legend.
  CHECK(count(dot, "dir=none") == 2);
}

TEST_CASE("events of one barrier phase are in one row") {
  const auto made = barrier_exchange();
  const auto content = drawing::content_of(made->execution, {});
  const Layout layout = drawing::layout_of(content);
  std::map<EventId, double> top;
  for (std::size_t node = 0; node < content.nodes.size(); ++node)
    top[content.nodes[node].events.front()] = layout.nodes[node].top;
  CHECK(top.at(3) == top.at(7));
  CHECK(top.at(3) == top.at(9));
  CHECK(top.at(2) < top.at(3));
  CHECK(top.at(3) < top.at(4));
}

TEST_CASE("barrier phases that contradict program order are drawn all the same") {
  const auto made = std::make_unique<HandMade>();
  made->thread(0, 0, 0);
  made->barrier("bar.cta.sync 0", 0);
  made->barrier("bar.cta.sync 1", 1);
  made->thread(0, 0, 0);
  made->barrier("bar.cta.sync 1", 1);
  made->barrier("bar.cta.sync 0", 0);
  CHECK(edges_in(draw_dot(made->execution)) == Strings{"po 0->1", "po 2->3", "barrier 0->3", "barrier 1->2"});
  CHECK(drawing::layout_of(drawing::content_of(made->execution, {})).row_count == 2);
}

TEST_CASE("threads that arrive and wait apart meet in the row of the waiting") {
  const auto made = std::make_unique<HandMade>();
  const EventId x = made->variable("x");
  std::vector<EventId> waits;
  for (int i = 0; i < 2; ++i) {
    made->thread(i, 0, 0);
    made->barrier("barrier.cluster.arrive", 0, Barrier::Kind::arrive);
    if (i == 0) made->write("st.weak x, 1", x, 1);
    waits.push_back(made->barrier("barrier.cluster.wait", 0, Barrier::Kind::wait));
  }
  const auto content = drawing::content_of(made->execution, {});
  const Layout layout = drawing::layout_of(content);
  CHECK(layout.row_count == 3);
  for (std::size_t node = 0; node < content.nodes.size(); ++node)
    if (content.nodes[node].events.front() == waits[0] || content.nodes[node].events.front() == waits[1])
      CHECK(layout.row_of[node] == 2);
  // Each arrival leads to the other thread's wait.
  CHECK(edges_of(*made, "barrier") == Strings{"3->5", "1->5", "4->3"});
}

TEST_CASE("a read that takes bytes from several writes says which") {
  const auto made = std::make_unique<HandMade>();
  const EventId x = made->variable("x");
  made->thread(0, 0, 0);
  const EventId write = made->write("st.weak.u32 x, 1", x, 1);
  const EventId read = made->read("ld.weak.u64 r0, x", x, 1);
  made->execution.reads_from = {{read, write, 0x1000, 4}, {read, x, 0x1004, 4}};
  const std::string dot = draw_dot(made->execution);
  CHECK(count(dot, "rf bytes 0-3") == 1);
  CHECK(count(dot, "rf bytes 4-7") == 1);
}

TEST_CASE("the elements of a vector access are one node") {
  const auto made = std::make_unique<HandMade>();
  const EventId x = made->variable("x"), y = made->variable("y");
  made->thread(0, 0, 0);
  const EventId first = made->read("ld.v2.weak {r0, r1}, x", x, 3);
  const EventId second = made->read("", y, 4);
  made->execution.events[second].step = made->execution.events[first].step;
  const std::string dot = draw_dot(made->execution);
  CHECK(edges_in(dot).empty());
  CHECK(count(dot, "a: R x=3") == 1);
  CHECK(count(dot, "R y=4") == 1);
  CHECK(count(dot, "b: ") == 0);
}

TEST_CASE(
    "an asynchronous operation is a box beside its thread, which points at the wait that it completes for") {
  HandMade made;
  const EventId x = made.variable("x"), s = made.variable("s");
  made.thread(0, 0, 0);
  const EventId before = made.write("st.weak x, 1", x, 1);
  const EventId copied = made.read("cp.async.ca.shared.global [s], [x], 4", x, 1);
  const EventId written = made.write("cp.async.ca.shared.global [s], [x], 4", s, 1);
  const EventId after = made.read("ld.weak r0, s", s, 1);
  for (const EventId id : {copied, written}) {
    Event& event = made.execution.events[static_cast<std::size_t>(id)];
    event.strand = 1;
    event.step = 7;
    event.access.is_copy = true;
  }
  made.reads_from(before, copied);
  made.relate("completed", {{written, after}});
  CHECK(edges_of(made, "starts") == std::multiset<std::string>{fmt::format("{}->{}", before, copied)});
  CHECK(edges_of(made, "completes") == std::multiset<std::string>{fmt::format("{}->{}", copied, after)});
  CHECK(edges_of(made, "po") == std::multiset<std::string>{fmt::format("{}->{}", before, after)});
  const std::string text = draw_text(made.execution);
  CHECK(contains(text, "P0 asynchronous"));
  CHECK(contains(text, "R x=1, W s=1"));
  made.relate("synchronizes", {{copied, after}});
  CHECK(edges_of(made, "completes").empty());  // said already
}

TEST_CASE("highlighted: an edge of the picture turns red, another one is added") {
  const auto made = message_passing();
  const std::string dot = draw_dot(
      made->execution, {.title = "", .footer = "", .highlighted = {{"fr", 5, 2}, {"causality", 2, 5}}});
  CHECK(edges_in(dot) == Strings{"po 2->3", "po 4->5", "rf 3->4", "rf 0->5", "fr 5->2", "other 2->5"});
  CHECK(count(dot, "<B>causality</B>") == 1);
  CHECK(count(dot, "<B>fr</B>") == 1);
  CHECK(count(dot, "<B>rf</B>") == 0);
  CHECK(count(dot, ">highlighted<") == 1);
}

TEST_CASE("highlighted: what races is joined without direction, an event alone turns red") {
  const auto made = message_passing();
  const DrawingOptions race = {.title = "", .footer = "", .highlighted = {{"race", 2, 5, false}}};
  CHECK(count(draw_dot(made->execution, race), "dir=none") == 1);
  CHECK(count(draw_text(made->execution, race), "highlighted: a -race- d\n") == 1);
  const DrawingOptions stuck = {.title = "", .footer = "", .highlighted = {{"", 4, 4}}};
  CHECK(count(draw_dot(made->execution, stuck), "penwidth=1.6") == 1);
  CHECK(count(draw_dot(made->execution, stuck), ">highlighted<") == 1);
  CHECK(count(draw_text(made->execution, stuck), "highlighted: c\n") == 1);
}

TEST_CASE("text from outside cannot break the graph's syntax") {
  const auto made = std::make_unique<HandMade>();
  const EventId x = made->variable("x<&\"");
  made->thread(0, 0, 0);
  made->write("st <b> & \"q\\\", 1", x, 1);
  const std::string dot = draw_dot(made->execution, {.title = "a<b", .footer = "x & y", .highlighted = {}});
  CHECK(count(dot, "st &lt;b&gt; &amp; &quot;q\\&quot;, 1") == 1);
  CHECK(count(dot, "x&lt;&amp;&quot;=1") == 1);
  CHECK(count(dot, "a&lt;b") == 1);
  CHECK(count(dot, "x &amp; y") == 1);
}

TEST_CASE("a footer is broken to the width of the picture") {
  const auto made = message_passing();
  const std::string words = "one two three four five six seven eight nine ten eleven twelve ";
  const std::string dot =
      draw_dot(made->execution, {.title = "", .footer = words + words + "\nlast", .highlighted = {}});
  CHECK(count(dot, "  footer0 [") == 1);
  CHECK(count(dot, ">last<") == 1);
  CHECK(count(dot, "  footer2 [") == 1);
  CHECK(count(draw_dot(made->execution), "footer") == 0);
}

TEST_CASE("layout: columns are vertical, nothing overlaps, boxes hold what is theirs") {
  for (const auto& made : all_hand_made()) {
    const auto content = drawing::content_of(made->execution, {});
    const Layout layout = drawing::layout_of(content);
    for (const auto& column : content.columns)
      for (std::size_t i = 1; i < column.size(); ++i) {
        CHECK(layout.nodes[column[i]].center().x == layout.nodes[column[0]].center().x);
        CHECK(layout.nodes[column[i]].top > layout.nodes[column[i - 1]].bottom);
      }
    for (std::size_t a = 0; a < content.nodes.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) CHECK_FALSE(overlap(layout.nodes[a], layout.nodes[b]));
    for (const auto& box : layout.boxes)
      for (std::size_t node = 0; node < content.nodes.size(); ++node) {
        const int column = layout.column_of[node];
        const bool belongs = box.first_column <= column && column <= box.last_column;
        CHECK((belongs ? inside(layout.nodes[node], box.where) : !overlap(layout.nodes[node], box.where)));
      }
  }
}

TEST_CASE("layout: labels lie on their curves, beside nodes and beside each other") {
  for (const auto& made : all_hand_made()) {
    const auto content = drawing::content_of(made->execution, {});
    const Layout layout = drawing::layout_of(content);
    for (std::size_t a = 0; a < content.edges.size(); ++a) {
      CHECK(layout.splines[a].size() % 3 == 1);
      if (content.edges[a].label.empty()) continue;
      CHECK(layout.labels[a].width() > 0);
      for (const Rectangle& node : layout.nodes) CHECK_FALSE(overlap(layout.labels[a], node));
      for (std::size_t b = 0; b < a; ++b) CHECK_FALSE(overlap(layout.labels[a], layout.labels[b]));
    }
  }
}

TEST_CASE("layout: curves begin and end at their nodes") {
  for (const auto& made : all_hand_made()) {
    const auto content = drawing::content_of(made->execution, {});
    const Layout layout = drawing::layout_of(content);
    const auto on_border = [](const Rectangle& r, drawing::Point p) {
      const bool beside = (p.x == r.left || p.x == r.right) && r.top <= p.y && p.y <= r.bottom;
      return beside || ((p.y == r.top || p.y == r.bottom) && r.left <= p.x && p.x <= r.right);
    };
    for (std::size_t i = 0; i < content.edges.size(); ++i) {
      CHECK(on_border(layout.nodes[content.edges[i].from], layout.splines[i].front()));
      CHECK(on_border(layout.nodes[content.edges[i].to], layout.splines[i].back()));
    }
  }
}

TEST_CASE("layout: at most six columns side by side, the others below, none much shorter") {
  for (const auto& [threads, bands] : std::map<int, int>{{6, 1}, {7, 2}, {12, 2}, {13, 3}}) {
    const auto made = ring_of(threads);
    const auto content = drawing::content_of(made->execution, {});
    const Layout layout = drawing::layout_of(content);
    std::map<double, int> columns_at;  // by height
    for (const Rectangle& column : layout.columns) ++columns_at[column.top];
    CHECK(static_cast<int>(columns_at.size()) == bands);
    for (const auto& [top, count] : columns_at) CHECK(count <= 6);
    CHECK(columns_at.begin()->second - columns_at.rbegin()->second <= 2);
  }
  const std::string text = draw_text(ring_of(12)->execution);
  CHECK(count(text, "P5") == 1);
  CHECK(text.find("P5") < text.find("\n\nP6"));
}

TEST_CASE("layout: curves run through no name, and through no node but their own") {
  for (const auto& made : all_hand_made()) {
    const auto content = drawing::content_of(made->execution, {});
    const Layout layout = drawing::layout_of(content);
    const auto at = [](const drawing::Point* p, double t) {
      const double s = 1 - t, a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
      return drawing::Point{a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
                            a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
    };
    const auto hits = [](const Rectangle& r, drawing::Point p) {
      return r.left < p.x && p.x < r.right && r.top < p.y && p.y < r.bottom;
    };
    for (std::size_t i = 0; i < content.edges.size(); ++i)
      for (std::size_t curve = 0; curve + 3 < layout.splines[i].size(); curve += 3)
        for (int step = 0; step <= 20; ++step) {
          const drawing::Point point = at(&layout.splines[i][curve], step / 20.0);
          CAPTURE(i);
          for (std::size_t node = 0; node < content.nodes.size(); ++node)
            if (static_cast<int>(node) != content.edges[i].from &&
                static_cast<int>(node) != content.edges[i].to)
              CHECK_FALSE(hits(layout.nodes[node], point));
          for (std::size_t column = 0; column < layout.columns.size(); ++column) {
            const Rectangle& where = layout.columns[column];
            CHECK_FALSE(
                hits({where.left, where.top,
                      where.left + drawing::heading_width(content, static_cast<int>(column)), where.top + 18},
                     point));
          }
        }
  }
}

TEST_CASE("the legend has the colours that are there") {
  const auto made = message_passing();
  std::vector<HighlightedEdge> all_of_rf;
  for (const ReadsFrom& source : made->execution.reads_from)
    all_of_rf.push_back({"rf", source.write, source.read});
  const std::string dot = draw_dot(made->execution, {.title = {}, .footer = {}, .highlighted = all_of_rf});
  CHECK(count(dot, "reads from") == 0);
  CHECK(count(dot, "highlighted") == 1);
}

TEST_CASE("the source that an instruction was compiled from stands beside its line") {
  const auto made = message_passing();
  DrawingOptions options;
  options.source_of_line = [](std::uint32_t line) { return "k.cu:" + std::to_string(line + 100); };
  CHECK(contains(draw_dot(made->execution, options), ", k.cu:10"));
  CHECK(contains(draw_text(made->execution, options), ", k.cu:10"));
}

TEST_CASE("other proxies and aliases are marked") {
  HandMade made;
  const auto text_of = [](HandMade& made) { return draw_text(made.execution); };
  made.variable("x");
  made.variable("y");
  made.thread(0, 0, 0);
  const EventId write = made.write("sust.b.1d.b32 [x], 1", 0, 1);
  made.execution.events[write].access.proxy = Proxy::surface;
  CHECK(contains(text_of(made), "W x=1 (surface proxy)"));
  const EventId read = made.read("ld.relaxed.gpu r0, y", 1, 1);
  made.execution.events[read].location = made.execution.events[write].location;
  CHECK(contains(text_of(made), "R y=1 (alias of x)"));
}

TEST_CASE("the plain text: columns, then a list for each relation") {
  CHECK(draw_text(message_passing()->execution,
                  {.title = "MP", .footer = "allowed", .highlighted = {{"fr", 5, 2}, {"po", 2, 3}}}) ==
        "MP\n"
        "\n"
        "P0                                  | P1\n"
        "cta 0, cluster 0, gpu 0             | cta 1, cluster 1, gpu 0\n"
        "a: st.weak x, 1  (line 8)           | c: ld.acquire.cta r0, flag  (line 8)\n"
        "   W x=1                            |    R flag=1\n"
        "b: st.release.cta flag, 1  (line 9) | d: ld.weak r1, x  (line 9)\n"
        "   W flag=1                         |    R x=0\n"
        "\n"
        "rf (reads from): b -> c, x = 0 -> d\n"
        "fr (from reads): d -> a\n"
        "highlighted: a -po-> b, d -fr-> a\n"
        "\n"
        "allowed\n");
  CHECK(count(draw_text(barrier_exchange()->execution), "bar (meet at a barrier): b -- f, h -> f\n") == 1);
}
