#pragma once

#include <functional>

#include "model/program.hpp"
#include "solver/decide.hpp"

namespace ptxmc {

/// Decides a question under another model.
using AskUnder = std::function<Answer(const cat::Model&, const DecideOptions&)>;

/// The answer, unless a mixed-size data race leaves it unknown under a model of PTX and the atomicity of
/// read-modify-writes, which holds with such races too, forbids what is asked about: PTX ISA 8.7 § 8.7.2,
/// last paragraph.
Answer with_atomicity_of_mixed_sizes(Answer, const Program&, const cat::Model&, const DecideOptions&,
                                     const AskUnder&);

}  // namespace ptxmc
