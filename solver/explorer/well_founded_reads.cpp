#include "solver/explorer/well_founded_reads.hpp"

#include <algorithm>
#include <set>

#include "solver/algebra/conjuncts.hpp"
#include "solver/limits/time_limit.hpp"

namespace ptxmc {

namespace {

using State = PartialExecution::State;

}  // namespace

WellFoundedReads::WellFoundedReads(const EventStructure& structure, const PartialExecution& execution)
    : structure_(structure),
      execution_(execution),
      parts_of_(structure.events.size()),
      followers_(structure.events.size()),
      needs_(structure.events.size()),
      founded_reads_(structure.events.size()),
      founded_writes_(structure.events.size()) {
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
    const Event& event = structure.events[index(id)];
    if (event.is_read()) reads_.push_back(id);
    if (!event.is_write()) continue;
    std::set<EventId> reads;
    for (const auto* sources :
         {&event.address_dependencies, &event.data_dependencies, &event.control_dependencies})
      reads.insert(sources->begin(), sources->end());
    TimeLimit::check();
    for (const EventId read : reads)
      followers_[index(read)].push_back(
          {id, certainly_implies(event.condition, structure.events[index(read)].condition)});
    needs_[index(id)] = static_cast<std::uint32_t>(reads.size());
    if (event.rmw < 0 || event.condition.is_constant()) continue;
    updates_.push_back(id);  // it also needs a source after which it writes
    ++needs_[index(id)];
  }
  for (std::size_t i = 0; i < execution.parts().size(); ++i)
    parts_of_[index(execution.parts()[i].read)].push_back(i);
}

bool WellFoundedReads::can_take(std::size_t part, EventId source) {
  return stands({.part = part, .source = source});
}

bool WellFoundedReads::can_do_without(std::span<const std::size_t> parts, const BitSet& sources) {
  return stands({.parts = parts, .excluded = &sources});
}

/// Adds reads and writes in an order of dependencies, beginning with writes without dependencies, until no
/// more can be added.
bool WellFoundedReads::stands(const Supposition& supposition) {
  begin();
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    TimeLimit::check();
    for (const EventId read : reads_) {
      if (founded_reads_.contains(index(read)) || !finds_source(read, supposition)) continue;
      goes_on = true;
      founded_reads_.insert(index(read));
      for (const auto& [write, needs_read] : followers_[index(read)])
        if (needs_read || execution_.state(read) == State::present) lay(write);
    }
    for (const EventId write : updates_) {
      if (missing_[index(write)] != 1 || founded_writes_.contains(index(write))) continue;
      const auto& parts = parts_of_[index(structure_.events[index(write)].rmw)];
      if (std::none_of(parts.begin(), parts.end(),
                       [&](std::size_t part) { return has_source(part, supposition, true); }))
        continue;
      goes_on = true;
      lay(write);
    }
  }
  return std::all_of(reads_.begin(), reads_.end(), [this](EventId read) {
    return founded_reads_.contains(index(read)) || execution_.state(read) != State::present;
  });
}

void WellFoundedReads::begin() {
  missing_ = needs_;
  std::fill_n(founded_reads_.words(), founded_reads_.word_count(), 0);
  std::fill_n(founded_writes_.words(), founded_writes_.word_count(), 0);
  for (const EventId read : reads_)
    for (const auto& [write, needs_read] : followers_[index(read)])
      if (!needs_read && execution_.state(read) != State::present) --missing_[index(write)];
  for (EventId id = 0; id < static_cast<EventId>(needs_.size()); ++id)
    if (structure_.events[index(id)].is_write() && missing_[index(id)] == 0 &&
        execution_.state(id) != State::absent)
      founded_writes_.insert(index(id));
}

/// Records that one requirement of the write is satisfied.
void WellFoundedReads::lay(EventId write) {
  if (--missing_[index(write)] == 0 && execution_.state(write) != State::absent)
    founded_writes_.insert(index(write));
}

bool WellFoundedReads::finds_source(EventId read, const Supposition& supposition) const {
  const auto& parts = parts_of_[index(read)];
  const auto has = [&](std::size_t part) { return has_source(part, supposition, false); };
  if (execution_.state(read) != State::present)
    return execution_.state(read) == State::open && std::any_of(parts.begin(), parts.end(), has);
  return std::all_of(parts.begin(), parts.end(),
                     [&](std::size_t part) { return !execution_.parts()[part].is_active || has(part); });
}

/// `updates`: requires a source after which the read-modify-write may write.
bool WellFoundedReads::has_source(std::size_t i, const Supposition& supposition, bool updates) const {
  const Part& part = execution_.parts()[i];
  const EventId source = i == supposition.part ? supposition.source : part.source;
  if (source >= 0) return founded_writes_.contains(index(source));
  const bool is_restricted = std::ranges::find(supposition.parts, i) != supposition.parts.end();
  const BitSet* excluded = is_restricted ? supposition.excluded : nullptr;
  for (std::size_t w = 0; w < founded_writes_.word_count(); ++w) {
    std::uint64_t left = founded_writes_.words()[w] & part.candidates.words()[w] & ~part.excluded.words()[w];
    if (part.is_active) left &= ~part.taken.words()[w];
    if (excluded) left &= ~excluded->words()[w];
    if (updates) left &= ~part.examined.words()[w] | part.updating.words()[w];
    if (left != 0) return true;
  }
  return false;
}

}  // namespace ptxmc
