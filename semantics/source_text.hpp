#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "semantics/diagnostic.hpp"

namespace ptxmc {

/// The text of an input and where its lines begin.
class SourceText {
 public:
  SourceText(std::string file, std::string text);
  /// A text made from another one: where each of its bytes, and its end, comes from. Positions are those
  /// there.
  SourceText(const SourceText& original, std::string text, std::vector<std::size_t> origins);

  const std::string& file() const { return file_; }
  const std::string& text() const { return text_; }

  /// Line and column (in bytes) of an offset, both from 1; the end of the text has a position too.
  SourcePosition position(std::size_t offset) const;

  /// The word, number or symbol at an offset as a message shows it: 'st', '{', byte 0x7f, end of file.
  std::string found(std::size_t offset) const;

  /// InputError `found 'st', expected ';'` at the offset.
  InputError expected(std::size_t offset, std::string_view what) const;

 private:
  std::string file_;
  std::string text_;
  std::shared_ptr<const std::vector<std::size_t>>
      line_starts_;                   ///< of the original; texts made from it share them
  std::vector<std::size_t> origins_;  ///< by byte; empty: this is the original
};

}  // namespace ptxmc
