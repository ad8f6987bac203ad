#include "solver/explorer/thread_renaming.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "solver/algebra/bit_rows.hpp"
#include "solver/meetings/barrier_matching.hpp"

namespace ptxmc {

namespace {

/// The finalizer of splitmix64 (G. L. Steele and others 2014).
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15U + b + 0x7f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

bool is_alike(const Event& a, const Event& b) {
  return a.kind == b.kind && a.size == b.size && (a.rmw >= 0) == (b.rmw >= 0) &&
         a.barrier.kind == b.barrier.kind && a.barrier.agrees_but_for_id(b.barrier) &&
         a.barrier.count.has_value() == b.barrier.count.has_value();
}

}  // namespace

ThreadRenaming::ThreadRenaming(const EventStructure& structure, const CompiledModel& model,
                               const ObservedState& observed)
    : thread_of_(structure.events.size(), none), place_(structure.events.size()) {
  std::iota(place_.begin(), place_.end(), 0);
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id)
    if (structure.events[index(id)].kind == EventKind::barrier) barriers_.push_back(id);
  std::vector<std::vector<std::size_t>> events(structure.program->threads.size());
  for (std::size_t id = 0; id < structure.events.size(); ++id)
    if (structure.events[id].thread >= 0)
      events[static_cast<std::size_t>(structure.events[id].thread)].push_back(id);
  // The model may not distinguish two CTAs, but the CTA of a thread decides which threads it meets.
  const auto is_at_barrier = [&](std::size_t id) { return structure.events[id].kind == EventKind::barrier; };
  const auto groups =
      interchangeable_threads(*structure.program, observed, [&](std::size_t a, std::size_t b) {
        return std::ranges::none_of(events[a], is_at_barrier) &&
               std::ranges::none_of(events[b], is_at_barrier) &&
               model.cannot_tell_apart(events[a], events[b]);
      });
  for (std::size_t group = 0; group < groups.size(); ++group) add_group(structure, group, groups[group]);
  colors_.resize(threads_.size());
  next_colors_.resize(threads_.size());
  rank_.resize(threads_.size());
  for (const EventId id : barriers_) {
    const std::size_t thread = thread_of_[index(id)];
    (thread == none ? other_barriers_ : threads_[thread].barriers).push_back(id);
  }
}

void ThreadRenaming::add_group(const EventStructure& structure, std::size_t group,
                               const std::vector<std::size_t>& threads) {
  std::vector<Thread> members;
  for (const std::size_t thread : threads) {
    Thread& member = members.emplace_back();
    member.group = group;
    for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id)
      if (structure.events[index(id)].thread == static_cast<int>(thread)) member.events.push_back(id);
  }
  const auto& first = members.front().events;
  const bool are_alike = std::all_of(members.begin(), members.end(), [&](const Thread& member) {
    return std::equal(first.begin(), first.end(), member.events.begin(), member.events.end(),
                      [&](EventId a, EventId b) {
                        return is_alike(structure.events[index(a)], structure.events[index(b)]);
                      });
  });
  if (!are_alike) return;
  for (const Thread& member : members) {
    for (std::size_t i = 0; i < member.events.size(); ++i) {
      thread_of_[index(member.events[i])] = threads_.size();
      place_[index(member.events[i])] = i;
    }
    threads_.push_back(member);
  }
}

void ThreadRenaming::find_parts(const PartialExecution& execution) {
  has_parts_ = true;
  for (std::size_t i = 0; i < execution.parts().size(); ++i) {
    const std::size_t thread = thread_of_[index(execution.parts()[i].read)];
    (thread == none ? other_parts_ : threads_[thread].parts).push_back(i);
  }
}

const std::string& ThreadRenaming::key(const PartialExecution& execution) {
  if (!has_parts_) find_parts(execution);
  color(execution);
  order_.resize(threads_.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(threads_[a].group, colors_[a], a) < std::tuple(threads_[b].group, colors_[b], b);
  });
  for (std::size_t i = 0; i < order_.size(); ++i) rank_[order_[i]] = i;
  key_.clear();
  find_phases(execution);
  for (const std::size_t part : other_parts_) write_part(execution, part);
  for (const EventId id : other_barriers_) write_phase(id);
  for (const std::size_t thread : order_) {
    for (const std::size_t part : threads_[thread].parts) write_part(execution, part);
    for (const EventId id : threads_[thread].barriers) write_phase(id);
  }
  return key_;
}

double ThreadRenaming::equivalent_executions(const PartialExecution& execution) {
  if (!has_parts_) find_parts(execution);
  color(execution);
  std::map<std::size_t, double> of_group;
  std::map<std::pair<std::size_t, std::uint64_t>, double> alike;
  double result = 1;  // the product of the factorials of the groups, divided by those of the threads alike
  for (std::size_t i = 0; i < threads_.size(); ++i)
    result *= ++of_group[threads_[i].group] / ++alike[{threads_[i].group, colors_[i]}];
  return result;
}

void ThreadRenaming::find_phases(const PartialExecution& execution) {
  if (barriers_.empty()) return;
  phase_of_.assign(thread_of_.size(), unmatched);
  for (const EventId id : barriers_)
    if (execution.waits_for_ever(id)) phase_of_[index(id)] = unfilled;
  std::size_t next = first_phase;
  for (const auto& phase : execution.phases()) {
    for (const EventId id : phase.members) phase_of_[index(id)] = next;
    ++next;
  }
  phase_names_.assign(next, none);
  named_ = 0;
}

/// Gives threads numbers that distinguish them by the choices made for them, then by the numbers of the
/// threads that they read from and that read from them, and so on until the number of distinct numbers stays
/// the same.
void ThreadRenaming::color(const PartialExecution& execution) {
  for (std::size_t i = 0; i < threads_.size(); ++i) colors_[i] = threads_[i].group;
  std::size_t different = 0;
  for (std::size_t round = 0; round <= threads_.size(); ++round) {
    for (std::size_t i = 0; i < threads_.size(); ++i) next_colors_[i] = color_of(execution, threads_[i]);
    const auto give_back = [&](std::size_t part, std::uint64_t reader) {
      const EventId source = execution.parts()[part].source;
      if (source >= 0 && thread_of_[index(source)] != none)
        next_colors_[thread_of_[index(source)]] += mix(reader, place_[index(source)]);
    };
    for (const std::size_t part : other_parts_) give_back(part, mix(part, 1));
    for (std::size_t i = 0; i < threads_.size(); ++i)
      for (std::size_t k = 0; k < threads_[i].parts.size(); ++k)
        give_back(threads_[i].parts[k], mix(k, colors_[i]));
    colors_.swap(next_colors_);
    next_colors_ = colors_;
    std::sort(next_colors_.begin(), next_colors_.end());
    const auto count = static_cast<std::size_t>(std::unique(next_colors_.begin(), next_colors_.end()) -
                                                next_colors_.begin());
    next_colors_.resize(threads_.size());
    if (count == different) return;
    different = count;
  }
}

std::uint64_t ThreadRenaming::color_of(const PartialExecution& execution, const Thread& thread) const {
  std::uint64_t result = mix(thread.group, 7);
  const auto color = [&](EventId event) {
    const std::size_t from = thread_of_[index(event)];
    if (from == none) return mix(place_[index(event)], 3);
    if (&threads_[from] == &thread) return mix(place_[index(event)], 4);
    return mix(colors_[from], place_[index(event)] + 5);
  };
  for (const std::size_t i : thread.parts) {
    const auto& part = execution.parts()[i];
    std::uint64_t sum = part.source >= 0 ? color(part.source) : 0;
    if (part.source < 0)
      for_each_member(part.excluded.words(), part.excluded.word_count(),
                      [&](std::size_t event) { sum += mix(color(static_cast<EventId>(event)), 6); });
    result = mix(result, sum);
  }
  return mix(result, colors_[static_cast<std::size_t>(&thread - threads_.data())]);
}

std::size_t ThreadRenaming::renamed(EventId event) const {
  const std::size_t thread = thread_of_[index(event)];
  return thread == none ? index(event) : place_[index(event)] + place_.size() * (rank_[thread] + 1);
}

void ThreadRenaming::write_number(std::size_t number) {
  for (int byte = 0; byte < 4; ++byte) key_.push_back(static_cast<char>(number >> (8 * byte)));
}

/// Events of one phase get the same number; phases are numbered in order of appearance.
void ThreadRenaming::write_phase(EventId id) {
  const std::size_t phase = phase_of_[index(id)];
  if (phase < first_phase) return write_number(phase);
  if (phase_names_[phase] == none) phase_names_[phase] = named_++;
  write_number(first_phase + phase_names_[phase]);
}

void ThreadRenaming::write_part(const PartialExecution& execution, std::size_t i) {
  const auto& part = execution.parts()[i];
  if (part.source >= 0) return write_number(2 * renamed(part.source) + 1);
  members_.clear();
  for_each_member(part.excluded.words(), part.excluded.word_count(),
                  [&](std::size_t event) { members_.push_back(renamed(static_cast<EventId>(event))); });
  std::sort(members_.begin(), members_.end());
  write_number(2 * members_.size());
  for (const std::size_t member : members_) write_number(member);
}

bool ThreadRenaming::is_untouched(const PartialExecution& execution, std::size_t thread) const {
  const auto is_own = [&](EventId event) { return thread_of_[index(event)] == thread; };
  for (const auto& part : execution.parts()) {
    if (is_own(part.read) && (part.source >= 0 || !part.excluded.is_empty())) return false;
    if (part.source >= 0 && is_own(part.source)) return false;
    if (part.source < 0 && std::any_of(threads_[thread].events.begin(), threads_[thread].events.end(),
                                       [&](EventId event) { return part.excluded.contains(index(event)); }))
      return false;
  }
  return true;
}

/// The event that corresponds to an event when two threads of a group are exchanged.
EventId ThreadRenaming::exchanged(EventId id, std::size_t a, std::size_t b) const {
  const std::size_t thread = thread_of_[index(id)];
  if (thread != a && thread != b) return id;
  return threads_[thread == a ? b : a].events[place_[index(id)]];
}

/// Whether the phases stay the same when these threads are exchanged.
bool ThreadRenaming::can_change_phases(std::size_t a, std::size_t b) {
  std::fill(phase_names_.begin(), phase_names_.end(), none);
  return std::ranges::all_of(barriers_, [&](EventId id) {
    const std::size_t from = phase_of_[index(id)], to = phase_of_[index(exchanged(id, a, b))];
    if (from < first_phase || to < first_phase) return from == to;
    if (phase_names_[from] == none) phase_names_[from] = to;
    return phase_names_[from] == to;
  });
}

std::vector<std::pair<EventId, std::uint64_t>> ThreadRenaming::representatives(
    const PartialExecution& execution, std::size_t part, const BitSet& sources) {
  find_phases(execution);
  const std::size_t reader = thread_of_[index(execution.parts()[part].read)];
  const auto is_free = [&](EventId write) {
    const std::size_t thread = thread_of_[index(write)];
    return thread != none && thread != reader && is_untouched(execution, thread);
  };
  const auto are_alike = [&](EventId a, EventId b) {
    return threads_[thread_of_[index(a)]].group == threads_[thread_of_[index(b)]].group &&
           place_[index(a)] == place_[index(b)] &&
           (barriers_.empty() || can_change_phases(thread_of_[index(a)], thread_of_[index(b)]));
  };
  std::vector<std::pair<EventId, std::uint64_t>> result;
  std::vector<bool> free;
  for_each_member(sources.words(), sources.word_count(), [&](std::size_t i) {
    const auto write = static_cast<EventId>(i);
    const bool can_stand = is_free(write);
    std::size_t known = 0;
    while (known < result.size() && !(can_stand && free[known] && are_alike(result[known].first, write)))
      ++known;
    if (known < result.size()) {
      ++result[known].second;
      return;
    }
    result.emplace_back(write, 1);
    free.push_back(can_stand);
  });
  return result;
}

std::vector<std::size_t> ThreadRenaming::readers_alike(const PartialExecution& execution, std::size_t part,
                                                       EventId write) {
  std::vector<std::size_t> result{part};
  const std::size_t reader = thread_of_[index(execution.parts()[part].read)];
  const std::size_t writer = thread_of_[index(write)];
  if (reader == none || writer == reader || !is_untouched(execution, reader) ||
      (writer != none && is_untouched(execution, writer)))
    return result;
  if (!has_parts_) find_parts(execution);
  find_phases(execution);
  const std::vector<std::size_t>& own = threads_[reader].parts;
  const auto place = std::ranges::find(own, part) - own.begin();
  for (std::size_t other = 0; other < threads_.size(); ++other)
    if (other != reader && threads_[other].group == threads_[reader].group &&
        threads_[other].parts.size() == own.size() && is_untouched(execution, other) &&
        (barriers_.empty() || can_change_phases(reader, other)))
      result.push_back(threads_[other].parts[static_cast<std::size_t>(place)]);
  return result;
}

}  // namespace ptxmc
