# roost_explorer(folder): Swagger UI compiled into a room, as roost::embedded::explorer_….
#
# npm fetches it into the build folder when CMake configures it, so that a registry that cannot be reached is told before
# anything is compiled. The version and the checksums are those of src/http/documents/explorer/package-lock.json, and it is
# fetched again only when that file changes. npm keeps what it fetched, so that further build folders need no network.
# Nothing of it runs during the build. With ROOST_EXPLORER=OFF nothing is fetched, and the service has no explorer.
option(ROOST_EXPLORER "serve the API explorer, for which the first build needs npm's registry" ON)

set(explorer_files swagger-ui-bundle.js swagger-ui-bundle.js.LICENSE.txt swagger-ui.css LICENSE NOTICE)
set(explorer_compressed swagger-ui-bundle.js swagger-ui.css)

# Leaves the files in `folder`.
function(roost_fetch_explorer manifest folder)
  find_program(ROOST_NPM npm)
  if(NOT ROOST_NPM)
    message(FATAL_ERROR "npm is missing, which fetches the API explorer: script/bootstrap installs it. "
      "To build without the explorer, set ROOST_EXPLORER=OFF in the environment.")
  endif()
  message(STATUS "Fetching Swagger UI from npm's registry")
  set(work "${folder}/npm")
  file(REMOVE_RECURSE "${work}")
  file(COPY "${manifest}/package.json" "${manifest}/package-lock.json" DESTINATION "${work}")
  execute_process(COMMAND "${ROOST_NPM}" ci --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1
                          --fetch-timeout=30000
                  WORKING_DIRECTORY "${work}" RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "npm could not fetch Swagger UI, which the API explorer is made of:\n\n${said}\n"
      "The first build needs npm's registry. Look at the network and at `npm config get registry`; behind a proxy with its "
      "own certificate, set NODE_EXTRA_CA_CERTS to its file. To build without the explorer, set ROOST_EXPLORER=OFF in the "
      "environment. Then build again.")
  endif()
  foreach(name IN LISTS explorer_files)
    configure_file("${work}/node_modules/swagger-ui-dist/${name}" "${folder}/${name}" COPYONLY)
  endforeach()
  foreach(name IN LISTS explorer_compressed)
    execute_process(COMMAND gzip --best --no-name --stdout "${folder}/${name}" OUTPUT_FILE "${folder}/${name}.gz"
                    COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  file(REMOVE_RECURSE "${work}")
  configure_file("${manifest}/package-lock.json" "${folder}/package-lock.json" COPYONLY) # last: it says what is there
endfunction()

function(roost_explorer room)
  set(manifest "${PROJECT_SOURCE_DIR}/src/http/documents/explorer")
  set(folder "${PROJECT_BINARY_DIR}/explorer")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${manifest}/package-lock.json")
  file(SHA256 "${manifest}/package-lock.json" wanted)
  set(there "")
  if(EXISTS "${folder}/package-lock.json")
    file(SHA256 "${folder}/package-lock.json" there)
  endif()
  if(NOT wanted STREQUAL there)
    roost_fetch_explorer("${manifest}" "${folder}")
  endif()
  roost_embed(${room} explorer_page "${manifest}/page.html")
  roost_embed(${room} explorer_start "${manifest}/start.js")
  roost_embed(${room} explorer_icon "${manifest}/icon.svg")
  roost_embed(${room} explorer_bundle "${folder}/swagger-ui-bundle.js")
  roost_embed(${room} explorer_bundle_gzip "${folder}/swagger-ui-bundle.js.gz" BYTES)
  roost_embed(${room} explorer_bundle_licenses "${folder}/swagger-ui-bundle.js.LICENSE.txt")
  roost_embed(${room} explorer_style "${folder}/swagger-ui.css")
  roost_embed(${room} explorer_style_gzip "${folder}/swagger-ui.css.gz" BYTES)
  roost_embed(${room} explorer_license "${folder}/LICENSE")
  roost_embed(${room} explorer_notice "${folder}/NOTICE")
endfunction()
