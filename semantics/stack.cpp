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
       immAlign = { 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576, 2097152, 4194304, 8388608 };
       PTX 7.3, sm_52;)"},
};

}  // namespace

std::span<const Definition> stack_manipulation() { return definitions; }

}  // namespace ptxmc
