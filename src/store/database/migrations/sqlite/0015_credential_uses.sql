-- What people call a credential, and when it was used last, to the minute.
alter table partner_tokens add column label text not null default '';
alter table account_keys add column label text not null default '';
alter table webhook_keys add column label text not null default '';
alter table usage_keys add column label text not null default '';
alter table tool_server_keys add column label text not null default '';
create table credential_uses (
  credential_id text primary key,
  used_at text not null
) strict;
