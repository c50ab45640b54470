-- The ledger of AI model calls gets readers. Rows are only ever added; the database refuses everything else. JSON is kept as
-- the text that it came as, so that prices stay the numbers that were written.
create temporary table earlier_ai_usage on commit drop as select * from ai_usage;
drop table ai_usage;

create table ai_usage (
  id uuid primary key,
  account_id uuid references accounts,
  feature text not null check (feature <> ''),
  provider text not null,
  model text not null,
  input_tokens bigint not null check (input_tokens >= 0),
  output_tokens bigint not null check (output_tokens >= 0),
  cache_creation_input_tokens bigint not null check (cache_creation_input_tokens >= 0),
  cache_read_input_tokens bigint not null check (cache_read_input_tokens >= 0),
  cost numeric not null check (cost >= 0),
  currency currency_code not null,
  pricing_snapshot json not null check (json_typeof(pricing_snapshot) = 'object'),
  user_id text,
  source text,
  conversation_id text,
  reference_id text,
  metadata json check (json_typeof(metadata) = 'object'),
  created_at timestamptz not null check (created_at = date_trunc('milliseconds', created_at))
);
create index ai_usage_of_account on ai_usage (account_id, created_at desc, id desc);
create index ai_usage_of_feature on ai_usage (account_id, feature, created_at desc, id desc);

create function refuse_ai_usage_change() returns trigger language plpgsql as $$
begin
  raise exception 'ai_usage is append-only' using errcode = 'restrict_violation';
end $$;
create trigger ai_usage_append_only before update or delete or truncate on ai_usage
  for each statement execute function refuse_ai_usage_change();

-- What an account used on each UTC day, so that a summary of a year does not read millions of rows. System-wide calls are
-- not in it: nobody is shown them.
create table ai_usage_days (
  account_id uuid not null,
  day date not null,
  feature text not null,
  model text not null,
  calls bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cache_creation_input_tokens bigint not null,
  cache_read_input_tokens bigint not null,
  cost numeric not null,
  primary key (account_id, day, feature, model)
) with (fillfactor = 70);

-- The newest record of each feature and model, for the current price.
create table ai_usage_newest (
  account_id uuid not null,
  feature text not null,
  model text not null,
  id uuid not null,
  created_at timestamptz not null,
  pricing_snapshot json not null,
  primary key (account_id, feature, model)
) with (fillfactor = 70);

-- Both in the order of their keys: transactions that add rows at the same time must not wait for each other in a circle.
create function count_ai_usage() returns trigger language plpgsql as $$
begin
  insert into ai_usage_days as kept
    select account_id, (created_at at time zone 'UTC')::date, feature, model, count(*), sum(input_tokens),
           sum(output_tokens), sum(cache_creation_input_tokens), sum(cache_read_input_tokens), sum(cost)
    from added where account_id is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (account_id, day, feature, model) do update set
    calls = kept.calls + excluded.calls,
    input_tokens = kept.input_tokens + excluded.input_tokens,
    output_tokens = kept.output_tokens + excluded.output_tokens,
    cache_creation_input_tokens = kept.cache_creation_input_tokens + excluded.cache_creation_input_tokens,
    cache_read_input_tokens = kept.cache_read_input_tokens + excluded.cache_read_input_tokens,
    cost = kept.cost + excluded.cost;
  insert into ai_usage_newest as kept
    select distinct on (account_id, feature, model) account_id, feature, model, id, created_at, pricing_snapshot
    from added where account_id is not null order by account_id, feature, model, created_at desc, id desc
  on conflict (account_id, feature, model) do update set
    id = excluded.id, created_at = excluded.created_at, pricing_snapshot = excluded.pricing_snapshot
    where (excluded.created_at, excluded.id) > (kept.created_at, kept.id);
  return null;
end $$;
create trigger ai_usage_counted after insert on ai_usage referencing new table as added
  for each statement execute function count_ai_usage();

insert into ai_usage (id, account_id, feature, provider, model, input_tokens, output_tokens, cache_creation_input_tokens,
                      cache_read_input_tokens, cost, currency, pricing_snapshot, user_id, source, conversation_id,
                      reference_id, metadata, created_at)
  select id, account_id, feature, provider, model, input_tokens, output_tokens, cache_creation_input_tokens,
         cache_read_input_tokens, cost, currency, pricing_snapshot::json, user_id, source, conversation_id,
         reference_id, metadata::json, created_at
  from earlier_ai_usage;

create table usage_keys (
  id uuid primary key,
  hash text not null constraint usage_keys_hash unique check (hash <> ''),
  last4 text not null,
  created_at timestamptz not null,
  ended_at timestamptz
);
