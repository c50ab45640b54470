-- The ledger of AI model calls gets readers. Rows are only ever added; the database refuses everything else. SQLite has no
-- decimal numbers: a cost is kept as its text, and for sums it is cut into whole numbers of nine digits, which stand for
-- multiples of 10^9, 1, 10^-9 and 10^-18.
create temporary table earlier_ai_usage as select * from ai_usage;
drop table ai_usage;

create table ai_usage (
  id text primary key,
  account_id text references accounts,
  feature text not null check (feature <> ''),
  provider text not null,
  model text not null,
  input_tokens integer not null check (input_tokens >= 0),
  output_tokens integer not null check (output_tokens >= 0),
  cache_creation_input_tokens integer not null check (cache_creation_input_tokens >= 0),
  cache_read_input_tokens integer not null check (cache_read_input_tokens >= 0),
  cost text not null check (cost glob '[0-9]*' and cost not glob '*[^0-9.]*' and cost not glob '*.*.*'),
  cost_giga integer as (cast(substr('000000000000000000' || substr(cost, 1, instr(cost || '.', '.') - 1), -18, 9) as integer)),
  cost_one integer as (cast(substr('000000000000000000' || substr(cost, 1, instr(cost || '.', '.') - 1), -9) as integer)),
  cost_nano integer as (cast(substr(substr(cost, instr(cost || '.', '.') + 1) || '000000000000000000', 1, 9) as integer)),
  cost_atto integer as (cast(substr(substr(cost, instr(cost || '.', '.') + 1) || '000000000000000000', 10, 9) as integer)),
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
create index ai_usage_of_account on ai_usage (account_id, created_at desc, id desc);
create index ai_usage_of_feature on ai_usage (account_id, feature, created_at desc, id desc);

-- A row that is there already stays, even where an insert says "or replace".
create trigger ai_usage_keeps_rows before insert on ai_usage when exists (select 1 from ai_usage where id = new.id) begin
  select raise(ignore);
end;
create trigger ai_usage_refuses_updates before update on ai_usage begin
  select raise(abort, 'ai_usage is append-only');
end;
create trigger ai_usage_refuses_deletes before delete on ai_usage begin
  select raise(abort, 'ai_usage is append-only');
end;

-- What an account used on each UTC day. System-wide calls are not in it: nobody is shown them.
create table ai_usage_days (
  account_id text not null,
  day text not null,
  feature text not null,
  model text not null,
  calls integer not null,
  input_tokens integer not null,
  output_tokens integer not null,
  cache_creation_input_tokens integer not null,
  cache_read_input_tokens integer not null,
  cost_giga integer not null,
  cost_one integer not null,
  cost_nano integer not null,
  cost_atto integer not null,
  primary key (account_id, day, feature, model)
) strict, without rowid;

-- The newest record of each feature and model, for the current price.
create table ai_usage_newest (
  account_id text not null,
  feature text not null,
  model text not null,
  id text not null,
  created_at text not null,
  pricing_snapshot text not null,
  primary key (account_id, feature, model)
) strict, without rowid;

create trigger ai_usage_counted after insert on ai_usage when new.account_id is not null begin
  insert into ai_usage_days
    values (new.account_id, substr(new.created_at, 1, 10), new.feature, new.model, 1, new.input_tokens,
            new.output_tokens, new.cache_creation_input_tokens, new.cache_read_input_tokens, new.cost_giga,
            new.cost_one, new.cost_nano, new.cost_atto)
  on conflict do update set
    calls = calls + excluded.calls,
    input_tokens = input_tokens + excluded.input_tokens,
    output_tokens = output_tokens + excluded.output_tokens,
    cache_creation_input_tokens = cache_creation_input_tokens + excluded.cache_creation_input_tokens,
    cache_read_input_tokens = cache_read_input_tokens + excluded.cache_read_input_tokens,
    cost_giga = cost_giga + excluded.cost_giga,
    cost_one = cost_one + excluded.cost_one,
    cost_nano = cost_nano + excluded.cost_nano,
    cost_atto = cost_atto + excluded.cost_atto;
  insert into ai_usage_newest
    values (new.account_id, new.feature, new.model, new.id, new.created_at, new.pricing_snapshot)
  on conflict do update set
    id = excluded.id, created_at = excluded.created_at, pricing_snapshot = excluded.pricing_snapshot
    where (excluded.created_at, excluded.id) > (created_at, id);
end;

insert into ai_usage (id, account_id, feature, provider, model, input_tokens, output_tokens, cache_creation_input_tokens,
                      cache_read_input_tokens, cost, currency, pricing_snapshot, user_id, source, conversation_id,
                      reference_id, metadata, created_at)
  select * from earlier_ai_usage;
drop table earlier_ai_usage;

create table usage_keys (
  id text primary key,
  hash text not null constraint usage_keys_hash unique check (hash <> ''),
  last4 text not null,
  created_at text not null,
  ended_at text
) strict;
