# Language level, warnings, sanitizers, linker and compiler cache.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wno-missing-field-initializers -fno-plt)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 wrongly reports mismatched allocation and deallocation of the frames of Asio's coroutines.
  add_compile_options(-Wno-mismatched-new-delete)
  # Garbage is collected from 1 GB on only, which a file hardly reaches: collecting takes a seventh of the compiler's time.
  add_compile_options("SHELL:--param ggc-min-heapsize=1048576")
endif()
set(CMAKE_CXX_FLAGS_DEBUG "-Og -g1") # compiles a fifth faster than -O1; the tests take as long
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

set(ROOST_SANITIZE "" CACHE STRING "address (with undefined behavior), thread or fuzzer (clang)")
if(ROOST_SANITIZE STREQUAL "address")
  # CAF's headers bind references to null in dead branches: -fno-sanitize=null keeps the rest of UBSan usable.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=null -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  # The check of virtual calls needs the types of SOCI's backends, which are not exported, and rejects a cast in CAF's
  # mailbox length.
  set_source_files_properties(src/store/database/connecting.cpp src/store/database/connection.cpp
                              src/actors/bookings/booking_intake.cpp src/actors/bookings/booking_queue.cpp
                              src/actors/runtime/spawned_actor.cpp
                              PROPERTIES COMPILE_OPTIONS -fno-sanitize=vptr)
elseif(ROOST_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
elseif(ROOST_SANITIZE STREQUAL "fuzzer") # with clang; see the preset `fuzz`
  # The check of calls through function pointers is off, because clang 14 cannot compile coroutines with it: "Cannot represent
  # a difference across sections" (LLVM's issue 49689).
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=null,vptr,function -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  # libstdc++ 12 declares coroutines only if the compiler announces them, which clang does from version 17. The rest of its
  # support is complete for this code.
  add_compile_definitions(__cpp_impl_coroutine=201902L)
  add_compile_options(-Wno-builtin-macro-redefined)
elseif(ROOST_SANITIZE)
  message(FATAL_ERROR "ROOST_SANITIZE is 'address', 'thread' or 'fuzzer', not '${ROOST_SANITIZE}'")
endif()

find_program(ROOST_MOLD mold)
if(ROOST_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
find_program(ROOST_CCACHE ccache)
if(ROOST_CCACHE)
  # Ignores the time stamps of precompiled headers: otherwise there would be no cache hits.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_PCH_EXTSUM=1 ${ROOST_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess) # shows ccache the use of the header
  endif()
endif()

# Compiles several source files as one, because the compiler spends most of its time on common headers. Files of a batch must
# not define the same name in their unnamed namespaces.
option(ROOST_UNITY "compile a component's files together" ON)
set(CMAKE_UNITY_BUILD ${ROOST_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 12)
