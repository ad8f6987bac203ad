#pragma once

#include <string>

#include "src/litmus/resolved_test.hpp"

namespace ptxmc {

/// The name of the model under which inputs of a language are decided if none is given: the newest embedded
/// model of PTX, "ptx-8.7", or that of C++20.
std::string default_model(Language = Language::ptx);

}  // namespace ptxmc
