// PTX ISA 8.7 § 9.7.17: stack manipulation instructions.
#include "semantics/language/chapters.hpp"

namespace ptxmc {

namespace {

constexpr Definition definitions_of_stack_manipulation[] = {
    {"9.7.17.1", R"(
       stacksave.type  d;
       .type = { .u32, .u64 };
       PTX 7.3, sm_52;)",
     [](const Form& f, const Operands&, Effects& effects) -> Bits {
       return effects.stack_pointer().resize_unsigned(f.width());
     }},

    {"9.7.17.2", R"(
       stackrestore.type  a;
       .type = { .u32, .u64 };
       PTX 7.3, sm_52;)",
     [](const Form&, const Operands& x, Effects& effects) {
       effects.set_stack_pointer(x.a.resize_unsigned(64));
     }},

    {"9.7.17.3", R"(
       alloca.type  ptr, size{, immAlign};
       .type = { .u32, .u64 };
       immAlign : .u32;
       immAlign = { 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576, 2097152, 4194304, 8388608 };
       PTX 7.3, sm_52;)",
     [](const Form& f, const Operands& x, Effects& effects) -> Bits {
       const Bits& alignment = x["immAlign"];
       const Bits address = effects.allocate_on_stack(x["size"].resize_unsigned(64),
                                                      alignment.width() == 0 ? Bits(32, 8) : alignment);
       return address.resize_unsigned(f.width());
     }},
};

}  // namespace

std::span<const Definition> stack_manipulation() { return definitions_of_stack_manipulation; }

}  // namespace ptxmc
