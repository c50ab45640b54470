# Functions to configure and build a CMake preset. Sourced after common.sh.
# shellcheck shell=bash

# Servers started by a script would reject this variable as an unknown setting.
export -n ROOST_EXPLORER

# configure PRESET [CMAKE-OPTION…]: ROOST_EXPLORER=OFF in the environment builds without the API explorer.
configure() {
  step "configuring build/$1"
  quietly cmake --preset "$@" "-DROOST_EXPLORER=${ROOST_EXPLORER:-ON}"
}

# build PRESET [TARGET…]: shows a progress line on a terminal, otherwise only the compiler's output.
build() {
  local preset=$1 quiet=()
  shift
  [[ -t 1 ]] || quiet=(--quiet)
  step "building ${*:-everything} in build/$preset; the first build takes a few minutes"
  NINJA_STATUS='[%f/%t, %es] ' ninja -C "build/$preset" -j "$(jobs)" "${quiet[@]}" "$@" >&2
}
