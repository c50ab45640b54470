# Configuring and building a CMake preset. Sourced after common.sh.
# shellcheck shell=bash

# A server that a script starts would refuse a variable that is no setting of its own.
export -n ROOST_EXPLORER

# configure PRESET [CMAKE-OPTION…]: ROOST_EXPLORER=OFF in the environment builds without the API explorer.
configure() {
  step "configuring build/$1"
  quietly cmake --preset "$@" "-DROOST_EXPLORER=${ROOST_EXPLORER:-ON}"
}

# build PRESET [TARGET…]: a progress line on a terminal; elsewhere only what the compiler says.
build() {
  local preset=$1 quiet=()
  shift
  [[ -t 1 ]] || quiet=(--quiet)
  step "building ${*:-everything} in build/$preset; the first time takes some minutes"
  NINJA_STATUS='[%f/%t, %es] ' ninja -C "build/$preset" -j "$(jobs)" "${quiet[@]}" "$@" >&2
}
