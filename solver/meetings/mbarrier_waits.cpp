#include "solver/meetings/mbarrier_waits.hpp"

#include <algorithm>
#include <map>

#include "model/program/program_order.hpp"
#include "semantics/values/check.hpp"
#include "solver/algebra/simplify_under.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/meetings/strand_completions.hpp"
#include "solver/unfolding/substitution.hpp"

namespace ptxmc {

namespace {

using Kind = Ending::Kind;

bool is_variable(const Bits& bits) {
  return bits.width() != 0 && !bits.is_constant() && bits.term()->op == Operator::variable;
}

/// Replaces a condition, and its negation, by a constant.
void decide(Substitution& known, const Bits& condition, bool holds) {
  if (condition.is_constant()) return;
  known.replace(condition, Bits::boolean(holds));
  if (const Bits negation = ~condition; !negation.is_constant())
    known.replace(negation, Bits::boolean(!holds));
}

/// Calls `visit` for each value of an event except its condition and the value that it reads or writes.
template <class Visit>
void visit_places(const Event& event, const Visit& visit) {
  for (const Bits* part :
       {&event.address, &event.location, &event.barrier.id, &event.barrier.predicate, &event.goes_on})
    visit(*part);
  if (event.barrier.count) visit(*event.barrier.count);
  for (const Completion& completed : event.completes) visit(completed.condition);
}

}  // namespace

bool is_mbarrier_operation(const Event& event) {
  return event.is_memory_access() && event.access.mbarrier == MbarrierAccess::operation;
}

bool has_mbarrier_operations(const EventStructure& structure) {
  return std::ranges::any_of(structure.events, [](const Event& event) {
    return is_mbarrier_operation(event) && !event.condition.is_false();
  });
}

std::optional<MbarrierWaits> MbarrierWaits::find(const EventStructure& structure) {
  MbarrierWaits waits(structure);
  if (!waits.find_reads() || !waits.exclude_misuses()) return std::nullopt;
  waits.find_polls();
  waits.find_last_polls();
  return waits.join_polls() && waits.are_endless_without_success() ? std::optional(std::move(waits))
                                                                   : std::nullopt;
}

/// Finds the unknowns that stand for the contents of objects.
bool MbarrierWaits::find_reads() {
  for (EventId id = 0; id < static_cast<EventId>(structure_.events.size()); ++id) {
    const Event& event = at(id);
    if (!event.is_read() || !is_mbarrier_operation(event) || event.condition.is_false()) continue;
    if (!is_variable(event.value)) return false;
    reads_.emplace(event.value.term()->variable, id);
  }
  return true;
}

/// Removes the ends of threads at which an operation on an mbarrier is undefined.
bool MbarrierWaits::exclude_misuses() {
  Substitution known;
  for (const auto& endings : structure_.endings)
    for (const Ending& ending : endings) {
      if (ending.kind != Kind::undefined || !ending.use || !ending.use->mbarrier ||
          ending.condition.is_false())
        continue;
      note_use(*ending.use->mbarrier);
      for (const PossibleMisuse& misuse : possible_misuses(UsePair::one_thread, *ending.use, nullptr)) {
        if (misuse.condition.is_constant()) continue;
        for (const VariableId variable : variables_of(misuse.condition))
          if (!reads_.contains(variable)) return false;
        decide(known, misuse.condition, false);
      }
    }
  substitute(structure_, known);
  return true;
}

void MbarrierWaits::note_use(const MbarrierUse& use) {
  if (!is_variable(use.word)) return;
  const auto read = reads_.find(use.word.term()->variable);
  if (read == reads_.end()) return;
  if (use.must_not_complete) without_completion_.insert(read->second);
  if (use.token.width() != 0) tokens_.emplace(read->second, use.token);
}

/// Finds the polls.
void MbarrierWaits::find_polls() {
  EventId read = -1;  // the last one
  for (EventId id = 0; id < static_cast<EventId>(structure_.events.size()); ++id) {
    const Event& event = at(id);
    if (event.is_read() && is_mbarrier_operation(event) && event.strand == 0) read = id;
    if (event.kind != EventKind::wait || waits_for_groups(event) || event.condition.is_false()) continue;
    check(read >= 0 && is_success_of(event, at(read)), "a wait reads an mbarrier before it ends");
    Poll& poll = polls_.emplace_back();
    poll.read = read;
    poll.success = id;
    poll.succeeds = simplify_under(at(read).condition, event.condition);
    if (const auto token = tokens_.find(read); token != tokens_.end()) poll.token = token->second;
  }
}

/// Finds the last polls, each of which may be the last read of a thread that spins.
void MbarrierWaits::find_last_polls() {
  std::map<VariableId, Poll*> poll_of;
  for (Poll& poll : polls_) poll_of.emplace(at(poll.read).value.term()->variable, &poll);
  for (std::size_t thread = 0; thread < structure_.endings.size(); ++thread)
    for (const Ending& ending : structure_.endings[thread]) {
      TimeLimit::check();
      if (ending.kind != Kind::spinning) continue;
      Poll* last = nullptr;
      for (const VariableId variable : variables_of(ending.condition))
        if (const auto poll = poll_of.find(variable);
            poll != poll_of.end() && at(poll->second->read).thread == static_cast<int>(thread) &&
            (last == nullptr || last->read < poll->second->read))
          last = poll->second;
      if (last != nullptr) last->last = last->read;
    }
}

/// Joins each earlier poll to the last one of its wait.
bool MbarrierWaits::join_polls() {
  for (std::size_t i = polls_.size(); i-- > 0;) {
    if (polls_[i].last >= 0) continue;
    const auto last = std::find_if(polls_.begin() + static_cast<std::ptrdiff_t>(i), polls_.end(),
                                   [](const Poll& poll) { return poll.last == poll.read; });
    if (last == polls_.end() || !is_of_one_wait(polls_[i], *last)) return false;
    polls_[i].last = last->read;
  }
  return true;
}

/// Whether a thread does nothing but spin if no poll of a wait returns True.
bool MbarrierWaits::are_endless_without_success() const {
  return std::ranges::all_of(polls_, [&](const Poll& last) {
    TimeLimit::check();
    if (last.last != last.read) return true;
    Substitution failed;
    for (const Poll& poll : polls_)
      if (poll.last == last.read) decide(failed, poll.succeeds, false);
    const Event& read = at(last.read);
    const auto is_excluded = [&](const Bits& condition) {
      return condition.is_false() || exclude_each_other(failed.apply(condition), read.condition);
    };
    for (EventId id = last.success; id < static_cast<EventId>(structure_.events.size()); ++id)
      if (at(id).thread != read.thread)
        break;
      else if (!is_excluded(at(id).condition))
        return false;
    const auto& endings = structure_.endings[static_cast<std::size_t>(read.thread)];
    return std::ranges::all_of(endings, [&](const Ending& ending) {
      // A thread that ends before the wait does not come to it. Threads may continue after a trap.
      const bool has_step =
          ending.kind == Kind::trapped || (ending.kind == Kind::stray_access && ending.first_step != 0);
      const bool is_before = has_step && ending.first_step <= read.step;
      // A use that is undefined is behind the wait, where the thread does not come; or before the wait, where
      // it ends the thread; or one of an asynchronous operation, whose thread goes on.
      return ending.kind == Kind::spinning || ending.kind == Kind::undefined || is_before ||
             is_excluded(ending.condition);
    });
  });
}

/// Whether two polls wait for the same phase in the same way, and the thread only polls between them.
bool MbarrierWaits::is_of_one_wait(const Poll& early, const Poll& last) const {
  const Event &first = at(early.read), &second = at(last.read);
  const Access &own = at(early.success).access, &other = at(last.success).access;
  if (first.thread != second.thread || own.sem != other.sem || own.scope != other.scope ||
      !identical(first.location, second.location))
    return false;
  for (EventId id = early.read; id <= last.success; ++id)
    if (at(id).kind != EventKind::wait && !(at(id).is_read() && is_mbarrier_operation(at(id))) &&
        !at(id).condition.is_false())
      return false;
  Substitution same;
  same.set(first.value.term()->variable, second.value);
  return identical(same.apply(early.succeeds), last.succeeds);
}

/// Whether words of mbarriers only occur in the operations on them, and decide about polls alone.
bool MbarrierWaits::is_independent(const EventStructure& structure) const {
  bool is_fine = true;
  const auto require_no_word = [&](const Bits& bits) {
    if (!is_fine || bits.width() == 0 || bits.is_constant()) return;
    is_fine = std::ranges::none_of(variables_of(bits), [&](VariableId id) { return reads_.contains(id); });
  };
  for (const Event& event : structure.events) {
    if (event.condition.is_false()) continue;
    TimeLimit::check();
    const bool is_operation = is_mbarrier_operation(event);
    const bool is_update = is_operation && (event.is_write() || event.rmw >= 0);
    if (is_operation && !event.location.is_constant()) return false;
    const bool is_of_poll = event.kind == EventKind::wait && !waits_for_groups(event);
    if (!is_of_poll && (!is_operation || is_update)) require_no_word(event.condition);
    if (!is_operation) require_no_word(event.value);
    visit_places(event, require_no_word);
  }
  for (const auto& endings : structure.endings)
    for (const Ending& ending : endings) require_no_word(ending.condition);
  for (const Violation& violation : structure.violations) require_no_word(violation.condition);
  return is_fine;
}

std::optional<EventStructure> MbarrierWaits::decided(const std::set<EventId>& endless) const {
  // First the polls that end the waits, so that the others can only decide about polls.
  Substitution known;
  for (const Poll& poll : polls_)
    if (poll.last == poll.read) decide(known, poll.succeeds, !endless.contains(poll.last));
  EventStructure result = structure_;
  substitute(result, known);
  if (endless.empty() && !is_independent(result)) return std::nullopt;
  Substitution early;
  for (const Poll& poll : polls_)
    if (poll.last != poll.read) decide(early, poll.succeeds, !endless.contains(poll.last));
  substitute(result, early);
  for (const Poll& poll : polls_) {
    const bool is_over = poll.last != poll.read && !endless.contains(poll.last);
    if (is_over && !result.events[static_cast<std::size_t>(poll.last)].condition.is_false())
      return std::nullopt;
  }
  return is_independent(result) ? std::optional(std::move(result)) : std::nullopt;
}

AwaitedPolls MbarrierWaits::awaited(const std::set<EventId>& endless) const {
  AwaitedPolls result;
  for (const Poll& poll : polls_)
    if (endless.contains(poll.last))
      result.endless.insert(poll.read);
    else
      result.succeeds.emplace(poll.read, poll.succeeds);
  return result;
}

std::optional<EventId> MbarrierWaits::last_poll(EventId read) const {
  const auto poll = std::ranges::find(polls_, read, &Poll::read);
  return poll == polls_.end() ? std::nullopt : std::optional(poll->last);
}

}  // namespace ptxmc
