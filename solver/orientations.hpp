#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "solver/partial_execution.hpp"

namespace ptxmc {

/// Two events that a choice of the model is to orient.
struct OpenPair {
  std::size_t choice = 0, a = 0, b = 0;
  friend bool operator==(const OpenPair&, const OpenPair&) = default;
};

/// The ways to orient the pairs that the model orients, in executions that are complete otherwise.
class Orientations {
 public:
  /// The execution outlives it, and is one of this model.
  Orientations(PartialExecution&, const cat::Model&);

  /// Calls `found` for each way that the model accepts, as long as `must_stop` says false.
  void for_each(const std::function<bool()>& must_stop, const std::function<void()>& found);

  /// Calls `found` for one of them, if there is one: where coherence order is known, that of an interleaving
  /// of the threads, if the model accepts it.
  void for_one(const BitMatrix& coherence, const std::function<bool()>& must_stop,
               const std::function<void()>& found);

  /// Coherence order is what it is now, however pairs are oriented.
  bool leave_coherence(BitMatrix&);

  /// The pairs that could ever be oriented in neither way.
  const std::vector<OpenPair>& suspects() const { return suspects_; }
  void forget_suspects() { suspects_.clear(); }

 private:
  bool find_open_pair(OpenPair&) const;
  bool orient_like_interleaving(const BitMatrix& coherence, const std::function<void()>& found);
  void orient(const std::function<bool()>& must_stop, const std::function<void()>& found);
  void note_suspect(const OpenPair&);

  PartialExecution& execution_;
  const bool coherence_grows_;
  const bool coherence_is_strict_;  // two writes are related in one direction at most
  const std::uint32_t coherence_step_;
  OpenPair hardest_;  // the last one that could be oriented in neither way
  std::vector<OpenPair> suspects_;
};

}  // namespace ptxmc
