#pragma once

#include <string>

/// A kernel that writes its index, of the name `k`, and one of the mangled name of `twice<int>(int*)`.
inline const std::string two_kernels =
    ".version 8.7\n.target sm_90\n.address_size 64\n"
    ".visible .entry k(.param .u64 x) { .reg .u64 a, b; .reg .u32 t;\n"
    "ld.param.u64 a, [x]; mov.u32 t, %tid.x; mul.wide.u32 b, t, 4; add.u64 a, a, b;\n"
    "st.global.u32 [a], t; ret; }\n"
    ".visible .entry _Z5twiceIiEvPT_(.param .u64 x) { .reg .u64 a; .reg .u32 t;\n"
    "ld.param.u64 a, [x]; ld.global.s32 t, [a]; add.s32 t, t, t; st.global.s32 [a], t; ret; }\n";

/// A launch file for it with this line for `entry`.
inline std::string launch_of(const std::string& entry) {
  return "module = \"two.ptx\"\n" + entry +
         "grid = [1]\nblock = [1]\n[[param]]\nname = \"x\"\nbuffer = \"s32[4]\"\ninit = 3\n";
}
