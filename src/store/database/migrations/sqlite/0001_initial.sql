-- The whole domain: portfolio, requests and bookings, outbox, credentials, and who may write.
--
-- Money is in cents of the account's currency; the bound is the domain's amount limit. A null last night is a
-- block without end. Lists without identity of their own are JSON text; ids, days and moments are ISO text, whose
-- order is theirs. Every index serves a query or a foreign key's cascade.

create table accounts (
  id text primary key,
  company_name text not null,
  logo_url text,
  currency text not null check (currency glob '[A-Z][A-Z][A-Z]'),
  landlord_key text not null constraint accounts_landlord_key unique check (landlord_key <> ''),
  contract_type text not null,
  check_in_time text not null check (check_in_time glob '[0-2][0-9]:[0-5][0-9]' and check_in_time < '24'),
  check_out_time text not null check (check_out_time glob '[0-2][0-9]:[0-5][0-9]' and check_out_time < '24'),
  advance_notice_days integer not null check (advance_notice_days >= 0),
  payment_terms text not null check (json_valid(payment_terms) and json_type(payment_terms) = 'object'),
  native_engine integer not null check (native_engine in (0, 1)),
  property_creation integer not null check (property_creation in (0, 1)),
  tenant_categories text not null
     check (json_valid(tenant_categories) and json_type(tenant_categories) = 'array'),
  ai_areas text not null check (json_valid(ai_areas) and json_type(ai_areas) = 'object'),
  changed_version integer not null default 0,
  created_at text not null,
  updated_at text not null
) strict;
create index accounts_changed on accounts (changed_version);

create table platform_cards (
  account_id text not null references accounts on delete cascade,
  platform text not null check (platform <> ''),
  integration_email text,
  markup_mode text not null check (markup_mode in ('none', 'percentage', 'fixed')),
  markup_value integer not null check (abs(markup_value) < 10000000000),
  calendar_block_days integer check (calendar_block_days >= 0),
  primary key (account_id, platform)
) strict;

create table users (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  email text not null check (email <> ''),
  password_hash text,
  first_name text not null,
  last_name text not null,
  role text not null,
  ai_access integer not null check (ai_access in (0, 1)),
  deactivated integer not null check (deactivated in (0, 1)),
  created_at text not null,
  updated_at text not null
) strict;
create unique index users_email on users (lower(email));
create index users_account on users (account_id);

create table properties (
  id text primary key,
  account_id text not null references accounts,
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
  latitude real check (latitude between -90 and 90),
  longitude real check (longitude between -180 and 180),
  partner_currency text check (partner_currency glob '[A-Z][A-Z][A-Z]'),
  cleaning_fee_enabled integer not null check (cleaning_fee_enabled in (0, 1)),
  cleaning_fee_cents integer not null check (cleaning_fee_cents between 0 and 9999999999),
  cleaning_fee_frequency text not null,
  monthly_bills_cents integer check (monthly_bills_cents between 0 and 9999999999),
  membership_fee_cents integer check (membership_fee_cents between 0 and 9999999999),
  parking_cents integer check (parking_cents between 0 and 9999999999),
  size_square_metres integer check (size_square_metres >= 0),
  wifi_password text,
  features text not null check (json_valid(features) and json_type(features) = 'array'),
  rules text not null check (json_valid(rules) and json_type(rules) = 'array'),
  description text not null check (json_valid(description) and json_type(description) = 'object'),
  images text not null check (json_valid(images) and json_type(images) = 'array'),
  archived integer not null check (archived in (0, 1)),
  contract_type text,
  payment_terms text
     check (payment_terms is null or (json_valid(payment_terms) and json_type(payment_terms) = 'object')),
  part_month text not null default 'daily' check (part_month in ('daily', 'fortnightly', 'monthly')),
  origin_platform text check (origin_platform <> ''),
  origin_id text check (origin_id <> ''),
  created_at text not null,
  updated_at text not null,
  constraint properties_of_account unique (account_id, id),
  check ((origin_platform is null) = (origin_id is null))
) strict;
create index properties_of_platform on properties (account_id, origin_platform, origin_id)
    where origin_platform is not null;

create table units (
  id text primary key,
  account_id text not null,
  property_id text not null,
  internal_name text not null check (internal_name <> ''),
  kind text not null check (kind in ('property', 'room', 'bed')),
  room_label text not null,
  capacity integer not null check (capacity >= 1),
  rent_fixed integer not null check (rent_fixed in (0, 1)),
  rent_cents integer not null check (rent_cents between 0 and 9999999999),
  min_stay_months integer check (min_stay_months >= 0),
  max_stay_months integer check (max_stay_months >= 0),
  extra_price_per_tenant_cents integer not null check (extra_price_per_tenant_cents between 0 and 9999999999),
  extra_deposit_per_tenant_cents integer not null
     check (extra_deposit_per_tenant_cents between 0 and 9999999999),
  bills_included integer not null check (bills_included in (0, 1)),
  bills_max_cents integer check (bills_max_cents between 0 and 9999999999),
  admin_fee_enabled integer not null check (admin_fee_enabled in (0, 1)),
  admin_fee_mode text not null check (admin_fee_mode in ('fixed', 'tiered')),
  admin_fee_cents integer not null check (admin_fee_cents between 0 and 9999999999),
  admin_fee_tiers text not null check (json_valid(admin_fee_tiers) and json_type(admin_fee_tiers) = 'array'),
  deposit_mode text not null check (deposit_mode in ('fixed', 'rent_multiple')),
  deposit_value integer not null check (deposit_value between 0 and 9999999999),
  exit_fee_cents integer not null check (exit_fee_cents between 0 and 9999999999),
  local_rent_cap_cents integer check (local_rent_cap_cents between 0 and 9999999999),
  preparation_days integer not null check (preparation_days >= 0),
  advance_notice_days integer check (advance_notice_days >= 0),
  short_term_ical_max_date text check (date(short_term_ical_max_date) = short_term_ical_max_date),
  size_square_metres integer check (size_square_metres >= 0),
  floor text,
  min_age integer check (min_age >= 0),
  max_age integer check (max_age >= 0),
  registration_number text,
  features text not null check (json_valid(features) and json_type(features) = 'array'),
  title text not null check (json_valid(title) and json_type(title) = 'object'),
  description text not null check (json_valid(description) and json_type(description) = 'object'),
  images text not null check (json_valid(images) and json_type(images) = 'array'),
  archived integer not null check (archived in (0, 1)),
  created_at text not null,
  updated_at text not null,
  constraint units_property foreign key (account_id, property_id) references properties (account_id, id),
  constraint units_of_account unique (account_id, id),
  constraint units_internal_name unique (account_id, internal_name)
) strict;
create index units_of_property on units (property_id);

create table unit_month_rents (
  unit_id text not null references units on delete cascade,
  month integer not null check (month between 1 and 12),
  rent_cents integer not null check (rent_cents between 0 and 9999999999),
  created_at text not null,
  updated_at text not null,
  primary key (unit_id, month)
) strict;

create table booking_windows (
  unit_id text not null references units on delete cascade,
  position integer not null check (position >= 0),
  min_start text not null check (date(min_start) = min_start),
  max_start text not null check (date(max_start) = max_start),
  min_end text not null check (date(min_end) = min_end),
  max_end text not null check (date(max_end) = max_end),
  primary key (unit_id, position),
  check (min_start <= max_start and min_end <= max_end)
) strict;

create table links (
  unit_id text not null,
  account_id text not null,
  platform text not null check (platform <> ''),
  external_id text not null check (external_id <> ''),
  url text,
  constraint links_unit_platform primary key (unit_id, platform),
  constraint links_external_id unique (account_id, platform, external_id),
  foreign key (account_id, unit_id) references units (account_id, id) on delete cascade
) strict;

create table exclusions (
  unit_id text not null references units on delete cascade,
  platform text not null check (platform <> ''),
  primary key (unit_id, platform)
) strict;

-- What platforms changed of a unit. The edit is its number in portfolio_state.
create table changelog (
  id text primary key,
  edit integer not null constraint changelog_edit unique,
  account_id text not null,
  unit_id text not null,
  changed_at text not null,
  changed_by text not null check (changed_by <> ''),
  changes text not null check (json_valid(changes) and json_type(changes) = 'array'),
  foreign key (account_id, unit_id) references units (account_id, id) on delete cascade
) strict;
create index changelog_of_unit on changelog (unit_id, edit);

create table tenants (
  id text not null,
  account_id text not null,
  first_name text not null,
  last_name text,
  email text not null,
  fiscal_id text,
  phone text,
  nationality text,
  category text,
  created_at text not null,
  primary key (account_id, id)
) strict;

create table booking_requests (
  seq integer primary key autoincrement,
  id text not null constraint booking_requests_id unique,
  state text not null default 'New' check (state in ('New', 'Success', 'Failed', 'Dropped')),
  platform text not null check (platform <> ''),
  external_id text not null check (external_id <> ''),
  unit_id text,
  reference text,
  check_in text not null check (date(check_in) = check_in),
  check_out text not null check (date(check_out) = check_out),
  occupants integer not null check (occupants >= 1),
  provider_payment_cents integer check (provider_payment_cents between 0 and 9999999999),
  ota_commission_cents integer check (ota_commission_cents between 0 and 9999999999),
  first_name text not null,
  last_name text,
  email text not null,
  fiscal_id text,
  phone text,
  nationality text,
  received_at text not null,
  decided_at text,
  refusal text check (refusal <> ''),
  check ((state = 'New') = (decided_at is null)),
  check (refusal is null or state = 'Failed')
) strict;
create index booking_requests_new on booking_requests (seq) where state = 'New';

-- How many requests are in each final state: a count of all history would cost too much.
create table request_totals (
  state text primary key check (state in ('Success', 'Failed', 'Dropped')),
  total integer not null check (total >= 0)
) strict;
insert into request_totals (state, total) values ('Success', 0), ('Failed', 0), ('Dropped', 0);

-- A booking blocks its nights from check-in to last_night itself, without a row of blocks. A decision's foreign keys
-- are those that could catch a wrong one; its request, and its account by way of the unit, are there in any case.
create table bookings (
  id text primary key,
  request_id text not null constraint bookings_request unique,
  account_id text not null,
  unit_id text not null,
  tenant_id text not null,
  platform text not null check (platform <> ''),
  reference text,
  check_in text not null check (date(check_in) = check_in),
  check_out text not null check (date(check_out) = check_out),
  last_night text not null check (date(last_night) = last_night),
  occupants integer not null check (occupants >= 1),
  status text not null check (status in ('confirmed', 'checked_in', 'checked_out', 'cancelled')),
  provider_payment_cents integer not null check (provider_payment_cents between 0 and 9999999999),
  ota_commission_cents integer check (ota_commission_cents between 0 and 9999999999),
  terms text not null check (json_type(terms) = 'object'),
  cancelled_by text check (cancelled_by in ('platform', 'landlord')),
  cancelled_at text,
  created_at text not null,
  updated_at text not null,
  check ((status = 'cancelled') = (cancelled_at is not null)),
  check ((cancelled_by is null) = (cancelled_at is null)),
  check (check_in < check_out and check_out <= date(last_night, '+1 day')),
  foreign key (account_id, unit_id) references units (account_id, id),
  foreign key (account_id, tenant_id) references tenants (account_id, id)
) strict;
create unique index bookings_reference on bookings (reference, platform, account_id)
    where reference is not null;
create index bookings_to_check_in on bookings (check_in) where status = 'confirmed';
create index bookings_to_check_out on bookings (check_out) where status = 'checked_in';
create index bookings_of_unit on bookings (unit_id, check_in);

-- What PostgreSQL's exclusion constraint of the same name does: no two stays of a unit share a night.
create trigger bookings_no_overlap_insert before insert on bookings when new.status <> 'cancelled'
begin
  select raise(abort, 'bookings_no_overlap')
  where exists (select 1 from bookings
                where unit_id = new.unit_id and status <> 'cancelled'
                  and check_in < new.check_out and new.check_in < check_out);
end;
create trigger bookings_no_overlap_update before update of id, unit_id, check_in, check_out, status
    on bookings
when new.status <> 'cancelled'
begin
  select raise(abort, 'bookings_no_overlap')
  where exists (select 1 from bookings
                where unit_id = new.unit_id and status <> 'cancelled' and id <> old.id
                  and check_in < new.check_out and new.check_in < check_out);
end;

create table blocks (
  id text primary key,
  unit_id text not null references units on delete cascade,
  first_night text not null check (date(first_night) = first_night),
  last_night text check (date(last_night) = last_night),
  source text not null check (source in ('manual', 'channel')),
  host text not null check (host = '' or source = 'channel'),
  created_at text not null,
  updated_at text not null,
  check (first_night <= last_night)
) strict;
create index blocks_of_unit on blocks (unit_id);

-- What it is about and whose it is are never deleted, and foreign keys would cost a tenth of every decision.
create table notifications (
  id text primary key,
  account_id text not null,
  kind text not null check (kind <> ''),
  title text not null,
  body text not null,
  booking_id text,
  request_id text,
  created_at text not null
) strict;

create table outgoing_mail (
  id text primary key,
  recipient text not null check (recipient <> ''),
  subject text not null,
  text_body text not null,
  html_body text not null,
  created_at text not null,
  attempts integer not null default 0 check (attempts >= 0),
  next_attempt_at text,
  sent_at text,
  last_error text,
  check (sent_at is null or next_attempt_at is null)
) strict;
create index outgoing_mail_due on outgoing_mail (next_attempt_at) where next_attempt_at is not null;

create table ai_usage (
  id text primary key,
  account_id text not null references accounts,
  feature text not null check (feature <> ''),
  provider text not null,
  model text not null,
  input_tokens integer not null check (input_tokens >= 0),
  output_tokens integer not null check (output_tokens >= 0),
  cache_creation_input_tokens integer not null check (cache_creation_input_tokens >= 0),
  cache_read_input_tokens integer not null check (cache_read_input_tokens >= 0),
  cost text not null check (cast(cost as real) >= 0),
  currency text not null check (currency glob '[A-Z][A-Z][A-Z]'),
  pricing_snapshot text not null
     check (json_valid(pricing_snapshot) and json_type(pricing_snapshot) = 'object'),
  user_id text,
  source text,
  conversation_id text,
  reference_id text,
  metadata text check (metadata is null or json_valid(metadata) and json_type(metadata) = 'object'),
  created_at text not null
) strict;

create table partner_tokens (
  id text primary key,
  platform text not null check (platform <> ''),
  issued_at text not null,
  expires_at text not null,
  ended_at text,
  check (issued_at < expires_at)
) strict;

create table account_keys (
  id text primary key,
  account_id text not null constraint account_keys_account references accounts on delete cascade,
  hash text not null constraint account_keys_hash unique check (hash <> ''),
  last4 text not null,
  created_at text not null,
  ended_at text
) strict;

create table webhook_keys (
  id text primary key,
  hash text not null constraint webhook_keys_hash unique check (hash <> ''),
  last4 text not null,
  created_at text not null,
  ended_at text
) strict;

-- One row: who may write. No node: nobody.
create table writer_lease (
  id integer primary key check (id = 1),
  node text,
  epoch integer not null check (epoch >= 0),
  expires_at text not null
) strict;
insert into writer_lease (id, node, epoch, expires_at) values (1, null, 0, '1970-01-01T00:00:00Z');

-- One row: what a running server must pick up (the version, and the edits of single units), and what it has picked up
-- of the version.
create table portfolio_state (
  id integer primary key check (id = 1),
  version integer not null check (version >= 0),
  edits integer not null check (edits >= 0),
  applied_version integer not null check (applied_version >= 0)
) strict;
insert into portfolio_state (id, version, edits, applied_version) values (1, 0, 0, 0);
