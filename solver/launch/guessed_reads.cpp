#include "solver/launch/guessed_reads.hpp"

#include <algorithm>
#include <set>

#include "solver/launch/interleavings.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/meetings/mbarrier_waits.hpp"
#include "solver/meetings/ordered_accesses.hpp"
#include "solver/unfolding/substitution.hpp"

namespace ptxmc {

namespace {

/// The unknowns on which it depends which events happen, and where.
std::set<VariableId> deciding_unknowns(const EventStructure& structure) {
  std::set<VariableId> result;
  const auto add = [&](const Bits& bits) {
    if (bits.width() == 0 || bits.is_constant()) return;
    const auto variables = variables_of(bits);
    result.insert(variables.begin(), variables.end());
  };
  for (const Event& event : structure.events)
    for (const Bits* part : {&event.condition, &event.location, &event.barrier.id}) add(*part);
  for (const auto& endings : structure.endings)
    for (const Ending& ending : endings) add(ending.condition);
  return result;
}

using ReadValues = std::vector<std::pair<EventId, Bits>>;

/// The reads whose values are guessed: those on which it depends which events happen, and where.
std::vector<EventId> deciding_reads(const EventStructure& structure) {
  const std::set<VariableId> deciding = deciding_unknowns(structure);
  std::vector<EventId> result;
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id)
    if (const Event& read = structure.events[index(id)];
        read.is_read() && read.rmw < 0 && !is_mbarrier_operation(read) && !read.value.is_constant() &&
        read.value.term()->op == Operator::variable && deciding.contains(read.value.term()->variable))
      result.push_back(id);
  return result;
}

/// The values that are read when the threads take turns; empty if these cannot be taken.
std::optional<ReadValues> values_in_turns(const EventStructure& structure, const MbarrierWaits& waits,
                                          const ChosenInputs& inputs) {
  auto taken = take_turns_with_waits(waits, inputs, Turn::first);
  if (!taken || taken->turns.undefined_use) return std::nullopt;
  ReadValues result;
  for (const EventId id : deciding_reads(structure))
    if (taken->turns.moment[index(id)] != 0)
      if (Bits value = taken->turns.values.apply(structure.events[index(id)].value); value.is_constant())
        result.emplace_back(id, std::move(value));
  return result;
}

/// The values of reads that certainly happen, in events whose waits are over.
class CertainReads {
 public:
  explicit CertainReads(const EventStructure& structure) : structure_(structure) {
    Substitution passed;
    for (const Event& event : structure.events)
      if (event.goes_on.width() != 0 && !event.goes_on.is_constant())
        passed.replace(event.goes_on, Bits::boolean(true));
    for (const Event& event : structure.events) happens_.push_back(passed.apply(event.condition).is_true());
    for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id)
      if (happens_[index(id)] && at(id).is_write() && at(id).thread != Event::no_thread &&
          at(id).location.is_constant())
        writes_.push_back(id);
  }

  ReadValues values() const {
    ReadValues result;
    for (const EventId id : deciding_reads(structure_)) {
      if (!happens_[index(id)] || !at(id).location.is_constant()) continue;
      TimeLimit::check();
      if (auto value = value_of(at(id))) result.emplace_back(id, *std::move(value));
    }
    return result;
  }

 private:
  const Event& at(EventId id) const { return structure_.events[index(id)]; }

  /// What the last write of the bytes of the read has written there.
  std::optional<Bits> value_of(const Event& read) const {
    const Event* last = nullptr;
    const std::uint64_t first = read.location.to_u64(), end = first + read.size;
    for (const EventId id : writes_) {
      const Event& write = at(id);
      const std::uint64_t start = write.location.to_u64();
      if (start >= end || start + write.size <= first) continue;
      if (write.thread == read.thread && write.strand == 0 && write.step >= read.step) continue;
      if (last != nullptr && last->thread != write.thread) return std::nullopt;
      if (last == nullptr || last->step < write.step) last = &write;
    }
    if (last == nullptr || last->location.to_u64() > first || last->location.to_u64() + last->size < end ||
        !last->value.is_constant())
      return std::nullopt;
    const auto offset = static_cast<unsigned>(first - last->location.to_u64());
    return last->value.extract(8 * offset, 8 * read.size);
  }

  const EventStructure& structure_;
  std::vector<bool> happens_;    // by event: certainly
  std::vector<EventId> writes_;  // that certainly happen, at known locations
};

}  // namespace

std::optional<GuessedReads> guess_reads(EventStructure structure, const ChosenInputs& inputs) {
  constexpr unsigned most_rounds = 64;
  GuessedReads result{std::move(structure), {}};
  const auto take = [&](const ReadValues& guessed) {
    Substitution known;
    for (const auto& [read, value] : guessed)
      known.set(result.structure.events[index(read)].value.term()->variable, value);
    substitute(result.structure, known);
    result.values.insert(result.values.end(), guessed.begin(), guessed.end());
  };
  for (unsigned round = 0; round < most_rounds; ++round) {
    const auto waits = MbarrierWaits::find(result.structure);
    const auto decided = waits ? waits->decided({}) : std::nullopt;
    if (!decided) break;
    if (const auto guessed = values_in_turns(result.structure, *waits, inputs)) {
      take(*guessed);
      break;
    }
    const ReadValues guessed = CertainReads(*decided).values();
    if (guessed.empty()) break;
    take(guessed);
  }
  return result.values.empty() ? std::nullopt : std::optional(std::move(result));
}

bool are_certain(const GuessedReads& guessed, const EventStructure& scheduled,
                 const BarrierSchedule& schedule) {
  const BarrierOrder order(scheduled, schedule);
  const OrderedAccesses accesses(scheduled, order);
  return std::ranges::all_of(guessed.values, [&](const auto& guess) {
    TimeLimit::check();
    const Event& read = scheduled.events[index(guess.first)];
    if (read.condition.is_false()) return true;
    Substitution none;
    const auto writes = accesses.writes_before(guess.first);
    const auto value = writes ? accesses.value_after(*writes, read, none) : std::nullopt;
    return value && identical(*value, guess.second);
  });
}

}  // namespace ptxmc
