-- A hash index, because each decision adds an entry: one in the order of the references costs it a twentieth of its time.
drop index booking_requests_by_reference;
create index booking_requests_by_reference on booking_requests using hash (reference) where reference is not null;
