#pragma once

#include "semantics/language/rule.hpp"

namespace ptxmc {

// PTX ISA 8.7 § 9.7.10.3 to § 9.7.10.6, § 9.7.11.4. A texture has one level, which every level of detail
// selects, and one sample. All textures are resident in memory.
Results fetch_texture(const Form&, const Operands&, Effects&);
Results gather_texels(const Form&, const Operands&, Effects&);
Bits query_texture(const Form&, const Operands&, Effects&);
Bits query_sampler(const Form&, const Operands&, Effects&);
Bits query_surface(const Form&, const Operands&, Effects&);
Bits is_of_opaque_type(const Form&, const Operands&, Effects&);

}  // namespace ptxmc
