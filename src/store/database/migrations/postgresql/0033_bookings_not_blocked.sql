-- No stay begins to cover a night that is blocked, whatever the code above the database does. Stays that a later block covers
-- remain as they are. Checked at the commit: every change of bookings or blocks has taken its position in the change stream by then,
-- and so is either committed and visible or comes later.
create function refuse_blocked_nights() returns trigger language plpgsql as $$
begin
  if exists (select 1 from blocks where unit_id = new.unit_id and first_night < new.check_out
             and (last_night is null or last_night >= new.check_in)) then
    raise exception using errcode = 'exclusion_violation', constraint = 'bookings_not_blocked', table = 'bookings',
      message = 'a night of the stay is blocked';
  end if;
  return null;
end $$;
create constraint trigger bookings_not_blocked_insert after insert on bookings deferrable initially deferred
  for each row when (new.status <> 'cancelled') execute function refuse_blocked_nights();
create constraint trigger bookings_not_blocked_update after update of unit_id, check_in, check_out, status on bookings
  deferrable initially deferred for each row
  when (new.status <> 'cancelled' and (old.status = 'cancelled' or new.unit_id <> old.unit_id
        or new.check_in < old.check_in or new.check_out > old.check_out))
  execute function refuse_blocked_nights();
