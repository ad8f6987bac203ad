#pragma once

#include <vector>

namespace ptxmc {

/// For each node of a graph, given by its successors, the number of its strongly connected component. An edge
/// between different components leads from a higher to a lower number.
std::vector<int> strong_components(const std::vector<std::vector<int>>& successors);

}  // namespace ptxmc
