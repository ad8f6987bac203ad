#pragma once

#include "model/program/event.hpp"

namespace ptxmc {

/// Whether two accesses of threads of the program to the same, known bytes are morally strong with each
/// other: PTX ISA 8.7 § 8.7.
bool are_strong_together(const Program&, const Event&, const Event&);

/// Whether two writes belong to atomic operations that give the same result in either order, for example two
/// integer `add` operations. They must be morally strong with each other: each then reads the value that the
/// previous one wrote (PTX ISA 8.7 § 8.10.2, § 8.10.3), so the final value includes all of them.
bool commute(const Program&, const Event&, const Event&);

}  // namespace ptxmc
