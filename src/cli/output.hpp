#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "semantics/language/visible_text.hpp"

namespace ptxmc {

/// Thrown when standard output cannot be written: a full disk, a pipe without a reader, a closed stream.
struct OutputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Must be called first. A pipe without a reader, or a limit on the size of files, then causes a write error
/// instead of a signal. A closed standard stream is opened in such a way that writing to it fails, so that a
/// file opened later cannot take its place.
void prepare_output();

/// Writes bytes to standard output unchanged; only for text without control characters. When writing fails,
/// requests all running work to stop and throws OutputError.
void write_output(std::string_view bytes);

/// Flushes standard output. Throws OutputError.
void flush_output();

/// Writes bytes to standard error unchanged. A failure is recorded for error_output_failed.
void write_error(std::string_view bytes);

/// Whether writing to standard error has failed.
bool error_output_failed();

/// Prints to standard output, with control characters escaped. Throws OutputError.
template <class... Argument>
void print_output(fmt::format_string<Argument...> format, Argument&&... arguments) {
  write_output(visible(fmt::format(format, std::forward<Argument>(arguments)...)));
}

/// Prints to standard error, with control characters escaped.
template <class... Argument>
void print_error(fmt::format_string<Argument...> format, Argument&&... arguments) {
  write_error(visible(fmt::format(format, std::forward<Argument>(arguments)...)));
}

}  // namespace ptxmc
