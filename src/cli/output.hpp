#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "semantics/visible_text.hpp"

namespace ptxmc {

/// Standard output cannot be written: a full disk, a pipe that nothing reads, a closed stream.
struct OutputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// To be called first. A pipe that nothing reads, and a limit on the size of files, become errors of writing
/// instead of signals. A standard
/// stream that is closed is opened so that writing fails: files opened later cannot take its place.
void prepare_output();

/// Writes bytes to standard output as they are; only for text that is known to be harmless to a terminal.
/// Throws OutputError, and asks all that works at the same time to stop.
void write_output(std::string_view bytes);

/// Writes out what standard output has buffered. Throws OutputError.
void flush_output();

/// Writes bytes to standard error as they are. What cannot be written is remembered.
void write_error(std::string_view bytes);

/// Whether something could not be written to standard error.
bool error_output_failed();

/// To standard output, with control characters escaped. Throws OutputError.
template <class... Argument>
void print_output(fmt::format_string<Argument...> format, Argument&&... arguments) {
  write_output(visible(fmt::format(format, std::forward<Argument>(arguments)...)));
}

/// To standard error, with control characters escaped.
template <class... Argument>
void print_error(fmt::format_string<Argument...> format, Argument&&... arguments) {
  write_error(visible(fmt::format(format, std::forward<Argument>(arguments)...)));
}

}  // namespace ptxmc
