-- Portfolio files have imported calendars, so the office marks those that it creates, changes and deletes. It has created all that there
-- are. SQLite cannot change a constraint.
create table office_changes_with_calendars (
  account_id text not null references accounts on delete cascade,
  part text not null check (part in ('account', 'card', 'user', 'property', 'unit', 'link', 'exclusion', 'calendar')),
  id text not null,
  platform text not null,
  state text not null check (state in ('created', 'changed', 'deleted')),
  position integer not null,
  changed_by text not null,
  changed_at text not null,
  primary key (part, id, platform)
) strict;
insert into office_changes_with_calendars (account_id, part, id, platform, state, position, changed_by, changed_at)
select account_id, part, id, platform, state, position, changed_by, changed_at from office_changes;
drop table office_changes;
alter table office_changes_with_calendars rename to office_changes;
create index office_changes_of_account on office_changes (account_id, position);
insert into office_changes (account_id, part, id, platform, state, position, changed_by, changed_at)
select u.account_id, 'calendar', c.id, '', 'created', 0, '', c.updated_at from unit_calendars c join units u on u.id = c.unit_id;
