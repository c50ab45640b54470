-- The unit that a notification concerns. Users with an owner see the notifications of their units; null: of none. The present unit of a
-- booking would not do: the office may move it to a unit of another owner. No foreign key: the unit may be removed.
alter table notifications add column unit_id uuid;
-- No release before this migration moves bookings. Where the changelog shows a move, only staff see the earlier notifications.
update notifications set unit_id = b.unit_id from bookings b
where b.id = notifications.booking_id and b.sold_unit_id is null
  and not exists (select 1 from changelog c where c.subject_id = b.id and c.unit_id <> b.unit_id);
update notifications set unit_id = r.unit_id from booking_requests r
where r.id = notifications.request_id and notifications.booking_id is null;
