#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "semantics/language/diagnostic.hpp"

namespace ptxmc {

/// The text of an input, with the offsets at which its lines begin.
class SourceText {
 public:
  SourceText(std::string file, std::string text);
  /// A text derived from another one. `origins` gives the offset in the original of each byte and of the end.
  /// Positions refer to the original.
  SourceText(const SourceText& original, std::string text, std::vector<std::size_t> origins);

  const std::string& file() const { return file_; }
  const std::string& text() const { return text_; }

  /// Line and column (in bytes) of an offset, both starting at 1; the end of the text has a position too.
  SourcePosition position(std::size_t offset) const;

  /// The word, number or symbol at an offset, as messages print it: 'st', '{', byte 0x7f, end of file.
  std::string found(std::size_t offset) const;

  /// InputError `found 'st', expected ';'` at the offset.
  InputError expected(std::size_t offset, std::string_view what) const;

 private:
  std::string file_;
  std::string text_;
  /// Of the original; shared with derived texts.
  std::shared_ptr<const std::vector<std::size_t>> line_starts_;
  std::vector<std::size_t> origins_;  ///< by byte; empty: this is the original
};

}  // namespace ptxmc
