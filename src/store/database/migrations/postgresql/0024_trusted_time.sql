-- The trusted time: the latest time that it can be, according to the uptime of the machines that served the store. It starts at
-- the newest change, because the clock may be wrong while this migration runs.
create table trusted_time (
  id integer primary key check (id = 1),
  at timestamptz not null,
  boot text not null, -- the machine's boot during which `at` was written; empty: unknown
  uptime bigint not null check (uptime >= 0) -- milliseconds since that boot
);
insert into trusted_time
select 1, coalesce((select c.at from changes c join change_stream s on s.position = c.position), clock_timestamp()), '', 0;
