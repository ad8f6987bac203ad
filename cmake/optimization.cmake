# Libraries of rooms and programs of tests/ that are compiled without optimization: clang needs half of the time.
set(PTXMC_UNOPTIMIZED "" CACHE STRING "Targets that are compiled without optimization")

function(ptxmc_leave_unoptimized target)
  if(target IN_LIST PTXMC_UNOPTIMIZED)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# Inline functions are in the objects of all files that call them, and a program has the first that the linker
# sees: those of optimized libraries. The other arguments are the libraries that the program links.
function(ptxmc_link_optimized_first program)
  if(NOT PTXMC_UNOPTIMIZED)
    return()
  endif()
  set(rooms ptxmc_front ptxmc_library ptxmc_solver ptxmc_model ptxmc_semantics)
  foreach(library ${ARGN})
    list(FIND rooms ${library} first)
    if(first GREATER_EQUAL 0)
      list(SUBLIST rooms ${first} -1 linked)
      list(REMOVE_ITEM linked ${PTXMC_UNOPTIMIZED})
      list(TRANSFORM linked REPLACE "(.+)" "$<TARGET_FILE:\\1>")
      list(JOIN linked "," linked)
      if(linked)
        target_link_options(${program} PRIVATE -Wl,--whole-archive,${linked},--no-whole-archive)
      endif()
    endif()
  endforeach()
endfunction()
