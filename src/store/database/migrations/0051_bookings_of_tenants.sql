-- A tenant's stays were found among all bookings of the account, and those of guests to be erased among all bookings of the store.
create index bookings_of_tenant on bookings (tenant_id, account_id);
