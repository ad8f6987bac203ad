#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ptxmc {

/// Reads one statement of a declaration from left to right. Text that breaks the notation is a
/// std::logic_error.
class NotationScanner {
 public:
  explicit NotationScanner(std::string_view text) : text_(text) {}

  [[noreturn]] void fail(const std::string& expected) const;

  bool at_end();
  bool next_is(std::string_view token);
  bool accept(std::string_view token);
  void expect(std::string_view token);
  /// Whether a brace and a number follow: `{ 4`, `{ -1`.
  bool next_is_number();

  /// `.name`, `::` included: `.shared::cta`. Empty when there is none.
  std::string modifier();
  /// An identifier of opcodes and operands: `cache-policy`.
  std::string name();
  unsigned number();

 private:
  void skip_blanks();
  std::string take(std::size_t end);

  std::string_view text_;
  std::size_t at_ = 0;
};

/// The statements of a declaration, without comments and with single blanks. Throws std::logic_error if the
/// last statement does not end with `;`.
std::vector<std::string> statements_of(std::string_view declaration);

}  // namespace ptxmc
