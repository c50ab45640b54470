-- A property may belong to an owner, and a user of the role Owner is one owner's. Owners have no rows of their own.
alter table users add column owner_id uuid;
alter table properties add column owner_id uuid;
create index properties_of_owner on properties (owner_id) where owner_id is not null;
