# With PTXMC_UNITY, up to so many files of a folder are compiled as one: ten in a third of the time, and forty in
# less, where few processors are to be kept busy. Two files of a folder then cannot have functions or types of one
# name, and a file that lacks an #include may compile; the presets dev, asan and clang compile each file alone.
set(PTXMC_UNITY 0 CACHE STRING "How many files of a folder are compiled as one; 0: each alone")

function(ptxmc_unity target)
  if(NOT PTXMC_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # GCC takes files that a file includes for headers
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  get_target_property(sources ${target} SOURCES)
  # These tests have names that others of their folders have, too
  list(FILTER sources EXCLUDE REGEX "/tests/(semantics/chapters/|src/(ptx/(lower|parse|restrictions)|library/public)_)")
  foreach(source ${sources})
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    list(APPEND files_of_${folder} ${source})
    list(LENGTH files_of_${folder} number)
    math(EXPR group "(${number} - 1) / ${PTXMC_UNITY}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${group})
  endforeach()
endfunction()
