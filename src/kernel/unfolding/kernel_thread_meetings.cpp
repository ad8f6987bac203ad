// Barriers of a thread, and exchanges within its groups (PTX ISA 8.7 § 9.7.9.6, § 9.7.13).
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "semantics/language/form.hpp"
#include "src/kernel/unfolding/kernel_thread.hpp"

namespace ptxmc::kernel {

/// The stop for an exchange on the current path.
Stop KernelThread::stop_at(const Exchange& exchange) {
  Stop stop;
  stop.form.instruction = exchange.instruction;
  stop.form.is_aligned = current_.instruction->form->has(".aligned");
  stop.form.group = exchange.group;
  stop.mask = exchange.members.value_or(Bits(lanes_per_warp, all_lanes));
  stop.given.values.assign(exchange.values.begin(), exchange.values.end());
  stop.given.sources = reads_.elements(current_.data_sources);
  stop.arrival.control = reads_.elements(path_.control);
  stop.given.token = launch_.meetings.new_token();
  stop.is_certain = is_only_path();
  stop.arrival.condition = path_.condition;
  stop.arrival.step = current_step();
  stop.form.where = current_.instruction->where;
  stop.arrival.turn = Bits(32, 0);
  if (!stop.mask.is_constant()) return stop;
  const ExchangeName name = {stop.form.instruction, stop.mask.to_u64()};
  Bits& turn = path_.exchanges.try_emplace(name, stop.arrival.turn).first->second;
  stop.arrival.turn = turn;
  turn = turn + Bits(32, 1);
  return stop;
}

/// The values of an exchange that no path reaches any more, so that its rule can still run.
ExchangedValues KernelThread::alone(const Exchange& exchange) const {
  const ThreadGroups& groups = launch_.meetings.groups();
  const unsigned rank = groups.rank_of(exchange.group, thread_);
  ExchangedValues values(groups.group_of(exchange.group, thread_).size(), exchange.values.size());
  values.own = Bits(32, rank);
  values.add(rank, exchange.values);
  return values;
}

/// Uses the values of the other threads from the last round if they are known; otherwise unknowns represent
/// them.
ExchangedValues KernelThread::exchange(const Exchange& exchange) {
  if (exchange.is_among_active()) return exchange_with_active(exchange);
  if (current_.instruction->form->line->opcode == "wgmma" && exchange.group == ThreadGroup::warpgroup)
    return exchange_in_warpgroup(exchange);
  if (exchange.members) {
    if (!exchange.members->is_constant() && !launch_.meetings.masks_are_open())
      return wait_for_mask(exchange);
    leave_if_misused(use_of_lanes(*exchange.members, lane()), nullptr, Bits::boolean(true));
  }
  if (path_.condition.is_false()) return alone(exchange);
  Stop stop = stop_at(exchange);
  bool all_arrive = stop.mask.is_constant();
  const ExchangedValues values = values_at(stop, all_arrive);
  came_from(reads_.single(stop.given.token));
  mark_acted(path_.condition);
  meet(std::move(stop), all_arrive);
  return values;
}

/// PTX ISA 8.7 § 9.7.15: all threads of a warpgroup execute its instructions, with the same descriptors. That
/// is assumed unless the previous round shows that it is not so; the values of 128 threads need not be
/// determined. join_products checks that they start the same products.
ExchangedValues KernelThread::exchange_in_warpgroup(const Exchange& exchange) {
  if (path_.condition.is_false()) return alone(exchange);
  const ThreadGroups& groups = launch_.meetings.groups();
  WarpgroupInstructions& all = launch_.warpgroups;
  const std::vector<int>& group = groups.group_of(exchange.group, thread_);
  const std::size_t number = all.count(thread_);
  if (!is_only_path()) all.leave_open(thread_);
  const bool is_known = !all.is_open(thread_);
  if (is_known) all.note(thread_, {current_.instruction, {exchange.values.begin(), exchange.values.end()}});
  ExchangedValues values(group.size(), exchange.values.size());
  values.own = Bits(32, groups.rank_of(exchange.group, thread_));
  for (std::size_t rank = 0; rank < group.size(); ++rank) {
    if (group[rank] == ThreadGroups::no_thread) continue;
    const auto known =
        is_known ? all.known(group[rank], number, *current_.instruction) : WarpgroupInstructions::Known();
    if (known.is_missing) continue;
    std::vector<Bits> given(exchange.values.begin(), exchange.values.end());
    for (std::size_t i = 0; known.executed != nullptr && i < given.size(); ++i)
      if (known.executed->values[i].is_constant()) given[i] = known.executed->values[i];
    values.add(rank, given);
  }
  return values;
}

std::vector<const Instruction*> KernelThread::calls() const {
  std::vector<const Instruction*> result;
  for (const UnfoldingFrame& frame : path_.frames) {
    const bool is_innermost = &frame == &path_.frame();
    result.push_back(is_innermost ? current_.instruction : &frame.body->code[frame.call]);
  }
  return result;
}

/// PTX ISA 8.7 § 9.7.13.11: exchanges with the lanes that are active with the thread. Any lanes at the
/// instruction may be active together, and none is awaited.
ExchangedValues KernelThread::exchange_with_active(const Exchange& exchange) {
  if (current_.instruction->form->line->opcode != "activemask")
    throw Unsupported(current_.instruction->form->spelling + " among the threads that are there",
                      current_.instruction->where);
  if (start_.followed && start_.followed->is_alone) return alone(exchange);
  Stop stop = stop_at(exchange);
  stop.active.calls = calls();
  const unsigned largest = launch_.meetings.largest_together(thread_, stop.active.calls);
  stop.active.together =
      largest == 0 ? Bits(1, 0) : graph_.variable(std::bit_width(largest), "active together");
  note_choice();
  bool all_arrive = false;
  const ExchangedValues values = values_at(stop, all_arrive);
  launch_.meetings.stop(thread_, std::move(stop));
  return values;
}

/// Ends the thread in this round, since the membermask is unknown.
ExchangedValues KernelThread::wait_for_mask(const Exchange& exchange) {
  launch_.meetings.cut_off(thread_, {current_.instruction->form->spelling + " with lanes that are not known",
                                     current_.instruction->where});
  path_.condition = Bits::boolean(false);
  return alone(exchange);
}

/// The values that the thread, which is in the mask, gets from each thread of its group.
ExchangedValues KernelThread::values_at(Stop& stop, bool& all_arrive) {
  using Presence = GroupMeetings::Partner::Presence;
  const std::size_t number = launch_.meetings.stops(thread_), registers = stop.given.values.size();
  const std::vector<int>& group = launch_.meetings.groups().group_of(stop.form.group, thread_);
  const unsigned own = launch_.meetings.groups().rank_of(stop.form.group, thread_);
  ExchangedValues values(group.size(), registers);
  values.own = Bits(32, own);
  stop.got.taken.resize(group.size() * registers);
  stop.got.present.resize(group.size());
  for (unsigned rank = 0; rank < group.size(); ++rank) {
    if (rank == own) {
      values.add(rank, stop.given.values);
      continue;
    }
    const auto partner = launch_.meetings.partner(thread_, number, stop.form.group, rank);
    const Bits is_named = stop.awaits(rank);
    Bits takes_part = is_named & Bits::boolean(partner.presence != Presence::never);
    if (takes_part.is_false()) {
      const bool exists = group[rank] != ThreadGroups::no_thread;
      if (launch_.meetings.is_open() && exists && !is_named.is_false())
        all_arrive = false;  // a thread that does not take part must have ended
      continue;
    }
    all_arrive = all_arrive && partner.always_arrives;
    if (partner.presence == Presence::open)
      takes_part = stop.got.present[rank] = graph_.variable(1, fmt::format("lane {} is there", rank));
    std::vector<Bits> taken;
    for (std::size_t i = 0; i < registers; ++i) {
      const unsigned width = stop.given.values[i].width();
      const bool is_known = i < partner.numbers.size() && partner.numbers[i].width() == width;
      taken.push_back(is_known ? partner.numbers[i] : graph_.variable(width, fmt::format("lane {}", rank)));
      if (!is_known) stop.got.taken[rank * registers + i] = taken.back();
    }
    values.add(rank, taken, std::move(takes_part));
  }
  return values;
}

/// Continues under the condition that the other threads arrive.
void KernelThread::meet(Stop stop, bool all_arrive) {
  const std::size_t number = launch_.meetings.stops(thread_);
  if (!all_arrive) stop.arrival.met = graph_.variable(1, "lanes meet");
  const Bits meets = launch_.meetings.is_stuck(thread_, number) ? Bits::boolean(false)
                     : all_arrive                               ? Bits::boolean(true)
                                                                : stop.arrival.met;
  if (!all_arrive && launch_.meetings.is_open()) stop.arrival.presence = launch_.meetings.new_token();
  const EventId presence = stop.arrival.presence;
  launch_.meetings.stop(thread_, std::move(stop));
  const Bits all = path_.condition;
  path_.condition = all & ~meets;
  end(Ending::Kind::waiting, current_step(), "an exchange with lanes that never come");
  path_.condition = all & meets;
  if (presence != 0) path_.control = reads_.unite(path_.control, reads_.single(presence));
}

Bits KernelThread::barrier(const Barrier& barrier) {
  if (barrier.group == Barrier::Group::warp && !barrier.gathers_warp()) {
    ObjectUse use = use_of(barrier);
    use.lane = lane();
    leave_if_misused(std::move(use), nullptr, Bits::boolean(true));
  }
  leave_if_cluster_barrier_is_misused(barrier);
  if (path_.condition.is_false()) return {};
  if (barrier.group == Barrier::Group::cluster && barrier.kind == Barrier::Kind::arrive) {
    ++path_.least_cluster_arrivals;
    ++path_.most_cluster_arrivals;
  }
  const bool is_of_cta = barrier.group == Barrier::Group::cta;
  if (is_of_cta && start_.followed && path_.barriers_of_cta == start_.followed->barriers) {
    stop_following();
    return unknown_result(barrier.kind);
  }
  stop_at(barrier);
  const Bits result = record_barrier(barrier);
  if (!is_of_cta) return result;
  ++path_.barriers_of_cta;
  if (start_.followed && !start_.followed->goes_on && path_.barriers_of_cta == start_.followed->barriers)
    stop_following();
  return result;
}

/// In a beginning of an execution the thread has not come further.
void KernelThread::stop_following() {
  end(Ending::Kind::waiting, current_step(), "the rest of the execution");
  path_.condition = Bits::boolean(false);
}

/// Adds the stop of a barrier at which the threads of a warp or CTA wait before an exchange.
void KernelThread::stop_at(const Barrier& barrier) {
  if (!has_stop(barrier)) return;
  Stop stop;
  stop.kind = barrier.group == Barrier::Group::warp ? Stop::Kind::warp : Stop::Kind::cta;
  stop.mask = barrier.id;
  stop.is_certain = is_only_path();
  launch_.meetings.stop(thread_, std::move(stop));
}

/// Replaces departing code by one event, and joining code by what it does where the lane is alone.
void KernelThread::depart() {
  const std::vector<int>& warp = launch_.meetings.groups().group_of(ThreadGroup::warp, thread_);
  DepartingCodes::Lanes lanes{.own = lane()};
  for (unsigned rank = 0; rank < warp.size(); ++rank)
    if (warp[rank] != ThreadGroups::no_thread) lanes.all |= 1u << rank;
  auto& registers = path_.frame().registers;
  auto code = current_.instruction->guard
                  ? std::nullopt
                  : launch_.departing_codes->read(*path_.frame().body, node_, registers, lanes);
  if (!code) throw Unsupported("activemask where no thread leaves a group", current_.instruction->where);
  Departure departure;
  departure.counter = location_of(code->counter, 4);
  departure.name = code->name;
  for (const DepartingCode::Place& object : code->objects)
    departure.objects.push_back(location_of(object, 8));
  departure.joins = code->joins;
  departure.event = static_cast<EventId>(structure_.events.size());
  if (code->joins) {
    const auto with_own = [](const Bits& members) {
      return Update{members + Bits(members.width(), 1), Bits::boolean(true), Combination::add};
    };
    read_modify_write(code->counter.access, code->counter.address, lanes_per_warp, with_own);
  } else {
    wait_group(AsyncGroup::none, 0, false);
  }
  launch_.departures->push_back(std::move(departure));
  registers = std::move(code->registers);
  jump(code->end);
}

/// The location of an access to shared memory of the own CTA that is valid in every execution.
std::uint64_t KernelThread::location_of(const DepartingCode::Place& access, unsigned size) {
  const Place place = locate(access.access, access.address, size, true);
  const bool is_valid = place.valid.is_true() && place.location.is_constant() && place.is_own.is_false();
  if (!is_valid || place.pieces.size() != 1 || launch_.memory[place.pieces.front()].cta != start_.cta)
    throw Unsupported("a counter of threads outside of the shared memory of their CTA",
                      current_.instruction->where);
  return place.location.to_u64();
}

/// Records the end of the thread for the other CTAs of the cluster and for lanes that wait for this one.
void KernelThread::note_end() {
  ClusterEnds::Cta& own = launch_.clusters.now[static_cast<std::size_t>(start_.cta)];
  std::optional<unsigned> waits;
  for (const Path& path : completed_) {
    // A thread may end between its last arrival and the wait for it.
    const unsigned last = path.has_arrived_at_cluster.is_false() ? 0 : 1;
    const unsigned own_waits = std::max(path.least_cluster_arrivals, last) - last;
    waits = std::min(waits.value_or(own_waits), own_waits);
  }
  own.waits = std::max(own.waits, waits.value_or(0));
  ReadSets::Id control = 0;
  for (const Path& path : completed_) control = reads_.unite(control, path.control);
  bool is_certain = true;
  for (const Ending& ending : structure_.endings[static_cast<std::size_t>(thread_)]) {
    is_certain = is_certain && ending.kind == Ending::Kind::completed;
    const bool goes_on = ending.kind == Ending::Kind::trapped && options_.traps_go_on;
    if (ends_launch(ending.kind) && !goes_on && ending.condition.is_true())
      launch_.meetings.end_launch(thread_);
  }
  launch_.meetings.end(thread_, reads_.elements(control), is_certain);
  const auto completes = [](const Ending& ending) {
    return ending.kind == Ending::Kind::completed && !ending.condition.is_false();
  };
  if (std::ranges::none_of(structure_.endings[static_cast<std::size_t>(thread_)], completes))
    launch_.warpgroups.leave_open(thread_);
}

}  // namespace ptxmc::kernel
