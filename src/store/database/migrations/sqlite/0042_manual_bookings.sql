-- Bookings that the office makes by hand: they have no request, and perhaps no platform. `revision` counts the changes of a stay, so
-- that servers can tell an old state from a new one. SQLite drops a NOT NULL only with a new table; the triggers of blocks refer to
-- the old one, so they are created again, too.
drop trigger blocks_not_booked_insert;
drop trigger blocks_not_booked_update;

create table bookings_by_hand (
  id text primary key,
  request_id text constraint bookings_request unique,
  account_id text not null,
  unit_id text not null,
  tenant_id text not null,
  platform text check (platform <> ''),
  reference text,
  check_in text not null check (date(check_in) = check_in),
  check_out text not null check (date(check_out) = check_out),
  last_night text not null check (date(last_night) = last_night),
  occupants integer not null check (occupants >= 1),
  status text not null check (status in ('confirmed', 'checked_in', 'checked_out', 'cancelled')),
  provider_payment_cents integer not null check (provider_payment_cents between 0 and 9999999999),
  ota_commission_cents integer check (ota_commission_cents between 0 and 9999999999),
  terms text not null check (json_type(terms) = 'object'),
  cancelled_by text check (cancelled_by in ('platform', 'landlord')),
  cancelled_at text,
  created_at text not null,
  updated_at text not null,
  revision integer not null default 0 check (revision >= 0),
  check ((status = 'cancelled') = (cancelled_at is not null)),
  check ((cancelled_by is null) = (cancelled_at is null)),
  check (check_in < check_out and check_out <= date(last_night, '+1 day')),
  foreign key (account_id, unit_id) references units (account_id, id),
  foreign key (account_id, tenant_id) references tenants (account_id, id)
) strict;
insert into bookings_by_hand (id, request_id, account_id, unit_id, tenant_id, platform, reference, check_in, check_out, last_night,
                              occupants, status, provider_payment_cents, ota_commission_cents, terms, cancelled_by, cancelled_at,
                              created_at, updated_at)
select id, request_id, account_id, unit_id, tenant_id, platform, reference, check_in, check_out, last_night,
       occupants, status, provider_payment_cents, ota_commission_cents, terms, cancelled_by, cancelled_at,
       created_at, updated_at
from bookings order by rowid;
drop table bookings;
alter table bookings_by_hand rename to bookings;

create unique index bookings_reference on bookings (reference, platform, account_id)
    where reference is not null;
create index bookings_to_check_in on bookings (check_in) where status = 'confirmed';
create index bookings_to_check_out on bookings (check_out) where status = 'checked_in';
create index bookings_of_unit on bookings (unit_id, check_in);
create index bookings_by_creation on bookings (account_id, created_at, id);

-- As in migrations 8 and 33.
create trigger bookings_no_overlap_insert before insert on bookings when new.status <> 'cancelled'
begin
  select raise(abort, 'bookings_no_overlap')
  where new.check_in < (select check_out from bookings
                        where unit_id = new.unit_id and status <> 'cancelled' and check_in < new.check_out
                        order by check_in desc limit 1);
end;
create trigger bookings_no_overlap_update before update of id, unit_id, check_in, check_out, status
    on bookings
when new.status <> 'cancelled'
begin
  select raise(abort, 'bookings_no_overlap')
  where new.check_in < (select check_out from bookings
                        where unit_id = new.unit_id and status <> 'cancelled' and id <> old.id
                          and check_in < new.check_out
                        order by check_in desc limit 1);
end;
create trigger bookings_not_blocked_insert before insert on bookings when new.status <> 'cancelled'
begin
  select raise(abort, 'bookings_not_blocked')
  where exists (select 1 from blocks where unit_id = new.unit_id and first_night < new.check_out
                and (last_night is null or last_night >= new.check_in));
end;
create trigger bookings_not_blocked_update before update of unit_id, check_in, check_out, status on bookings
when new.status <> 'cancelled' and (old.status = 'cancelled' or new.unit_id <> old.unit_id
     or new.check_in < old.check_in or new.check_out > old.check_out)
begin
  select raise(abort, 'bookings_not_blocked')
  where exists (select 1 from blocks where unit_id = new.unit_id and first_night < new.check_out
                and (last_night is null or last_night >= new.check_in));
end;

-- As in migration 38.
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
