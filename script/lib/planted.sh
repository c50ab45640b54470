# The planted defects of tests/planted: builds the simulation with each of them, and lets histories happen until one fails.
# Sourced after common.sh and build.sh.
# shellcheck shell=bash

# The copy of the project that defects are planted in. It is kept, so that later builds compile only what has changed.
planted_copy=$PWD/build/planted
planted_seeds=1000
unplanted_seeds=60

# git finds no repository around the copy, so paths of patches start at the copy.
in_planted_copy() { GIT_CEILING_DIRECTORIES=$PWD/build git -C "$planted_copy" "$@"; }

# Copies the files that differ, and deletes those that are no longer tracked. This also removes a defect that an
# interrupted run left.
update_planted_copy() {
  local file to
  mkdir -p "$planted_copy"
  git ls-files -z | while IFS= read -r -d '' file; do
    to=$planted_copy/$file
    [[ -f $file ]] || continue # deleted, not yet committed
    cmp -s "$file" "$to" && continue
    mkdir -p "${to%/*}"
    cp "$file" "$to" # newer than the objects of a defect
  done
  comm -z -13 <(git ls-files -z | sort -z) \
    <(cd "$planted_copy" && find . -path ./build -prune -o -type f -printf '%P\0' | sort -z) |
    (cd "$planted_copy" && xargs -0 --no-run-if-empty rm --)
}

build_planted() { (cd "$planted_copy" && ROOST_EXPLORER=OFF configure release && build release simulate); }

# let_histories_happen N: until one fails.
let_histories_happen() {
  "$planted_copy/build/release/simulate" --vary-servers --vary-faults --seeds "$1" --until-failure --no-shrink 2>/dev/null
}

# find_planted_defect PATCH: prints after how many histories and seconds the defect was found, and how it showed.
find_planted_defect() {
  local name output status=0
  name=$(basename "$1" .patch)
  in_planted_copy apply "$1"
  output=$(build_planted && let_histories_happen "$planted_seeds") || status=$?
  in_planted_copy apply --reverse "$1"
  if ((status == 1)) && [[ $output == *', 1 failed, '* ]]; then
    printf '%-30s %s\n' "$name" "$(tail -n 1 <<<"$output")" "" "$(head -n 1 <<<"$output")"
  elif ((status == 0)); then
    printf '%-30s NOT FOUND: %s\n' "$name" "$(tail -n 1 <<<"$output")"
    return 1
  else
    printf '%-30s could not be built\n' "$name"
    return 1
  fi
}

# find_planted_defects [NAME…]: all of them, or those with these names.
find_planted_defects() {
  local name patches=() missed=0
  for name in "$@"; do
    patches+=("$PWD/tests/planted/$name.patch")
    [[ -f ${patches[-1]} ]] || usage_error "no planted defect '$name'"
  done
  (($# > 0)) || patches=("$PWD"/tests/planted/*.patch)
  update_planted_copy
  step "without a defect: $unplanted_seeds histories"
  build_planted
  let_histories_happen "$unplanted_seeds" >&2 || die "a history fails without a defect"
  for name in "${patches[@]}"; do
    step "planted defect: $(basename "$name" .patch)"
    find_planted_defect "$name" || missed=$((missed + 1))
  done
  ((missed == 0)) || die "$missed of ${#patches[@]} planted defects were not found"
  step "found all ${#patches[@]} planted defects"
}
