#pragma once

#include <cctype>

namespace ptxmc {

/// A space, a tab, an end of a line.
inline bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// A decimal digit.
inline bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace ptxmc
