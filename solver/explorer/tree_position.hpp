#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/explorer/shared_tree.hpp"

namespace ptxmc {

/// The position of a walk in a tree of choices, whose places are described in shared_tree.hpp.
class TreePosition {
 public:
  /// Goes to the root.
  void begin() {
    depth_ = 0;
    path_.clear();
    share_ = 1;
    done_ = 0;
  }
  /// Restricts walks to the subtree behind the place with this path. The path must outlive them.
  void restrict_to(std::span<const std::uint32_t> path) { place_ = path; }
  /// Lets walks collect the places at a depth instead of entering them; null: ends this.
  void collect(std::vector<Place>* places, std::size_t depth = 0) {
    places_ = places;
    divided_at_ = depth;
  }
  bool is_collecting() const { return places_ != nullptr; }

  /// Whether the walk is not yet in the subtree of its place, so that it does not take all alternatives.
  bool is_above_place() const { return is_collecting() || depth_ < place_.size(); }

  std::size_t depth() const { return depth_; }
  /// The share of the tree that is done. The alternatives of a choice have equal shares.
  double done() const { return done_; }

  /// The subtree behind this position is done.
  void finish() { done_ += share_; }
  /// Collects this position, whose subtree is finished.
  void collect_place() { places_->push_back({path_, done_}); }
  bool is_to_be_collected() const { return places_ != nullptr && depth_ == divided_at_; }

  /// Whether an alternative belongs to the part of the tree that is walked.
  bool is_included(std::uint32_t number) const { return depth_ >= place_.size() || place_[depth_] == number; }
  /// Visits one of several alternatives.
  template <class Visit>
  void visit(std::uint32_t number, std::size_t alternatives, const Visit& visit) {
    const double share = share_;
    share_ /= static_cast<double>(alternatives);
    ++depth_;
    if (is_collecting()) path_.push_back(number);
    visit();
    if (is_collecting()) path_.pop_back();
    --depth_;
    share_ = share;
  }

 private:
  std::span<const std::uint32_t> place_;  // the walk is restricted to the subtree behind it
  std::size_t depth_ = 0;
  std::vector<std::uint32_t> path_;  // the current path, while places are collected
  double share_ = 1;                 // of the tree behind this position
  double done_ = 0;                  // of the tree
  std::vector<Place>* places_ = nullptr;
  std::size_t divided_at_ = 0;
};

}  // namespace ptxmc
