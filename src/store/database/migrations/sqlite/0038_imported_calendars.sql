-- Calendars of other platforms that the service fetches, or that the office uploads if they have no URL. `revision` counts the
-- changes by the office: what was read of an earlier one is not stored. `etag` and `last_modified`
-- are those of the last good version; `problem` is why the last attempt brought none. `upload` is a text that is not read yet.
-- `every_seconds` is null if the configuration decides how often the calendar is fetched.
create table unit_calendars (
  id text primary key,
  unit_id text not null references units on delete cascade,
  name text not null check (name <> ''),
  url text,
  host text not null,
  revision integer not null default 0,
  every_seconds integer check (every_seconds >= 60),
  etag text not null default '',
  last_modified text not null default '',
  fetched_at text,
  succeeded_at text,
  failures integer not null default 0 check (failures >= 0),
  problem text not null default '',
  has_vanished integer not null default 0 check (has_vanished in (0, 1)),
  next_fetch text,
  upload text,
  created_at text not null,
  updated_at text not null
) strict;
create index calendars_of_unit on unit_calendars (unit_id);
create index calendars_to_fetch on unit_calendars (next_fetch) where next_fetch is not null;

-- The nights of the events in a calendar's last good version.
create table calendar_events (
  calendar_id text not null references unit_calendars on delete cascade,
  first_night text not null check (date(first_night) = first_night),
  last_night text not null check (date(last_night) = last_night and last_night >= first_night),
  primary key (calendar_id, first_night, last_night)
) strict;

-- The blocks that events become: on the nights that no booking has.
alter table blocks add column calendar_id text references unit_calendars on delete cascade;
create index blocks_of_calendar on blocks (calendar_id) where calendar_id is not null;

drop trigger blocks_not_booked_insert;
drop trigger blocks_not_booked_update;
create trigger blocks_not_booked_insert before insert on blocks when new.by_office or new.calendar_id is not null
begin
  select raise(abort, 'blocks_not_booked')
  where exists (select 1 from bookings where unit_id = new.unit_id and status <> 'cancelled' and check_out > new.first_night
                and (new.last_night is null or check_in <= new.last_night));
end;
create trigger blocks_not_booked_update before update of unit_id, first_night, last_night on blocks
when (new.by_office or new.calendar_id is not null) and (new.unit_id <> old.unit_id or new.first_night < old.first_night
     or (old.last_night is not null and (new.last_night is null or new.last_night > old.last_night)))
begin
  select raise(abort, 'blocks_not_booked')
  where exists (select 1 from bookings where unit_id = new.unit_id and status <> 'cancelled' and check_out > new.first_night
                and (new.last_night is null or check_in <= new.last_night)
                and (old.unit_id <> new.unit_id or check_out <= old.first_night or check_in > old.last_night));
end;
