#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/kernel/module/launch.hpp"
#include "src/ptx/syntax.hpp"

namespace ptxmc::kernel {

/// The name of an entry in C++, `reduce<int>(int*, int)`; the PTX name if it is not mangled.
std::string cpp_name(const syntax::Function& entry);

/// The names in the `entry` of a launch: `a+b` has two. The empty text has one empty name, which stands for
/// the only entry of a module.
std::vector<std::string> entries_in(const std::string& text);

/// The entry of a module that a name denotes: the entry whose PTX name it is; or else whose whole C++ name it
/// is, as `c++filt` prints it, `reduce<int>(int*, int)`; or else whose C++ name without parameters, or
/// without parameters and template arguments, it is; or else the only one with the name as a part of its PTX
/// name or C++ name. Blanks and a `void` at the begin of a C++ name do not count. Throws InputError for the
/// place if there is no such entry, or more than one.
const syntax::Function& entry_named(std::string_view name, const syntax::Module&, const LaunchPlace&);

/// The launch with the PTX names of its entries. Throws InputError as entry_named.
Launch with_ptx_names(Launch, const syntax::Module&);

}  // namespace ptxmc::kernel
