#pragma once

#include "model/event.hpp"

namespace ptxmc {

/// Two accesses of threads of the program to the same bytes, whose place is known, are morally strong with
/// each other: PTX ISA 8.7 § 8.7.
bool are_strong_together(const Program&, const Event&, const Event&);

/// Two writes are those of atomic operations that leave the same behind in either order: both `add` integers,
/// say. As they are morally strong with each other, each of them reads what the one before it has written
/// (PTX ISA 8.7 § 8.10.2, § 8.10.3), so that memory holds what all of them make of it together.
bool commute(const Program&, const Event&, const Event&);

}  // namespace ptxmc
