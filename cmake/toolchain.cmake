# Language level, warnings, sanitizers, linker and compiler cache.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wno-missing-field-initializers -fno-plt)
# GCC 12 sees the frames of Asio's coroutines allocated and freed by different means, which they are not.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-mismatched-new-delete>)
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

set(ROOST_SANITIZE "" CACHE STRING "address (with undefined behaviour) or thread")
if(ROOST_SANITIZE STREQUAL "address")
  # CAF's headers bind references to null in dead branches: -fno-sanitize=null keeps the rest of UBSan usable.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=null -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  # SOCI does not export its backends' types, which the check of virtual calls would name; the length of a CAF mailbox
  # comes by way of a cast that the check refuses.
  set_source_files_properties(src/store/database/connecting.cpp src/actors/bookings/booking_intake.cpp
                              src/actors/bookings/booking_queue.cpp src/actors/runtime/spawned_actor.cpp
                              PROPERTIES COMPILE_OPTIONS -fno-sanitize=vptr)
elseif(ROOST_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
elseif(ROOST_SANITIZE)
  message(FATAL_ERROR "ROOST_SANITIZE is 'address' or 'thread', not '${ROOST_SANITIZE}'")
endif()

find_program(ROOST_MOLD mold)
if(ROOST_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
find_program(ROOST_CCACHE ccache)
if(ROOST_CCACHE)
  # A precompiled header changes its time stamp, not its meaning: without this nothing would ever hit.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_PCH_EXTSUM=1 ${ROOST_CCACHE})
endif()

# Several source files are compiled as one: most of the compiler's time goes into headers that all of them include.
# Files of a batch must therefore not define the same name in their unnamed namespaces; script/test finds out.
option(ROOST_UNITY "compile a component's files together" ON)
set(CMAKE_UNITY_BUILD ${ROOST_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 12)
