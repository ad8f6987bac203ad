#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ptxmc {

/// A set of numbers from 0 to size - 1. Operands of an operation have the same size.
class BitSet {
 public:
  BitSet() = default;
  explicit BitSet(std::size_t size) : size_(size), words_((size + 63) / 64) {}

  std::size_t size() const { return size_; }
  bool contains(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  void insert(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void erase(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  bool is_empty() const;

  friend BitSet operator|(BitSet, const BitSet&);
  friend BitSet operator&(BitSet, const BitSet&);
  friend BitSet operator-(BitSet, const BitSet&);
  friend BitSet operator~(BitSet);
  friend bool operator==(const BitSet&, const BitSet&) = default;

  const std::uint64_t* words() const { return words_.data(); }
  std::uint64_t* words() { return words_.data(); }
  std::size_t word_count() const { return words_.size(); }

 private:
  std::size_t size_ = 0;
  std::vector<std::uint64_t> words_;  // bits at size and over are 0
};

/// A relation on the numbers from 0 to size - 1, as one row of bits for each number. The results of
/// operations have no rows when they are empty: most relations of most executions are.
class BitMatrix {
 public:
  BitMatrix() = default;
  explicit BitMatrix(std::size_t size) : BitMatrix(empty(size)) { add_rows(); }

  /// The empty relation, without rows.
  static BitMatrix empty(std::size_t size);
  static BitMatrix identity(const BitSet&);
  static BitMatrix product(const BitSet&, const BitSet&);

  std::size_t size() const { return size_; }
  bool contains(std::size_t a, std::size_t b) const {
    return has_rows() && (row(a)[b / 64] >> (b % 64) & 1) != 0;
  }
  /// Whether (a, b) is in the relation for some b of the set.
  bool contains_some(std::size_t a, const BitSet& set) const {
    bool result = false;
    for (std::size_t w = 0; has_rows() && w < stride_; ++w) result |= (row(a)[w] & set.words()[w]) != 0;
    return result;
  }
  void insert(std::size_t a, std::size_t b) {
    if (!has_rows()) add_rows();
    row(a)[b / 64] |= std::uint64_t{1} << (b % 64);
  }
  void erase(std::size_t a, std::size_t b) {
    if (has_rows()) row(a)[b / 64] &= ~(std::uint64_t{1} << (b % 64));
  }

  bool is_empty() const;
  bool is_irreflexive() const;
  bool is_acyclic() const;
  /// A shortest cycle: its elements in order, each related to the next and the last to the first. Empty if
  /// the relation is acyclic.
  std::vector<std::size_t> shortest_cycle() const;

  friend BitMatrix operator|(BitMatrix, const BitMatrix&);
  friend BitMatrix operator&(BitMatrix, const BitMatrix&);
  friend BitMatrix operator-(BitMatrix, const BitMatrix&);
  friend BitMatrix operator~(BitMatrix);
  friend bool operator==(const BitMatrix&, const BitMatrix&);

  BitMatrix compose(const BitMatrix&) const;
  BitMatrix inverse() const;
  BitMatrix optional() const;  ///< with (a, a) for every a
  BitMatrix closure() const;   ///< transitive; S. Warshall 1962
  BitSet domain() const;
  BitSet range() const;

  /// In increasing order.
  template <class Number = std::size_t>
  std::vector<std::pair<Number, Number>> pairs() const {
    std::vector<std::pair<Number, Number>> result;
    result.reserve(count());
    for (std::size_t a = 0; a < size_; ++a)
      for_each_successor(
          a, [&](std::size_t b) { result.emplace_back(static_cast<Number>(a), static_cast<Number>(b)); });
    return result;
  }
  std::size_t count() const;  ///< of pairs

  /// The rows, one after the other, `(size() + 63) / 64` words each; null for a result that is empty.
  const std::uint64_t* words() const { return words_.data(); }
  std::uint64_t* words() {
    if (!has_rows()) add_rows();
    return words_.data();
  }

  /// Calls `visit(b)` for every b with (a, b), in increasing order.
  template <class Visit>
  void for_each_successor(std::size_t a, Visit visit) const {
    if (!has_rows()) return;
    for (std::size_t w = 0; w < stride_; ++w)
      for (std::uint64_t word = row(a)[w]; word != 0; word &= word - 1)
        visit(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
  }

 private:
  bool has_rows() const { return !words_.empty(); }
  void add_rows() { words_.resize(size_ * stride_); }
  void remove_rows_if_empty();

  const std::uint64_t* row(std::size_t a) const { return words_.data() + a * stride_; }
  std::uint64_t* row(std::size_t a) { return words_.data() + a * stride_; }

  std::size_t size_ = 0;
  std::size_t stride_ = 0;            // words in a row
  std::vector<std::uint64_t> words_;  // bits at size and over are 0
};

}  // namespace ptxmc
