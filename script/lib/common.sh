# Shared by all scripts: the project's folder, progress lines, quiet commands. Sourced, not run.
# shellcheck shell=bash

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$project" || exit 1

if [[ -t 2 ]]; then bold=$'\e[1m' plain=$'\e[0m'; else bold='' plain=''; fi

step() { printf '%s==>%s %s\n' "$bold" "$plain" "$*" >&2; }

die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

usage_error() {
  printf '%s: %s (see --help)\n' "${0##*/}" "$*" >&2
  exit 2
}

# show_help: prints the script's opening comment.
show_help() { sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$0"; }

# quietly COMMAND…: shows the command's output only if it fails.
quietly() {
  local output status=0
  output=$(mktemp)
  ("$@") >"$output" 2>&1 </dev/null || status=$?
  if ((status != 0)); then
    tail -n 100 "$output" >&2
    printf '%s: failed with status %d: %s\n' "${0##*/}" "$status" "$*" >&2
  fi
  rm -f "$output"
  return "$status"
}

as_root() {
  if ((EUID == 0)); then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "root is required for: $* (run as root, or install sudo)"
  fi
}

# jobs: prints the number of parallel compilers; the largest files take more than a gigabyte each.
jobs() {
  local by_memory cores
  cores=$(nproc)
  by_memory=$(awk '/^MemAvailable:/ { print int($2 / 1300000) }' /proc/meminfo)
  ((by_memory >= 1)) || by_memory=1
  echo $((by_memory < cores ? by_memory : cores))
}
