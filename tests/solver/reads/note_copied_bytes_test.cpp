// Which bytes threads copy, and which they use.
#include "solver/reads/note_copied_bytes.hpp"

#include <doctest/doctest.h>

#include "model/program/copied_bytes.hpp"

using namespace ptxmc;

namespace {

/// One thread that reads 4 bytes, and then writes `written` of them.
struct ReadAndWrite {
  ReadAndWrite() : value(graph.variable(32, "read")) {
    structure.program = &program;
    structure.endings.resize(1);
    Event& read = structure.events.emplace_back();
    read.kind = EventKind::read;
    read.size = 4;
    read.value = value;
  }

  void write(const Bits& written) {
    Event& event = structure.events.emplace_back();
    event.kind = EventKind::write;
    event.size = written.width() / 8;
    event.value = written;
  }

  unsigned used() {
    note_copied_bytes(structure);
    return structure.copied->used.front();
  }

  const std::vector<CopiedBytes::Copy>& copies(std::size_t event) const {
    return structure.copied->copies.at(event);
  }

  TermGraph graph;
  Program program;
  EventStructure structure;
  Bits value;
};

}  // namespace

TEST_CASE("a byte that only goes to memory is copied, wherever it goes") {
  ReadAndWrite thread;
  thread.write(thread.value);
  thread.write(concat(Bits(8, 7), thread.value.extract(8, 8)));
  CHECK(thread.used() == 0);
  REQUIRE(thread.copies(1).size() == 4);
  for (unsigned byte = 0; byte < 4; ++byte) {
    CHECK(thread.copies(1)[byte].byte == byte);
    CHECK(thread.copies(1)[byte].read == 0);
    CHECK(thread.copies(1)[byte].from == byte);
  }
  REQUIRE(thread.copies(2).size() == 1);  // the upper byte is a constant
  CHECK(thread.copies(2)[0].byte == 0);
  CHECK(thread.copies(2)[0].from == 1);
}

TEST_CASE("a byte is used by a sum, a condition, an address, and a shift by less than a byte") {
  for (int use = 0; use < 5; ++use) {
    CAPTURE(use);
    ReadAndWrite thread;
    const Bits byte = thread.value.extract(16, 8);
    thread.write(Bits(8, 0));
    if (use == 0) thread.structure.events[1].value = byte + Bits(8, 1);
    if (use == 1) thread.structure.events[1].condition = equal(byte, Bits(8, 1));
    if (use == 2) thread.structure.events[1].location = byte.zero_extend(64);
    if (use == 3) thread.structure.events[1].value = thread.value.extract(17, 7).zero_extend(8);
    if (use == 4) thread.structure.endings[0].push_back({Ending::Kind::trapped, byte.bit(0), 0, {}, {}});
    CHECK(thread.used() == 4);
    CHECK(thread.copies(1).empty());
  }
}

TEST_CASE("a condition that chooses between copies is used, and the copies are not") {
  ReadAndWrite thread;
  const Bits chosen = ite(thread.value.bit(0), thread.value.extract(8, 8), Bits(8, 7));
  thread.write(chosen);
  CHECK(thread.used() == 1);
  REQUIRE(thread.copies(1).size() == 1);
  CHECK(thread.copies(1)[0].read == 0);
  CHECK(thread.copies(1)[0].from == 1);
  CHECK(identical(thread.copies(1)[0].when, thread.value.bit(0)));
  CHECK(thread.structure.copied->has_conditions);
}

TEST_CASE("a read of private memory is wrong if an unwritten byte is used, or if no byte was written") {
  for (const bool is_used : {false, true})
    for (const unsigned written : {0U, 1U, 4U}) {
      CAPTURE(is_used);
      CAPTURE(written);
      ReadAndWrite thread;
      const Bits unwritten = thread.graph.variable(32, "unwritten");
      thread.structure.unwritten = {unwritten.term()->variable};
      Violation& violation = thread.structure.violations.emplace_back();
      violation.condition = Bits::boolean(written != 4);
      violation.value = written == 4 ? Bits(32, 7) : unwritten;
      if (written == 1) violation.value = concat(unwritten.extract(8, 24), Bits(8, 7));
      for (unsigned byte = 0; byte < 4; ++byte) violation.is_written.push_back(Bits::boolean(byte < written));
      thread.write(is_used ? violation.value + Bits(32, 1) : violation.value);
      CHECK(may_lack_values(thread.structure));
      note_copied_bytes(thread.structure);
      const bool is_wrong = written == 0 || (written == 1 && is_used);
      CHECK(thread.structure.violations.empty() == !is_wrong);
      const bool is_copied = !is_used && written != 4;
      CHECK(thread.copies(1).size() == (is_copied ? 4 - written : 0));
      if (is_copied) CHECK(thread.copies(1).back().read == CopiedBytes::without_value);
    }
}

TEST_CASE("an element of a vector is no mistake if another one was written") {
  for (const bool is_other_written : {false, true}) {
    ReadAndWrite thread;
    for (int element = 0; element < 2; ++element) {
      const Bits unwritten = thread.graph.variable(8, "unwritten");
      thread.structure.unwritten.push_back(unwritten.term()->variable);
      Violation& violation = thread.structure.violations.emplace_back();
      const bool is_written = element == 1 && is_other_written;
      violation.condition = Bits::boolean(!is_written);
      violation.value = is_written ? Bits(8, 7) : unwritten;
      violation.is_written = {Bits::boolean(is_written)};
    }
    note_copied_bytes(thread.structure);
    CHECK(thread.structure.violations.size() == (is_other_written ? 0 : 2));
  }
}
