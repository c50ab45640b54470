# roost_interop(FOLDER): provides the interoperability tests in a build folder: the programs of tests/service/interop, the
# packages that they import, and a Node.js that is new enough, unlike Debian's.
#
# npm fetches them (cmake/npm.cmake), 65 MB. Release builds omit them by default, and so does every build with
# ROOST_EXPLORER=OFF.
include(CMakeDependentOption)
set(interop_default ON)
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  set(interop_default OFF)
endif()
cmake_dependent_option(ROOST_INTEROP "test with assistants' libraries; the first build needs npm's registry"
                       ${interop_default} "ROOST_EXPLORER" OFF)

function(roost_interop folder)
  set(manifest "${PROJECT_SOURCE_DIR}/tests/service/interop")
  roost_npm("${manifest}" "${folder}" "the packages of the interoperability tests")
  file(GLOB programs CONFIGURE_DEPENDS "${manifest}/*.mjs" "${manifest}/*.ts")
  foreach(program IN LISTS programs)
    get_filename_component(name "${program}" NAME)
    configure_file("${program}" "${folder}/${name}" COPYONLY)
  endforeach()
  file(GLOB node "${folder}/node_modules/node-linux-*/bin/node")
  if(NOT node)
    message(FATAL_ERROR "npm has no Node.js for this processor: set -DROOST_INTEROP=OFF")
  endif()
  file(CREATE_LINK "${node}" "${folder}/node" SYMBOLIC)
endfunction()
