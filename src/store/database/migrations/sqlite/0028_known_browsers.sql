-- The browsers in which users have signed in, by the hash of a cookie that marks them. A sign-in in another one is reported
-- by mail.
create table known_browsers (
  user_id text not null references users on delete cascade,
  token_hash text not null check (token_hash <> ''),
  last_used_at text not null,
  primary key (user_id, token_hash)
) strict;
