-- The account whose request it is, set by the decision: a platform's ID may lead to another unit later. Null if no landlord is
-- known, or until the decision. `unit_id` of a refused request is the requested unit from then on.
alter table booking_requests add column account_id uuid;
update booking_requests r set account_id = b.account_id from bookings b where b.request_id = r.id;
update booking_requests r set account_id = n.account_id from notifications n
where n.request_id = r.id and r.account_id is null and r.state <> 'New';
update booking_requests r set account_id = b.account_id from
  (select platform, reference, min(account_id::text)::uuid as account_id from bookings where reference is not null
   group by platform, reference having count(*) = 1) b
where r.state = 'Dropped' and b.platform = r.platform and b.reference = r.reference and r.account_id is null;
create index booking_requests_of_account on booking_requests (account_id, received_at) where account_id is not null;

-- Changes of tenants and of payments, whose subjects these are. Units are those of the stays.
alter table changes drop constraint changes_kind_check;
alter table changes add constraint changes_kind_check
  check (kind in ('account', 'unit', 'calendar', 'credentials', 'tenant', 'payment'));
