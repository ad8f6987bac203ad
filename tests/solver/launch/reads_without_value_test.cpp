// Reads of bytes that have no value, through copies.
#include "solver/launch/reads_without_value.hpp"

#include <doctest/doctest.h>

#include "solver/reads/note_copied_bytes.hpp"

using namespace ptxmc;

namespace {

/// An array x of 16 bytes without a value at location 0x100. Threads write bytes, and read words.
struct Accesses {
  Accesses() {
    program.memory.resize(1);
    program.memory[0].location = program.memory[0].address = 0x100;
    program.memory[0].element_size = 4;
    program.memory[0].initial.resize(4);
    structure.program = &program;
    for (std::uint64_t at = 0x100; at < 0x110; at += 4)
      add(EventKind::initial_write, at, graph.variable(32, "x"));
  }

  EventId add(EventKind kind, std::uint64_t location, const Bits& value) {
    Event& event = structure.events.emplace_back();
    event.kind = kind;
    event.thread = kind == EventKind::initial_write ? Event::no_thread : 0;
    event.step = static_cast<unsigned>(structure.events.size());
    event.location = Bits(64, location);
    event.value = value;
    event.size = value.width() / 8;
    return static_cast<EventId>(structure.events.size()) - 1;
  }

  /// A read that takes its first byte from a write, and the others from the initial content.
  EventId read(std::uint64_t location, EventId first) {
    const EventId id = add(EventKind::read, location, graph.variable(32, "r"));
    sources.push_back({id, first, {location, 1}, Bits::boolean(true)});
    sources.push_back(
        {id, static_cast<EventId>((location - 0x100) / 4), {location + 1, 3}, Bits::boolean(true)});
    return id;
  }

  std::vector<EventId> wrong() {
    note_copied_bytes(structure);
    std::vector<EventId> result;
    const KnownTerms known = {
        .location = [&](EventId id) { return structure.events[index(id)].location; },
        .value =
            [&](const Bits& condition) {
              if (open.width() == 0) return condition;
              Substitution values;
              values.set(open.term()->variable, Bits::boolean(is_open));
              return values.apply(condition);
            },
    };
    for (const Suspect& suspect : reads_without_value(structure, sources, known)) {
      CHECK(suspect.condition.is_true());
      result.push_back(suspect.site.event);
    }
    return result;
  }

  Bits value(EventId id) const { return structure.events[index(id)].value; }

  TermGraph graph;
  Program program;
  EventStructure structure;
  std::vector<SourceOfRead> sources;
  Bits open;             ///< a condition
  bool is_open = false;  ///< its value
};

using Reads = std::vector<EventId>;

}  // namespace

TEST_CASE("a word with padding may be copied and not be used") {
  for (const bool is_used : {false, true}) {
    Accesses accesses;
    const EventId byte = accesses.add(EventKind::write, 0x100, Bits(8, 7));
    const EventId read = accesses.read(0x100, byte);
    const Bits value = accesses.value(read);
    accesses.add(EventKind::write, 0x200, is_used ? value + Bits(32, 1) : value);
    CHECK(accesses.wrong() == (is_used ? Reads{read} : Reads{}));
  }
}

TEST_CASE("the byte that has a value may be used alone") {
  Accesses accesses;
  const EventId byte = accesses.add(EventKind::write, 0x100, Bits(8, 7));
  const EventId read = accesses.read(0x100, byte);
  accesses.add(EventKind::write, 0x200, (accesses.value(read) & Bits(32, 255)) + Bits(32, 1));
  CHECK(accesses.wrong().empty());
}

TEST_CASE("a word without any value may not be copied") {
  Accesses accesses;
  const EventId read = accesses.read(0x104, 1);
  accesses.add(EventKind::write, 0x200, accesses.value(read));
  CHECK(accesses.wrong() == Reads{read});
}

TEST_CASE("an element of a vector may be without a value if another one has one") {
  Accesses accesses;
  const EventId byte = accesses.add(EventKind::write, 0x100, Bits(8, 7));
  const EventId first = accesses.read(0x100, byte), second = accesses.read(0x104, 1);
  accesses.structure.events[index(second)].step = accesses.structure.events[index(first)].step;
  CHECK(accesses.wrong().empty());
}

TEST_CASE("a copy of padding that is used later is a mistake where it is used") {
  Accesses accesses;
  const EventId byte = accesses.add(EventKind::write, 0x100, Bits(8, 7));
  const EventId read = accesses.read(0x100, byte);
  const EventId copy = accesses.add(EventKind::write, 0x200, accesses.value(read));
  const EventId later = accesses.add(EventKind::read, 0x200, accesses.graph.variable(32, "later"));
  accesses.sources.push_back({later, copy, {0x200, 4}, Bits::boolean(true)});
  SUBCASE("used") {
    accesses.add(EventKind::write, 0x300, accesses.value(later) + Bits(32, 1));
    CHECK(accesses.wrong() == Reads{later});
  }
  SUBCASE("copied again") {
    accesses.add(EventKind::write, 0x300, accesses.value(later));
    CHECK(accesses.wrong().empty());
  }
  SUBCASE("the byte with a value") {
    accesses.add(EventKind::write, 0x300, accesses.value(later).extract(0, 8) + Bits(8, 1));
    CHECK(accesses.wrong().empty());
  }
}

TEST_CASE("copies in a circle have a value: no execution makes one out of thin air") {
  Accesses accesses;
  const EventId first = accesses.add(EventKind::read, 0x200, accesses.graph.variable(32, "first"));
  const EventId second = accesses.add(EventKind::read, 0x300, accesses.graph.variable(32, "second"));
  const EventId to_second = accesses.add(EventKind::write, 0x300, accesses.value(first));
  const EventId to_first = accesses.add(EventKind::write, 0x200, accesses.value(second));
  accesses.sources.push_back({first, to_first, {0x200, 4}, Bits::boolean(true)});
  accesses.sources.push_back({second, to_second, {0x300, 4}, Bits::boolean(true)});
  accesses.add(EventKind::write, 0x400, accesses.value(first) + accesses.value(second));
  CHECK(accesses.wrong().empty());
}

TEST_CASE("a condition decides whether a copy has a value") {
  for (const bool is_copied : {false, true}) {
    Accesses accesses;
    const EventId byte = accesses.add(EventKind::write, 0x100, Bits(8, 7));
    const EventId read = accesses.read(0x100, byte);
    accesses.open = accesses.graph.variable(1, "open");
    accesses.is_open = is_copied;
    const EventId copy =
        accesses.add(EventKind::write, 0x200, ite(accesses.open, accesses.value(read), Bits(32, 0)));
    const EventId later = accesses.add(EventKind::read, 0x200, accesses.graph.variable(32, "later"));
    accesses.sources.push_back({later, copy, {0x200, 4}, Bits::boolean(true)});
    accesses.add(EventKind::write, 0x300, accesses.value(later) + Bits(32, 1));
    CHECK(accesses.wrong() == (is_copied ? Reads{later} : Reads{}));
  }
}
