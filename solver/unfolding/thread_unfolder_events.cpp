// Effects of a thread on memory and barriers: events, and accesses to private memory.
#include "model/program/program_order.hpp"
#include "semantics/language/diagnostic.hpp"
#include "semantics/language/misuse.hpp"
#include "solver/limits/event_limit.hpp"
#include "solver/unfolding/thread_unfolder.hpp"

namespace ptxmc {

Event& ThreadUnfolder::record(EventKind kind) {
  if (structure_.events.size() >= most_events_)
    throw TooManyEvents(most_events_, current_.instruction->where);
  Event& event = structure_.events.emplace_back();
  event.kind = kind;
  event.thread = thread_;
  event.step = next_step_;
  event.strand = running_.strand;
  event.completes = running_.follows;
  event.condition = path_.condition;
  event.instruction = current_.instruction;
  event.control_dependencies = reads_.elements(path_.control);
  return event;
}

/// Ends the paths on which the address is invalid. Returns the place of the access on the other paths.
ThreadUnfolder::Place ThreadUnfolder::reach(const Access& access, const Bits& address, unsigned size,
                                            bool writes) {
  Place place = locate(access, address, size, writes);
  const Bits all = path_.condition;
  path_.condition = all & ~place.valid;
  end(Ending::Kind::stray_access, next_step_, place.message);
  path_.condition = all & place.valid;
  return place;
}

Event& ThreadUnfolder::record_access(EventKind kind, const Access& access, const Place& place,
                                     const Bits& value) {
  Event& event = record(kind);
  event.access = access;
  if (access.space == StateSpace::generic) event.access.space = place.space;
  event.condition = path_.condition & ~place.is_own;
  event.address = place.address;
  event.location = place.location;
  event.region_first = place.region_first;
  event.region_size = place.region_size;
  event.may_outlive_cta = place.may_outlive_cta;
  event.size = value.width() / 8;
  event.value = value;
  event.address_dependencies = reads_.elements(current_.address_sources);
  if (running_.cells_strand != 0 && is_tensor_cell(event)) {
    event.strand = running_.cells_strand;
    event.completes = running_.cells_follow;
  }
  recorded(event, place);
  return event;
}

Bits ThreadUnfolder::record_read(const Access& access, const Place& place, unsigned width) {
  const Bits value = graph_.variable(width, "read" + std::to_string(structure_.events.size()));
  record_access(EventKind::read, access, place, value);
  return value;
}

void ThreadUnfolder::record_write(const Access& access, const Place& place, const Bits& value) {
  Event& event = record_access(EventKind::write, access, place, value);
  // The write of a copy takes the value that the copy has read.
  ReadSets::Id sources = current_.data_sources;
  if (running_.cells_strand != 0)
    sources = reads_.unite(sources, reads_.unite(running_.gathered, running_.latest));
  else if (!current_.read_sources.empty())
    sources = reads_.unite(sources, current_.read_sources.back());
  event.data_dependencies = reads_.elements(sources);
  running_.is_latest_used = true;
  mark_acted(event.condition);
}

/// Reads private memory: a value and its source reads.
Bits ThreadUnfolder::own_read(const Access& access, const Place& place, unsigned width) {
  const auto content = path_.memory.read(place.address, width / 8, place.own_blocks, reads_);
  bool may_be_unwritten = false;
  for (const std::uint64_t block : place.own_blocks)
    may_be_unwritten = may_be_unwritten || path_.memory.at(block)->may_be_unwritten;
  if (may_be_unwritten) note_unwritten_read(access, place, content);
  current_.read_sources.push_back(reads_.unite(content.sources, current_.address_sources));
  return content.value;
}

void ThreadUnfolder::note_unwritten(const PrivateBlock& block) const {
  for (const VariableId unknown : unknowns_of(block)) structure_.unwritten.push_back(unknown);
}

/// An element of a vector is noted even if it was written: CopiedBytes tell whether some element was.
void ThreadUnfolder::note_unwritten_read(const Access& access, const Place& place,
                                         const PrivateMemory::Content& content) {
  Bits all_written = Bits::boolean(true);
  for (const Bits& is_written : content.is_written) all_written = all_written & is_written;
  const Bits condition = path_.condition & place.is_own & ~all_written;
  const bool is_first_element = access.alignment > content.is_written.size();
  const bool is_element = is_first_element || !current_.read_sources.empty();
  if (condition.is_false() && !is_element) return;
  const std::string& name = path_.memory.at(place.own_blocks.front())->name;
  structure_.violations.push_back({Violation::Kind::uninitialized, thread_, condition, next_step_,
                                   current_.instruction->where, "a read of " + name + " before it is written",
                                   content.value, content.is_written});
}

/// A value that an operation on tensor memory has read is in all that it writes later, unless the value is
/// the addend of one element: then a write of this element has followed the read.
void ThreadUnfolder::gather(ReadSets::Id read) {
  if (running_.cells_strand == 0) return;
  if (!running_.is_latest_used) running_.gathered = reads_.unite(running_.gathered, running_.latest);
  running_.latest = read;
  running_.is_latest_used = false;
}

Bits ThreadUnfolder::read(const Access& access, const Bits& address, unsigned width) {
  const Place place = reach(access, address, width / 8, false);
  if (path_.condition.is_false()) return graph_.variable(width, "nothing");
  if (place.is_own.is_true()) return own_read(access, place, width);
  const Bits read = record_read(access, place, width);
  const ReadSets::Id source = reads_.single(last_event());
  current_.read_sources.push_back(source);
  gather(source);
  const Bits value = value_of_read(place, read);
  if (place.is_own.is_false()) return value;
  const Bits own = own_read(access, place, width);
  const auto own_sources = current_.read_sources.back();
  current_.read_sources.pop_back();
  current_.read_sources.back() = reads_.unite(current_.read_sources.back(), own_sources);
  return ite(place.is_own, own, value);
}

void ThreadUnfolder::write(const Access& access, const Bits& address, const Bits& value) {
  const Place place = reach(access, address, value.width() / 8, true);
  if (path_.condition.is_false()) return;
  if (!place.is_own.is_false())
    path_.memory.write(place.address, value, reads_.unite(current_.data_sources, current_.address_sources),
                       place.own_blocks, reads_);
  if (!place.is_own.is_true()) record_write(access, place, value);
}

Bits ThreadUnfolder::read_modify_write(const Access& access, const Bits& address, unsigned width,
                                       const std::function<Update(const Bits&)>& update) {
  const Place place = reach(access, address, width / 8, true);
  if (path_.condition.is_false()) return graph_.variable(width, "nothing");
  if (!place.is_own.is_false()) {
    if (!place.is_own.is_true())
      throw Unsupported("an atomic operation that may be on private memory", current_.instruction->where);
    const Bits old = own_read(access, place, width);
    const Update updated = update(old);
    path_.memory.write(place.address, ite(updated.happens, updated.value, old),
                       reads_.unite(current_.data_sources, current_.read_sources.back()), place.own_blocks,
                       reads_);
    return old;
  }
  const Bits old = record_read(access, place, width);
  const EventId read = last_event();
  const auto own = reads_.single(read);
  current_.read_sources.push_back(own);
  const Update updated = update(old);
  Event& event = record_access(EventKind::write, access, place, updated.value);
  event.condition = path_.condition & updated.happens;
  event.rmw = read;
  event.combines = updated.combines;
  structure_.events[static_cast<std::size_t>(read)].rmw = last_event();
  // PTX ISA 8.7 § 9.7.13.5 calls it a dependent write, for every operation.
  event.data_dependencies = reads_.elements(reads_.unite(current_.data_sources, own));
  if (!updated.happens.is_true())
    event.control_dependencies = reads_.elements(reads_.unite(path_.control, own));
  const Bits changes = options_.unchanged_is_idle ? ~equal(updated.value, old) : Bits::boolean(true);
  mark_acted(event.condition & changes);
  return old;
}

void ThreadUnfolder::fence(const Fence& fence) {
  Event& event = record(EventKind::fence);
  event.fence = fence;
  event.address = fence.address;
}

/// The operations of a strand are ordered without parts.
void ThreadUnfolder::begin_next_part() {
  if (running_.strand == 0) ++next_step_;
}

void ThreadUnfolder::wait(const Wait& wait) {
  const Bits succeeds = path_.condition & wait.succeeds;
  if (succeeds.is_false()) return;
  Event& event = record(EventKind::wait);
  event.condition = succeeds;
  event.access.sem = wait.sem;
  event.access.scope = wait.scope;
  if (!current_.read_sources.empty())
    event.control_dependencies = reads_.elements(reads_.unite(path_.control, current_.read_sources.back()));
}

/// In a litmus test every thread is a warp of its own, and a count is any number of threads.
void ThreadUnfolder::use(const ObjectUse& use) {
  const bool is_of_warps = structure_.program->arrivals == Arrivals::by_warp;
  if (use.of_operand == Misuse::thread_count && !is_of_warps) return;
  if (options_.misuse_ends_thread) leave_if_misused(use, nullptr, Bits::boolean(true));
}

Bits ThreadUnfolder::unknown_result(Barrier::Kind kind) {
  if (kind == Barrier::Kind::reduce_popc) return graph_.variable(32, "popc");
  if (kind == Barrier::Kind::reduce_and || kind == Barrier::Kind::reduce_or)
    return graph_.variable(1, "reduction");
  return {};
}

void ThreadUnfolder::leave_if_misused(ObjectUse own, const ObjectUse* earlier, const Bits& when) {
  own.where = current_.instruction->where;
  for (const PossibleMisuse& found : possible_misuses(UsePair::one_thread, own, earlier)) {
    const Bits all = path_.condition, is_misused = when & found.condition;
    path_.condition = all & is_misused;
    if (!path_.condition.is_false()) {
      end(Ending::Kind::undefined, 0, std::string(sentence_of(found.misuse)));
      structure_.endings[static_cast<std::size_t>(thread_)].back().use = own;
    }
    // The thread does not wait for an asynchronous operation: its later events do not depend on what the
    // operation reads, which may be the value of one of them. So this ending may hold beside another one.
    path_.condition = running_.strand != 0 ? all : all & ~is_misused;
  }
}

void ThreadUnfolder::leave_if_cluster_barrier_is_misused(const Barrier& barrier) {
  if (barrier.group != Barrier::Group::cluster) return;
  const ObjectUse arrival = {.object = ObjectUse::Object::cluster_barrier, .kind = Barrier::Kind::arrive};
  const Bits has_arrived = path_.has_arrived_at_cluster;
  leave_if_misused(use_of(barrier), &arrival, has_arrived);
  leave_if_misused(use_of(barrier), nullptr, ~has_arrived);
  path_.has_arrived_at_cluster = Bits::boolean(barrier.kind == Barrier::Kind::arrive);
}

Bits ThreadUnfolder::barrier(const Barrier& barrier) {
  if (options_.misuse_ends_thread) leave_if_cluster_barrier_is_misused(barrier);
  return path_.condition.is_false() ? Bits() : record_barrier(barrier);
}

/// In a litmus test every thread is a warp of its own.
bool ThreadUnfolder::has_warp_to_gather() const {
  if (structure_.program->arrivals != Arrivals::by_warp) return false;
  const auto& threads = structure_.program->threads;
  const int warp = threads[static_cast<std::size_t>(thread_)].placement.warp;
  return std::ranges::count_if(threads, [&](const Thread& t) { return t.placement.warp == warp; }) > 1;
}

Bits ThreadUnfolder::record_barrier(const Barrier& barrier) {
  const Placement& place = structure_.program->threads[static_cast<std::size_t>(thread_)].placement;
  const bool has_nothing_to_await =
      (barrier.group == Barrier::Group::prerequisite && place.prerequisite < 0) ||
      (barrier.gathers_warp() && !has_warp_to_gather());
  if (has_nothing_to_await) return {};
  const Bits result = unknown_result(barrier.kind);
  if (result.width() != 0) note_choice();
  Event& event = record(EventKind::barrier);
  event.value = result;
  event.barrier = barrier;
  event.data_dependencies = reads_.elements(current_.data_sources);
  mark_acted(path_.condition);
  if (options_.may_wait_for_ever && barrier.kind != Barrier::Kind::arrive) {
    const Bits all = path_.condition;
    event.goes_on = graph_.variable(1, "goes on");
    const Bits goes_on = event.goes_on;
    path_.condition = all & ~goes_on;
    end(Ending::Kind::waiting, event.step);
    path_.condition = all & goes_on;
  }
  return result;
}

}  // namespace ptxmc
