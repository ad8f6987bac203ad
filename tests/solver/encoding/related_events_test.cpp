// Rows of base relations say which events they may relate: over every bundled litmus test, none is left out.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

#include "model/relations/base_relations.hpp"
#include "tests/solver/launches.hpp"

using namespace ptxmc;
namespace fs = std::filesystem;

TEST_CASE("BaseRelation::from and BaseRelation::to hold for all related events") {
  std::set<std::string_view> seen, restricted;
  for (const auto& file : fs::recursive_directory_iterator(PTXMC_SOURCE_DIR "/litmus")) {
    if (file.path().extension() != ".litmus") continue;
    CAPTURE(file.path().string());
    std::ifstream in(file.path());
    const LitmusTest test = parse_litmus(std::string(std::istreambuf_iterator(in), {}), file.path().string());
    TermGraph graph;
    const EventStructure structure = unfold(test.program, graph, {});
    const auto size = static_cast<EventId>(structure.events.size());
    for (const BaseRelation& relation : base_relations()) {
      if (!relation.holds || (!relation.from && !relation.to)) continue;
      CAPTURE(relation.name);
      restricted.insert(relation.name);
      bool is_complete = true;
      for (EventId a = 0; a < size; ++a)
        for (EventId b = 0; b < size; ++b) {
          if (relation.holds(*structure.program, structure.events, a, b).is_false()) continue;
          seen.insert(relation.name);
          const auto at = [&](EventId id) -> const Event& {
            return structure.events[static_cast<std::size_t>(id)];
          };
          is_complete &= (!relation.from || relation.from(at(a))) && (!relation.to || relation.to(at(b)));
        }
      CHECK(is_complete);
    }
  }
  // Litmus tests have no tensor memory.
  for (const char* name : {"pipelined", "pipeline_pair"}) restricted.erase(name);
  CHECK(seen == restricted);
}
