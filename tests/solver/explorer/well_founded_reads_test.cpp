// Which sources leave every read some source without a cycle of dependencies (PTX ISA 8.7 § 8.10.4).
#include "solver/explorer/well_founded_reads.hpp"

#include <doctest/doctest.h>

#include "solver/unfolding/unfold.hpp"
#include "tests/solver/explorer/guided_execution.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// Two threads, and what the foundation says about their reads.
class TwoThreads {
 public:
  explicit TwoThreads(const std::string& rows)
      : test_(parse_litmus(
            "PTX t { x=0; y=0; } P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n" + rows + "\nexists (x == 1)",
            "t.litmus")),
        structure_(unfold(test_.program, graph_, {})),
        execution_(structure_, model_, {}),
        well_founded_reads_(structure_, execution_) {
    REQUIRE(execution_.settle());
  }

  PartialExecution& execution() { return execution_; }
  WellFoundedReads& foundation() { return well_founded_reads_; }

  /// The part of the only read of a thread.
  std::size_t read_of(int thread) const {
    for (std::size_t part = 0; part < execution_.parts().size(); ++part)
      if (structure_.events[static_cast<std::size_t>(execution_.parts()[part].read)].thread == thread)
        return part;
    FAIL("no read");
    return 0;
  }
  /// The only write of a thread; -1: the initial write to the place that the part reads.
  EventId write_of(int thread, std::size_t part) const {
    for (EventId id = 0; id < static_cast<EventId>(structure_.events.size()); ++id) {
      const Event& event = structure_.events[static_cast<std::size_t>(id)];
      if (event.is_write() && event.thread == thread &&
          (thread >= 0 || execution_.parts()[part].candidates.contains(static_cast<std::size_t>(id))))
        return id;
    }
    FAIL("no write");
    return 0;
  }
  bool stands(int thread, int from) {
    const std::size_t part = read_of(thread);
    return well_founded_reads_.can_take(part, write_of(from, part));
  }
  void take(int thread, int from) {
    const std::size_t part = read_of(thread);
    execution_.choose_source(part, write_of(from, part));
    REQUIRE(execution_.settle());
  }

 private:
  const cat::Model model_ = cat::load("ptx-8.7");
  const LitmusTest test_;
  TermGraph graph_;
  const EventStructure structure_;
  PartialExecution execution_;
  WellFoundedReads well_founded_reads_;
};

}  // namespace

TEST_CASE("load buffering with data: each read may take the other thread's value, and not both") {
  TwoThreads threads(
      "ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y ;\nst.relaxed.gpu y, r0 | st.relaxed.gpu x, r0 ;");
  CHECK(threads.stands(0, 1));
  CHECK(threads.stands(1, 0));
  CHECK(threads.stands(0, Event::no_thread));
  threads.take(0, 1);
  CHECK(threads.stands(1, Event::no_thread));
  CHECK_FALSE(threads.stands(1, 0));
  // Without the initial write, the second read has no source left.
  const std::size_t part = threads.read_of(1);
  BitSet initial(threads.execution().events().size());
  initial.insert(static_cast<std::size_t>(threads.write_of(Event::no_thread, part)));
  CHECK_FALSE(threads.foundation().can_do_without({&part, 1}, initial));
  BitSet other(threads.execution().events().size());
  other.insert(static_cast<std::size_t>(threads.write_of(0, part)));
  CHECK(threads.foundation().can_do_without({&part, 1}, other));
}

TEST_CASE("without a dependency in one thread, both may") {
  TwoThreads threads(
      "ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y ;\nst.relaxed.gpu y, 1 | st.relaxed.gpu x, r0 ;");
  threads.take(0, 1);
  CHECK(threads.stands(1, 0));
  CHECK(threads.stands(1, Event::no_thread));
}

TEST_CASE("a control dependency counts like data") {
  TwoThreads threads(
      "ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y ;\nbeq r0, 5, L | st.relaxed.gpu x, r0 ;\n"
      "st.relaxed.gpu y, 1 | ;\nL: | ;");
  threads.take(0, 1);
  CHECK_FALSE(threads.stands(1, 0));
}

TEST_CASE("on the way to an execution, its sources always stand") {
  std::mt19937 random(3);
  for_each_execution({"ptx-8.7", "ptx-6.4"},
                     [&](const cat::Model& model, const EnumeratedProgram& program, const Execution& known) {
                       GuidedExecution guided(program.structure, model, known);
                       WellFoundedReads foundation(program.structure, guided.execution);
                       REQUIRE(guided.execution.settle());
                       for (auto ready = guided.ready_parts(); !ready.empty(); ready = guided.ready_parts()) {
                         for (const std::size_t part : guided.open_parts()) {
                           CHECK(foundation.can_take(part, guided.source(part)));
                           BitSet others = guided.execution.parts()[part].candidates;
                           others.erase(static_cast<std::size_t>(guided.source(part)));
                           CHECK(foundation.can_do_without({&part, 1}, others));
                         }
                         const std::size_t part = ready[random() % ready.size()];
                         guided.execution.choose_source(part, guided.source(part));
                         REQUIRE(guided.execution.settle());
                       }
                     });
}
