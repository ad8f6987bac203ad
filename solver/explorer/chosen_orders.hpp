#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "solver/explorer/partial_execution.hpp"

namespace ptxmc {

/// Two events that a choice of the model must orient.
struct OpenPair {
  std::size_t choice = 0, a = 0, b = 0;
  friend bool operator==(const OpenPair&, const OpenPair&) = default;
};

/// Enumerates the orientations of pairs that a model chooses (`with … from orientations`), in an execution
/// that is otherwise complete.
class ChosenOrders {
 public:
  /// The execution must outlive it and must use this model.
  ChosenOrders(PartialExecution&, const cat::Model&);

  /// Calls `found` for each set of orientations that the model accepts, as long as `must_stop` returns false.
  void for_each(const std::function<bool()>& must_stop, const std::function<void()>& found);

  /// Calls `found` for one of them, if there is one. If coherence order is known, the orientation of an
  /// interleaving of the threads is tried first.
  void for_one(const BitMatrix& coherence, const std::function<bool()>& must_stop,
               const std::function<void()>& found);

  /// Whether coherence order stays as it is now, for every orientation of the open pairs.
  bool leave_coherence(BitMatrix&);

  /// The pairs for which neither direction was possible at some time.
  const std::vector<OpenPair>& suspects() const { return suspects_; }
  void forget_suspects() { suspects_.clear(); }

 private:
  bool find_open_pair(OpenPair&) const;
  bool orient_like_interleaving(const BitMatrix& coherence, const std::function<void()>& found);
  void orient(const std::function<bool()>& must_stop, const std::function<void()>& found);
  void note_suspect(const OpenPair&);

  PartialExecution& execution_;
  const bool coherence_grows_;
  const bool coherence_is_strict_;  // no two writes are related in both directions
  const std::uint32_t coherence_step_;
  OpenPair hardest_;  // the last pair for which neither direction was possible
  std::vector<OpenPair> suspects_;
};

}  // namespace ptxmc
