#pragma once

#include <algorithm>
#include <array>
#include <random>
#include <utility>
#include <vector>

#include "model/program/execution.hpp"

namespace ptxmc::test {

/// Random events of a few threads, without code. Every write writes 0, so each read may take its value from
/// every write that it overlaps: what a model says about an execution then depends on its choices alone.
class RandomEvents {
 public:
  /// The bytes in which accesses differ: the halves of x, and y.
  struct Cell {
    std::uint64_t first;
    unsigned count;
  };
  static constexpr std::array<Cell, 3> cells{{{0x100, 4}, {0x104, 4}, {0x200, 4}}};

  /// With at most this many instructions a thread.
  explicit RandomEvents(std::uint64_t seed, std::size_t most = 4) : random_(seed) {
    execution_.program = &program_;
    const std::size_t threads = 2 + below(3);
    for (std::size_t thread = 0; thread < threads; ++thread) {
      const int cta = static_cast<int>(below(3));
      program_.threads.push_back(
          {"P" + std::to_string(thread),
           {.cta = cta, .cluster = cta, .gpu = cta / 2, .warp = static_cast<int>(thread)},
           {},
           {},
           {}});
    }
    has_sizes_ = below(3) == 0;
    has_proxies_ = below(4) == 0;
    for (const auto& [location, size] : {std::pair{0x100ull, 8u}, std::pair{0x200ull, 4u}})
      add_access(EventKind::initial_write, Event::no_thread, location, size, {});
    for (int thread = 0; thread < static_cast<int>(threads); ++thread) {
      std::vector<EventId> reads;
      for (std::size_t i = most > 4 ? most : 1 + below(threads == 2 ? most : most - 1); i > 0; --i)
        add_event(thread, reads);
    }
    form_phases();
    choose_sources();
  }
  RandomEvents(const RandomEvents&) = delete;
  RandomEvents& operator=(const RandomEvents&) = delete;

  std::size_t below(std::size_t end) { return static_cast<std::size_t>(random_() % end); }
  const Program& program() const { return program_; }
  /// All events, with sources and phases, and without the choices of a model. Most sources are those of one
  /// interleaving.
  const Execution& execution() const { return execution_; }
  /// The order of the events in this interleaving.
  const std::vector<std::size_t>& place() const { return place_; }

  static bool touches(const Event& event, const Cell& cell) {
    return event.is_memory_access() && cell.first - event.location.to_u64() < event.size;
  }

 private:
  Event& add(Event event) {
    event.step = static_cast<unsigned>(execution_.events.size());
    return execution_.events.emplace_back(std::move(event));
  }

  Event& add_access(EventKind kind, int thread, std::uint64_t location, unsigned size, Access access) {
    Event event;
    event.kind = kind;
    event.thread = thread;
    event.location = event.address = Bits(64, location);
    event.size = size;
    event.access = access;
    event.value = Bits(8 * size, 0);
    return add(std::move(event));
  }

  Scope any_scope() { return std::array{Scope::cta, Scope::gpu, Scope::gpu, Scope::sys}[below(4)]; }

  void add_event(int thread, std::vector<EventId>& reads) {
    const auto id = static_cast<EventId>(execution_.events.size());
    switch (below(9)) {
      case 0:
      case 1: {
        Event fence;
        fence.kind = EventKind::fence;
        fence.thread = thread;
        fence.fence = {.sem = below(2) == 0 ? Sem::sc : Sem::acq_rel, .scope = any_scope()};
        if (has_proxies_ && below(2) == 0)
          fence.fence = {.is_proxy_fence = true,
                         .sem = Sem::weak,
                         .from = Proxy::generic,
                         .to = below(2) == 0 ? Proxy::surface : Proxy::alias};
        add(std::move(fence));
        break;
      }
      case 2: {
        Event barrier;
        barrier.kind = EventKind::barrier;
        barrier.thread = thread;
        barrier.barrier.kind = below(3) == 0 ? Barrier::Kind::arrive : Barrier::Kind::sync;
        barrier.barrier.id = Bits(32, 0);
        add(std::move(barrier));
        break;
      }
      default:
        add_accesses(thread, reads);
    }
    for (EventId event = id; event < static_cast<EventId>(execution_.events.size()); ++event)
      add_dependencies(execution_.events[static_cast<std::size_t>(event)], event, reads);
  }

  /// A read, a write, or both as a read-modify-write.
  void add_accesses(int thread, std::vector<EventId>& reads) {
    const auto id = static_cast<EventId>(execution_.events.size());
    const std::size_t kind = below(5);  // 0, 1: read; 2, 3: write; 4: both
    const Cell& cell = cells[below(3)];
    std::uint64_t location = cell.first;
    unsigned size = cell.count;
    if (location < 0x200 && (!has_sizes_ || below(3) == 0)) location = 0x100, size = 8;
    Access access;
    access.space = StateSpace::global;
    const Sem strong[] = {Sem::relaxed, kind < 2 ? Sem::acquire : Sem::release,
                          kind == 4 ? Sem::acq_rel : Sem::relaxed};
    if (kind == 4 || below(3) != 0) access.sem = strong[below(3)], access.scope = any_scope();
    const bool is_alias = has_proxies_ && below(3) == 0;
    if (has_proxies_ && kind < 4 && access.sem == Sem::weak && below(2) == 0) access.proxy = Proxy::surface;
    for (const EventKind half : {EventKind::read, EventKind::write}) {
      if (kind < 4 && (kind < 2) != (half == EventKind::read)) continue;
      Event& event = add_access(half, thread, location, size, access);
      if (is_alias) event.address = Bits(64, location + 0x1000);
      if (kind == 4) event.rmw = half == EventKind::read ? id + 1 : id;
      if (kind == 4) event.step = static_cast<unsigned>(id);
    }
    if (kind < 2 || kind == 4) reads.push_back(id);
  }

  void add_dependencies(Event& event, EventId id, const std::vector<EventId>& reads) {
    for (const EventId read : reads) {
      if (read >= id || below(4) != 0) continue;
      if (below(2) == 0)
        event.control_dependencies.push_back(read);
      else if (event.is_write())
        event.data_dependencies.push_back(read);
      else if (event.is_memory_access())
        event.address_dependencies.push_back(read);
    }
  }

  /// The k-th barriers of all threads of a CTA are a phase, if each thread has as many.
  void form_phases() {
    execution_.barrier_phase.assign(execution_.events.size(), -1);
    int phase = 0;
    for (int cta = 0; cta < 3; ++cta) {
      std::vector<std::vector<std::size_t>> barriers;
      for (std::size_t thread = 0; thread < program_.threads.size(); ++thread) {
        if (program_.threads[thread].placement.cta != cta) continue;
        auto& own = barriers.emplace_back();
        for (std::size_t id = 0; id < execution_.events.size(); ++id)
          if (execution_.events[id].kind == EventKind::barrier &&
              execution_.events[id].thread == static_cast<int>(thread))
            own.push_back(id);
      }
      for (std::size_t k = 0; !barriers.empty(); ++k, ++phase) {
        if (std::ranges::any_of(barriers, [&](const auto& own) { return own.size() <= k; })) break;
        for (const auto& own : barriers) execution_.barrier_phase[own[k]] = phase;
      }
    }
  }

  void choose_sources() {
    const auto& events = execution_.events;
    std::vector<std::vector<std::size_t>> left(program_.threads.size() + 1);  // by thread, from its end
    for (std::size_t id = events.size(); id-- > 0;)
      left[static_cast<std::size_t>(events[id].thread + 1)].push_back(id);
    std::vector<std::size_t> order;
    while (order.size() < events.size()) {
      auto& next = left[0].empty() ? left[below(left.size())] : left[0];
      if (next.empty()) continue;
      order.push_back(next.back());
      next.pop_back();
      if (const EventId write = events[order.back()].rmw; write >= 0 && events[order.back()].is_read()) {
        order.push_back(next.back());
        next.pop_back();
      }
    }
    place_.resize(events.size());
    for (std::size_t i = 0; i < order.size(); ++i) place_[order[i]] = i;
    const bool is_interleaving = below(2) == 0;
    for (std::size_t read = 0; read < events.size(); ++read)
      for (const Cell& cell : cells) {
        if (!events[read].is_read() || !touches(events[read], cell)) continue;
        std::vector<std::size_t> writes, earlier;
        for (const std::size_t write : order) {
          if (!events[write].is_write() || !touches(events[write], cell)) continue;
          if (static_cast<EventId>(write) == events[read].rmw) continue;
          writes.push_back(write);
          if (place_[write] < place_[read]) earlier.push_back(write);
        }
        const bool takes_last = is_interleaving || below(4) != 0;
        const std::size_t source = takes_last ? earlier.back() : writes[below(writes.size())];
        execution_.reads_from.push_back(
            {static_cast<EventId>(read), static_cast<EventId>(source), cell.first, cell.count});
      }
  }

  std::mt19937_64 random_;
  Program program_;
  Execution execution_;
  std::vector<std::size_t> place_;
  bool has_sizes_ = false, has_proxies_ = false;
};

/// The part of an execution that these events form, with the choices given between events of the whole.
inline Execution part_of(const Execution& whole, const std::vector<bool>& is_present,
                         const std::map<std::string, Pairs>& choices) {
  Execution part;
  part.program = whole.program;
  std::vector<EventId> numbers(whole.events.size(), -1);
  for (std::size_t id = 0; id < whole.events.size(); ++id)
    if (is_present[id])
      numbers[id] = static_cast<EventId>(part.events.size()), part.events.push_back(whole.events[id]);
  const auto number = [&](EventId id) { return numbers[static_cast<std::size_t>(id)]; };
  for (std::size_t id = 0; id < whole.events.size(); ++id)
    if (is_present[id]) part.barrier_phase.push_back(whole.barrier_phase[id]);
  for (Event& event : part.events) {
    if (event.rmw >= 0) event.rmw = number(event.rmw) >= 0 ? number(event.rmw) : Event::not_written;
    for (auto* reads : {&event.address_dependencies, &event.data_dependencies, &event.control_dependencies}) {
      std::erase_if(*reads, [&](EventId read) { return number(read) < 0; });
      for (EventId& read : *reads) read = number(read);
    }
  }
  for (const ReadsFrom& source : whole.reads_from)
    if (number(source.read) >= 0)
      part.reads_from.push_back({number(source.read), number(source.write), source.first, source.count});
  for (const auto& [name, pairs] : choices) {
    Pairs& chosen = part.choices[name];
    for (const auto& [a, b] : pairs) chosen.emplace_back(number(a), number(b));
  }
  return part;
}

}  // namespace ptxmc::test
