# roost_explorer(folder): Swagger UI compiled into a room, as roost::embedded::explorer_….
#
# npm fetches it into the build folder: the version and the checksums are those of
# src/http/documents/explorer/package-lock.json, and it is fetched again only when that file changes. npm keeps what it fetched,
# so that further build folders need no network. Nothing of it runs during the build.
#
# The same file is the build step behind it: `cmake -D … -P explorer.cmake` leaves the files in a folder.
set(explorer_files swagger-ui-bundle.js swagger-ui-bundle.js.LICENSE.txt swagger-ui.css LICENSE NOTICE)
set(explorer_compressed swagger-ui-bundle.js swagger-ui.css)

if(CMAKE_SCRIPT_MODE_FILE)
  set(work "${FOLDER}/npm")
  file(REMOVE_RECURSE "${work}")
  file(COPY "${MANIFEST}/package.json" "${MANIFEST}/package-lock.json" DESTINATION "${work}")
  execute_process(COMMAND "${NPM}" ci --ignore-scripts --no-audit --no-fund --prefer-offline WORKING_DIRECTORY "${work}"
                  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "npm could not fetch Swagger UI, which the API explorer is made of:\n\n${said}\n"
      "The first build needs npm's registry. Look at the network and at `npm config get registry`; behind a proxy with its "
      "own certificate, set NODE_EXTRA_CA_CERTS to its file. Then build again.")
  endif()
  foreach(name IN LISTS explorer_files)
    configure_file("${work}/node_modules/swagger-ui-dist/${name}" "${FOLDER}/${name}" COPYONLY)
    file(TOUCH "${FOLDER}/${name}")
  endforeach()
  foreach(name IN LISTS explorer_compressed)
    execute_process(COMMAND gzip --best --no-name --stdout "${FOLDER}/${name}" OUTPUT_FILE "${FOLDER}/${name}.gz"
                    COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  file(REMOVE_RECURSE "${work}")
  return()
endif()

find_program(ROOST_NPM npm)
if(NOT ROOST_NPM)
  message(FATAL_ERROR "npm is missing, which fetches what the API explorer is made of: script/bootstrap installs it")
endif()

function(roost_explorer room)
  set(manifest "${PROJECT_SOURCE_DIR}/src/http/documents/explorer")
  set(folder "${PROJECT_BINARY_DIR}/explorer")
  set(script "${CMAKE_CURRENT_FUNCTION_LIST_FILE}")
  list(TRANSFORM explorer_files PREPEND "${folder}/" OUTPUT_VARIABLE files)
  list(TRANSFORM explorer_compressed REPLACE "(.+)" "${folder}/\\1.gz" OUTPUT_VARIABLE compressed)
  add_custom_command(
    OUTPUT ${files} ${compressed}
    COMMAND "${CMAKE_COMMAND}" -D "NPM=${ROOST_NPM}" -D "MANIFEST=${manifest}" -D "FOLDER=${folder}" -P "${script}"
    DEPENDS "${manifest}/package.json" "${manifest}/package-lock.json" "${script}"
    COMMENT "Fetching Swagger UI"
    VERBATIM)
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
