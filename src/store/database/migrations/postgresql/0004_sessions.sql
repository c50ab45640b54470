-- Signing in. No secret that a browser holds can be read here: refresh tokens are not stored at all, the others only
-- hashed. What belongs to a user who is deleted stays until it expires, so that his browser is told what happened.

-- Sessions, remembered browsers and links of an earlier epoch count no more: it grows with everything that signs a user
-- out everywhere. After the first sign-in with a third party's identity token, that identity is the user's.
alter table users add column session_epoch bigint not null default 0;
alter table users add column identity_issuer text;
alter table users add column identity_subject text;
alter table users add constraint users_identity check ((identity_issuer is null) = (identity_subject is null));
create unique index users_identity_owner on users (identity_issuer, identity_subject)
    where identity_subject is not null;

-- Whoever changes them, an import too: a user with another role or password, or deactivated, is signed out.
create function end_sessions_of_user() returns trigger language plpgsql as $$
begin
  new.session_epoch := old.session_epoch + 1;
  return new;
end $$;
create trigger users_end_sessions before update of role, deactivated, password_hash on users for each row
    when (old.role <> new.role or (new.deactivated and not old.deactivated)
          or old.password_hash is distinct from new.password_hash)
    execute function end_sessions_of_user();

-- The generation is that of the refresh token that is good now. Rows are rewritten with each refresh, so each page keeps
-- room for that.
create table sessions (
  id uuid primary key,
  user_id uuid not null,
  epoch bigint not null,
  generation bigint not null check (generation >= 1),
  created_at timestamptz not null,
  rotated_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_by text check (ended_by in ('logout', 'reuse', 'user', 'operator')),
  browser text not null,
  address text not null,
  check ((ended_at is null) = (ended_by is null))
) with (fillfactor = 60);
create index sessions_of_user on sessions (user_id);
create index sessions_ended on sessions (ended_at) where ended_at is not null;
create index sessions_expired on sessions (expires_at);

create table sign_in_challenges (
  id uuid primary key,
  token_hash text not null constraint sign_in_challenges_token unique check (token_hash <> ''),
  user_id uuid not null,
  epoch bigint not null,
  state text not null check (state in ('pending', 'consumed', 'cancelled', 'over')),
  code_seal text not null,
  tries integer not null check (tries >= 0),
  resends integer not null check (resends >= 0),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sign_in_challenges_of_user on sign_in_challenges (user_id) where state = 'pending';
create index sign_in_challenges_expired on sign_in_challenges (expires_at);

-- Codes sent, for the limit in fifteen minutes.
create table sign_in_codes (
  id uuid primary key,
  user_id uuid not null,
  sent_at timestamptz not null
);
create index sign_in_codes_of_user on sign_in_codes (user_id, sent_at);
create index sign_in_codes_old on sign_in_codes (sent_at);

-- Wrong passwords, for the limit in fifteen minutes. They are counted for addresses that are nobody's, too, so the
-- address is kept as a hash.
create table wrong_passwords (
  id uuid primary key,
  address_hash text not null check (address_hash <> ''),
  tried_at timestamptz not null
);
create index wrong_passwords_of_address on wrong_passwords (address_hash, tried_at);
create index wrong_passwords_old on wrong_passwords (tried_at);

create table remembered_browsers (
  id uuid primary key,
  token_hash text not null constraint remembered_browsers_token unique check (token_hash <> ''),
  user_id uuid not null,
  epoch bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index remembered_browsers_expired on remembered_browsers (expires_at);

create table password_resets (
  id uuid primary key,
  token_hash text not null constraint password_resets_token unique check (token_hash <> ''),
  user_id uuid not null,
  epoch bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_resets_expired on password_resets (expires_at);

-- Once sent, what a mail of this kind says is deleted: it holds a code or a link.
alter table outgoing_mail add column confidential boolean not null default false;
