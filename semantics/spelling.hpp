#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ptxmc {

/// `; did you mean 'fence'?` for the candidate that is most like the word; empty when none is like it.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace ptxmc
