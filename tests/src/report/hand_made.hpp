#pragma once

#include <deque>
#include <memory>
#include <string>

#include "model/program/execution.hpp"

namespace ptxmc {

/// An execution built by hand, for the tests of reports. Events are added in their order: initial writes,
/// then thread by thread.
struct HandMade {
  Program program;
  std::deque<Instruction> instructions;
  Execution execution;

  HandMade() = default;
  HandMade(const HandMade&) = delete;

  /// Its initial write is 0.
  EventId variable(const std::string& name);
  void thread(int cta, int cluster, int gpu);

  // Events of the last thread.
  EventId read(const std::string& text, EventId variable, std::uint64_t value);
  EventId write(const std::string& text, EventId variable, std::uint64_t value);
  /// The read; the write is the next event.
  EventId update(const std::string& text, EventId variable, std::uint64_t from, std::uint64_t to);
  EventId fence(const std::string& text);
  EventId barrier(const std::string& text, int phase, Barrier::Kind kind = Barrier::Kind::sync);

  void reads_from(EventId write, EventId read);
  void relate(const std::string& relation, Pairs);

 private:
  EventId add(EventKind, const std::string& text, EventId variable, std::uint64_t value, bool same_step);
};

/// Message passing with a release and an acquire that do not synchronize because of their scopes: the flag is
/// read as 1, x as 0.
std::unique_ptr<HandMade> message_passing();
/// Message passing that works; the other outcome is forbidden.
std::unique_ptr<HandMade> message_passing_synchronized();
/// Store buffering with fence.sc.
std::unique_ptr<HandMade> store_buffering();
/// Independent reads of independent writes: two GPUs, two CTAs each.
std::unique_ptr<HandMade> independent_reads();
/// Two threads write, meet at a barrier, and read what the other wrote; a third one only arrives.
std::unique_ptr<HandMade> barrier_exchange();
/// A lock taken and released by three threads, one after the other, in two clusters.
std::unique_ptr<HandMade> lock_handover();
/// Threads in a ring, two in a CTA and four in a GPU: each writes its own place and reads its neighbour's.
std::unique_ptr<HandMade> ring_of(int threads);

}  // namespace ptxmc
