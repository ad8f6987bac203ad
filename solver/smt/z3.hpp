#pragma once

// Z3 is loaded at its first use, since loading takes half as long as a small question without Z3. Its
// functions are weak symbols, so that the program starts without them (cmake/libraries.cmake).
#define Z3_API __attribute__((weak, visibility("default")))
#include <z3++.h>
