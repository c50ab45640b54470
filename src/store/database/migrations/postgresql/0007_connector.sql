-- Assistants that act for a landlord (OAuth 2.1). Nothing here can be used to ask for anything: refresh tokens are not stored
-- at all, codes, client secrets and keys only hashed. What belongs to a user who is deleted stays until it expires.

-- Clients that registered. One without a secret that registers the same again is the same client.
create table connector_clients (
  id text primary key check (id <> ''),
  name text,
  redirect_uris jsonb not null check (jsonb_typeof(redirect_uris) = 'array'),
  grant_types jsonb not null check (jsonb_typeof(grant_types) = 'array'),
  auth_method text not null check (auth_method in ('none', 'client_secret_post')),
  secret_hash text,
  scope text,
  fingerprint text not null,
  created_at timestamptz not null,
  used_at timestamptz,
  check ((auth_method = 'none') = (secret_hash is null))
);
create unique index connector_clients_public on connector_clients (fingerprint) where secret_hash is null;
create index connector_clients_unused on connector_clients (created_at) where used_at is null;
create index connector_clients_used on connector_clients (used_at) where used_at is not null;

-- The id is that of the consent form which the code came of, so a form gives one code; and that of the connection which
-- comes of the code.
create table connector_codes (
  id uuid primary key,
  hash text not null constraint connector_codes_hash unique check (hash <> ''),
  client_id text not null,
  client_name text,
  redirect_uri text not null,
  challenge text not null,
  user_id uuid not null,
  resource text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index connector_codes_expired on connector_codes (expires_at);

-- A user's connection to an assistant. The generation is that of the refresh token that is good now. Rows are rewritten with
-- each refresh, so each page keeps room for that.
create table connections (
  id uuid primary key,
  client_id text not null,
  client_name text,
  user_id uuid not null,
  resource text not null,
  generation bigint not null check (generation >= 1),
  created_at timestamptz not null,
  used_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_by text check (ended_by in ('user', 'operator', 'reuse', 'code_replay')),
  check ((ended_at is null) = (ended_by is null))
) with (fillfactor = 60);
create index connections_of_user on connections (user_id);
create index connections_of_client on connections (client_id);
create index connections_ended on connections (ended_at) where ended_at is not null;
create index connections_expired on connections (expires_at);

-- Tool servers ask with such a key whether a token for their resource is good.
create table tool_server_keys (
  id uuid primary key,
  resource text not null,
  hash text not null constraint tool_server_keys_hash unique check (hash <> ''),
  last4 text not null,
  created_at timestamptz not null,
  ended_at timestamptz
);

-- A client that cannot run OAuth sends such a key to the tool server; it acts as the user.
create table api_keys (
  id uuid primary key,
  user_id uuid not null,
  name text not null,
  hash text not null constraint api_keys_hash unique check (hash <> ''),
  last4 text not null,
  created_at timestamptz not null,
  ended_at timestamptz
);
