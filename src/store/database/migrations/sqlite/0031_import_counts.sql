-- How many rows a large import has changed so far, by the name of its step, whichever process wrote them. The import's own process
-- reports the numbers and deletes them.
create table import_counts (
  import text not null,
  step text not null,
  changed_rows integer not null check (changed_rows >= 0),
  primary key (import, step)
) strict;
