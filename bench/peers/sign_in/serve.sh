#!/usr/bin/env bash
# Starts the peer of the bench of signing in (server.mjs says what it serves), and fetches it first from npm's registry
# where build/peers/sign_in does not have it yet.
#
# usage: bench/peers/sign_in/serve.sh POSTGRESQL-URL PORT
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$here/../../../build/peers/sign_in
(($# == 2)) || {
  sed -n 's/^# usage: /usage: /p' "${BASH_SOURCE[0]}" >&2
  exit 2
}
mkdir -p "$folder"
if ! cmp --quiet "$here/package-lock.json" "$folder/fetched.json"; then
  cp "$here"/package*.json "$folder"
  (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --prefer-offline >&2)
  cp "$here/package-lock.json" "$folder/fetched.json"
fi
cp "$here/server.mjs" "$folder"
exec "$folder"/node_modules/node-linux-*/bin/node "$folder/server.mjs" "$@"
