-- What was received of the lines of payment plans, with the line as it was then: a plan that is calculated again may not have it
-- any more. `id` follows from the booking, the kind and the start of the period. Bookings are never deleted.
create table received_payments (
  id text primary key,
  account_id text not null,
  booking_id text not null,
  kind text not null check (kind in ('rent', 'deposit', 'admin_fee', 'cleaning_fee', 'exit_fee', 'provider_platform_payment')),
  payer text not null check (payer in ('tenant', 'platform')),
  period_first text,
  period_last text,
  due text not null,
  owed_cents integer not null check (owed_cents between 0 and 9999999999),
  received_on text not null,
  received_cents integer not null check (received_cents between 1 and 9999999999),
  note text not null,
  received_by text not null check (received_by <> ''),
  recorded_at text not null,
  check ((period_first is null) = (period_last is null))
) strict;
create index received_payments_of_booking on received_payments (booking_id);
