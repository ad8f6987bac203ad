# The headers of libraries that most files include, compiled once for a target: a fifth of the time of a build with
# GCC. A file that lacks an #include may then compile, which other builds show.
option(PTXMC_PRECOMPILED_HEADERS "Compile the headers of libraries once for each target" OFF)

if(PTXMC_PRECOMPILED_HEADERS AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # It is wrong about strings of which it has precompiled the functions
  add_compile_options(-Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()

function(ptxmc_precompile target)
  if(PTXMC_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <bit> <functional> <map> <memory> <optional>
                              <set> <span> <string> <string_view> <unordered_map> <variant> <vector>
                              <fmt/format.h> <fmt/ranges.h> ${ARGN})
  endif()
endfunction()
