-- One ordered stream of what changed, written in the transaction that changed it. It replaces the change version, the
-- count of edits and the versions of accounts. Its positions go on where both of them had come to.
create table changes (
  position bigint primary key check (position > 0),
  id uuid not null,
  kind text not null check (kind in ('account', 'unit', 'calendar', 'credentials')),
  accounts uuid[] not null,
  units uuid[] not null,
  subjects uuid[] not null,
  at timestamptz not null
);
-- Ids do not compress.
alter table changes alter accounts set storage external, alter units set storage external,
  alter subjects set storage external;
create index changes_of_portfolio on changes (position) where kind in ('account', 'unit');

-- The row that gives out positions: its lock makes their order the order of the commits. `applied` is the position that
-- the running server serves, for commands that wait for it.
create table change_stream (
  id integer primary key check (id = 1),
  position bigint not null,
  applied bigint not null
);

insert into changes (position, id, kind, accounts, units, subjects, at)
select version + edits + 1, gen_random_uuid(), 'credentials', '{}', '{}', '{}', clock_timestamp() from portfolio_state;
insert into change_stream (id, position, applied) select 1, position, position from changes;

drop table portfolio_state;
drop index accounts_changed;
alter table accounts drop column changed_version;
