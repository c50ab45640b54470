-- One ordered stream of what changed, written in the transaction that changed it. It replaces the change version, the
-- count of edits and the versions of accounts. Its positions go on where both of them had come to.
create table changes (
  position integer primary key check (position > 0),
  id text not null,
  kind text not null check (kind in ('account', 'unit', 'calendar', 'credentials')),
  accounts text not null check (json_valid(accounts) and json_type(accounts) = 'array'),
  units text not null check (json_valid(units) and json_type(units) = 'array'),
  subjects text not null check (json_valid(subjects) and json_type(subjects) = 'array'),
  at text not null
) strict;
create index changes_of_portfolio on changes (position) where kind in ('account', 'unit');

-- The row that gives out positions. `applied` is the position that the running server serves, for commands that wait
-- for it.
create table change_stream (
  id integer primary key check (id = 1),
  position integer not null,
  applied integer not null
) strict;

insert into changes (position, id, kind, accounts, units, subjects, at)
select version + edits + 1,
       lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
             || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))),
       'credentials', '[]', '[]', '[]', strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
from portfolio_state;
insert into change_stream (id, position, applied) select 1, position, position from changes;

drop table portfolio_state;
drop index accounts_changed;
alter table accounts drop column changed_version;
