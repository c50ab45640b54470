-- Nights that platforms hold for guests who are about to book. A hold ends at `expires_at`, unless a booking request has claimed it by
-- then: it takes over the nights, and its decision ends the hold. The row remains for a while, so that a repeated request is
-- recognized. `id` is the platform's; calendars know the hold by `block_id`. `last_night` includes the unit's preparation.
create table holds (
  platform text not null check (platform <> ''),
  id text not null check (id <> ''),
  block_id uuid not null unique,
  unit_id uuid not null references units on delete cascade,
  external_id text not null,
  check_in date not null,
  check_out date not null,
  last_night date not null,
  minutes integer not null check (minutes between 1 and 30),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  request_id uuid,
  ended_at timestamptz,
  primary key (platform, id),
  check (check_in < check_out and check_out <= last_night + 1),
  constraint holds_no_overlap
    exclude using gist (unit_id with =, daterange(check_in, check_out) with &&) where (ended_at is null)
);
create index holds_to_expire on holds (expires_at) where ended_at is null and request_id is null;
create index holds_of_request on holds (request_id) where ended_at is null and request_id is not null;
create index holds_unclaimed on holds (platform, unit_id) where ended_at is null and request_id is null;
create index holds_of_unit on holds (unit_id) where ended_at is null;
create index holds_ended on holds (ended_at) where ended_at is not null;

-- Whether the card's platform may hold nights.
alter table platform_cards add column allow_holds boolean not null default true;

-- No night is both held and booked or blocked by the office, whatever the code above the database does: a hold begins on free nights
-- only, and only the request that has claimed it begins to take its nights. Imported blocks may cover held nights: they are sold
-- elsewhere. Checked at the commit, like bookings_not_blocked.
create function refuse_held_stay() returns trigger language plpgsql as $$
begin
  if exists (select 1 from holds where unit_id = new.unit_id and ended_at is null and check_in < new.check_out
             and check_out > new.check_in and (request_id is null or request_id is distinct from new.request_id)) then
    raise exception using errcode = 'exclusion_violation', constraint = 'bookings_not_held', table = 'bookings',
      message = 'a night of the stay is held';
  end if;
  return null;
end $$;
create constraint trigger bookings_not_held_insert after insert on bookings deferrable initially deferred
  for each row when (new.status <> 'cancelled') execute function refuse_held_stay();
create constraint trigger bookings_not_held_update after update of unit_id, check_in, check_out, status on bookings
  deferrable initially deferred for each row
  when (new.status <> 'cancelled' and (old.status = 'cancelled' or new.unit_id <> old.unit_id
        or new.check_in < old.check_in or new.check_out > old.check_out))
  execute function refuse_held_stay();

create function refuse_held_block() returns trigger language plpgsql as $$
begin
  if exists (select 1 from holds where unit_id = new.unit_id and ended_at is null and check_out > new.first_night
             and (new.last_night is null or check_in <= new.last_night)
             and (tg_op = 'INSERT' or old.unit_id <> new.unit_id or check_out <= old.first_night
                  or check_in > old.last_night)) then
    raise exception using errcode = 'exclusion_violation', constraint = 'blocks_not_held', table = 'blocks',
      message = 'a blocked night is held';
  end if;
  return null;
end $$;
create constraint trigger blocks_not_held_insert after insert on blocks deferrable initially deferred
  for each row when (new.by_office) execute function refuse_held_block();
create constraint trigger blocks_not_held_update after update of unit_id, first_night, last_night on blocks
  deferrable initially deferred for each row
  when (new.by_office and (new.unit_id <> old.unit_id or new.first_night < old.first_night
        or (old.last_night is not null and (new.last_night is null or new.last_night > old.last_night))))
  execute function refuse_held_block();

create function refuse_taken_hold() returns trigger language plpgsql as $$
begin
  if exists (select 1 from bookings where unit_id = new.unit_id and status <> 'cancelled' and check_in < new.check_out
             and check_out > new.check_in)
     or exists (select 1 from blocks where unit_id = new.unit_id and first_night < new.check_out
                and (last_night is null or last_night >= new.check_in)) then
    raise exception using errcode = 'exclusion_violation', constraint = 'holds_of_free_nights', table = 'holds',
      message = 'a held night is taken';
  end if;
  return null;
end $$;
create constraint trigger holds_of_free_nights_insert after insert on holds deferrable initially deferred
  for each row when (new.ended_at is null) execute function refuse_taken_hold();
