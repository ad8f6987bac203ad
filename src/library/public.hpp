#pragma once

// The public header for the sources of this project, where its types are in ptxmc::v1 only: ptxmc has others
// of these names.
#define PTXMC_SOURCES
#include "include/ptxmc.hpp"
