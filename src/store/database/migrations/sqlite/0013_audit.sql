-- What operators changed by commands: who, what, and of what.
create table audit (
  id text primary key,
  made_at text not null,
  actor text not null check (actor <> ''),
  action text not null check (action <> ''),
  subject text not null,
  detail text not null
) strict;
create index audit_made on audit (made_at);
create index audit_subject on audit (subject);
