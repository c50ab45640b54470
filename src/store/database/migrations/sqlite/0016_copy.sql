-- A copy of another store into this one that is not finished: while there is a row, no server takes the lease. The source's
-- newest change and its lease's epoch tell whether it is still what was copied.
create table store_copy (
  id integer primary key check (id = 1),
  state text not null check (state in ('copying', 'differs')),
  source_position integer not null,
  source_id text not null,
  source_epoch integer not null,
  begun_at text not null
) strict;

-- How far each table came. The key is that of the row that was written last, as a JSON array of texts.
create table store_copy_tables (
  name text primary key,
  rows_copied integer not null check (rows_copied >= 0),
  last_key text not null check (json_type(last_key) = 'array'),
  done integer not null check (done in (0, 1))
) strict;
