#include "solver/threads/written_memory.hpp"

#include <algorithm>
#include <vector>

#include "model/program/copied_bytes.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/threads/counter_order.hpp"
#include "solver/threads/writing_thread.hpp"

namespace ptxmc {

namespace {

/// A write, and whether it is among those that were examined.
struct Write {
  const Event* event = nullptr;
  bool is_noted = false;
  /// For memory that is not enumerated: the thread has performed it, or another one like it, before a barrier
  /// that all threads of its CTA have executed.
  Bits is_ordered = Bits::boolean(false);
};

/// The largest memory, in bytes, of which each byte is looked at.
constexpr std::uint64_t most_enumerated = std::uint64_t{1} << 28;

/// Whether no thread reads the memory that the copies of a read are written to, or those of private memory
/// without a value. `source` is CopiedBytes::Copy::read.
bool is_copied_to_unread_memory(const EventStructure& structure, int source) {
  const auto may_overlap = [](const Event& read, const Event& write) {
    if (read.location.is_constant()) return write.may_touch(read.location.to_u64(), read.size);
    if (write.location.is_constant()) return read.may_touch(write.location.to_u64(), write.size);
    return read.region_size == 0 || write.may_touch(read.region_first, read.region_size);
  };
  const auto is_read = [&](const Event& write) {
    return std::ranges::any_of(structure.events, [&](const Event& event) {
      return event.is_read() && !event.condition.is_false() && may_overlap(event, write);
    });
  };
  return std::ranges::none_of(structure.events, [&](const Event& event) {
    if (event.kind != EventKind::write) return false;
    const auto& copied = structure.copied->copies[index(event.unfolded)];
    const auto is_of_source = [&](const CopiedBytes::Copy& byte) { return byte.read == source; };
    return std::ranges::any_of(copied, is_of_source) && is_read(event);
  });
}

/// The reads of memory that the launch does not initialize.
class WrittenMemory {
 public:
  WrittenMemory(OpenQuestions& questions, const OpenMemory& memory, const std::vector<CounterOrder>& orders)
      : questions_(questions),
        memory_(memory),
        orders_(orders),
        tid_(unknowns_of(questions.thread().tid)),
        is_enumerated_(!questions.thread().has_open_block && memory.size <= most_enumerated),
        is_written_(is_enumerated_ ? memory.size : 0, false) {
    for (const Event& event : questions_.thread().structure.events)
      if (event.is_write() && event.may_touch(memory.first, memory.size) && !event.condition.is_false())
        writes_.push_back({&event});
  }

  bool are_reads_initialized(OpenSuspects& suspects) {
    bool are_all = true;
    if (!memory_.is_shared && is_enumerated_) note_counted();
    for (const Event& event : questions_.thread().structure.events) {
      TimeLimit::check();
      const bool is_barrier = event.kind == EventKind::barrier && event.barrier.group == Barrier::Group::cta;
      if (is_barrier && is_enumerated_ && event.condition.is_true()) note_written_before(event.step);
      if (is_barrier) note_written_before(event);
      if (!event.is_read() || !event.may_touch(memory_.first, memory_.size)) continue;
      // A read through another proxy may miss earlier writes.
      Bits is_open = event.condition & is_inside(event);
      const bool sees_writes = event.access.proxy == Proxy::generic;
      if (sees_writes) is_open = is_open & ~is_surely_written(event);
      if (is_enumerated_ && questions_.never(is_open)) continue;
      if (sees_writes) is_open = is_open & ~is_written_before(event) & ~has_needed_bytes(event);
      const std::uint32_t line = event.instruction->where.line;
      const OpenSuspect suspect = {LaunchProperty::uninitialized, is_open, line, 0, event.step, 0};
      if (!suspects.are_excluded(std::nullopt, {suspect})) are_all = false;
    }
    return are_all;
  }

 private:
  static std::vector<VariableId> unknowns_of(const std::array<Bits, 3>& index) {
    std::vector<VariableId> result;
    for (const Bits& coordinate : index)
      if (!coordinate.is_constant()) result.push_back(coordinate.term()->variable);
    std::ranges::sort(result);
    return result;
  }

  /// Whether all bytes of a read are among those that are enumerated, or that the thread knows of.
  Bits is_surely_written(const Event& read) const {
    return is_written_by_thread(read) | is_among(is_written_, read) | is_counted(read);
  }

  /// Whether the bytes that the threads use have been written, or some byte if they only copy all of them to
  /// memory that no thread reads: CopiedBytes.
  Bits has_needed_bytes(const Event& read) const {
    const EventStructure& structure = questions_.thread().structure;
    if (structure.copied == nullptr || !is_copied_to_unread_memory(structure, read.unfolded))
      return Bits::boolean(false);
    Bits all_used = Bits::boolean(true), some = Bits::boolean(false);
    for (unsigned i = 0; i < read.size; ++i) {
      Event byte = read;
      byte.location = read.location + Bits(64, i);
      byte.size = 1;
      const Bits is_written = is_surely_written(byte) | is_written_before(byte);
      if (structure.copied->is_used(read.unfolded, i)) all_used = all_used & is_written;
      some = some | is_written;
    }
    return all_used & some;
  }

  Bits is_inside(const Event& event) const {
    if (memory_.size < event.size) return Bits::boolean(false);
    return less_equal_unsigned(event.location - Bits(64, memory_.first), Bits(64, memory_.size - event.size));
  }

  /// Whether the thread itself has written the bytes.
  Bits is_written_by_thread(const Event& read) const {
    Bits result = Bits::boolean(false);
    for (const auto& [event, is_noted, is_ordered] : writes_) {
      if (event->step >= read.step || event->size < read.size) continue;
      const Bits mask = Bits(64, ~std::uint64_t{event->size - 1});
      result = result | (event->condition & equal(read.location & mask, event->location));
    }
    return result;
  }

  /// Whether some thread has written the bytes before a barrier.
  Bits is_written_before(const Event& read) const {
    Bits result = Bits::boolean(false);
    for (const Write& write : writes_)
      result = result | is_written_by_some_thread(questions_.thread(), *write.event, write.is_ordered, read);
    return result;
  }

  /// Whether the bytes are among those that other threads have written before they have added to a counter,
  /// and the thread knows from the counter that they have.
  Bits is_counted(const Event& read) const {
    Bits result = Bits::boolean(false);
    for (const auto& [order, written] : counted_)
      result = result | (order->knows_of_all(read.step) & is_among(written, read));
    return result;
  }

  Bits is_among(const std::vector<bool>& written, const Event& read) const {
    Bits result = Bits::boolean(false);
    const Bits offset = read.location - Bits(64, memory_.first);
    for (std::uint64_t at = 0; at < written.size();) {
      const auto begin = std::find(written.begin() + static_cast<std::ptrdiff_t>(at), written.end(), true);
      const auto end = std::find(begin, written.end(), false);
      const auto first = static_cast<std::uint64_t>(begin - written.begin()),
                 length = static_cast<std::uint64_t>(end - begin);
      if (length >= read.size)
        result = result | less_equal_unsigned(offset - Bits(64, first), Bits(64, length - read.size));
      at = first + length;
    }
    return result;
  }

  /// Notes the writes before a barrier that all threads of the CTA execute, or none.
  void note_written_before(const Event& barrier) {
    if (!is_same_in_cta(questions_.thread(), barrier.condition)) return;
    for (Write& write : writes_)
      if (write.event->step < barrier.step)
        write.is_ordered =
            write.is_ordered | (barrier.condition & is_performed_before(barrier.step, *write.event));
  }

  /// Notes the bytes that some thread of the CTA writes before a step in every execution.
  void note_written_before(unsigned step) {
    for (Write& write : writes_) {
      if (write.is_noted || write.event->step >= step) continue;
      write.is_noted = true;
      note_written(*write.event, is_performed_before(step, *write.event));
    }
  }

  /// Notes the bytes that threads write before they add to a counter.
  void note_counted() {
    for (const CounterOrder& order : orders_) {
      std::vector<bool> written(memory_.size, false);
      for (const Write& write : writes_) note_counted(order, *write.event, written);
      if (std::ranges::find(written, true) != written.end())
        counted_.emplace_back(&order, std::move(written));
    }
  }

  /// Notes the bytes of a write that threads perform in every execution in which all add to a counter, before
  /// they add or another thread of their CTA does.
  void note_counted(const CounterOrder& order, const Event& write, std::vector<bool>& written) {
    constexpr std::uint64_t most = 1U << 16;
    const OpenThread& thread = questions_.thread();
    if (thread.ctas * thread.threads_of_cta > most || write.access.proxy != Proxy::generic) return;
    const Bits& adds = order.adds();
    const Bits performs = order.tells(write.step) & write.condition;
    const bool do_all_that_add = depends_on_tid_alone(adds) && questions_.never(adds & ~performs);
    for (std::uint64_t number = 0; number < thread.threads_of_cta; ++number) {
      const bool adds_here = do_all_that_add && position_in_cta(thread, number).apply(adds).is_true();
      if (!adds_here && position_in_cta(thread, number).apply(performs).is_false()) continue;
      for (std::uint64_t cta = 0; cta < thread.ctas; ++cta) {
        Substitution position = position_in_launch(thread, cta, number);
        const Bits location = position.apply(write.location);
        if (!location.is_constant() || (!adds_here && !position.apply(performs).is_true())) continue;
        const std::uint64_t offset = location.to_u64() - memory_.first;
        for (std::uint64_t i = 0; i < write.size; ++i)
          if (offset + i < memory_.size) written[offset + i] = true;
      }
    }
  }

  /// The condition that the thread has performed this write, or another one like it, before a step.
  Bits is_performed_before(unsigned step, const Event& write) const {
    Bits result = Bits::boolean(false);
    for (const auto& [other, is_noted, is_ordered] : writes_)
      if (other->step < step && other->size == write.size && identical(other->location, write.location))
        result = result | other->condition;
    return result;
  }

  void note_written(const Event& write, const Bits& condition) {
    if (std::ranges::find(is_written_, false) == is_written_.end()) return;
    if (!depends_on_tid_alone(condition) || !depends_on_tid_alone(write.location)) return;
    for (std::uint64_t thread = 0; thread < questions_.thread().threads_of_cta; ++thread) {
      Substitution values = position_in_cta(questions_.thread(), thread);
      if (!values.apply(condition).is_true()) continue;
      const std::uint64_t offset = values.apply(write.location).to_u64() - memory_.first;
      for (std::uint64_t i = 0; i < write.size; ++i)
        if (offset + i < memory_.size) is_written_[offset + i] = true;
    }
  }

  bool depends_on_tid_alone(const Bits& value) const {
    return value.is_constant() || std::ranges::includes(tid_, variables_of(value));
  }

  OpenQuestions& questions_;
  const OpenMemory& memory_;
  const std::vector<CounterOrder>& orders_;
  const std::vector<VariableId> tid_;
  const bool is_enumerated_;
  std::vector<bool>
      is_written_;  // if it is enumerated, by byte: every execution has written it before the last barrier
  std::vector<Write> writes_;
  std::vector<std::pair<const CounterOrder*, std::vector<bool>>> counted_;
};

}  // namespace

bool are_reads_initialized(OpenQuestions& questions, OpenSuspects& suspects,
                           const std::vector<CounterOrder>& orders) {
  const OpenThread& thread = questions.thread();
  if (thread.structure.copied != nullptr &&
      !is_copied_to_unread_memory(thread.structure, CopiedBytes::without_value))
    return false;
  bool are_all = suspects.are_excluded(
      std::nullopt,
      violation_suspects(thread, Violation::Kind::uninitialized, LaunchProperty::uninitialized));
  for (const OpenMemory& memory : thread.memory)
    if (!memory.is_initialized && memory.size != 0)
      are_all = WrittenMemory(questions, memory, orders).are_reads_initialized(suspects) && are_all;
  return are_all;
}

}  // namespace ptxmc
