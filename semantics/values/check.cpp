#include "semantics/values/check.hpp"

#include <stdexcept>
#include <string>

namespace ptxmc {

void fail_check(std::string_view message) { throw std::logic_error(std::string(message)); }

}  // namespace ptxmc
