-- SQLite's triggers of this name changed; here the constraint stays as it is.
comment on constraint bookings_no_overlap on bookings is 'No two stays of a unit share a night.';
