# The models that come along, and the files that they include, are part of the program: an installed ptxmc needs no
# data files.
function(embed_models target)
  file(GLOB models CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/model/*.cat)
  file(GLOB parts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/model/parts/*.cat)
  set(output ${PROJECT_BINARY_DIR}/embedded_models.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/write_embedded_models.cmake)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DMODELS=${models}" "-DPARTS=${parts}" -DOUTPUT=${output} -P ${script}
    DEPENDS ${models} ${parts} ${script}
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()

# The texts of some files become the table `function` of src/embedded_texts.hpp.
function(embed_texts target function)
  set(output ${PROJECT_BINARY_DIR}/${function}.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/write_embedded_models.cmake)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DTEXTS=${ARGN}" -DFUNCTION=${function} -DOUTPUT=${output} -P ${script}
    DEPENDS ${ARGN} ${script}
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
