# Loads the demo if necessary, prints commands to try, and serves it. Sourced in the folder that contains var/ and config/; the
# caller defines step() and sets $roost to the program.
# shellcheck shell=bash

: "${roost:?}"
tokens=var/demo-tokens

# read_arguments ARGUMENT…: extracts the configuration arguments, which also apply to loading the demo, so that it uses the
# served store.
read_arguments() {
  setup_arguments=()
  store=${ROOST_STORE_URL-}
  local takes_value=false argument
  for argument; do
    if $takes_value || [[ $argument =~ ^--(config|set)(=|$) ]]; then
      setup_arguments+=("$argument")
      case $argument in *store.url=* | *.toml) store+=" $argument" ;; esac
    fi
    if [[ $argument =~ ^--(config|set)$ ]]; then takes_value=true; else takes_value=false; fi
  done
}

load_demo() {
  step "loading config/demo-portfolio.json"
  # A store with lost secrets has to adopt the new ones; a new store accepts any.
  local is_orphan=false
  if [[ -z $store && -s var/roost.db && ! -s var/secrets.toml ]]; then is_orphan=true; fi
  "$roost" migrate "${setup_arguments[@]}" >/dev/null
  "$roost" import "${setup_arguments[@]}" config/demo-portfolio.json
  if $is_orphan; then "$roost" secrets adopt --confirm "${setup_arguments[@]}" >/dev/null; fi
  local token_a token_one
  token_a=$("$roost" token issue "${setup_arguments[@]}" --platform marketplace-a --ttl 365d)
  token_one=$("$roost" token issue "${setup_arguments[@]}" --platform landlord-one --ttl 365d)
  (umask 077 && printf '%s\n' "store$store" "marketplace-a $token_a" "landlord-one $token_one" >"$tokens.new")
  mv "$tokens.new" "$tokens" # last: if anything before fails, the next run repeats it
}

# A token older than 360 days expires soon; the default store and its secrets may have been removed.
demo_is_loaded() {
  [[ -n $(find "$tokens" -mtime -360 2>/dev/null) ]] && grep -qxF "store$store" "$tokens" || return 1
  [[ -n $store ]] || [[ -s var/roost.db && -s var/secrets.toml ]]
}

token_of() { awk -v platform="$1" '$1 == platform { print $2 }' "$tokens"; }

# server_setting KEY: prints a value of the effective configuration.
server_setting() {
  "$roost" config "${setup_arguments[@]}" | sed -n '/^\[server\]/,/^\[/s/^'"$1"' = "\([^"]*\)".*/\1/p'
}

print_commands_to_try() {
  local marketplace_token landlord_token listen certificate base curl booking tenant body read_command
  marketplace_token=$(token_of marketplace-a)
  landlord_token=$(token_of landlord-one)
  listen=$(server_setting listen)
  certificate=$(server_setting tls_certificate)
  base=http://${listen/#0.0.0.0:/127.0.0.1:} curl='curl -s'
  if [[ -n $certificate ]]; then base=${base/#http:/https:} curl+=" --cacert '$certificate'"; fi
  booking=$(</proc/sys/kernel/random/uuid)
  tenant='{"firstName":"Ada","lastName":"Marsh","email":"ada@guests.example","nationality":"GB"}'
  body='{"externalId":"771","bookingId":"'$booking'","checkInDate":"2027-02-01","checkOutDate":"2027-05-01",'
  body+='"platformProviderPaymentValue":683,"tenant":'$tenant'}'
  read_command="$curl -H 'Authorization: Bearer $marketplace_token' $base/marketplace-a/listings/771; echo"

  cat <<TEXT

Demo tokens (stored in $tokens)
  marketplace-a  $marketplace_token
  landlord-one   $landlord_token

Try, in another terminal:

1. Read a room in Madrid as marketplace A sees it.

$read_command

2. Book it from February to April 2027. The response is the receipt of a durable request.

$curl -H 'Authorization: Bearer $marketplace_token' -H 'Content-Type: application/json' -d '$body' $base/marketplace-a/bookings; echo

3. Read it again after half a minute: its unavailabilities include the nights until 2027-04-30.

sleep 31; $read_command

TEXT
}

# serve_demo [arguments of `roost serve`]
serve_demo() {
  read_arguments "$@"
  mkdir -p -m 700 var
  demo_is_loaded || load_demo
  print_commands_to_try
  exec "$roost" serve "$@"
}
