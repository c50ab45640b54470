-- What a large import is going to write, so that it need not hold the file's only write lock for as long as it takes. Steps
-- without a row in pending_import are being collected; with it they are written, piece by piece, whoever does it.
create table import_steps (
  seq integer primary key,
  import text not null,
  name text not null,
  statement text not null,
  columns text not null check (json_type(columns) = 'array'),
  cells text not null,
  last integer not null check (last in (0, 1))
) strict;

create table pending_import (
  id integer primary key check (id = 1),
  import text not null,
  now text not null,
  accounts text not null check (json_type(accounts) = 'array'),
  left_out_units text not null check (json_type(left_out_units) = 'array'),
  left_out_properties text not null check (json_type(left_out_properties) = 'array')
) strict;
