#pragma once

#include <string>

#include "src/report/merged_results.hpp"

namespace ptxmc {

/// The results as one HTML page that needs no other file and no network: a table with filters, and for each
/// input its source, states, reasons and pictures, as far as the records have them.
std::string results_page(const MergedResults&);

}  // namespace ptxmc
