-- Budgets of accounts for the costs of AI calls: {"monthly_cents": 5000, "warn_at": [50, 80, 100]}, thresholds in hundredths.
alter table accounts add column ai_budget jsonb check (jsonb_typeof(ai_budget) = 'object');
create index accounts_with_ai_budget on accounts (id) where ai_budget is not null;

-- The thresholds that users were warned of, once in each month, which is named by its first day.
create table ai_budget_warnings (
  account_id uuid not null references accounts on delete cascade,
  month date not null,
  threshold integer not null check (threshold > 0),
  warned_at timestamptz not null,
  primary key (month, account_id, threshold)
);
