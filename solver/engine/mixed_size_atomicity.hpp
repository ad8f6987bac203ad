#pragma once

#include <functional>

#include "model/program/program.hpp"
#include "solver/smt_engine/answers.hpp"

namespace ptxmc {

/// Decides a question under another model.
using AskUnder = std::function<Answer(const cat::Model&, const DecideOptions&)>;

/// Improves an answer that is unknown because of a mixed-size data race under a model of PTX: it is
/// `forbidden` if the atomicity of read-modify-writes, which holds in spite of such races, excludes the
/// condition (PTX ISA 8.7 § 8.7.2, last paragraph). Other answers are returned unchanged.
Answer with_atomicity_of_mixed_sizes(Answer, const Program&, const cat::Model&, const DecideOptions&,
                                     const AskUnder&);

}  // namespace ptxmc
