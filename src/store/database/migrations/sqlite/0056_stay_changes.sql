-- Changes of stays that platforms request. `after_seq` is the newest booking request when a change arrived: the requests up to it are
-- decided before the change, later ones after it. `taken_nights` are those that a refusal was about, as ranges `first/last`.
create table stay_changes (
  seq integer primary key autoincrement,
  platform text not null check (platform <> ''),
  reference text not null check (reference <> ''),
  id text not null check (id <> ''),
  after_seq integer not null,
  check_in text not null check (date(check_in) = check_in),
  check_out text not null check (date(check_out) = check_out),
  occupants integer check (occupants >= 1),
  provider_payment_cents integer check (provider_payment_cents between 0 and 9999999999),
  requested_by text not null,
  received_at text not null,
  state text not null default 'pending' check (state in ('pending', 'applied', 'refused')),
  refusal text check (refusal <> ''),
  taken_nights text,
  decided_at text,
  unique (platform, reference, id),
  check ((state = 'pending') = (decided_at is null)),
  check ((state = 'refused') = (refusal is not null))
) strict;
create index stay_changes_pending on stay_changes (after_seq, seq) where state = 'pending';

-- The last change of the stay by the booking's platform, and the dates before it. Null: none.
alter table bookings add column platform_changed_at text;
alter table bookings add column platform_changed_check_in text;
alter table bookings add column platform_changed_check_out text;

-- Whether the card's platform may change bookings.
alter table platform_cards add column allow_changes integer not null default 1 check (allow_changes in (0, 1));
