#include "src/report/race_cure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "model/program/program_order.hpp"
#include "model/relations/base_relations.hpp"
#include "model/relations/base_sets.hpp"
#include "src/report/names.hpp"
#include "src/report/property_text.hpp"

namespace ptxmc {

namespace {

bool is_strong(const Event& access) {
  return access.access.sem != Sem::weak || access.access.is_volatile || access.access.is_mmio;
}

bool is_release(Sem sem) { return sem == Sem::release || sem == Sem::acq_rel || sem == Sem::sc; }
bool is_acquire(Sem sem) { return sem == Sem::acquire || sem == Sem::acq_rel || sem == Sem::sc; }

class Cure {
 public:
  Cure(const Execution& execution, EventId a, EventId b, const PlaceText& place)
      : execution_(execution), a_(a), b_(b), place_(place) {
    for (const EventId id : {a, b})
      for (const auto& [before, after] : base_causality_order_)
        if (after == id) (id == a ? before_a_ : before_b_).insert(before);
  }

  std::string text() const {
    for (const auto& find : {&Cure::missing_proxy_fence, &Cure::missing_completion, &Cure::missing_order,
                             &Cure::lost_update, &Cure::uncovered_thread})
      if (std::string found = (this->*find)(); !found.empty()) return found;
    return in_general();
  }

 private:
  const Event& at(EventId id) const { return execution_.events[index(id)]; }
  const Placement& placement(const Event& event) const {
    return execution_.program->threads[index(event.thread)].placement;
  }
  const std::string& thread_of(const Event& event) const {
    return execution_.program->threads[index(event.thread)].name;
  }
  std::string line_of(const Event& event) const {
    return event.instruction == nullptr ? "" : place_(event.instruction->where.line);
  }
  std::string with_line(const Event& event) const {
    return fmt::format("`{}` in {}", written(event), line_of(event));
  }

  /// The events that precede one of the two in base causality order.
  const std::set<EventId>& before(EventId id) const { return id == a_ ? before_a_ : before_b_; }

  // ---- ordered, but through different proxies ----

  std::string missing_proxy_fence() const {
    if (at(a_).access.proxy == at(b_).access.proxy) return {};
    if (before_b_.contains(a_)) return missing_proxy_fence(a_, b_);
    if (before_a_.contains(b_)) return missing_proxy_fence(b_, a_);
    return {};
  }

  std::string missing_proxy_fence(EventId first, EventId second) const {
    const Event &early = at(first), &late = at(second);
    if (late.access.proxy == Proxy::tensormap && early.access.proxy == Proxy::generic)
      return missing_tensormap_fence(first, second);
    if (early.access.proxy != Proxy::async && late.access.proxy != Proxy::async) return {};
    const std::string reason =
        "the accesses are ordered, but use different proxies: execute fence.proxy.async in ";
    if (early.strand != 0 || placement(early).cta != placement(late).cta)
      return reason + fmt::format("{} before {}", thread_of(late), line_of(late));
    const Event* last = &late;
    if (early.thread != late.thread)
      for (const EventId id : before(second))
        if (is_later_in_thread(at(id), early)) last = &at(id);
    return reason +
           fmt::format("{} after {} and before {}", thread_of(early), line_of(early), with_line(*last));
  }

  /// A tensor map is written, then published by a fence with .release, and read after one with .acquire for
  /// its bytes: § 9.7.13.4.
  std::string missing_tensormap_fence(EventId first, EventId second) const {
    const Event &early = at(first), &late = at(second);
    bool is_released = false, is_acquired = false;
    for (const EventId id : before(second)) {
      const Event& fence = at(id);
      if (fence.kind != EventKind::fence || !is_through(fence, Proxy::tensormap)) continue;
      is_released = is_released || (fence.fence.sem == Sem::release && precedes_in_base_order(first, id));
      is_acquired = is_acquired || (fence.fence.sem == Sem::acquire && range_covers(fence, late).is_true());
    }
    if (is_released && is_acquired) return {};
    std::string missing;
    if (!is_released)
      missing =
          fmt::format("fence.proxy.tensormap::generic.release{} (or tensormap.cp_fenceproxy) in {} after {}",
                      common_scope(early, late), thread_of(early), line_of(early));
    if (!is_acquired)
      missing += fmt::format(
          "{}fence.proxy.tensormap::generic.acquire{} with the address of the map in {} before {}",
          missing.empty() ? "" : ", and ", common_scope(early, late), thread_of(late), line_of(late));
    return "the tensor map is written through the generic proxy and read through the tensormap proxy: "
           "execute " +
           missing;
  }

  bool precedes_in_base_order(EventId first, EventId second) const {
    return std::ranges::find(base_causality_order_, std::pair{first, second}) != base_causality_order_.end();
  }

  static bool is_later_in_thread(const Event& event, const Event& other) {
    return event.thread == other.thread && event.strand == 0 && event.step > other.step;
  }

  // ---- an asynchronous operation that is not complete, or starts too early ----

  std::string missing_completion() const {
    const bool is_first = at(a_).strand != 0, is_second = at(b_).strand != 0;
    if (is_first && is_second && at(a_).thread != at(b_).thread) return two_operations();
    if (is_first && is_second) return at(a_).step < at(b_).step ? waits_for(a_, b_) : waits_for(b_, a_);
    if (!is_first && !is_second) return {};
    const EventId operation = is_first ? a_ : b_, access = is_first ? b_ : a_;
    if (!is_memory(operation) || !is_memory(access)) return {};
    if (comes_after_start(access, operation) || sees(access, operation)) return waits_for(operation, access);
    return sees_earlier_write(access, operation) ? starts_after(operation, access)
                                                 : before_or_behind(operation, access);
  }

  /// Two threads start operations on the same bytes, often with one instruction that only one of them should
  /// execute.
  std::string two_operations() const {
    const Event &a = at(a_), &b = at(b_);
    if (a.access.space == StateSpace::tensor && b.access.space == StateSpace::tensor)
      return fmt::format("if the operation in {} comes first, {}", line_of(a), tensor_text(a, b));
    if (!a.is_write() || !b.is_write()) return {};
    if (a.instruction == b.instruction)
      return fmt::format(
          "{} and {} both start the operation in {}, which writes the same bytes twice and is "
          "counted twice: let only one thread start it",
          thread_of(a), thread_of(b), line_of(a));
    return fmt::format(
        "{} starts {}, {} starts {}, and both write these bytes: give each its own, or let one "
        "thread wait for the other's operation first",
        thread_of(a), with_line(a), thread_of(b), with_line(b));
  }

  bool is_memory(EventId id) const { return at(id).is_memory_access() && at(id).instruction != nullptr; }

  /// Whether the start of the operation precedes the access.
  bool comes_after_start(EventId access, EventId operation) const {
    if (is_later_in_thread(at(access), at(operation))) return true;
    return std::ranges::any_of(before(access),
                               [&](EventId id) { return is_later_in_thread(at(id), at(operation)); });
  }

  bool is_co(EventId first, EventId second) const {
    return std::ranges::find(co_, std::pair{first, second}) != co_.end();
  }

  /// Whether the execution shows that the access comes after the write of the operation.
  bool sees(EventId access, EventId operation) const {
    if (at(access).is_write()) return is_co(operation, access);
    return std::ranges::any_of(execution_.reads_from, [&](const ReadsFrom& source) {
      return source.read == access && (source.write == operation || is_co(operation, source.write));
    });
  }

  /// Whether the access takes a value, or writes one, that a thread has written and the operation overwrites.
  bool sees_earlier_write(EventId access, EventId operation) const {
    if (at(access).is_write()) return is_co(access, operation);
    return std::ranges::any_of(execution_.reads_from, [&](const ReadsFrom& source) {
      return source.read == access && at(source.write).thread != Event::no_thread &&
             is_co(source.write, operation);
    });
  }

  std::string waits_for(EventId operation, EventId access) const {
    if (std::string narrow = unsynchronized_signal(operation, access); !narrow.empty()) return narrow;
    return fmt::format("{} need not be complete: {}", with_line(at(operation)), wait_text(operation, access));
  }

  /// `let P1 wait for the phase of its mbarrier before line 7`
  std::string wait_text(EventId operation, EventId access) const {
    const Event &own = at(operation), &other = at(access);
    const std::string spelling = written(own);
    if (spelling.find("mbarrier") != std::string::npos)
      return fmt::format("let {} wait for the phase of its mbarrier before {}", thread_of(other),
                         line_of(other));
    if (spelling.starts_with("tcgen05.")) return tensor_text(own, other);
    const bool is_bulk = spelling.find("bulk") != std::string::npos;
    const char* wait = !is_bulk        ? "cp.async.wait_group"
                       : own.is_read() ? "cp.async.bulk.wait_group.read"
                                       : "cp.async.bulk.wait_group";
    return fmt::format(
        "commit it to a group and wait for this group ({}) in {}{} before {}", wait, thread_of(own),
        own.thread == other.thread ? "" : ", then let the threads meet at a barrier,", line_of(other));
  }

  /// `execute tcgen05.wait::ld in P0 before line 9`: PTX ISA 8.7 § 9.7.16.5.4.
  std::string tensor_text(const Event& own, const Event& other) const {
    const bool is_load = written(own).starts_with("tcgen05.ld");
    if (!is_load && !written(own).starts_with("tcgen05.st"))
      return fmt::format(
          "execute tcgen05.commit behind {} in {}, and let {} wait for the phase of its mbarrier{} "
          "before {}",
          line_of(own), thread_of(own), thread_of(other),
          is_tensor_cell(other) ? " and execute tcgen05.fence::after_thread_sync" : "", line_of(other));
    const std::string wait = is_load ? "tcgen05.wait::ld" : "tcgen05.wait::st";
    if (own.thread == other.thread)
      return fmt::format("execute {} in {} before {}", wait, thread_of(own), line_of(other));
    return fmt::format(
        "execute {} and tcgen05.fence::before_thread_sync in {}, let the threads meet, and execute "
        "tcgen05.fence::after_thread_sync in {} before {}",
        wait, thread_of(own), thread_of(other), line_of(other));
  }

  std::string starts_after(EventId operation, EventId access) const {
    if (at(operation).thread == at(access).thread) return {};
    return fmt::format("{} may start before this access: {}", with_line(at(operation)),
                       release_text(operation, access));
  }

  /// `let P1 arrive at an mbarrier or a barrier after line 7, and P0 wait for that before line 3`
  std::string release_text(EventId operation, EventId access) const {
    const Event &own = at(operation), &other = at(access);
    return fmt::format("let {} arrive at an mbarrier or a barrier after {}, and {} wait for that before {}",
                       thread_of(other), line_of(other), thread_of(own), line_of(own));
  }

  std::string before_or_behind(EventId operation, EventId access) const {
    if (at(operation).thread == at(access).thread) return {};
    return fmt::format("nothing orders {} and this access; if the operation comes first, {}; otherwise {}",
                       with_line(at(operation)), wait_text(operation, access),
                       release_text(operation, access));
  }

  /// The operation signals an mbarrier for whose phase the other thread waits, in vain.
  std::string unsynchronized_signal(EventId operation, EventId access) const {
    const Event& own = at(operation);
    for (EventId id = 0; id < static_cast<EventId>(execution_.events.size()); ++id) {
      const Event& signal = at(id);
      if (signal.thread != own.thread || signal.strand != own.strand || !is_update_of_mbarrier(signal))
        continue;
      if (const auto wait = wait_before(access, signal); wait && !before(access).contains(operation))
        return unsynchronized(id, *wait, operation, access);
    }
    return {};
  }

  static bool is_update_of_mbarrier(const Event& event) {
    return event.is_write() && event.access.mbarrier == MbarrierAccess::operation;
  }

  /// The success of the last wait of the thread before the access for the object that an update signals.
  std::optional<EventId> wait_before(EventId access, const Event& update) const {
    std::optional<EventId> result;
    for (EventId id = 0; id < static_cast<EventId>(execution_.events.size()); ++id) {
      const Event& event = at(id);
      if (event.kind != EventKind::wait || event.thread != at(access).thread || event.step >= at(access).step)
        continue;
      for (EventId read = 0; read < id; ++read)
        if (is_success_of(event, at(read)) && identical(at(read).location, update.location)) result = id;
    }
    return result;
  }

  // ---- a read that sees a write, and does not synchronize with it ----

  std::string missing_order() const {
    if (at(a_).thread == at(b_).thread || at(a_).strand != 0 || at(b_).strand != 0) return {};
    std::string found = missing_order(a_, b_);
    return found.empty() ? missing_order(b_, a_) : found;
  }

  /// The same if the first of the two should precede the second.
  std::string missing_order(EventId first, EventId second) const {
    for (const ReadsFrom& source : execution_.reads_from) {
      const Event &write = at(source.write), &read = at(source.read);
      if (!is_later_in_thread(write, at(first)) || read.thread != at(second).thread ||
          read.step >= at(second).step || before(second).contains(source.write))
        continue;
      EventId seen = source.read;
      for (EventId id = source.read; id < static_cast<EventId>(execution_.events.size()); ++id)
        if (at(id).kind == EventKind::wait && is_success_of(at(id), read)) seen = id;
      if (std::string why = unsynchronized(source.write, seen, first, second); !why.empty()) return why;
    }
    return {};
  }

  /// Why a wait or read does not synchronize with a write that it sees: a scope, or a missing order.
  std::string unsynchronized(EventId write, EventId read, EventId first, EventId second) const {
    const Event &own = at(write), &other = at(read);
    const std::string sees =
        fmt::format("{} sees {}, but does not synchronize with it: ", with_line(other), with_line(own));
    const bool is_signal = own.strand != 0;
    if (!is_signal || is_strong(own))
      if (const std::string why = why_not_strong_together(execution_, own, other); !why.empty())
        return fmt::format("{}{}; both need the scope {} or wider", sees, why, common_scope(own, other));
    if (!is_signal && !is_release(own.access.sem) && !has_fence(first, write, is_release))
      return sees + fmt::format("it is no release, and no fence is before it in {}", thread_of(own));
    if (!is_acquire(other.access.sem) && !has_fence(read, second, is_acquire))
      return sees + fmt::format("it is no acquire, and no fence is behind it in {}", thread_of(other));
    return {};
  }

  /// Whether the thread executes a memory fence of such an order between two of its events.
  bool has_fence(EventId first, EventId last, bool (*has_order)(Sem)) const {
    return std::ranges::any_of(execution_.events, [&](const Event& event) {
      return event.kind == EventKind::fence && !event.fence.is_proxy_fence &&
             event.thread == at(first).thread && event.step > at(first).step && event.step < at(last).step &&
             has_order(event.fence.sem);
    });
  }

  // ---- two threads read, change and write the same location ----

  std::string lost_update() const {
    if (at(a_).thread == at(b_).thread || at(a_).strand != 0 || at(b_).strand != 0) return {};
    if (at(a_).is_write()) return at(b_).is_write() ? lost_update(b_, a_) : lost_update(a_, b_);
    return lost_update(b_, a_);
  }

  /// `write` is the end of an update: its thread has read the location before, and the written value depends
  /// on this read. The other thread executes a part of the same update.
  std::string lost_update(EventId write, EventId other) const {
    const Event& own = at(write);
    const EventId read = read_of_update(write);
    if (read < 0) return {};
    const Event& half = at(other).is_write() ? own : at(read);
    if (!is_memory(other) || written(at(other)) != written(half) || !are_same_bytes(own, at(other)))
      return {};
    return fmt::format(
        "{} and {} both read {} in {} and write what they compute from it in {}, so one update can be lost: "
        "make it one atomic operation (atom or red; atomicAdd and others in CUDA)",
        thread_of(at(other)), thread_of(own), location_name(*execution_.program, own.address.to_u64()),
        line_of(at(read)), line_of(own));
  }

  /// The read of the same bytes from which the value of a write is computed; -1 if there is none.
  EventId read_of_update(EventId write) const {
    const Event& own = at(write);
    if (own.instruction == nullptr || own.rmw >= 0) return -1;
    for (const EventId read : own.data_dependencies)
      if (at(read).rmw == -1 && at(read).instruction != nullptr && are_same_bytes(at(read), own)) return read;
    return -1;
  }

  static bool are_same_bytes(const Event& a, const Event& b) {
    return identical(a.location, b.location) && a.size == b.size;
  }

  // ---- another thread of the CTA releases or acquires ----

  std::string uncovered_thread() const {
    if (at(a_).thread == at(b_).thread || at(a_).strand != 0 || at(b_).strand != 0) return {};
    if (placement(at(a_)).cta == placement(at(b_)).cta) return {};
    std::string found = uncovered_thread(a_, b_);
    return found.empty() ? uncovered_thread(b_, a_) : found;
  }

  /// The same if the first of the two should precede the second: a thread of the CTA of the first one
  /// releases, or a thread of the CTA of the second one acquires, but no barrier of the CTA is between.
  std::string uncovered_thread(EventId first, EventId second) const {
    const Event &early = at(first), &late = at(second);
    for (const ReadsFrom& source : execution_.reads_from) {
      const Event &write = at(source.write), &read = at(source.read);
      if (write.thread == Event::no_thread || write.thread == read.thread ||
          placement(write).cta != placement(early).cta || placement(read).cta != placement(late).cta ||
          !synchronizes(source))
        continue;
      if (write.thread != early.thread && !precedes_in_base_order(first, source.write))
        return fmt::format(
            "{} releases in {}, which does not cover {}: no barrier is between {} and this release",
            thread_of(write), line_of(write), thread_of(early), line_of(early));
      if (read.thread != late.thread && !precedes_in_base_order(source.read, second))
        return fmt::format(
            "{} acquires in {}, which does not cover {}: no barrier is between this acquire and {}",
            thread_of(read), line_of(read), thread_of(late), line_of(late));
    }
    return {};
  }

  /// Whether what precedes a release up to the write precedes what follows an acquire from the read on.
  bool synchronizes(const ReadsFrom& source) const {
    const Event &write = at(source.write), &read = at(source.read);
    const auto has_fence = [&](const Event& access, bool is_behind, bool (*has_order)(Sem)) {
      return std::ranges::any_of(execution_.events, [&](const Event& event) {
        return event.kind == EventKind::fence && !event.fence.is_proxy_fence &&
               event.thread == access.thread &&
               (is_behind ? event.step > access.step : event.step < access.step) &&
               has_order(event.fence.sem);
      });
    };
    if (!is_release(write.access.sem) && !has_fence(write, false, is_release)) return false;
    if (!is_acquire(read.access.sem) && !has_fence(read, true, is_acquire)) return false;
    return std::ranges::any_of(base_causality_order_, [&](const auto& pair) {
      const Event &before = at(pair.first), &after = at(pair.second);
      return before.thread == write.thread && before.step <= write.step && after.thread == read.thread &&
             after.step >= read.step;
    });
  }

  // ---- otherwise ----

  /// The smallest scope that includes both threads.
  const char* common_scope(const Event& a, const Event& b) const {
    const Placement &first = placement(a), &second = placement(b);
    return first.cta == second.cta           ? ".cta"
           : first.cluster == second.cluster ? ".cluster"
           : first.gpu == second.gpu         ? ".gpu"
                                             : ".sys";
  }

  /// Whether the grid of one thread is a programmatic dependent of that of the other one.
  bool are_of_dependent_grids() const {
    const Placement &first = placement(at(a_)), &second = placement(at(b_));
    return (first.prerequisite >= 0 && first.prerequisite == second.grid) ||
           (second.prerequisite >= 0 && second.prerequisite == first.grid);
  }

  std::string in_general() const {
    const Event &a = at(a_), &b = at(b_);
    const char* scope = common_scope(a, b);
    if (a.thread == b.thread && a.access.proxy != b.access.proxy)
      return "use one proxy for both, or order them by a proxy fence";
    if (is_strong(a) && is_strong(b)) {
      const bool same_bytes = identical(a.location, b.location) && a.size == b.size;
      return same_bytes ? fmt::format("the scope {} includes both threads", scope)
                        : "accesses of the same size to the same bytes do not race when they are strong";
    }
    if (are_of_dependent_grids())
      return "execute griddepcontrol.wait in the dependent grid, in this thread or ordered before its access";
    return fmt::format(
        "order them by a release and an acquire of scope {} or wider{}, or make both of them strong", scope,
        scope == std::string_view(".cta") ? ", or by a barrier" : "");
  }

  const Execution& execution_;
  const EventId a_, b_;
  const PlaceText& place_;
  const Pairs base_causality_order_ = execution_.relations.pairs("base_causality_order");
  const Pairs co_ = execution_.relations.pairs("co");
  std::set<EventId> before_a_, before_b_;  // in base causality order
};

}  // namespace

std::string cure_of_race(const Execution& execution, EventId a, EventId b, const PlaceText& place) {
  return Cure(execution, a, b, place).text();
}

}  // namespace ptxmc
