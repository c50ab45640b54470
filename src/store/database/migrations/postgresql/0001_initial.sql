-- The whole domain: portfolio, requests and bookings, outbox, credentials, and who may write.
--
-- Money is in cents of the account's currency; the bound is the domain's amount limit. A null last night is a
-- block without end. Lists without identity of their own are jsonb. Every index serves a query or a foreign
-- key's cascade.

create extension if not exists btree_gist;

create domain amount as bigint check (value >= 0 and value < 10000000000);
create domain currency_code as text check (value ~ '^[A-Z]{3}$');

create table accounts (
  id uuid primary key,
  company_name text not null,
  logo_url text,
  currency currency_code not null,
  landlord_key text not null constraint accounts_landlord_key unique check (landlord_key <> ''),
  contract_type text not null,
  check_in_time text not null check (check_in_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  check_out_time text not null check (check_out_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  advance_notice_days integer not null check (advance_notice_days >= 0),
  payment_terms jsonb not null check (jsonb_typeof(payment_terms) = 'object'),
  native_engine boolean not null,
  property_creation boolean not null,
  tenant_categories jsonb not null check (jsonb_typeof(tenant_categories) = 'array'),
  ai_areas jsonb not null check (jsonb_typeof(ai_areas) = 'object'),
  changed_version bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index accounts_changed on accounts (changed_version);

create table platform_cards (
  account_id uuid not null references accounts on delete cascade,
  platform text not null check (platform <> ''),
  integration_email text,
  markup_mode text not null check (markup_mode in ('none', 'percentage', 'fixed')),
  markup_value bigint not null check (abs(markup_value) < 10000000000),
  calendar_block_days integer check (calendar_block_days >= 0),
  primary key (account_id, platform)
);

create table users (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  email text not null check (email <> ''),
  password_hash text,
  first_name text not null,
  last_name text not null,
  role text not null,
  ai_access boolean not null,
  deactivated boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index users_email on users (lower(email));
create index users_account on users (account_id);

create table properties (
  id uuid primary key,
  account_id uuid not null references accounts,
  internal_name text not null check (internal_name <> ''),
  type text not null check (type in ('apartment', 'house', 'studio', 'residence')),
  street text not null,
  house_number text not null,
  floor text not null,
  postal_code text not null,
  city text not null,
  region text not null,
  neighborhood text not null,
  country_code text not null,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  partner_currency currency_code,
  cleaning_fee_enabled boolean not null,
  cleaning_fee_cents amount not null,
  cleaning_fee_frequency text not null,
  monthly_bills_cents amount,
  membership_fee_cents amount,
  parking_cents amount,
  size_square_metres integer check (size_square_metres >= 0),
  wifi_password text,
  features jsonb not null check (jsonb_typeof(features) = 'array'),
  rules jsonb not null check (jsonb_typeof(rules) = 'array'),
  description jsonb not null check (jsonb_typeof(description) = 'object'),
  images jsonb not null check (jsonb_typeof(images) = 'array'),
  archived boolean not null,
  contract_type text,
  payment_terms jsonb check (jsonb_typeof(payment_terms) = 'object'),
  part_month text not null default 'daily' check (part_month in ('daily', 'fortnightly', 'monthly')),
  origin_platform text check (origin_platform <> ''),
  origin_id text check (origin_id <> ''),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint properties_of_account unique (account_id, id),
  check ((origin_platform is null) = (origin_id is null))
);
create index properties_of_platform on properties (account_id, origin_platform, origin_id)
    where origin_platform is not null;

create table units (
  id uuid primary key,
  account_id uuid not null,
  property_id uuid not null,
  internal_name text not null check (internal_name <> ''),
  kind text not null check (kind in ('property', 'room', 'bed')),
  room_label text not null,
  capacity integer not null check (capacity >= 1),
  rent_fixed boolean not null,
  rent_cents amount not null,
  min_stay_months integer check (min_stay_months >= 0),
  max_stay_months integer check (max_stay_months >= 0),
  extra_price_per_tenant_cents amount not null,
  extra_deposit_per_tenant_cents amount not null,
  bills_included boolean not null,
  bills_max_cents amount,
  admin_fee_enabled boolean not null,
  admin_fee_mode text not null check (admin_fee_mode in ('fixed', 'tiered')),
  admin_fee_cents amount not null,
  admin_fee_tiers jsonb not null check (jsonb_typeof(admin_fee_tiers) = 'array'),
  deposit_mode text not null check (deposit_mode in ('fixed', 'rent_multiple')),
  deposit_value amount not null,
  exit_fee_cents amount not null,
  local_rent_cap_cents amount,
  preparation_days integer not null check (preparation_days >= 0),
  advance_notice_days integer check (advance_notice_days >= 0),
  short_term_ical_max_date date,
  size_square_metres integer check (size_square_metres >= 0),
  floor text,
  min_age integer check (min_age >= 0),
  max_age integer check (max_age >= 0),
  registration_number text,
  features jsonb not null check (jsonb_typeof(features) = 'array'),
  title jsonb not null check (jsonb_typeof(title) = 'object'),
  description jsonb not null check (jsonb_typeof(description) = 'object'),
  images jsonb not null check (jsonb_typeof(images) = 'array'),
  archived boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint units_property foreign key (account_id, property_id) references properties (account_id, id),
  constraint units_of_account unique (account_id, id),
  constraint units_internal_name unique (account_id, internal_name)
);
create index units_of_property on units (property_id);

create table unit_month_rents (
  unit_id uuid not null references units on delete cascade,
  month integer not null check (month between 1 and 12),
  rent_cents amount not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (unit_id, month)
);

create table booking_windows (
  unit_id uuid not null references units on delete cascade,
  position integer not null check (position >= 0),
  min_start date not null,
  max_start date not null,
  min_end date not null,
  max_end date not null,
  primary key (unit_id, position),
  check (min_start <= max_start and min_end <= max_end)
);

create table links (
  unit_id uuid not null,
  account_id uuid not null,
  platform text not null check (platform <> ''),
  external_id text not null check (external_id <> ''),
  url text,
  constraint links_unit_platform primary key (unit_id, platform),
  constraint links_external_id unique (account_id, platform, external_id),
  foreign key (account_id, unit_id) references units (account_id, id) on delete cascade
);

create table exclusions (
  unit_id uuid not null references units on delete cascade,
  platform text not null check (platform <> ''),
  primary key (unit_id, platform)
);

-- What platforms changed of a unit. The edit is its number in portfolio_state.
create table changelog (
  id uuid primary key,
  edit bigint not null constraint changelog_edit unique,
  account_id uuid not null,
  unit_id uuid not null,
  changed_at timestamptz not null,
  changed_by text not null check (changed_by <> ''),
  changes jsonb not null check (jsonb_typeof(changes) = 'array'),
  foreign key (account_id, unit_id) references units (account_id, id) on delete cascade
);
create index changelog_of_unit on changelog (unit_id, edit);

create table tenants (
  id uuid not null,
  account_id uuid not null,
  first_name text not null,
  last_name text,
  email text not null,
  fiscal_id text,
  phone text,
  nationality text,
  category text,
  created_at timestamptz not null,
  primary key (account_id, id)
);

create table booking_requests (
  id uuid primary key,
  seq bigint generated always as identity,
  state text not null default 'New' check (state in ('New', 'Success', 'Failed', 'Dropped')),
  platform text not null check (platform <> ''),
  external_id text not null check (external_id <> ''),
  unit_id uuid,
  reference text,
  check_in date not null,
  check_out date not null,
  occupants integer not null check (occupants >= 1),
  provider_payment_cents amount,
  ota_commission_cents amount,
  first_name text not null,
  last_name text,
  email text not null,
  fiscal_id text,
  phone text,
  nationality text,
  received_at timestamptz not null,
  decided_at timestamptz,
  refusal text check (refusal <> ''),
  check ((state = 'New') = (decided_at is null)),
  check (refusal is null or state = 'Failed')
);
create index booking_requests_new on booking_requests (seq) where state = 'New';

-- How many requests are in each final state: a count of all history would cost too much.
create table request_totals (
  state text primary key check (state in ('Success', 'Failed', 'Dropped')),
  total bigint not null check (total >= 0)
);
insert into request_totals (state, total) values ('Success', 0), ('Failed', 0), ('Dropped', 0);

-- A booking blocks its nights from check-in to last_night itself, without a row of blocks. A decision's foreign keys
-- are those that could catch a wrong one; its request, and its account by way of the unit, are there in any case.
create table bookings (
  id uuid primary key,
  request_id uuid not null constraint bookings_request unique,
  account_id uuid not null,
  unit_id uuid not null,
  tenant_id uuid not null,
  platform text not null check (platform <> ''),
  reference text,
  check_in date not null,
  check_out date not null,
  last_night date not null,
  occupants integer not null check (occupants >= 1),
  status text not null check (status in ('confirmed', 'checked_in', 'checked_out', 'cancelled')),
  provider_payment_cents amount not null,
  ota_commission_cents amount,
  terms json not null check (json_typeof(terms) = 'object'),
  cancelled_by text check (cancelled_by in ('platform', 'landlord')),
  cancelled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((status = 'cancelled') = (cancelled_at is not null)),
  check ((cancelled_by is null) = (cancelled_at is null)),
  check (check_in < check_out and check_out <= last_night + 1),
  foreign key (account_id, unit_id) references units (account_id, id),
  foreign key (account_id, tenant_id) references tenants (account_id, id),
  constraint bookings_no_overlap
    exclude using gist (unit_id with =, daterange(check_in, check_out) with &&) where (status <> 'cancelled')
);
create unique index bookings_reference on bookings (reference, platform, account_id)
    where reference is not null;
create index bookings_to_check_in on bookings (check_in) where status = 'confirmed';
create index bookings_to_check_out on bookings (check_out) where status = 'checked_in';
create index bookings_of_unit on bookings (account_id, unit_id);

create table blocks (
  id uuid primary key,
  unit_id uuid not null references units on delete cascade,
  first_night date not null,
  last_night date,
  source text not null check (source in ('manual', 'channel')),
  host text not null check (host = '' or source = 'channel'),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (first_night <= last_night)
);
create index blocks_of_unit on blocks (unit_id);

-- What it is about and whose it is are never deleted, and foreign keys would cost a tenth of every decision.
create table notifications (
  id uuid primary key,
  account_id uuid not null,
  kind text not null check (kind <> ''),
  title text not null,
  body text not null,
  booking_id uuid,
  request_id uuid,
  created_at timestamptz not null
);

create table outgoing_mail (
  id uuid primary key,
  recipient text not null check (recipient <> ''),
  subject text not null,
  text_body text not null,
  html_body text not null,
  created_at timestamptz not null,
  attempts integer not null default 0 check (attempts >= 0),
  next_attempt_at timestamptz,
  sent_at timestamptz,
  last_error text,
  check (sent_at is null or next_attempt_at is null)
);
create index outgoing_mail_due on outgoing_mail (next_attempt_at) where next_attempt_at is not null;

create table ai_usage (
  id uuid primary key,
  account_id uuid not null references accounts,
  feature text not null check (feature <> ''),
  provider text not null,
  model text not null,
  input_tokens bigint not null check (input_tokens >= 0),
  output_tokens bigint not null check (output_tokens >= 0),
  cache_creation_input_tokens bigint not null check (cache_creation_input_tokens >= 0),
  cache_read_input_tokens bigint not null check (cache_read_input_tokens >= 0),
  cost numeric not null check (cost >= 0),
  currency currency_code not null,
  pricing_snapshot jsonb not null check (jsonb_typeof(pricing_snapshot) = 'object'),
  user_id text,
  source text,
  conversation_id text,
  reference_id text,
  metadata jsonb check (jsonb_typeof(metadata) = 'object'),
  created_at timestamptz not null
);

create table partner_tokens (
  id uuid primary key,
  platform text not null check (platform <> ''),
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  check (issued_at < expires_at)
);

create table account_keys (
  id uuid primary key,
  account_id uuid not null constraint account_keys_account references accounts on delete cascade,
  hash text not null constraint account_keys_hash unique check (hash <> ''),
  last4 text not null,
  created_at timestamptz not null,
  ended_at timestamptz
);

create table webhook_keys (
  id uuid primary key,
  hash text not null constraint webhook_keys_hash unique check (hash <> ''),
  last4 text not null,
  created_at timestamptz not null,
  ended_at timestamptz
);

-- One row: who may write. No node: nobody.
create table writer_lease (
  id integer primary key check (id = 1),
  node text,
  epoch bigint not null check (epoch >= 0),
  expires_at timestamptz not null
);
insert into writer_lease (id, node, epoch, expires_at) values (1, null, 0, '1970-01-01T00:00:00Z');

-- One row: what a running server must pick up (the version, and the edits of single units), and what it has picked up
-- of the version.
create table portfolio_state (
  id integer primary key check (id = 1),
  version bigint not null check (version >= 0),
  edits bigint not null check (edits >= 0),
  applied_version bigint not null check (applied_version >= 0)
);
insert into portfolio_state (id, version, edits, applied_version) values (1, 0, 0, 0);
