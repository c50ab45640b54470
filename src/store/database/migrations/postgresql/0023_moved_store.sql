-- Set when the store was copied into another one, which replaces it: no server takes the lease. The columns belong to the
-- lease's row so that the statement that takes the lease sees them in its newest version. The epoch is that of the copy's lease.
alter table writer_lease add column moved_to text;
alter table writer_lease add column moved_at timestamptz;
alter table writer_lease add column moved_epoch bigint;
