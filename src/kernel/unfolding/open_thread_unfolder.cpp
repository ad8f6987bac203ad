#include "src/kernel/unfolding/open_thread_unfolder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/form.hpp"
#include "semantics/values/arithmetic.hpp"

namespace ptxmc::kernel {

namespace {

/// The exchanges whose results have no effects of their own: PTX ISA 8.7 § 9.7.9.6, § 9.7.13.9 to
/// § 9.7.13.14.
bool is_exchange_of_lanes(std::string_view opcode) {
  constexpr std::string_view all[] = {"shfl", "vote", "match", "redux", "elect"};
  return std::ranges::find(all, opcode) != std::end(all);
}

}  // namespace

void OpenThreadUnfolder::refuse(const char* what) const {
  throw Unsupported(fmt::format("{} in a thread that stands for all others", what),
                    current_.instruction->where);
}

ThreadUnfolder::Place OpenThreadUnfolder::locate(const Access& access, const Bits& address, unsigned size,
                                                 bool writes) {
  if (access.mbarrier != MbarrierAccess::none) refuse("an operation on an mbarrier");
  if (access.is_indeterminate) refuse("discard");
  if (access.is_mmio) refuse("an access with .mmio");
  if (access.proxy != Proxy::generic && writes) refuse("a write through a proxy");
  Place place = KernelThread::locate(access, address, size, writes);
  // Most accesses are valid for all threads, and then conditions stay simple.
  if (tries_ > 0 || (!place.valid.is_constant() && !is_possible(path_.condition & ~place.valid)))
    place.valid = Bits::boolean(true);
  return place;
}

/// Memory that no thread writes has one value for all threads, which is open if the launch leaves it open.
Bits OpenThreadUnfolder::settled_value(const Place& place, unsigned width) {
  const Bits known = KernelThread::settled_value(place, width);
  if (known.width() != 0 || !place.location.is_constant() || place.pieces.size() != 1) return known;
  const MemoryPiece& piece = launch_.memory[place.pieces.front()];
  const OpenMemory& memory = thread_of_.memory[place.pieces.front()];
  if (memory.is_shared || !memory.is_initialized || !launch_.memory.is_never_written(place.pieces.front()))
    return {};
  Bits& value = unwritten_[{place.location.to_u64(), width}];
  if (value.width() == 0)
    value =
        graph_.variable(width, fmt::format("{}+{}", piece.name, place.location.to_u64() - piece.location));
  return value;
}

/// PTX ISA 8.7 § 9.7.9.6: the lane of the thread must be among the members.
void OpenThreadUnfolder::leave_outside_of(std::uint32_t members) {
  if (members == all_lanes) return;
  const Bits is_member = shift_right_unsigned(Bits(32, members), thread_of_.number & Bits(32, 31)).bit(0);
  const Bits all = path_.condition;
  path_.condition = all & ~is_member;
  end(Ending::Kind::undefined, 0, std::string(sentence_of(Misuse::outside_membermask)));
  path_.condition = all & is_member;
}

/// By lane the condition that it takes part in an exchange of the thread, which is a member: it is a member
/// too and exists, since the last warp of a CTA may have fewer threads. That no member has ended or is
/// elsewhere follows from are_meetings_uniform, or else nothing is excluded.
std::vector<Bits> OpenThreadUnfolder::lanes_of(std::uint32_t members) {
  const Bits first = thread_of_.number & ~Bits(32, lanes_per_warp - 1);
  const auto exists = [&](unsigned lane) {
    return less_unsigned((first | Bits(32, lane)).zero_extend(64), thread_of_.threads_in_cta);
  };
  const auto last = static_cast<unsigned>(std::bit_width(members)) - 1;
  const bool may_lack = is_possible(path_.condition & ~exists(last));
  std::vector<Bits> result(lanes_per_warp, Bits::boolean(false));
  bool is_lowest = true;  // it exists if any member does
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
    if ((members >> lane & 1) == 0) continue;
    result[lane] = is_lowest || !may_lack ? Bits::boolean(true) : exists(lane);
    is_lowest = false;
  }
  return result;
}

/// The results are unknowns, unless all lanes that take part give the same constant (`elect`).
Results OpenThreadUnfolder::await_exchange(const Exchange& exchange,
                                           std::function<Results(const ExchangedValues&)> after) {
  if (tries_ > 0) refuse("an exchange in an iteration of any");
  if (exchange.is_among_active() && current_.instruction->form->line->opcode == "activemask")
    return active_lanes();
  if (!is_exchange_of_lanes(current_.instruction->form->line->opcode)) refuse("an exchange of matrices");
  if (exchange.members)
    if (const auto group = group_of(*exchange.members)) return exchange_in_group(*group, exchange, after);
  if (!exchange.members || !exchange.members->is_constant()) refuse("an exchange whose lanes are not known");
  auto members = static_cast<std::uint32_t>(exchange.members->to_u64());
  leave_outside_of(members);
  if (members == 0) members = all_lanes;  // no path goes on, but the rule still runs
  thread_of_.exchanges.push_back({path_.condition, members, current_step(), current_.instruction->where});
  note_choice();
  mark_acted(path_.condition);
  ExchangedValues values(lanes_per_warp, exchange.values.size());
  values.own = thread_of_.number & Bits(32, lanes_per_warp - 1);
  const std::vector<Bits> lanes = lanes_of(members);
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
    if (!lanes[lane].is_false()) values.add(lane, exchange.values, lanes[lane]);
  const Results computed = after(values);
  if (std::ranges::all_of(exchange.values, &Bits::is_constant)) return computed;
  Results results;
  for (const Bits& result : computed) results.push_back(graph_.variable(result.width(), "exchanged"));
  return results;
}

/// The mask of the group is an unknown. In a loop, lanes in different iterations may be together, so that
/// more would be needed than one mask for each execution.
Bits OpenThreadUnfolder::active_lanes() {
  OpenGroup group{path_.condition, {}, current_step(), current_.instruction->where, calls()};
  for (const OpenGroup& other : thread_of_.groups)
    if (other.calls == group.calls) refuse("an activemask that is repeated");
  group.mask = graph_.variable(lanes_per_warp, "active");
  note_choice();
  return thread_of_.groups.emplace_back(std::move(group)).mask;
}

/// The number of the group that has this mask; empty if there is none.
std::optional<std::size_t> OpenThreadUnfolder::group_of(const Bits& members) const {
  const auto found = std::ranges::find_if(
      thread_of_.groups, [&](const OpenGroup& group) { return identical(group.mask, members); });
  if (found == thread_of_.groups.end()) return std::nullopt;
  return static_cast<std::size_t>(found - thread_of_.groups.begin());
}

/// The results are unknowns, as well as what the lanes give. group_facts.hpp says how they are related.
Results OpenThreadUnfolder::exchange_in_group(std::size_t group, const Exchange& own,
                                              const std::function<Results(const ExchangedValues&)>& after) {
  GroupExchange exchange{
      group, path_.condition, current_step(), current_.instruction->where, own.values.front(), {}, {}, {}};
  note_choice();
  mark_acted(path_.condition);
  ExchangedValues values(lanes_per_warp, 1);
  values.own = thread_of_.number & Bits(32, lanes_per_warp - 1);
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
    exchange.of_lane.push_back(graph_.variable(exchange.given.width(), fmt::format("lane {}", lane)));
    values.add(lane, {&exchange.of_lane.back(), 1}, thread_of_.groups[group].mask.bit(lane));
  }
  Results results;
  for (const Bits& rule : after(values)) {
    exchange.rules.push_back(rule);
    exchange.results.push_back(graph_.variable(rule.width(), "exchanged"));
    results.push_back(exchange.results.back());
  }
  thread_of_.group_exchanges.push_back(std::move(exchange));
  return results;
}

/// The result of `popc` for a mask of lanes is an unknown.
void OpenThreadUnfolder::run_instruction(Target node) {
  const auto use = register_use(*current_.instruction);
  const bool counts = current_.instruction->form->line->opcode == "popc" && use.data.size() == 1;
  const Bits value = counts ? path_.frame().registers[use.data.front()] : Bits();
  KernelThread::run_instruction(node);
  if (!counts || value.width() < 32 || !is_part_of_group(value)) return;
  Bits& result = path_.frame().registers[use.written.front()];
  if (identical(result, population_count(value).extract(0, 32))) result = count_of(value);
}

/// Whether a value is computed from the mask of a group.
bool OpenThreadUnfolder::is_part_of_group(const Bits& value) const {
  const auto unknowns = variables_of(value);
  return std::ranges::any_of(thread_of_.groups, [&](const OpenGroup& group) {
    return std::ranges::binary_search(unknowns, group.mask.term()->variable);
  });
}

/// The unknown for the number of bits of a value.
Bits OpenThreadUnfolder::count_of(const Bits& value) {
  for (const BitCount& count : thread_of_.counts)
    if (identical(count.value, value)) return count.count;
  return thread_of_.counts.emplace_back(BitCount{value, graph_.variable(32, "lanes")}).count;
}

Bits OpenThreadUnfolder::barrier(const Barrier& barrier) {
  if (barrier.group == Barrier::Group::warp) {
    if (!barrier.id.is_constant() || barrier.id.to_u64() != all_lanes)
      refuse("bar.warp.sync of a part of the warp");
    return record_barrier(barrier);
  }
  const bool waits = barrier.kind != Barrier::Kind::arrive && barrier.kind != Barrier::Kind::wait;
  if (barrier.group != Barrier::Group::cta || !waits || !barrier.id.is_constant())
    refuse("a barrier of this kind");
  if (barrier.count) refuse("a barrier with a thread count");
  return record_barrier(barrier);
}

void OpenThreadUnfolder::use(const ObjectUse& own) {
  if (own.object != ObjectUse::Object::operand) refuse("an operation on an mbarrier");
  leave_if_misused(own, nullptr, Bits::boolean(true));
}

}  // namespace ptxmc::kernel
