#!/usr/bin/env bash
# Fetches the peer of the sign-in bench from npm's registry, unless build/peers/sign_in already has it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$here/../../../build/peers/sign_in
! cmp --quiet "$here/package-lock.json" "$folder/fetched.json" || exit 0
mkdir -p "$folder"
cp "$here"/package*.json "$folder"
(cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --prefer-offline >&2)
cp "$here/package-lock.json" "$folder/fetched.json"
