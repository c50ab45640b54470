-- The unit that a platform sold, of a booking that the office has moved to another: the platform's cancellation names it. Null: not moved.
-- No foreign key: the unit may be removed. No release before this migration moves bookings, so no row needs the value.
alter table bookings add column sold_unit_id uuid;
