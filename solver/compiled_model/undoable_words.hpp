#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ptxmc {

/// A block of memory that can go back to an earlier content. Each word is saved before it changes.
class UndoableWords {
 public:
  using Word = std::uint64_t;

  void resize(std::size_t words) { words_.resize(words); }
  const Word* data() const { return words_.data(); }
  Word operator[](std::size_t place) const { return words_[place]; }

  /// The memory, for changes that are not undone or whose words the caller saves before.
  Word* data() { return words_.data(); }
  void save(std::size_t place) {
    if (saved_count_ == saved_.size()) saved_.resize(2 * saved_count_ + 64);
    saved_[saved_count_++] = {place, words_[place]};
  }
  void set(std::size_t place, Word fresh) {
    save(place);
    words_[place] = fresh;
  }
  void clear() { std::fill(words_.begin(), words_.end(), 0); }

  /// Saves the content; the result, which counts the marks before, is the argument of `undo_to`.
  std::size_t mark() {
    marks_.push_back(saved_count_);
    return marks_.size() - 1;
  }
  void undo_to(std::size_t mark) {
    while (saved_count_ > marks_[mark]) {
      const Saved& last = saved_[--saved_count_];
      words_[last.place] = last.word;
    }
    marks_.resize(mark);
  }

 private:
  struct Saved {
    std::size_t place = 0;
    Word word = 0;
  };

  std::vector<Word> words_;
  std::vector<Saved> saved_;  // the first saved_count_ are valid; memory is reused
  std::size_t saved_count_ = 0;
  std::vector<std::size_t> marks_;  // numbers of saved words
};

}  // namespace ptxmc
