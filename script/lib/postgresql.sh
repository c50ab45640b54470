# A throw-away PostgreSQL 15 cluster in a temporary folder. Sourced after common.sh.
#
#   trap pg_stop EXIT
#   pg_start                  sets PG_PORT and PG_URL (postgresql://roost@127.0.0.1:PORT/)
#
# The superuser is `roost`, without a password. The cluster listens only on 127.0.0.1 and on a socket in its own folder, and
# stops with the script. ROOST_TEST_FSYNC=off makes its commits faster, but not durable.
# shellcheck shell=bash

pg_programs=/usr/lib/postgresql/15/bin
pg_folder=''

# PostgreSQL refuses to run as root: then it runs as the user of its package.
as_postgres() {
  if ((EUID == 0)); then
    (cd / && setpriv --reuid=postgres --regid=postgres --init-groups -- "$@")
  else
    (cd / && "$@")
  fi
}

pg_start() {
  local options attempt
  [[ -x $pg_programs/initdb ]] || die "no PostgreSQL 15 server in $pg_programs"
  pg_folder=$(mktemp -d "${TMPDIR:-/tmp}/roost-postgresql.XXXXXX")
  ((EUID != 0)) || chown postgres:postgres "$pg_folder"
  step "starting a PostgreSQL cluster in $pg_folder"
  quietly as_postgres "$pg_programs/initdb" --pgdata="$pg_folder/data" --username=roost --auth=trust \
    --encoding=UTF8 --locale=C.UTF-8 --no-sync --no-instructions

  options="-k $pg_folder -c listen_addresses=127.0.0.1 -c max_connections=300 -c log_timezone=UTC"
  case ${ROOST_TEST_FSYNC:-on} in
    on) ;;
    off) options+=" -c fsync=off -c synchronous_commit=off -c full_page_writes=off" ;;
    *) die "ROOST_TEST_FSYNC must be 'on' or 'off', not '$ROOST_TEST_FSYNC'" ;;
  esac

  # Another process may take the port before the start: then another one is tried.
  for attempt in 1 2 3 4 5; do
    PG_PORT=$(pg_free_port)
    if as_postgres "$pg_programs/pg_ctl" start --pgdata="$pg_folder/data" --log="$pg_folder/log" --silent \
      --wait --timeout=60 --options="$options -p $PG_PORT" </dev/null >/dev/null 2>&1; then
      as_postgres "$pg_programs/createdb" --host="$pg_folder" --port="$PG_PORT" --username=roost roost
      PG_URL="postgresql://roost@127.0.0.1:$PG_PORT/"
      export PG_PORT PG_URL
      return
    fi
  done
  tail -n 20 "$pg_folder/log" >&2
  die "PostgreSQL did not start in $attempt attempts"
}

# Returns a free port below the kernel's range of ephemeral ports.
pg_free_port() {
  local port
  while port=$((20000 + RANDOM % 12000)); do
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
  done
  echo "$port"
}

pg_stop() {
  [[ -n $pg_folder ]] || return 0
  if [[ -f $pg_folder/data/postmaster.pid ]]; then
    as_postgres "$pg_programs/pg_ctl" stop --pgdata="$pg_folder/data" --mode=immediate --silent >/dev/null || true
  fi
  rm -rf "$pg_folder"
  pg_folder=''
}
