-- Changes of stays that platforms request. `after_seq` is the newest booking request when a change arrived: the requests up to it are
-- decided before the change, later ones after it. `taken_nights` are those that a refusal was about, as ranges `first/last`.
create table stay_changes (
  platform text not null check (platform <> ''),
  reference text not null check (reference <> ''),
  id text not null check (id <> ''),
  seq bigint not null generated always as identity,
  after_seq bigint not null,
  check_in date not null,
  check_out date not null,
  occupants integer check (occupants >= 1),
  provider_payment_cents amount,
  requested_by text not null,
  received_at timestamptz not null,
  state text not null default 'pending' check (state in ('pending', 'applied', 'refused')),
  refusal text check (refusal <> ''),
  taken_nights text,
  decided_at timestamptz,
  primary key (platform, reference, id),
  check ((state = 'pending') = (decided_at is null)),
  check ((state = 'refused') = (refusal is not null))
);
create index stay_changes_pending on stay_changes (after_seq, seq) where state = 'pending';

-- The last change of the stay by the booking's platform, and the dates before it. Null: none.
alter table bookings add column platform_changed_at timestamptz;
alter table bookings add column platform_changed_check_in date;
alter table bookings add column platform_changed_check_out date;

-- Whether the card's platform may change bookings.
alter table platform_cards add column allow_changes boolean not null default true;
