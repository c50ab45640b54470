-- Portfolio files have imported calendars, so the office marks those that it creates, changes and deletes. It has created all that there
-- are.
alter table office_changes drop constraint office_changes_part_check;
alter table office_changes add constraint office_changes_part_check
  check (part in ('account', 'card', 'user', 'property', 'unit', 'link', 'exclusion', 'calendar'));
insert into office_changes (account_id, part, id, platform, state, position, changed_by, changed_at)
select u.account_id, 'calendar', c.id, '', 'created', 0, '', c.updated_at from unit_calendars c join units u on u.id = c.unit_id;
