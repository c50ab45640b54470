-- The language that a user has chosen for the office.
alter table users add column language text not null default 'en' check (language in ('en', 'es'));
-- A table that the office sends changes many units at one position of the change stream, so `edit` is no longer unique. SQLite cannot
-- remove a constraint.
create table changelog_with_tables (
  id text primary key,
  edit integer not null,
  account_id text not null,
  unit_id text not null,
  changed_at text not null,
  changed_by text not null check (changed_by <> ''),
  changes text not null check (json_valid(changes) and json_type(changes) = 'array'),
  subject_id text,
  foreign key (account_id, unit_id) references units (account_id, id) on delete cascade
) strict;
insert into changelog_with_tables (id, edit, account_id, unit_id, changed_at, changed_by, changes, subject_id)
select id, edit, account_id, unit_id, changed_at, changed_by, changes, subject_id from changelog;
drop table changelog;
alter table changelog_with_tables rename to changelog;
create index changelog_by_edit on changelog (edit);
create index changelog_of_unit on changelog (unit_id, edit);
create index changelog_of_subject on changelog (subject_id, edit) where subject_id is not null;
