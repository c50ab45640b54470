# roost_interop(FOLDER): what the interoperability tests run, in a folder of the build: the programs of
# tests/service/interop beside the packages that they import, and a Node.js that is new enough for these, which Debian's
# is not.
#
# npm fetches them (cmake/npm.cmake), 65 MB, which who only wants the server is spared: a release build goes without
# unless it is told otherwise, and every build with ROOST_EXPLORER=OFF does.
include(CMakeDependentOption)
set(interop_default ON)
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  set(interop_default OFF)
endif()
cmake_dependent_option(ROOST_INTEROP "test with assistants' libraries, for which the first build needs npm's registry"
                       ${interop_default} "ROOST_EXPLORER" OFF)

function(roost_interop folder)
  set(manifest "${PROJECT_SOURCE_DIR}/tests/service/interop")
  roost_npm("${manifest}" "${folder}" "what the interoperability tests run with Node.js")
  file(GLOB programs CONFIGURE_DEPENDS "${manifest}/*.mjs" "${manifest}/*.ts")
  foreach(program IN LISTS programs)
    get_filename_component(name "${program}" NAME)
    configure_file("${program}" "${folder}/${name}" COPYONLY)
  endforeach()
  file(GLOB node "${folder}/node_modules/node-linux-*/bin/node")
  if(NOT node)
    message(FATAL_ERROR "npm has no Node.js for this machine's processor: set -DROOST_INTEROP=OFF")
  endif()
  file(CREATE_LINK "${node}" "${folder}/node" SYMBOLIC)
endfunction()
