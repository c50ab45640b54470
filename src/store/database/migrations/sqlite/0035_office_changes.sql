-- What the office created, changed or deleted of an account, so that imports respect it. `id` is that of an account, a user, a
-- property or a unit: of a card it is the account's, of a link or an exclusion the unit's. `position`, `changed_by` and `changed_at`
-- are those of the last change.
create table office_changes (
  account_id text not null references accounts on delete cascade,
  part text not null check (part in ('account', 'card', 'user', 'property', 'unit', 'link', 'exclusion')),
  id text not null,
  platform text not null,
  state text not null check (state in ('created', 'changed', 'deleted')),
  position integer not null,
  changed_by text not null,
  changed_at text not null,
  primary key (part, id, platform)
) strict;
create index office_changes_of_account on office_changes (account_id, position);
