-- The office finds a known tenant in the transaction of a booking. Databases can compute the keys of ASCII addresses only; the program
-- compares the others.
create index tenants_by_address on tenants (account_id, lower(email collate "C")) where email <> '';
create index tenants_with_other_addresses on tenants (account_id)
    where email <> '' and (octet_length(email) <> length(email) or email ilike '%xn--%');
create index tenants_by_fiscal_id on tenants (account_id, fiscal_id) where fiscal_id is not null and email <> '';

-- A block of an import may cover nights of a stay: a change of the stay is refused only if it takes further nights that are blocked.
create or replace function refuse_blocked_nights() returns trigger language plpgsql as $$
begin
  if exists (select 1 from blocks where unit_id = new.unit_id and first_night < new.check_out
             and (last_night is null or last_night >= new.check_in)
             and (tg_op = 'INSERT' or old.status = 'cancelled' or old.unit_id <> new.unit_id
                  or (new.check_in < old.check_in and first_night < least(new.check_out, old.check_in))
                  or (new.check_out > old.check_out
                      and (last_night is null or last_night >= greatest(new.check_in, old.check_out))))) then
    raise exception using errcode = 'exclusion_violation', constraint = 'bookings_not_blocked', table = 'bookings',
      message = 'a night of the stay is blocked';
  end if;
  return null;
end $$;
