#include "model/program/program_order.hpp"

#include <algorithm>

#include "semantics/language/tensor_pipeline.hpp"

namespace ptxmc {

bool are_of_one_agent(const Event& a, const Event& b) {
  return a.thread == b.thread && a.strand == b.strand && a.thread != Event::no_thread;
}

bool is_earlier_instruction(const Event& a, const Event& b) {
  return are_of_one_agent(a, b) && a.strand == 0 && a.step < b.step;
}

bool is_tensor_cell(const Event& event) {
  return event.is_memory_access() && event.access.space == StateSpace::tensor && event.access.is_copy;
}

bool are_pipeline_pair(const Event& a, const Event& b) {
  const auto is_operation = [](const Event& event) {
    return is_tensor_cell(event) && event.strand != 0 && event.instruction != nullptr;
  };
  return is_operation(a) && is_operation(b) && are_pipelined(*a.instruction->form, *b.instruction->form);
}

bool is_before_start(const Event& a, const Event& b) {
  if (is_tensor_cell(b) && a.tensor_fence != TensorFence::after) return false;
  return a.thread == b.thread && a.strand == 0 && b.strand != 0 && a.step < b.step;
}

bool is_earlier_in_strand(std::span<const Event> events, EventId a, EventId b) {
  const Event& first = events[static_cast<std::size_t>(a)];
  return first.strand != 0 && a < b && are_of_one_agent(first, events[static_cast<std::size_t>(b)]);
}

Bits is_complete_before(const Event& a, const Event& b) {
  Bits result = Bits::boolean(false);
  if (a.strand == 0) return result;
  for (const Completion& completion : b.completes)
    if (completion.strand_of(a.thread, b.thread) == a.strand && (a.is_read() || !completion.only_reads))
      result = result | completion.condition;
  return result;
}

bool is_started_before(const Event& a, const Event& b) {
  return a.thread == b.thread && std::ranges::find(b.started, a.strand) != b.started.end();
}

bool is_success_of(const Event& wait, const Event& read) {
  return wait.kind == EventKind::wait && read.is_read() && are_of_one_agent(wait, read) &&
         wait.step == read.step;
}

bool precedes(std::span<const Event> events, EventId a, EventId b) {
  const Event &first = events[static_cast<std::size_t>(a)], &second = events[static_cast<std::size_t>(b)];
  if (is_earlier_instruction(first, second)) return true;
  if (!first.is_read() || !are_of_one_agent(first, second)) return false;
  return first.rmw == b || is_success_of(second, first);
}

}  // namespace ptxmc
