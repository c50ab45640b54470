-- The language that a user has chosen for the office.
alter table users add column language text not null default 'en' check (language in ('en', 'es'));
-- Each decision about a request of a landlord's unit has one notification: the office counts them by account and time.
create index notifications_of_account on notifications (account_id, created_at);
-- A table that the office sends changes many units at one position of the change stream.
alter table changelog drop constraint changelog_edit;
create index changelog_by_edit on changelog (edit);
