-- Budgets of accounts for the costs of AI calls: {"monthly_cents": 5000, "warn_at": [50, 80, 100]}, thresholds in hundredths.
alter table accounts add column ai_budget text
  check (ai_budget is null or (json_valid(ai_budget) and json_type(ai_budget) = 'object'));
create index accounts_with_ai_budget on accounts (id) where ai_budget is not null;

-- The thresholds that users were warned of, once in each month, which is named by its first day.
create table ai_budget_warnings (
  account_id text not null references accounts on delete cascade,
  month text not null check (date(month) = month),
  threshold integer not null check (threshold > 0),
  warned_at text not null,
  primary key (month, account_id, threshold)
) strict, without rowid;
