-- Nights that platforms hold for guests who are about to book. A hold ends at `expires_at`, unless a booking request has claimed it by
-- then: it takes over the nights, and its decision ends the hold. The row remains for a while, so that a repeated request is
-- recognized. `id` is the platform's; calendars know the hold by `block_id`. `last_night` includes the unit's preparation.
create table holds (
  platform text not null check (platform <> ''),
  id text not null check (id <> ''),
  block_id text not null unique,
  unit_id text not null references units on delete cascade,
  external_id text not null,
  check_in text not null check (date(check_in) = check_in),
  check_out text not null check (date(check_out) = check_out),
  last_night text not null check (date(last_night) = last_night),
  minutes integer not null check (minutes between 1 and 30),
  created_at text not null,
  expires_at text not null,
  request_id text,
  ended_at text,
  primary key (platform, id),
  check (check_in < check_out and check_out <= date(last_night, '+1 day'))
) strict;
create index holds_to_expire on holds (expires_at) where ended_at is null and request_id is null;
create index holds_of_request on holds (request_id) where ended_at is null and request_id is not null;
create index holds_unclaimed on holds (platform, unit_id) where ended_at is null and request_id is null;
create index holds_of_unit on holds (unit_id) where ended_at is null;
create index holds_ended on holds (ended_at) where ended_at is not null;

-- Whether the card's platform may hold nights.
alter table platform_cards add column allow_holds integer not null default 1 check (allow_holds in (0, 1));

-- No night is both held and booked or blocked by the office, whatever the code above the database does: a hold begins on free nights
-- only, and only the request that has claimed it begins to take its nights. Imported blocks may cover held nights: they are sold
-- elsewhere.
create trigger holds_no_overlap before insert on holds when new.ended_at is null
begin
  select raise(abort, 'holds_no_overlap')
  where exists (select 1 from holds where unit_id = new.unit_id and ended_at is null and check_in < new.check_out
                and check_out > new.check_in);
end;
create trigger holds_of_free_nights_insert before insert on holds when new.ended_at is null
begin
  select raise(abort, 'holds_of_free_nights')
  where exists (select 1 from bookings where unit_id = new.unit_id and status <> 'cancelled' and check_in < new.check_out
                and check_out > new.check_in)
     or exists (select 1 from blocks where unit_id = new.unit_id and first_night < new.check_out
                and (last_night is null or last_night >= new.check_in));
end;
create trigger bookings_not_held_insert before insert on bookings when new.status <> 'cancelled'
begin
  select raise(abort, 'bookings_not_held')
  where exists (select 1 from holds where unit_id = new.unit_id and ended_at is null and check_in < new.check_out
                and check_out > new.check_in and (request_id is null or request_id is not new.request_id));
end;
create trigger bookings_not_held_update before update of unit_id, check_in, check_out, status on bookings
when new.status <> 'cancelled' and (old.status = 'cancelled' or new.unit_id <> old.unit_id
     or new.check_in < old.check_in or new.check_out > old.check_out)
begin
  select raise(abort, 'bookings_not_held')
  where exists (select 1 from holds where unit_id = new.unit_id and ended_at is null and check_in < new.check_out
                and check_out > new.check_in and (request_id is null or request_id is not new.request_id));
end;
create trigger blocks_not_held_insert before insert on blocks when new.by_office
begin
  select raise(abort, 'blocks_not_held')
  where exists (select 1 from holds where unit_id = new.unit_id and ended_at is null and check_out > new.first_night
                and (new.last_night is null or check_in <= new.last_night));
end;
create trigger blocks_not_held_update before update of unit_id, first_night, last_night on blocks
when new.by_office and (new.unit_id <> old.unit_id or new.first_night < old.first_night
     or (old.last_night is not null and (new.last_night is null or new.last_night > old.last_night)))
begin
  select raise(abort, 'blocks_not_held')
  where exists (select 1 from holds where unit_id = new.unit_id and ended_at is null and check_out > new.first_night
                and (new.last_night is null or check_in <= new.last_night)
                and (old.unit_id <> new.unit_id or check_out <= old.first_night or check_in > old.last_night));
end;
