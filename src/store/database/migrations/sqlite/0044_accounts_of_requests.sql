-- The account whose request it is, set by the decision: a platform's ID may lead to another unit later. Null if no landlord is
-- known, or until the decision. `unit_id` of a refused request is the requested unit from then on.
alter table booking_requests add column account_id text;
update booking_requests set account_id = b.account_id from bookings b where b.request_id = booking_requests.id;
update booking_requests set account_id = n.account_id from notifications n
where n.request_id = booking_requests.id and booking_requests.account_id is null and booking_requests.state <> 'New';
update booking_requests set account_id = b.account_id from
  (select platform, reference, min(account_id) as account_id from bookings where reference is not null
   group by platform, reference having count(*) = 1) b
where booking_requests.state = 'Dropped' and b.platform = booking_requests.platform and b.reference = booking_requests.reference
  and booking_requests.account_id is null;
create index booking_requests_of_account on booking_requests (account_id, received_at) where account_id is not null;

-- Changes of tenants and of payments, whose subjects these are. Units are those of the stays. SQLite cannot change a check.
create table changes_of_more_kinds (
  position integer primary key check (position > 0),
  id text not null,
  kind text not null check (kind in ('account', 'unit', 'calendar', 'credentials', 'tenant', 'payment')),
  accounts text not null check (json_valid(accounts) and json_type(accounts) = 'array'),
  units text not null check (json_valid(units) and json_type(units) = 'array'),
  subjects text not null check (json_valid(subjects) and json_type(subjects) = 'array'),
  at text not null
) strict;
insert into changes_of_more_kinds (position, id, kind, accounts, units, subjects, at)
select position, id, kind, accounts, units, subjects, at from changes;
drop table changes;
alter table changes_of_more_kinds rename to changes;
create index changes_of_portfolio on changes (position) where kind in ('account', 'unit');
