// Exchanges between the threads of a warp: PTX ISA 8.7 § 9.7.9.6, § 9.7.13.8 to § 9.7.13.14.
#include <algorithm>

#include "src/kernel/machine.hpp"

namespace ptxmc::kernel {

namespace {

bool is_at_same_place(const Thread& a, const Thread& b) {
  const auto place = [](const Frame& x, const Frame& y) {
    return x.function == y.function && x.next == y.next;
  };
  return std::ranges::equal(a.frames, b.frames, place);
}

bool guard_holds(const Thread& thread, const Instruction& instruction) {
  if (!instruction.guard) return true;
  const Bits& predicate = thread.frames.back().registers[instruction.guard->predicate];
  return predicate.is_true() != instruction.guard->negated;
}

}  // namespace

/// Without a membermask: the threads of the warp that are at the same instruction of the same calls now, and
/// are to execute it, are those that take part; each of them finds the others there when its turn comes.
std::uint32_t Machine::converged_lanes() {
  if (thread_->converged) return *thread_->converged;
  Frame& own = frame();
  const Instruction& instruction = own.function->lowered.code[--own.next];
  const std::uint32_t first = thread_->number / lanes_per_warp * lanes_per_warp;
  std::vector<Thread*> there;
  std::uint32_t mask = 0;
  for (std::uint32_t lane = 0; lane < lanes_per_warp && first + lane < thread_->cta->threads.size(); ++lane) {
    Thread& other = *thread_->cta->threads[first + lane];
    const bool is_there = other.state == Thread::State::running && is_at_same_place(*thread_, other) &&
                          guard_holds(other, instruction) && !other.converged && !other.exchanged;
    if (!is_there) continue;
    there.push_back(&other);
    mask |= std::uint32_t{1} << lane;
  }
  for (Thread* thread : there) thread->converged = mask;
  ++own.next;
  return mask;
}

bool Machine::is_complete(const ExchangeState& exchange) const {
  for (std::uint32_t lane = 0; lane < lanes_per_warp; ++lane) {
    const std::uint32_t number = exchange.warp * lanes_per_warp + lane;
    if ((exchange.mask >> lane & 1) == 0 || number >= thread_->cta->threads.size()) continue;
    const bool has_ended = thread_->cta->threads[number]->state == Thread::State::ended;
    if (!has_ended && !exchange.values.contains(lane)) return false;
  }
  return true;
}

void Machine::complete(const ExchangeState& exchange) {
  for (const auto& [own, given] : exchange.values) {
    auto lanes = std::make_unique<Lanes>();
    lanes->own = Bits(32, own);
    for (const auto& [lane, value] : exchange.values) lanes->lanes[lane] = {value, Bits::boolean(true)};
    Thread& thread = *thread_->cta->threads[exchange.warp * lanes_per_warp + own];
    thread.exchanged = std::move(lanes);
    thread.converged.reset();
    thread.state = Thread::State::running;
  }
}

void Machine::look_at_exchanges(Cta& cta) {
  std::erase_if(cta.exchanges, [&](const ExchangeState& exchange) {
    if (!is_complete(exchange)) return false;
    complete(exchange);
    return true;
  });
}

Lanes Machine::exchange(const Exchange& wanted) {
  if (thread_->exchanged) return *std::exchange(thread_->exchanged, nullptr);
  const std::uint32_t warp = thread_->number / lanes_per_warp, lane = thread_->number % lanes_per_warp;
  const auto mask = wanted.members ? static_cast<std::uint32_t>(wanted.members->to_u64()) : converged_lanes();
  end_if_misused(is_outside_membermask(Bits(lanes_per_warp, mask), lane), Misuse::outside_membermask);
  auto& exchanges = thread_->cta->exchanges;
  auto found = std::ranges::find_if(exchanges, [&](const ExchangeState& open) {
    return open.warp == warp && open.mask == mask && open.instruction == wanted.instruction;
  });
  if (found == exchanges.end()) found = exchanges.insert(found, {wanted.instruction, warp, mask, {}});
  found->values[lane] = wanted.value;
  thread_->state = Thread::State::waiting;
  look_at_exchanges(*thread_->cta);
  throw Blocked();
}

}  // namespace ptxmc::kernel
