#pragma once

// Z3 is loaded when it is first used, for to load it takes half of what a small question takes without it:
// its functions are weak, so that the program starts without them (cmake/libraries.cmake).
#define Z3_API __attribute__((weak, visibility("default")))
#include <z3++.h>
