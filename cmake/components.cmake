# The headers of the standard library that most files include, parsed once. Without ROOST_PRECOMPILE, each file has to include what
# it uses, as for clang-tidy.
option(ROOST_PRECOMPILE "precompile the standard library's headers" ON)
if(ROOST_PRECOMPILE)
  add_library(roost_standard_library OBJECT EXCLUDE_FROM_ALL "${CMAKE_CURRENT_LIST_DIR}/standard_library.cpp")
  target_precompile_headers(
    roost_standard_library PRIVATE
    <algorithm> <array> <atomic> <charconv> <chrono> <condition_variable> <cstdint> <deque> <filesystem> <functional> <future>
    <map> <memory> <mutex> <optional> <random> <set> <span> <sstream> <stdexcept> <string> <string_view> <system_error> <thread>
    <tuple> <unordered_map> <unordered_set> <utility> <variant> <vector>)
endif()
function(roost_precompile target)
  if(ROOST_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM roost_standard_library)
  endif()
endfunction()

# roost_component(FOLDER [NO_TESTS] [USES folder…] [PACKAGES target…] [TEST_USES folder…] [TEST_PACKAGES target…]):
# declares the library roost_FOLDER of src/FOLDER/*.cpp (a slash becomes an underscore) and its tests, test_FOLDER, of
# tests/FOLDER/*.cpp. USES are the components and PACKAGES the packages whose headers it includes; TEST_… those that only its
# tests include. script/lib/component_includes.py checks the includes against these lists.
function(roost_component folder)
  cmake_parse_arguments(arg "NO_TESTS" "" "USES;PACKAGES;TEST_USES;TEST_PACKAGES" ${ARGN})
  roost_target_of(${folder} target)
  roost_targets_of("${arg_USES}" components)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp")
  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(${target} PRIVATE ${components} ${arg_PACKAGES})
  roost_precompile(${target})

  file(GLOB tests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/${folder}/*.cpp")
  if(tests AND NOT arg_NO_TESTS)
    string(REPLACE "roost_" "test_" program ${target})
    roost_targets_of("${arg_TEST_USES}" test_components)
    roost_test(${program} SOURCES ${tests} LINKS ${target} ${components} ${test_components} ${arg_PACKAGES} ${arg_TEST_PACKAGES}
               roost_test_support)
  endif()
endfunction()

function(roost_target_of folder result)
  string(REPLACE "/" "_" name ${folder})
  set(${result} roost_${name} PARENT_SCOPE)
endfunction()

function(roost_targets_of folders result)
  set(targets)
  foreach(folder IN LISTS folders)
    roost_target_of(${folder} target)
    list(APPEND targets ${target})
  endforeach()
  set(${result} ${targets} PARENT_SCOPE)
endfunction()

# Declares a GoogleTest program whose tests are separate ctest tests. WHOLE_PROCESS: they start the roost program; they have
# the label `process`, and the target `quick_tests` omits them. COST: ctest starts them first, because the longest are among them
# and would otherwise run alone at the end.
add_custom_target(quick_tests)
function(roost_test name)
  cmake_parse_arguments(arg "WHOLE_PROCESS" "TIMEOUT" "SOURCES;LINKS" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  if(ROOST_SANITIZE) # several times slower
    math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 4")
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
  target_compile_definitions(${name} PRIVATE ROOST_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${arg_LINKS} GTest::gmock GTest::gtest_main)
  roost_precompile(${name})
  include(GoogleTest)
  if(arg_WHOLE_PROCESS)
    set(label process)
    set(cost 1)
  else()
    set(label component)
    set(cost 0)
    add_dependencies(quick_tests ${name})
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS ${label}
                       COST ${cost})
endfunction()

# Declares the library of tests/support, which tests of several components share.
function(roost_test_support)
  cmake_parse_arguments(arg "" "" "USES;PACKAGES" ${ARGN})
  roost_targets_of("${arg_USES}" components)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/support/*.cpp")
  add_library(roost_test_support STATIC EXCLUDE_FROM_ALL ${sources})
  target_include_directories(roost_test_support PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(roost_test_support PRIVATE ${components} ${arg_PACKAGES} GTest::gtest)
  roost_precompile(roost_test_support)
endfunction()

# roost_service_tests([USES folder…] [PACKAGES target…]): declares the tests in the folders of tests/service, which run the roost
# program.
function(roost_service_tests)
  cmake_parse_arguments(arg "" "" "USES;PACKAGES" ${ARGN})
  roost_targets_of("${arg_USES}" components)
  file(GLOB tests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/service/*/*.cpp")
  if(ROOST_EXPLORER) # otherwise no npm packages are fetched, which the accessibility tests of the pages need
    set(axe "${PROJECT_BINARY_DIR}/axe")
    roost_npm("${PROJECT_SOURCE_DIR}/tests/service/axe" "${axe}" "axe for the accessibility tests"
              FILES axe-core/axe.min.js)
  else()
    list(FILTER tests EXCLUDE REGEX "/documents/explorer[a-z_]*_test[.]cpp$|/pages/pages_axe_test[.]cpp$")
  endif()
  if(ROOST_INTEROP)
    roost_interop("${PROJECT_BINARY_DIR}/interop")
  else()
    list(FILTER tests EXCLUDE REGEX "/connector/interop_test[.]cpp$|/documents/partner_client_test[.]cpp$")
  endif()
  roost_test(test_service WHOLE_PROCESS TIMEOUT 180 SOURCES ${tests} LINKS ${components} ${arg_PACKAGES} roost_test_support)
  target_compile_definitions(test_service PRIVATE ROOST_PROGRAM="$<TARGET_FILE:roost>" ROOST_AXE="${axe}/axe.min.js"
                             ROOST_INTEROP="${PROJECT_BINARY_DIR}/interop")
  add_dependencies(test_service roost)
endfunction()

# roost_simulation([USES folder…] [PACKAGES target…]): declares the program `simulate` of tests/simulation, which shares its
# requests and its comparison with the tests of the whole process, and tests that let a hundred histories of one, two and
# three servers happen, and three of each twice. They run one after the other, while other tests wait.
function(roost_simulation)
  if(ROOST_SANITIZE) # their runtimes read the clocks that the program replaces
    return()
  endif()
  cmake_parse_arguments(arg "" "" "USES;PACKAGES" ${ARGN})
  roost_targets_of("${arg_USES}" components)
  roost_targets_of("store/engine;store/bookings;store/columns;store/database;domain" components_of_shared_files)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/simulation/*.cpp")
  add_executable(simulate ${sources} "${PROJECT_SOURCE_DIR}/tests/service/support/mixed_requests.cpp"
                          "${PROJECT_SOURCE_DIR}/tests/service/support/mixed_history.cpp"
                          "${PROJECT_SOURCE_DIR}/tests/service/support/manual_bookings.cpp"
                          "${PROJECT_SOURCE_DIR}/tests/service/office_support/office_records.cpp"
                          "${PROJECT_SOURCE_DIR}/tests/service/support/booking_history.cpp"
                          "${PROJECT_SOURCE_DIR}/tests/service/support/booking_load.cpp")
  target_include_directories(simulate PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
  # Each history is a forked process, which would resolve the names of libraries' functions again.
  target_link_options(simulate PRIVATE -Wl,-z,now)
  target_link_libraries(simulate PRIVATE ${components} ${components_of_shared_files} ${arg_PACKAGES} RapidJSON roost_test_support GTest::gtest)
  roost_precompile(simulate)
  # Other tests measure times, and hash passwords at the lowest priority.
  set(idle nice -n 19 $<TARGET_FILE:simulate>)
  foreach(servers RANGE 1 3)
    add_test(NAME simulation.servers_${servers} COMMAND ${idle} --seeds 100 --servers ${servers})
    add_test(NAME simulation.repeats_servers_${servers} COMMAND ${idle} --seeds 3 --seed 1000 --servers ${servers} --twice)
  endforeach()
  set_tests_properties(simulation.servers_1 simulation.servers_2 simulation.servers_3 simulation.repeats_servers_1
                       simulation.repeats_servers_2 simulation.repeats_servers_3 PROPERTIES TIMEOUT 1800 LABELS process COST 2
                       RESOURCE_LOCK simulation)
endfunction()

# tests/lint/*_test.py tests the checks of script/lint on generated projects.
function(roost_lint_tests)
  file(GLOB tests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/lint/*_test.py")
  foreach(test IN LISTS tests)
    get_filename_component(name "${test}" NAME_WE)
    add_test(NAME lint.${name} COMMAND python3 -B "${test}")
    set_tests_properties(lint.${name} PROPERTIES TIMEOUT 60)
  endforeach()
endfunction()

# tests/script/*_test.py tests the scripts that run the program.
function(roost_script_tests)
  file(GLOB tests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/script/*_test.py")
  foreach(test IN LISTS tests)
    get_filename_component(name "${test}" NAME_WE)
    add_test(NAME script.${name} COMMAND python3 -B "${test}")
    set_tests_properties(script.${name} PROPERTIES TIMEOUT 180 LABELS process COST 2
                         ENVIRONMENT "ROOST_PROGRAM=$<TARGET_FILE:roost>")
  endforeach()
endfunction()

# roost_bench(NAME [USES folder…] [PACKAGES target…]): declares the program bench_NAME of bench/programs/NAME.cpp, built on demand.
function(roost_bench name)
  cmake_parse_arguments(arg "" "" "USES;PACKAGES" ${ARGN})
  roost_targets_of("${arg_USES}" components)
  add_executable(bench_${name} EXCLUDE_FROM_ALL "bench/programs/${name}.cpp")
  target_include_directories(bench_${name} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(bench_${name} PRIVATE ${components} ${arg_PACKAGES})
endfunction()

# roost_micro(USES folder… [PACKAGES target…]): declares the program bench_micro of bench/micro, the micro-benchmarks, unless
# Google Benchmark is missing (script/bootstrap --bench).
function(roost_micro)
  cmake_parse_arguments(arg "" "" "USES;PACKAGES" ${ARGN})
  find_package(benchmark QUIET)
  if(NOT benchmark_FOUND)
    return()
  endif()
  roost_targets_of("${arg_USES}" components)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/micro/*.cpp")
  add_executable(bench_micro EXCLUDE_FROM_ALL ${sources})
  target_include_directories(bench_micro PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(bench_micro PRIVATE ${components} ${arg_PACKAGES})
endfunction()

# roost_lab([USES folder…] [PACKAGES target…]): declares the program bench_contention of bench/contention, the contention lab.
# Everything except main.cpp is a library, which tests/bench tests in every build, together with the program and bench's Python.
function(roost_lab)
  cmake_parse_arguments(arg "" "" "USES;PACKAGES" ${ARGN})
  roost_targets_of("${arg_USES}" components)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/contention/*.cpp")
  list(REMOVE_ITEM sources "${PROJECT_SOURCE_DIR}/bench/contention/main.cpp")
  add_library(roost_contention STATIC ${sources})
  target_include_directories(roost_contention PUBLIC "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}")
  target_link_libraries(roost_contention PUBLIC ${components} ${arg_PACKAGES})
  add_executable(bench_contention "${PROJECT_SOURCE_DIR}/bench/contention/main.cpp")
  target_link_libraries(bench_contention PRIVATE roost_contention)
  file(GLOB tests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/bench/*_test.cpp")
  roost_test(test_contention WHOLE_PROCESS TIMEOUT 180 SOURCES ${tests} LINKS roost_contention roost_test_support)
  file(GLOB scripts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/bench/*_test.py")
  foreach(test IN LISTS scripts)
    get_filename_component(name "${test}" NAME_WE)
    add_test(NAME bench.${name} COMMAND python3 -B "${test}")
    set_tests_properties(bench.${name} PROPERTIES TIMEOUT 300 LABELS process COST 2
                         ENVIRONMENT "ROOST_PROGRAM=$<TARGET_FILE:roost>")
  endforeach()
endfunction()
