-- What became of a partner's submission. `digest` is a keyed hash of the body; null: the rows of the request are compared. `is_put` marks
-- the request whose receipt a PUT has returned: every later PUT of the reference is compared with it. `taken_nights` are those that
-- a refusal was about, as ranges `first/last`.
alter table booking_requests add column digest text;
alter table booking_requests add column is_put boolean not null default false;
alter table booking_requests add column taken_nights text;
create index booking_requests_by_reference on booking_requests (reference, platform, seq) where reference is not null;
create unique index booking_requests_put on booking_requests (reference, platform) where is_put;

-- The last change of the outcome after the decision: a cancellation, or other dates. Null: none. A stay that has begun was updated when
-- its guest checked in, so the time of its last change is not known.
alter table bookings add column outcome_number bigint;
alter table bookings add column outcome_at timestamptz;
update bookings set outcome_at = cancelled_at where reference is not null and cancelled_at is not null;
update bookings b set outcome_at = b.updated_at from booking_requests r
where r.id = b.request_id and b.reference is not null and b.status = 'confirmed'
  and (b.check_in <> r.check_in or b.check_out <> r.check_out);

-- The outcomes of each platform in the order in which they changed: those with the numbers from `first_number` to `number`, as ids of
-- requests. The row of a platform in outcome_numbers is locked until the commit, which makes the order of numbers that of commits. The random
-- mark identifies the transaction: another store, such as a restored backup, may have other outcomes with the same numbers.
create table outcome_numbers (
  platform text primary key check (platform <> ''),
  number bigint not null check (number > 0)
);
create table outcome_changes (
  platform text not null,
  number bigint not null,
  first_number bigint not null check (first_number > 0),
  requests text not null check (requests <> ''),
  mark text not null default substr(md5(random()::text), 1, 8),
  primary key (platform, number),
  check (first_number <= number)
);
insert into outcome_changes (platform, number, first_number, requests)
select platform, position, position, id::text
from (select r.platform, r.id, row_number() over (partition by r.platform
        order by coalesce(b.outcome_at, r.decided_at), r.seq) as position
      from booking_requests r left join bookings b on b.request_id = r.id
      where r.reference is not null and r.state in ('Success', 'Failed')) decided;
insert into outcome_numbers (platform, number) select platform, max(number) from outcome_changes group by platform;
