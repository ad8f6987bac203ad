#include "model/program/program_order.hpp"

namespace ptxmc {

bool is_earlier_instruction(const Event& a, const Event& b) {
  return a.thread == b.thread && a.thread != Event::no_thread && a.step < b.step;
}

bool is_success_of(const Event& wait, const Event& read) {
  return wait.kind == EventKind::wait && read.is_read() && wait.thread == read.thread &&
         wait.step == read.step;
}

bool precedes(std::span<const Event> events, EventId a, EventId b) {
  const Event &first = events[static_cast<std::size_t>(a)], &second = events[static_cast<std::size_t>(b)];
  if (is_earlier_instruction(first, second)) return true;
  if (!first.is_read() || first.thread != second.thread) return false;
  return first.rmw == b || is_success_of(second, first);
}

}  // namespace ptxmc
