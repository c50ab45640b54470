#!/usr/bin/env bash
# Starts the peer of the sign-in bench (see server.mjs), which fetch.sh fetches.
#
# usage: bench/peers/sign_in/serve.sh POSTGRESQL-URL PORT
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$here/../../../build/peers/sign_in
(($# == 2)) || {
  sed -n 's/^# usage: /usage: /p' "${BASH_SOURCE[0]}" >&2
  exit 2
}
cp "$here/server.mjs" "$folder"
exec "$folder"/node_modules/node-linux-*/bin/node "$folder/server.mjs" "$@"
