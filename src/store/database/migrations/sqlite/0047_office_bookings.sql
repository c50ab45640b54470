-- The office finds a known tenant in the transaction of a booking. Databases can compute the keys of ASCII addresses only; the program
-- compares the others.
create index tenants_by_address on tenants (account_id, lower(email)) where email <> '';
create index tenants_with_other_addresses on tenants (account_id)
    where email <> '' and (length(cast(email as blob)) <> length(email) or instr(lower(email), 'xn--') > 0);
create index tenants_by_fiscal_id on tenants (account_id, fiscal_id) where fiscal_id is not null and email <> '';

-- A block of an import may cover nights of a stay: a change of the stay is refused only if it takes further nights that are blocked.
drop trigger bookings_not_blocked_update;
create trigger bookings_not_blocked_update before update of unit_id, check_in, check_out, status on bookings
when new.status <> 'cancelled' and (old.status = 'cancelled' or new.unit_id <> old.unit_id
     or new.check_in < old.check_in or new.check_out > old.check_out)
begin
  select raise(abort, 'bookings_not_blocked')
  where exists (select 1 from blocks where unit_id = new.unit_id and first_night < new.check_out
                and (last_night is null or last_night >= new.check_in)
                and (old.status = 'cancelled' or old.unit_id <> new.unit_id
                     or (new.check_in < old.check_in and first_night < min(new.check_out, old.check_in))
                     or (new.check_out > old.check_out
                         and (last_night is null or last_night >= max(new.check_in, old.check_out)))));
end;
