-- What was received of the lines of payment plans, with the line as it was then: a plan that is calculated again may not have it
-- any more. `id` follows from the booking, the kind and the start of the period. Bookings are never deleted.
create table received_payments (
  id uuid primary key,
  account_id uuid not null,
  booking_id uuid not null,
  kind text not null check (kind in ('rent', 'deposit', 'admin_fee', 'cleaning_fee', 'exit_fee', 'provider_platform_payment')),
  payer text not null check (payer in ('tenant', 'platform')),
  period_first date,
  period_last date,
  due date not null,
  owed_cents amount not null,
  received_on date not null,
  received_cents amount not null check (received_cents > 0),
  note text not null,
  received_by text not null check (received_by <> ''),
  recorded_at timestamptz not null,
  check ((period_first is null) = (period_last is null))
);
create index received_payments_of_booking on received_payments (booking_id);
