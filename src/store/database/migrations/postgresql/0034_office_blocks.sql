-- Blocks that the office sets. `note` is only for the office. Imports neither remove nor change blocks of the office: those that it
-- created, and imported ones that it changed.
alter table blocks add column note text not null default '';
alter table blocks add column by_office boolean not null default false;

-- Blocks that the office deleted, and imported blocks that it changed, as they were: no later import brings them back.
create table replaced_blocks (
  id uuid primary key,
  unit_id uuid not null references units on delete cascade,
  first_night date not null,
  last_night date,
  source text not null check (source in ('manual', 'channel')),
  host text not null,
  imported boolean not null
);
create index replaced_blocks_of_unit on replaced_blocks (unit_id);

-- What clients created under ids of their choice, as a hash of the request: a repeated request is recognized.
create table office_creations (
  id uuid primary key,
  account_id uuid not null,
  request_hash text not null check (request_hash <> '')
);

-- What a change of a unit was about: a block, or the unit itself if it is null.
alter table changelog add column subject_id uuid;
create index changelog_of_subject on changelog (subject_id, edit) where subject_id is not null;

-- A block of the office does not begin to cover a booked night, whatever the code above the database does. Bookings that it covers
-- already remain as they are. Checked at the commit, like bookings_not_blocked.
create function refuse_booked_nights() returns trigger language plpgsql as $$
begin
  if exists (select 1 from bookings where unit_id = new.unit_id and status <> 'cancelled' and check_out > new.first_night
             and (new.last_night is null or check_in <= new.last_night)
             and (tg_op = 'INSERT' or old.unit_id <> new.unit_id or check_out <= old.first_night
                  or check_in > old.last_night)) then
    raise exception using errcode = 'exclusion_violation', constraint = 'blocks_not_booked', table = 'blocks',
      message = 'a blocked night is booked';
  end if;
  return null;
end $$;
create constraint trigger blocks_not_booked_insert after insert on blocks deferrable initially deferred
  for each row when (new.by_office) execute function refuse_booked_nights();
create constraint trigger blocks_not_booked_update after update of unit_id, first_night, last_night on blocks
  deferrable initially deferred for each row
  when (new.by_office and (new.unit_id <> old.unit_id or new.first_night < old.first_night
        or (old.last_night is not null and (new.last_night is null or new.last_night > old.last_night))))
  execute function refuse_booked_nights();
