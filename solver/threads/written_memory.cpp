#include "solver/threads/written_memory.hpp"

#include <algorithm>
#include <vector>

#include "solver/limits/time_limit.hpp"

namespace ptxmc {

namespace {

/// A write, and whether it is among those that were examined.
struct Write {
  const Event* event = nullptr;
  bool is_noted = false;
};

/// The reads of memory that the launch does not initialize.
class WrittenMemory {
 public:
  WrittenMemory(OpenQuestions& questions, const OpenMemory& memory)
      : questions_(questions),
        memory_(memory),
        tid_(unknowns_of(questions.thread().tid)),
        is_written_(memory.size, false) {
    for (const Event& event : questions_.thread().structure.events)
      if (event.is_write() && event.may_touch(memory.first, memory.size) && !event.condition.is_false())
        writes_.push_back({&event});
  }

  bool are_reads_initialized() {
    for (const Event& event : questions_.thread().structure.events) {
      TimeLimit::check();
      const bool is_barrier = event.kind == EventKind::barrier && event.barrier.group == Barrier::Group::cta;
      if (is_barrier && event.condition.is_true()) note_written_before(event.step);
      if (!event.is_read() || !event.may_touch(memory_.first, memory_.size)) continue;
      // A read through another proxy may miss earlier writes.
      Bits is_open = event.condition & is_inside(event);
      if (event.access.proxy == Proxy::generic)
        is_open = is_open & ~is_written_by_thread(event) & ~is_written_before(event);
      if (!questions_.never(is_open)) return false;
    }
    return true;
  }

 private:
  static std::vector<VariableId> unknowns_of(const std::array<Bits, 3>& index) {
    std::vector<VariableId> result;
    for (const Bits& coordinate : index)
      if (!coordinate.is_constant()) result.push_back(coordinate.term()->variable);
    std::ranges::sort(result);
    return result;
  }

  Bits is_inside(const Event& event) const {
    if (memory_.size < event.size) return Bits::boolean(false);
    return less_equal_unsigned(event.location - Bits(64, memory_.first), Bits(64, memory_.size - event.size));
  }

  /// Whether the thread itself has written the bytes.
  Bits is_written_by_thread(const Event& read) const {
    Bits result = Bits::boolean(false);
    for (const auto& [event, is_noted] : writes_) {
      if (event->step >= read.step || event->size < read.size) continue;
      const Bits mask = Bits(64, ~std::uint64_t{event->size - 1});
      result = result | (event->condition & equal(read.location & mask, event->location));
    }
    return result;
  }

  /// Whether the bytes are among those that are known to be written before the last barrier.
  Bits is_written_before(const Event& read) const {
    Bits result = Bits::boolean(false);
    const Bits offset = read.location - Bits(64, memory_.first);
    for (std::uint64_t at = 0; at < memory_.size;) {
      const auto begin =
          std::find(is_written_.begin() + static_cast<std::ptrdiff_t>(at), is_written_.end(), true);
      const auto end = std::find(begin, is_written_.end(), false);
      const auto first = static_cast<std::uint64_t>(begin - is_written_.begin()),
                 length = static_cast<std::uint64_t>(end - begin);
      if (length >= read.size)
        result = result | less_equal_unsigned(offset - Bits(64, first), Bits(64, length - read.size));
      at = first + length;
    }
    return result;
  }

  /// Notes the bytes that some thread of the CTA writes before a step in every execution.
  void note_written_before(unsigned step) {
    for (Write& write : writes_) {
      if (write.is_noted || write.event->step >= step) continue;
      write.is_noted = true;
      note_written(*write.event, is_performed_before(step, *write.event));
    }
  }

  /// The condition that the thread has performed this write, or another one like it, before a step.
  Bits is_performed_before(unsigned step, const Event& write) const {
    Bits result = Bits::boolean(false);
    for (const auto& [other, is_noted] : writes_)
      if (other->step < step && other->size == write.size && identical(other->location, write.location))
        result = result | other->condition;
    return result;
  }

  void note_written(const Event& write, const Bits& condition) {
    if (std::ranges::find(is_written_, false) == is_written_.end()) return;
    if (!depends_on_tid_alone(condition) || !depends_on_tid_alone(write.location)) return;
    for (std::uint64_t thread = 0; thread < questions_.thread().threads_of_cta; ++thread) {
      Substitution values = position(thread);
      if (!values.apply(condition).is_true()) continue;
      const std::uint64_t offset = values.apply(write.location).to_u64() - memory_.first;
      for (std::uint64_t i = 0; i < write.size; ++i)
        if (offset + i < memory_.size) is_written_[offset + i] = true;
    }
  }

  bool depends_on_tid_alone(const Bits& value) const {
    return value.is_constant() || std::ranges::includes(tid_, variables_of(value));
  }

  /// The position of the thread with this number in its CTA.
  Substitution position(std::uint64_t number) const {
    Substitution result;
    for (std::size_t i = 0; i < 3; ++i) {
      const Bits& coordinate = questions_.thread().tid[i];
      const std::uint64_t size = questions_.thread().block[i];
      if (!coordinate.is_constant()) result.set(coordinate.term()->variable, Bits(32, number % size));
      number /= size;
    }
    return result;
  }

  OpenQuestions& questions_;
  const OpenMemory& memory_;
  const std::vector<VariableId> tid_;
  std::vector<bool> is_written_;  // by byte: every execution has written it before the last barrier
  std::vector<Write> writes_;
};

}  // namespace

bool are_reads_initialized(OpenQuestions& questions) {
  const OpenThread& thread = questions.thread();
  for (const Violation& violation : thread.structure.violations)
    if (violation.kind == Violation::Kind::uninitialized && !questions.never(violation.condition))
      return false;
  return std::ranges::all_of(thread.memory, [&](const OpenMemory& memory) {
    return memory.is_initialized || memory.size == 0 ||
           WrittenMemory(questions, memory).are_reads_initialized();
  });
}

}  // namespace ptxmc
