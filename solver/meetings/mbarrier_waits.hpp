#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "model/program/event.hpp"

namespace ptxmc {

/// Whether the event reads or writes an mbarrier object as an operation that counts or waits, and not as
/// `mbarrier.init` or `inval`.
bool is_mbarrier_operation(const Event&);

/// Whether a thread may perform an operation on an mbarrier object.
bool has_mbarrier_operations(const EventStructure&);

/// The polls of MbarrierWaits::decided, by the events of their reads.
struct AwaitedPolls {
  std::map<EventId, Bits> succeeds;  ///< of the polls that end waits: see MbarrierWaits::Poll
  std::set<EventId> endless;         ///< the polls of waits that never end
};

/// The waits of a launch for phases of mbarriers (PTX ISA 8.7 § 9.7.13.15.16), each of which is a loop of
/// `test_wait` or `try_wait`. A wait consists of polls: the last one in program order is repeated until it
/// returns True, and earlier ones may return True before.
///
/// In the unfolded events a thread ends as `spinning` if the last poll of a wait returns False. If the launch
/// only waits in this way, then a poll decides nothing else than whether its wait is over: everything that
/// the thread does after the wait is the same whichever poll has returned True.
class MbarrierWaits {
 public:
  /// A poll of a wait. Events are those of the structure.
  struct Poll {
    EventId read = -1;
    EventId success = -1;  ///< EventKind::wait
    Bits succeeds;         ///< width 1: it returns True; over the value read, and over tokens
    EventId last = -1;     ///< the read of the last poll of its wait
    Bits token = {};       ///< of a wait for the phase of a token: 64 bits
  };

  /// Empty if polls are used in another way, or if an operation on an mbarrier depends on values that are
  /// read other than through waits. Reads of the structure are settled as far as program order settles them.
  static std::optional<MbarrierWaits> find(const EventStructure&);

  /// By value that an operation on an mbarrier reads: the read.
  const std::map<VariableId, EventId>& reads() const { return reads_; }
  const std::vector<Poll>& polls() const { return polls_; }
  /// The reads of arrivals with `.noComplete`.
  const std::set<EventId>& without_completion() const { return without_completion_; }

  /// The events of the executions in which each wait is over as soon as it begins to poll, except the waits
  /// with these last polls, which are never over. No operation on an mbarrier is undefined in them. Polls
  /// that are not needed have a false condition.
  ///
  /// Empty if a value of an mbarrier object has another effect in the events than to end a wait.
  std::optional<EventStructure> decided(const std::set<EventId>& endless) const;
  AwaitedPolls awaited(const std::set<EventId>& endless) const;
  /// The read of the last poll of the wait with this poll; empty if the event is no read of a poll.
  std::optional<EventId> last_poll(EventId) const;

 private:
  explicit MbarrierWaits(const EventStructure& structure) : structure_(structure) {}

  const Event& at(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }
  bool find_reads();
  bool exclude_misuses();
  void note_use(const MbarrierUse&);
  void find_polls();
  void find_last_polls();
  bool join_polls();
  bool are_endless_without_success() const;
  bool is_of_one_wait(const Poll& early, const Poll& last) const;
  bool is_independent(const EventStructure&) const;

  EventStructure structure_;  // without the ends of threads at undefined operations
  std::map<VariableId, EventId> reads_;
  std::map<EventId, Bits> tokens_;  // by read of a poll
  std::vector<Poll> polls_;         // by thread, in program order
  std::set<EventId> without_completion_;
};

}  // namespace ptxmc
