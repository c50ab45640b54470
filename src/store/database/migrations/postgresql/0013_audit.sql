-- What operators changed by commands: who, what, and of what.
create table audit (
  id uuid primary key,
  made_at timestamptz not null,
  actor text not null check (actor <> ''),
  action text not null check (action <> ''),
  subject text not null,
  detail text not null
);
create index audit_made on audit (made_at);
create index audit_subject on audit (subject);
