-- Bookings that the office makes by hand: they have no request, and perhaps no platform. `revision` counts the changes of a stay, so
-- that servers can tell an old state from a new one.
alter table bookings alter column request_id drop not null;
alter table bookings alter column platform drop not null;
alter table bookings add column revision integer not null default 0 check (revision >= 0);
create index bookings_by_creation on bookings (account_id, created_at, id);
