#pragma once

#include <vector>

#include "src/report/campaign_records.hpp"

namespace ptxmc {

/// Whether two records are about different parts of the same input, divided in the same way.
bool are_parts_of_one(const Record&, const Record&);

/// Puts the records of the parts of one input together, to what a record of the whole input would have:
/// `allowed` if some part allows the condition, `forbidden` if every part forbids it. If a part is missing,
/// the verdict is unknown.
Record whole_of(std::vector<Record> parts);

}  // namespace ptxmc
