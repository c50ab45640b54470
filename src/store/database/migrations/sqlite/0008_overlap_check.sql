-- The stays of a unit share no night, so of those that begin before a new one ends, the one that begins last also ends
-- last: if any overlaps, it does. The triggers before looked at every earlier stay of the unit.
drop trigger bookings_no_overlap_insert;
drop trigger bookings_no_overlap_update;

create trigger bookings_no_overlap_insert before insert on bookings when new.status <> 'cancelled'
begin
  select raise(abort, 'bookings_no_overlap')
  where new.check_in < (select check_out from bookings
                        where unit_id = new.unit_id and status <> 'cancelled' and check_in < new.check_out
                        order by check_in desc limit 1);
end;
create trigger bookings_no_overlap_update before update of id, unit_id, check_in, check_out, status
    on bookings
when new.status <> 'cancelled'
begin
  select raise(abort, 'bookings_no_overlap')
  where new.check_in < (select check_out from bookings
                        where unit_id = new.unit_id and status <> 'cancelled' and id <> old.id
                          and check_in < new.check_out
                        order by check_in desc limit 1);
end;
