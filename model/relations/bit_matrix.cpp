#include "model/relations/bit_matrix.hpp"

#include <algorithm>
#include <bit>
#include <functional>

#include "semantics/values/check.hpp"

namespace ptxmc {

namespace {

using Words = std::vector<std::uint64_t>;

template <class Combine>
void combine(Words& left, const Words& right, Combine word) {
  std::transform(left.begin(), left.end(), right.begin(), left.begin(), word);
}

constexpr auto without = [](std::uint64_t a, std::uint64_t b) { return a & ~b; };

bool is_zero(const Words& words) {
  return std::all_of(words.begin(), words.end(), [](std::uint64_t word) { return word == 0; });
}

/// Complements a row of `size` bits; bits beyond stay 0.
void complement(std::uint64_t* row, std::size_t size) {
  for (std::size_t w = 0; w * 64 < size; ++w) row[w] = ~row[w];
  if (size % 64 != 0) row[size / 64] &= (std::uint64_t{1} << (size % 64)) - 1;
}

}  // namespace

bool BitSet::is_empty() const { return is_zero(words_); }

BitSet operator|(BitSet a, const BitSet& b) {
  check(a.size() == b.size(), "operands of different sizes");
  combine(a.words_, b.words_, std::bit_or<>());
  return a;
}
BitSet operator&(BitSet a, const BitSet& b) {
  check(a.size() == b.size(), "operands of different sizes");
  combine(a.words_, b.words_, std::bit_and<>());
  return a;
}
BitSet operator-(BitSet a, const BitSet& b) {
  check(a.size() == b.size(), "operands of different sizes");
  combine(a.words_, b.words_, without);
  return a;
}
BitSet operator~(BitSet a) {
  complement(a.words(), a.size());
  return a;
}

BitMatrix BitMatrix::empty(std::size_t size) {
  BitMatrix result;
  result.size_ = size;
  result.stride_ = (size + 63) / 64;
  return result;
}

void BitMatrix::remove_rows_if_empty() {
  if (is_empty()) *this = empty(size_);
}

BitMatrix operator|(BitMatrix a, const BitMatrix& b) {
  check(a.size() == b.size(), "operands of different sizes");
  if (!b.has_rows()) return a;
  if (!a.has_rows()) return b;
  combine(a.words_, b.words_, std::bit_or<>());
  return a;
}
BitMatrix operator&(BitMatrix a, const BitMatrix& b) {
  check(a.size() == b.size(), "operands of different sizes");
  if (!a.has_rows() || !b.has_rows()) return BitMatrix::empty(a.size());
  combine(a.words_, b.words_, std::bit_and<>());
  a.remove_rows_if_empty();
  return a;
}
BitMatrix operator-(BitMatrix a, const BitMatrix& b) {
  check(a.size() == b.size(), "operands of different sizes");
  if (!a.has_rows() || !b.has_rows()) return a;
  combine(a.words_, b.words_, without);
  a.remove_rows_if_empty();
  return a;
}
bool operator==(const BitMatrix& a, const BitMatrix& b) {
  if (a.size() != b.size()) return false;
  if (!a.has_rows() || !b.has_rows()) return a.is_empty() && b.is_empty();
  return a.words_ == b.words_;
}
BitMatrix operator~(BitMatrix a) {
  if (!a.has_rows()) a.add_rows();
  for (std::size_t i = 0; i < a.size(); ++i) complement(a.row(i), a.size());
  return a;
}

BitMatrix BitMatrix::identity(const BitSet& set) {
  BitMatrix result = empty(set.size());
  for (std::size_t i = 0; i < set.size(); ++i)
    if (set.contains(i)) result.insert(i, i);
  return result;
}

BitMatrix BitMatrix::product(const BitSet& left, const BitSet& right) {
  check(left.size() == right.size(), "operands of different sizes");
  if (left.is_empty() || right.is_empty()) return empty(left.size());
  BitMatrix result(left.size());
  for (std::size_t i = 0; i < left.size(); ++i)
    if (left.contains(i)) std::copy_n(right.words(), right.word_count(), result.row(i));
  return result;
}

bool BitMatrix::is_empty() const { return is_zero(words_); }

bool BitMatrix::is_irreflexive() const {
  for (std::size_t i = 0; i < size_; ++i)
    if (contains(i, i)) return false;
  return true;
}

bool BitMatrix::is_acyclic() const {
  if (!has_rows()) return true;
  // Repeatedly removes the elements without predecessors.
  std::vector<std::size_t> predecessors(size_);
  for (std::size_t a = 0; a < size_; ++a) for_each_successor(a, [&](std::size_t b) { ++predecessors[b]; });
  std::vector<std::size_t> free;
  for (std::size_t a = 0; a < size_; ++a)
    if (predecessors[a] == 0) free.push_back(a);
  for (std::size_t taken = 0; taken < free.size(); ++taken)
    for_each_successor(free[taken], [&](std::size_t b) {
      if (--predecessors[b] == 0) free.push_back(b);
    });
  return free.size() == size_;
}

std::vector<std::size_t> BitMatrix::shortest_cycle() const {
  std::vector<std::size_t> shortest;
  for (std::size_t start = 0; start < size_; ++start) {
    // A breadth-first search from `start` back to `start`.
    constexpr std::size_t unseen = static_cast<std::size_t>(-1);
    std::vector<std::size_t> before(size_, unseen), queue = {start};
    for (std::size_t next = 0; next < queue.size() && before[start] == unseen; ++next)
      for_each_successor(queue[next], [&](std::size_t b) {
        if (before[b] != unseen) return;
        before[b] = queue[next];
        queue.push_back(b);
      });
    if (before[start] == unseen) continue;
    std::vector<std::size_t> cycle = {start};
    for (std::size_t at = before[start]; at != start; at = before[at]) cycle.push_back(at);
    std::reverse(cycle.begin() + 1, cycle.end());
    if (shortest.empty() || cycle.size() < shortest.size()) shortest = std::move(cycle);
  }
  return shortest;
}

BitMatrix BitMatrix::compose(const BitMatrix& other) const {
  check(size_ == other.size_, "operands of different sizes");
  if (!has_rows() || !other.has_rows()) return empty(size_);
  BitMatrix result(size_);
  for (std::size_t a = 0; a < size_; ++a)
    for_each_successor(a, [&](std::size_t b) {
      for (std::size_t w = 0; w < stride_; ++w) result.row(a)[w] |= other.row(b)[w];
    });
  result.remove_rows_if_empty();
  return result;
}

BitMatrix BitMatrix::inverse() const {
  BitMatrix result = empty(size_);
  for (std::size_t a = 0; a < size_; ++a) for_each_successor(a, [&](std::size_t b) { result.insert(b, a); });
  return result;
}

BitMatrix BitMatrix::optional() const {
  BitMatrix result = *this;
  for (std::size_t a = 0; a < size_; ++a) result.insert(a, a);
  return result;
}

BitMatrix BitMatrix::closure() const {
  if (!has_rows()) return *this;
  BitMatrix result = *this;
  for (std::size_t through = 0; through < size_; ++through)
    for (std::size_t a = 0; a < size_; ++a)
      if (result.contains(a, through))
        for (std::size_t w = 0; w < stride_; ++w) result.row(a)[w] |= result.row(through)[w];
  return result;
}

BitSet BitMatrix::domain() const {
  BitSet result(size_);
  if (!has_rows()) return result;
  for (std::size_t a = 0; a < size_; ++a)
    if (std::any_of(row(a), row(a) + stride_, [](std::uint64_t word) { return word != 0; })) result.insert(a);
  return result;
}

BitSet BitMatrix::range() const {
  BitSet result(size_);
  if (!has_rows()) return result;
  for (std::size_t a = 0; a < size_; ++a)
    for (std::size_t w = 0; w < stride_; ++w) result.words()[w] |= row(a)[w];
  return result;
}

std::size_t BitMatrix::count() const {
  std::size_t result = 0;
  for (const std::uint64_t word : words_) result += static_cast<std::size_t>(std::popcount(word));
  return result;
}

}  // namespace ptxmc
