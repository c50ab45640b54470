# roost_embed(folder variable file [BYTES]): compiles a file into a component as roost::embedded::<variable>; BYTES for binary
# files. Users declare `namespace roost::embedded { extern const std::string_view <variable>; }`.
#
# This file is also its build step: `cmake -D … -P embed.cmake` writes the source.
if(CMAKE_SCRIPT_MODE_FILE)
  if(BYTES)
    file(READ "${INPUT}" bytes HEX)
    string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
    set(literal "\"${bytes}\"sv")
  else()
    file(READ "${INPUT}" text)
    string(FIND "${text}" ")roost\"" terminator)
    if(NOT terminator EQUAL -1)
      message(FATAL_ERROR "${NAME} contains )roost\", which would end the raw string")
    endif()
    set(literal "R\"roost(${text})roost\"sv")
  endif()
  file(WRITE "${OUTPUT}" "// Generated from ${NAME}: edit that file.
#include <string_view>

namespace roost::embedded {

using namespace std::string_view_literals;

extern const std::string_view ${VARIABLE};
constinit const std::string_view ${VARIABLE} = ${literal};

} // namespace roost::embedded
")
  return()
endif()

function(roost_embed folder variable file)
  cmake_parse_arguments(arg "BYTES" "" "" ${ARGN})
  roost_target_of(${folder} target)
  get_filename_component(input "${file}" ABSOLUTE BASE_DIR "${PROJECT_SOURCE_DIR}")
  set(script "${CMAKE_CURRENT_FUNCTION_LIST_FILE}")
  set(source "${PROJECT_BINARY_DIR}/embedded/${target}_${variable}.cpp")
  add_custom_command(
    OUTPUT "${source}"
    COMMAND "${CMAKE_COMMAND}" -D "INPUT=${input}" -D "NAME=${file}" -D "VARIABLE=${variable}" -D "BYTES=${arg_BYTES}"
            -D "OUTPUT=${source}" -P "${script}"
    DEPENDS "${input}" "${script}"
    COMMENT "Embedding ${file}"
    VERBATIM)
  target_sources(${target} PRIVATE "${source}")
  set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON) # megabytes of text
endfunction()
