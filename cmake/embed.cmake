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

# The published mappings of compilers are part of the program too.
function(embed_mappings target)
  file(GLOB mappings CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/compiler/mappings/*.mapping)
  set(output ${PROJECT_BINARY_DIR}/embedded_mappings.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/write_embedded_models.cmake)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DMAPPINGS=${mappings}" -DOUTPUT=${output} -P ${script}
    DEPENDS ${mappings} ${script}
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()

# So are the parts of the page of `--html`.
function(embed_page target)
  file(GLOB parts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/report/page/*.html ${PROJECT_SOURCE_DIR}/src/report/page/*.css
       ${PROJECT_SOURCE_DIR}/src/report/page/*.js)
  set(output ${PROJECT_BINARY_DIR}/embedded_page.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/write_embedded_models.cmake)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DPAGE=${parts}" -DOUTPUT=${output} -P ${script}
    DEPENDS ${parts} ${script}
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
