# roost_npm(MANIFEST FOLDER DESCRIPTION [FILES file…]): copies FILES, paths in node_modules, or all of node_modules to a build
# folder. Messages contain DESCRIPTION.
#
# npm fetches the packages when CMake configures, so that an unreachable registry is reported before anything is compiled.
# Versions and checksums are those of package-lock.json in the folder MANIFEST. The packages are fetched again only if that
# file has changed; roost_npm_fetched is ON in that case. npm caches packages, so that further build folders need no network.
# No package code runs during the build.
function(roost_npm manifest folder description)
  cmake_parse_arguments(arg "" "" "FILES" ${ARGN})
  set(roost_npm_fetched OFF PARENT_SCOPE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${manifest}/package-lock.json")
  file(SHA256 "${manifest}/package-lock.json" required_hash)
  set(fetched_hash "")
  if(EXISTS "${folder}/package-lock.json")
    file(SHA256 "${folder}/package-lock.json" fetched_hash)
  endif()
  if(required_hash STREQUAL fetched_hash)
    return()
  endif()
  find_program(ROOST_NPM npm)
  if(NOT ROOST_NPM)
    message(FATAL_ERROR "npm is missing, which fetches ${description}: run script/bootstrap. "
      "To build without npm packages, set ROOST_EXPLORER=OFF in the environment.")
  endif()
  message(STATUS "Fetching ${description} from npm's registry")
  set(work "${folder}/npm")
  file(REMOVE_RECURSE "${work}")
  file(COPY "${manifest}/package.json" "${manifest}/package-lock.json" DESTINATION "${work}")
  execute_process(COMMAND "${ROOST_NPM}" ci --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1
                          --fetch-timeout=30000
                  WORKING_DIRECTORY "${work}" RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "npm could not fetch ${description}:\n\n${output}\n"
      "The first build needs npm's registry. Check the network and `npm config get registry`; behind a proxy with its "
      "own certificate, set NODE_EXTRA_CA_CERTS to its file. To build without the explorer, and without the tests that need "
      "npm's packages, set ROOST_EXPLORER=OFF in the environment. Then build again.")
  endif()
  foreach(path IN LISTS arg_FILES)
    get_filename_component(name "${path}" NAME)
    configure_file("${work}/node_modules/${path}" "${folder}/${name}" COPYONLY)
  endforeach()
  if(NOT arg_FILES)
    file(REMOVE_RECURSE "${folder}/node_modules")
    file(RENAME "${work}/node_modules" "${folder}/node_modules")
  endif()
  file(REMOVE_RECURSE "${work}")
  configure_file("${manifest}/package-lock.json" "${folder}/package-lock.json" COPYONLY) # last: it marks the folder as complete
  set(roost_npm_fetched ON PARENT_SCOPE)
endfunction()
