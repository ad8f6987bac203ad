#include "src/kernel/launch/content_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/text_file.hpp"

namespace ptxmc::kernel {

namespace {

/// The number in little-endian bytes, of which there are at most 8.
std::uint64_t number_in(std::string_view bytes) {
  std::uint64_t result = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) result = result << 8 | static_cast<unsigned char>(bytes[i]);
  return result;
}

/// An array of NumPy: a header, which is a dictionary in the syntax of Python, and numbers.
struct NumpyArray {
  std::string_view type;  ///< '<f4': byte order, kind, bytes
  bool is_fortran_order = false;
  std::uint64_t count = 0;
  std::string_view numbers;
};

/// What follows a key of the header, up to `end`; empty if the header does not have the key.
std::string_view value_of(std::string_view header, std::string_view key, char end) {
  const std::size_t at = header.find(key);
  if (at == std::string_view::npos) return {};
  std::string_view rest = header.substr(at + key.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(": "), rest.size()));
  return rest.substr(0, rest.find(end));
}

/// The number of elements of a shape such as `4, 8` or ``; empty if it is none.
std::optional<std::uint64_t> count_of(std::string_view shape) {
  std::uint64_t count = 1;
  while (true) {
    shape.remove_prefix(std::min(shape.find_first_not_of(", "), shape.size()));
    if (shape.empty()) return count;
    std::uint64_t extent = 0;
    const auto [end, error] = std::from_chars(shape.data(), shape.data() + shape.size(), extent);
    if (error != std::errc() || (extent != 0 && count > most_bytes_of_input / extent)) return std::nullopt;
    count *= extent;
    shape.remove_prefix(static_cast<std::size_t>(end - shape.data()));
  }
}

std::optional<NumpyArray> numpy_array(std::string_view text) {
  constexpr std::string_view magic = "\x93NUMPY";
  if (!text.starts_with(magic) || text.size() < 12) return std::nullopt;
  const std::size_t width = text[magic.size()] == 1 ? 2 : 4;  // of the size of the header, in bytes
  const std::size_t start = magic.size() + 2 + width;
  const std::uint64_t size = number_in(text.substr(magic.size() + 2, width));
  if (text.size() < start || size > text.size() - start) return std::nullopt;
  const std::string_view header = text.substr(start, size);
  const std::string_view type = value_of(header, "'descr'", ',');
  const std::string_view shape = value_of(header, "'shape'", ')');
  const auto count = shape.starts_with('(') ? count_of(shape.substr(1)) : std::nullopt;
  if (!count || type.size() < 5 || type.front() != '\'' || type.back() != '\'') return std::nullopt;
  return NumpyArray{type.substr(1, type.size() - 2), value_of(header, "'fortran_order'", ',') != "False",
                    *count, text.substr(start + size)};
}

bool fits(std::string_view type, const ElementType& element) {
  const char order = type[0], kind = type[1];
  const bool is_of_size = type.substr(2) == std::to_string(element.bytes());
  const bool is_integer = kind == 'i' || kind == 'u' || kind == 'b';
  const bool is_of_kind =
      kind == 'V' || (kind == 'f' ? !element.type.is_integer() : is_integer && !element.type.is_float());
  return is_of_size && is_of_kind && (order == '<' || order == '|');
}

}  // namespace

bool is_content_file(std::string_view name) { return name.ends_with(".bin") || name.ends_with(".npy"); }

std::vector<std::uint64_t> content_of_file(const std::filesystem::path& path, const ElementType& element,
                                           std::uint64_t count) {
  const std::string text = text_of_input(path, "the content of a buffer");
  const auto fail = [&](const std::string& message) { throw InputError(path.string(), {}, message); };
  const std::size_t size = element.bytes();
  std::string_view numbers = text;
  if (path.extension() == ".npy") {
    const auto array = numpy_array(text);
    if (!array) fail("found another file, expected an array of NumPy (.npy)");
    if (!fits(array->type, element))
      fail(fmt::format("found numbers of type '{}', expected {} in little-endian order", array->type,
                       element.name));
    if (array->is_fortran_order) fail("found an array in Fortran order, expected C order");
    if (array->numbers.size() != array->count * size)
      fail(fmt::format("found {} bytes of numbers, expected {}", array->numbers.size(), array->count * size));
    numbers = array->numbers;
  }
  if (numbers.size() != count * size)
    fail(fmt::format("found {} bytes, expected the {} of {} elements of type {}", numbers.size(),
                     count * size, count, element.name));
  std::vector<std::uint64_t> result;
  result.reserve(count);
  for (std::size_t at = 0; at < numbers.size(); at += size)
    result.push_back(number_in(numbers.substr(at, size)));
  return result;
}

}  // namespace ptxmc::kernel
