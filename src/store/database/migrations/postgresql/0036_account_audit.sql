-- The account that an entry is about, so that its users can read the entry. Null if the entry concerns several accounts or none, and
-- if it was written before. It references no row: entries outlive their account.
alter table audit add column account_id uuid;
create index audit_of_account on audit (account_id, made_at, id) where account_id is not null;
