# roost_npm(MANIFEST FOLDER WHAT [FILES file…]): leaves files of npm's packages in a folder of the build; without FILES
# all of node_modules.
#
# npm fetches them when CMake configures, so that a registry that cannot be reached is told before anything is compiled.
# Versions and checksums are those of package-lock.json in the folder MANIFEST, and they are fetched again only when that
# file changes: roost_npm_fetched says whether they were. npm keeps what it fetched, so that further build folders need no
# network. Nothing of it runs during the build. FILES are paths below node_modules; WHAT names them in messages.
function(roost_npm manifest folder what)
  cmake_parse_arguments(arg "" "" "FILES" ${ARGN})
  set(roost_npm_fetched OFF PARENT_SCOPE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${manifest}/package-lock.json")
  file(SHA256 "${manifest}/package-lock.json" wanted)
  set(there "")
  if(EXISTS "${folder}/package-lock.json")
    file(SHA256 "${folder}/package-lock.json" there)
  endif()
  if(wanted STREQUAL there)
    return()
  endif()
  find_program(ROOST_NPM npm)
  if(NOT ROOST_NPM)
    message(FATAL_ERROR "npm is missing, which fetches ${what}: script/bootstrap installs it. "
      "To build without what npm fetches, set ROOST_EXPLORER=OFF in the environment.")
  endif()
  message(STATUS "Fetching ${what} from npm's registry")
  set(work "${folder}/npm")
  file(REMOVE_RECURSE "${work}")
  file(COPY "${manifest}/package.json" "${manifest}/package-lock.json" DESTINATION "${work}")
  execute_process(COMMAND "${ROOST_NPM}" ci --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1
                          --fetch-timeout=30000
                  WORKING_DIRECTORY "${work}" RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "npm could not fetch ${what}:\n\n${said}\n"
      "The first build needs npm's registry. Look at the network and at `npm config get registry`; behind a proxy with its "
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
  configure_file("${manifest}/package-lock.json" "${folder}/package-lock.json" COPYONLY) # last: it says what is there
  set(roost_npm_fetched ON PARENT_SCOPE)
endfunction()
