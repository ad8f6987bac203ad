#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "model/program/execution.hpp"
#include "semantics/values/check.hpp"

namespace ptxmc {

/// Writes an execution by hand. Threads are added first, then the initial writes, then events thread by
/// thread, each one step after the previous one; the value of a read follows from its sources.
class ExecutionBuilder {
 public:
  ExecutionBuilder() { execution_.program = &program_; }
  ExecutionBuilder(const ExecutionBuilder&) = delete;
  ExecutionBuilder& operator=(const ExecutionBuilder&) = delete;

  int thread(Placement placement = {}) {
    program_.threads.push_back({"P" + std::to_string(program_.threads.size()), placement, {}, {}, {}});
    return static_cast<int>(program_.threads.size() - 1);
  }

  EventId initial(std::uint64_t location, unsigned size, u128 value = 0) {
    Event event = access(EventKind::initial_write, Event::no_thread, location, size, {});
    event.value = Bits(8 * size, value);
    return add(std::move(event));
  }

  EventId write(int thread, std::uint64_t location, unsigned size, u128 value, Access how = {}) {
    Event event = access(EventKind::write, thread, location, size, how);
    event.value = Bits(8 * size, value);
    return add(std::move(event));
  }

  /// A read that takes all common bytes from one write.
  EventId read(int thread, std::uint64_t location, unsigned size, EventId from, Access how = {}) {
    return read(thread, location, size, std::vector<EventId>(size, from), how);
  }

  /// A read that takes each byte from a given write.
  EventId read(int thread, std::uint64_t location, unsigned size, const std::vector<EventId>& from,
               Access how = {}) {
    Event event = access(EventKind::read, thread, location, size, how);
    u128 value = 0;
    const auto id = static_cast<EventId>(execution_.events.size());
    for (unsigned byte = 0; byte < size; ++byte) {
      const Event& write = execution_.events.at(static_cast<std::size_t>(from[byte]));
      const std::uint64_t offset = location + byte - write.location.to_u64();
      value |= write.value.extract(static_cast<unsigned>(8 * offset), 8).value() << (8 * byte);
      auto& sources = execution_.reads_from;
      if (byte > 0 && sources.back().write == from[byte])
        ++sources.back().count;
      else
        sources.push_back({id, from[byte], location + byte, 1});
    }
    event.value = Bits(8 * size, value);
    return add(std::move(event));
  }

  /// The read and the write of a read-modify-write; returns the read, whose successor is the write.
  EventId read_modify_write(int thread, std::uint64_t location, unsigned size, EventId from, u128 value,
                            Access how = {}) {
    const EventId reads = read(thread, location, size, from, how);
    const EventId writes = write(thread, location, size, value, how);
    event(reads).rmw = writes;
    event(writes).rmw = reads;
    event(writes).step = event(reads).step;
    return reads;
  }

  EventId fence(int thread, Fence fence) {
    Event event;
    event.kind = EventKind::fence;
    event.thread = thread;
    event.fence = fence;
    return add(std::move(event));
  }

  EventId barrier(int thread, Barrier::Kind kind, std::uint64_t id, int phase) {
    Event event;
    event.kind = EventKind::barrier;
    event.thread = thread;
    event.barrier.kind = kind;
    event.barrier.id = Bits(32, id);
    const EventId result = add(std::move(event));
    execution_.barrier_phase.back() = phase;
    return result;
  }

  /// The success of a wait, of the instruction to which the event before belongs.
  EventId wait(int thread, Access how = {.sem = Sem::acquire, .scope = Scope::cta}) {
    Event event;
    event.kind = EventKind::wait;
    event.thread = thread;
    event.access = how;
    const EventId result = add(std::move(event));
    this->event(result).step = this->event(result - 1).step;
    return result;
  }

  Event& event(EventId id) { return execution_.events.at(static_cast<std::size_t>(id)); }
  Execution& execution() { return execution_; }
  const Program& program() const { return program_; }

 private:
  static Event access(EventKind kind, int thread, std::uint64_t location, unsigned size, Access how) {
    Event event;
    event.kind = kind;
    event.thread = thread;
    event.address = event.location = Bits(64, location);
    event.size = size;
    event.access = how;
    return event;
  }

  EventId add(Event event) {
    const auto& events = execution_.events;
    check(events.empty() || events.back().thread <= event.thread, "events are written thread by thread");
    event.step = static_cast<unsigned>(events.size());
    execution_.events.push_back(std::move(event));
    execution_.barrier_phase.push_back(-1);
    return static_cast<EventId>(events.size() - 1);
  }

  Program program_;
  Execution execution_;
};

/// Whether the pairs contain (a, b).
inline bool relates(const Pairs& pairs, EventId a, EventId b) {
  return std::find(pairs.begin(), pairs.end(), std::pair(a, b)) != pairs.end();
}

}  // namespace ptxmc
