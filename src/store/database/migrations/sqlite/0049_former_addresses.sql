-- Email addresses that tenants had before the office changed them. Refused requests may have them: an erasure finds these.
create table former_addresses (
  account_id text not null,
  tenant_id text not null,
  email text not null check (email <> ''),
  primary key (account_id, tenant_id, email),
  foreign key (account_id, tenant_id) references tenants (account_id, id)
) strict;
