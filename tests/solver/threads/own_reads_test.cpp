// Reads that follow a write of their thread.
#include "solver/threads/own_reads.hpp"

#include <doctest/doctest.h>

#include "tests/solver/threads/open_events.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// Each of 64 threads writes 7 to its own place, and then reads it. The condition of a further event depends
/// on what it reads.
class OwnPlace : public OpenEvents {
 public:
  OwnPlace() : OpenEvents(64) {
    memory(first, 256, true, false);
    thread().structure.endings.resize(1);
  }
  void write(std::uint32_t value) { OpenEvents::write(place(), Bits(32, value)); }
  /// Whether the thread reads only 7.
  bool reads_seven() {
    const Bits value = read(place()).value;
    read(place()).condition = equal(value, Bits(32, 7));
    assume_own_reads(questions());
    return questions().never(~equal(value, Bits(32, 7)));
  }

 private:
  static constexpr std::uint64_t first = 0x100;
  Bits place() const { return Bits(64, first) + shift_left(tid(), Bits(32, 2)); }
};

}  // namespace

TEST_CASE("a thread reads what it has written last") {
  OwnPlace threads;
  threads.write(7);
  CHECK(threads.reads_seven());
}

TEST_CASE("a thread may read what an iteration in between has written") {
  OwnPlace before;  // the write is before the loop, and the iteration that is unfolded is behind others
  before.write(7);
  before.thread().skipped.push_back({2, 2, 4});
  const Bits value = before.read(Bits(64, 0x100) + shift_left(before.tid(), Bits(32, 2))).value;
  before.write(9);
  before.events().back().condition = equal(value, Bits(32, 7));
  assume_own_reads(before.questions());
  CHECK_FALSE(before.questions().never(~equal(value, Bits(32, 7))));

  OwnPlace behind;  // the write is in the iteration that is unfolded, and others may follow
  behind.write(7);
  behind.thread().skipped.push_back({1, 1, 2});
  behind.thread().skipped.push_back({2, 1, 2});
  CHECK_FALSE(behind.reads_seven());
}

TEST_CASE("iterations that write nothing leave what a thread has written") {
  OwnPlace threads;
  threads.write(7);
  threads.thread().skipped.push_back({2, 9, 12});
  CHECK(threads.reads_seven());
}
