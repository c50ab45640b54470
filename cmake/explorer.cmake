# roost_explorer(folder): compiles Swagger UI into a component as roost::embedded::explorer_….
#
# npm fetches it (cmake/npm.cmake). With ROOST_EXPLORER=OFF nothing is fetched, and the service has no explorer.
option(ROOST_EXPLORER "serve the API explorer; the first build needs npm's registry" ON)

set(explorer_files swagger-ui-bundle.js swagger-ui-bundle.js.LICENSE.txt swagger-ui.css LICENSE NOTICE)
set(explorer_compressed swagger-ui-bundle.js swagger-ui.css)

function(roost_explorer component)
  set(manifest "${PROJECT_SOURCE_DIR}/src/http/documents/explorer")
  set(folder "${PROJECT_BINARY_DIR}/explorer")
  list(TRANSFORM explorer_files PREPEND swagger-ui-dist/ OUTPUT_VARIABLE files)
  roost_npm("${manifest}" "${folder}" "Swagger UI for the API explorer" FILES ${files})
  foreach(name IN LISTS explorer_compressed)
    if(roost_npm_fetched OR NOT EXISTS "${folder}/${name}.gz")
      execute_process(COMMAND gzip --best --no-name --stdout "${folder}/${name}" OUTPUT_FILE "${folder}/${name}.gz"
                      COMMAND_ERROR_IS_FATAL ANY)
    endif()
  endforeach()
  roost_embed(${component} explorer_page "${manifest}/page.html")
  roost_embed(${component} explorer_start "${manifest}/start.js")
  roost_embed(${component} explorer_icon "${manifest}/icon.svg")
  roost_embed(${component} explorer_bundle "${folder}/swagger-ui-bundle.js")
  roost_embed(${component} explorer_bundle_gzip "${folder}/swagger-ui-bundle.js.gz" BYTES)
  roost_embed(${component} explorer_bundle_licenses "${folder}/swagger-ui-bundle.js.LICENSE.txt")
  roost_embed(${component} explorer_style "${folder}/swagger-ui.css")
  roost_embed(${component} explorer_style_gzip "${folder}/swagger-ui.css.gz" BYTES)
  roost_embed(${component} explorer_license "${folder}/LICENSE")
  roost_embed(${component} explorer_notice "${folder}/NOTICE")
endfunction()
