// PTX ISA 8.7 § 9.7.17: stack manipulation instructions.
#include "semantics/chapters.hpp"

namespace ptxmc {

namespace {

constexpr Definition definitions[] = {
    {"9.7.17.1", R"(
       stacksave.type  d;
       .type = { .u32, .u64 };
       PTX 7.3, sm_52;)"},

    {"9.7.17.2", R"(
       stackrestore.type  a;
       .type = { .u32, .u64 };
       PTX 7.3, sm_52;)"},

    {"9.7.17.3", R"(
       alloca.type  ptr, size{, immAlign};
       .type = { .u32, .u64 };
       immAlign : .u32;
       PTX 7.3, sm_52;)"},
};

}  // namespace

std::span<const Definition> stack_manipulation() { return definitions; }

}  // namespace ptxmc
