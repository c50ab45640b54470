-- What became of a partner's submission. `digest` is a keyed hash of the body; null: the rows of the request are compared. `is_put` marks
-- the request whose receipt a PUT has returned: every later PUT of the reference is compared with it. `taken_nights` are those that
-- a refusal was about, as ranges `first/last`.
alter table booking_requests add column digest text;
alter table booking_requests add column is_put integer not null default 0 check (is_put in (0, 1));
alter table booking_requests add column taken_nights text;
create index booking_requests_by_reference on booking_requests (reference, platform, seq) where reference is not null;
create unique index booking_requests_put on booking_requests (reference, platform) where is_put;

-- The last change of the outcome after the decision: a cancellation, or other dates. Null: none. A stay that has begun was updated when
-- its guest checked in, so the time of its last change is not known.
alter table bookings add column outcome_number integer;
alter table bookings add column outcome_at text;
update bookings set outcome_at = cancelled_at where reference is not null and cancelled_at is not null;
update bookings set outcome_at = bookings.updated_at from booking_requests r
where r.id = bookings.request_id and bookings.reference is not null and bookings.status = 'confirmed'
  and (bookings.check_in <> r.check_in or bookings.check_out <> r.check_out);

-- The outcomes of each platform in the order in which they changed: those with the numbers from `first_number` to `number`, as ids of
-- requests. The random mark identifies the transaction: another store, such as a restored backup, may have other outcomes with the same
-- numbers.
create table outcome_numbers (
  platform text primary key check (platform <> ''),
  number integer not null check (number > 0)
) strict;
create table outcome_changes (
  platform text not null,
  number integer not null,
  first_number integer not null check (first_number > 0),
  requests text not null check (requests <> ''),
  mark text not null default (lower(hex(randomblob(4)))),
  primary key (platform, number),
  check (first_number <= number)
) strict;
insert into outcome_changes (platform, number, first_number, requests)
select platform, position, position, id
from (select r.platform, r.id, row_number() over (partition by r.platform
        order by coalesce(b.outcome_at, r.decided_at), r.seq) as position
      from booking_requests r left join bookings b on b.request_id = r.id
      where r.reference is not null and r.state in ('Success', 'Failed')) decided;
insert into outcome_numbers (platform, number) select platform, max(number) from outcome_changes group by platform;
