#pragma once

#include <string>

#include "src/litmus/litmus_test.hpp"

namespace ptxmc {

/// A program of one thread with these rows, each ended by `;`, over x and y, both 0.
inline LitmusTest with_thread(const std::string& rows, const std::string& initial = "x=0; y=0;") {
  return parse_litmus("PTX t { " + initial + " } P0@cta 0,gpu 0 ;\n" + rows + "\nexists 0 == 0", "t.litmus");
}

}  // namespace ptxmc
