-- The office finds a known tenant in the transaction of a booking. Databases can compute the keys of ASCII addresses only; the program
-- compares the others.
create index tenants_by_address on tenants (account_id, lower(email collate "C")) where email <> '';
create index tenants_with_other_addresses on tenants (account_id)
    where email <> '' and (octet_length(email) <> length(email) or email ilike '%xn--%');
create index tenants_by_fiscal_id on tenants (account_id, fiscal_id) where fiscal_id is not null and email <> '';
