#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "semantics/language/diagnostic.hpp"

/// What the fuzz targets share.

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Runs a reader. False: it refused its input with one of the two errors that input may cause. Any other
/// exception ends the program: a finding.
template <class Read>
bool accepts(const Read& read) {
  try {
    read();
    return true;
  } catch (const ptxmc::InputError&) {
    return false;
  } catch (const ptxmc::Unsupported&) {
    return false;
  }
}

/// Ends the program: a property of what was read does not hold.
[[noreturn]] inline void fail(const char* property, const std::string& text) {
  std::fprintf(stderr, "%s:\n%s\n", property, text.c_str());
  std::abort();
}
