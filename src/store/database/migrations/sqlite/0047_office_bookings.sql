-- The office finds a known tenant in the transaction of a booking. Databases can compute the keys of ASCII addresses only; the program
-- compares the others.
create index tenants_by_address on tenants (account_id, lower(email)) where email <> '';
create index tenants_with_other_addresses on tenants (account_id)
    where email <> '' and (length(cast(email as blob)) <> length(email) or instr(lower(email), 'xn--') > 0);
create index tenants_by_fiscal_id on tenants (account_id, fiscal_id) where fiscal_id is not null and email <> '';
