#pragma once

#include <string>

#include "model/cat/cat_model.hpp"
#include "src/library/public.hpp"
#include "src/litmus/resolved_test.hpp"

namespace ptxmc {

/// The name of the model under which inputs of a language are decided if none is given: the newest embedded
/// model of PTX, "ptx-8.7", or that of C++20.
std::string default_model(Language = Language::ptx);

/// The model of the options, or the default one.
v1::Model chosen_model(const v1::Options&, Language = Language::ptx);

/// Throws InputError for a test of C++ under a model of PTX.
void require_model_for(const LitmusTest&, const cat::Model&);

}  // namespace ptxmc
