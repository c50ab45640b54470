-- The language that a user has chosen for the office.
alter table users add column language text not null default 'en' check (language in ('en', 'es'));
-- A table that the office sends changes many units at one position of the change stream.
alter table changelog drop constraint changelog_edit;
create index changelog_by_edit on changelog (edit);
