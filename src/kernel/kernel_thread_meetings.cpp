// Where a thread meets others: barriers, and exchanges within its warp (PTX ISA 8.7 § 9.7.9.6, § 9.7.13).
#include <algorithm>

#include "semantics/form.hpp"
#include "src/kernel/kernel_thread.hpp"

namespace ptxmc::kernel {

/// What the last round knows of the other lanes is used; else an unknown stands for what they bring.
Lanes KernelThread::exchange(const Exchange& exchange) {
  const auto fail = [&](const std::string& why) {
    throw Unsupported(instruction_->form->spelling + why, instruction_->where);
  };
  if (!exchange.members) fail(" among the threads that are there");
  if (!is_only_path()) fail(" on a way that depends on what has been read");
  if (!exchange.members->is_constant()) {
    launch_.warps.cut_off(
        thread_, {instruction_->form->spelling + " with lanes that are not known", instruction_->where});
    path_.condition = Bits::boolean(false);
    Lanes alone;
    const std::uint32_t own = start_.context.thread % lanes_per_warp;
    alone.own = Bits(32, own);
    alone.lanes[own] = {exchange.value, Bits::boolean(true)};
    return alone;
  }
  Stop stop;
  stop.instruction = exchange.instruction;
  stop.mask = exchange.members->to_u64();
  stop.value = exchange.value;
  stop.sources = reads_.elements(data_sources_);
  stop.token = launch_.warps.new_token();
  const std::size_t number = launch_.warps.stops(thread_);
  const std::uint32_t lane = start_.context.thread % lanes_per_warp;
  stop.condition = path_.condition;
  bool comes_everybody = true;
  Lanes lanes;
  lanes.own = Bits(32, lane);
  for (unsigned other = 0; other < lanes_per_warp; ++other) {
    const bool is_named = (stop.mask >> other & 1) != 0 && (stop.mask >> lane & 1) != 0;
    const auto partner = launch_.warps.partner(thread_, number, other);
    auto& taken = lanes.lanes[other];
    taken.takes_part = Bits::boolean(is_named && partner.takes_part);
    if (taken.takes_part.is_false()) continue;
    if (other == lane) {
      taken.value = exchange.value;
      continue;
    }
    comes_everybody = comes_everybody && partner.comes_always;
    if (partner.number && partner.number->width() == exchange.value.width()) {
      taken.value = *partner.number;
    } else {
      taken.value = stop.taken[other] =
          graph_.variable(exchange.value.width(), "lane " + std::to_string(other));
    }
  }
  // The manual leaves open what a thread gets that the mask does not name.
  if ((stop.mask >> lane & 1) == 0)
    lanes.lanes[lane] = {unspecified(exchange.value.width()), Bits::boolean(true)};
  came_from(reads_.single(stop.token));
  mark_acted(path_.condition);
  if (!comes_everybody) stop.met = graph_.variable(1, "lanes meet");
  const Bits meets = launch_.warps.is_stuck(thread_, number) ? Bits::boolean(false)
                     : comes_everybody                       ? Bits::boolean(true)
                                                             : stop.met;
  launch_.warps.stop(thread_, std::move(stop));
  const Bits all = path_.condition;
  path_.condition = all & ~meets;
  end(Ending::Kind::waiting, current_step(), "an exchange with lanes that never come");
  path_.condition = all & meets;
  return lanes;
}

Bits KernelThread::barrier(const Barrier& barrier) {
  if (barrier.group == Barrier::Group::cluster && barrier.kind == Barrier::Kind::arrive)
    ++path_.cluster_arrivals;
  stop_at(barrier);
  return ThreadUnfolder::barrier(barrier);
}

/// A barrier that the threads of a warp, or of the CTA, wait at before an exchange.
void KernelThread::stop_at(const Barrier& barrier) {
  const bool waits = barrier.kind != Barrier::Kind::arrive && barrier.kind != Barrier::Kind::wait;
  if (!waits || barrier.count || barrier.group == Barrier::Group::cluster || !barrier.id.is_constant())
    return;
  Stop stop;
  stop.kind = barrier.group == Barrier::Group::warp ? Stop::Kind::warp : Stop::Kind::cta;
  stop.mask = barrier.id.to_u64();
  stop.is_certain = is_only_path();
  launch_.warps.stop(thread_, std::move(stop));
}

/// What the other CTAs of the cluster may rely on.
void KernelThread::note_end() {
  ClusterEnds::Cta& own = launch_.clusters.now[static_cast<std::size_t>(start_.cta)];
  unsigned waits = completed_.empty() ? 0 : completed_.front().cluster_arrivals;
  for (const Path& path : completed_) waits = std::min(waits, path.cluster_arrivals);
  own.waits = std::max(own.waits, waits);
  for (const Ending& ending : structure_.endings[static_cast<std::size_t>(thread_)])
    if (ending.kind == Ending::Kind::spinning) own.spins = true;
}

}  // namespace ptxmc::kernel
