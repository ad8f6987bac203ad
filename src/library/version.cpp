#include "src/library/public.hpp"

namespace ptxmc::v1 {

const char* version() { return PTXMC_VERSION; }

}  // namespace ptxmc::v1
