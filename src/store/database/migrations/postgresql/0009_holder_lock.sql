-- Which lock the holder of the lease holds beside it. It counts only for the epoch that it was noted in: a program that
-- knows no such lock leaves it as it is.
alter table writer_lease add column lock_name text not null default '';
alter table writer_lease add column lock_epoch bigint not null default 0;
