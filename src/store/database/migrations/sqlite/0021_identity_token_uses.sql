-- Third parties' identity tokens that signed a user in, by a hash, until they expire: each of them may do so only once.
create table identity_token_uses (
  id text primary key check (id <> ''),
  expires_at text not null
) strict;
create index identity_token_uses_expired on identity_token_uses (expires_at);
