#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ptxmc {

/// `; did you mean 'fence'?` for the candidate that is most similar to the word; empty if none is similar.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace ptxmc
