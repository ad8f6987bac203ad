#pragma once

#include <string>

#include "src/generator/cycle_test.hpp"

namespace ptxmc::generator {

/// The name of a test: that of its family in the literature (MP, SB, IRIW, …), or the directions of the
/// accesses of each thread ("W+RR+WR"); behind it what is not plain program order between weak accesses,
/// thread by thread
/// ("MP+release.gpu-acquire.gpu"), and the places if they are not different CTAs of one GPU. Different tests
/// may have one name.
std::string name_of(const CycleTest&);

/// The cycle, begun where its family in the literature begins, or else at the first access of a thread.
Cycle in_usual_order(const Cycle&);

}  // namespace ptxmc::generator
