-- No stay begins to cover a night that is blocked, whatever the code above the database does. Stays that a later block covers
-- remain as they are.
create trigger bookings_not_blocked_insert before insert on bookings when new.status <> 'cancelled'
begin
  select raise(abort, 'bookings_not_blocked')
  where exists (select 1 from blocks where unit_id = new.unit_id and first_night < new.check_out
                and (last_night is null or last_night >= new.check_in));
end;
create trigger bookings_not_blocked_update before update of unit_id, check_in, check_out, status on bookings
when new.status <> 'cancelled' and (old.status = 'cancelled' or new.unit_id <> old.unit_id
     or new.check_in < old.check_in or new.check_out > old.check_out)
begin
  select raise(abort, 'bookings_not_blocked')
  where exists (select 1 from blocks where unit_id = new.unit_id and first_night < new.check_out
                and (last_night is null or last_night >= new.check_in));
end;
