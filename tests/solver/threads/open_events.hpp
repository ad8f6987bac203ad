#pragma once

#include <cstdint>
#include <optional>

#include "solver/threads/open_questions.hpp"

namespace ptxmc::test {

/// An open thread, event by event. Its position is `tid.x` in its CTA and `ctaid.x`.
class OpenEvents {
 public:
  explicit OpenEvents(std::uint32_t threads, std::uint32_t ctas = 1) {
    thread_.ntid = {Bits(32, threads), Bits(32, 1), Bits(32, 1)};
    thread_.nctaid = {Bits(32, ctas), Bits(32, 1), Bits(32, 1)};
    thread_.threads_of_cta = threads;
    thread_.ctas = ctas;
    thread_.most_threads = std::uint64_t{threads} * ctas;
    thread_.all_threads = Bits(64, thread_.most_threads);
    thread_.threads_in_cta = Bits(64, threads);
    thread_.tid.fill(Bits(32, 0));
    thread_.ctaid.fill(Bits(32, 0));
    thread_.tid[0] = graph_.variable(32, "tid");
    if (ctas > 1) thread_.ctaid[0] = graph_.variable(32, "ctaid");
    thread_.number = thread_.tid[0];
    thread_.is_thread =
        less_unsigned(thread_.tid[0], Bits(32, threads)) & less_unsigned(thread_.ctaid[0], Bits(32, ctas));
  }

  OpenThread& thread() { return thread_; }
  TermGraph& graph() { return graph_; }
  /// The events must be complete.
  OpenQuestions& questions() {
    if (!questions_) questions_.emplace(thread_, options_, graph_);
    return *questions_;
  }
  /// Width 64.
  Bits tid() const { return thread_.tid[0].zero_extend(64); }

  /// Memory of this name; `first` is the location of its first byte.
  void memory(std::uint64_t first, std::uint64_t size, bool is_shared, bool is_initialized) {
    thread_.memory.push_back({"memory", first, size, is_shared, is_initialized});
  }

  /// Four bytes are read; the value is an unknown.
  Event& read(const Bits& location) { return access(EventKind::read, location, graph_.variable(32, "read")); }
  Event& write(const Bits& location, const Bits& value) { return access(EventKind::write, location, value); }
  /// An atomic addition with scope and semantics. The result is the number of its read.
  std::size_t atomic_add(const Bits& location, std::uint32_t amount, Scope scope = Scope::gpu,
                         Sem sem = Sem::acq_rel) {
    return atomic_add(location, Bits(32, amount), scope, sem);
  }
  std::size_t atomic_add(const Bits& location, const Bits& amount, Scope scope = Scope::gpu,
                         Sem sem = Sem::acq_rel) {
    const std::size_t number = thread_.structure.events.size();
    const Bits before = read(location).value;
    Event& added = write(location, before + amount);
    added.combines = Combination::add;
    added.step = events()[number].step;
    added.rmw = static_cast<EventId>(number);
    events()[number].rmw = static_cast<EventId>(number + 1);
    for (std::size_t i = number; i < number + 2; ++i) {
      events()[i].access.sem = sem;
      events()[i].access.scope = scope;
    }
    return number;
  }
  /// `bar.sync`, which all threads execute.
  void barrier() {
    Event& event = next(EventKind::barrier);
    event.barrier.id = Bits(32, 0);
  }

  std::vector<Event>& events() { return thread_.structure.events; }

 private:
  Event& next(EventKind kind) {
    Event& event = events().emplace_back();
    event.kind = kind;
    event.thread = 0;
    event.step = static_cast<unsigned>(events().size());
    event.instruction = &instruction_;
    return event;
  }
  /// An open location is in the memory that was declared first.
  Event& access(EventKind kind, const Bits& location, const Bits& value) {
    Event& event = next(kind);
    event.address = event.location = location;
    event.size = 4;
    event.value = value;
    if (!location.is_constant()) {
      event.region_first = thread_.memory.front().first;
      event.region_size = thread_.memory.front().size;
    }
    return event;
  }

  const DecideOptions options_;
  TermGraph graph_;
  OpenThread thread_;
  std::optional<OpenQuestions> questions_;
  Instruction instruction_;
};

}  // namespace ptxmc::test
