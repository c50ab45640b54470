-- A replaced refresh token may be repeated for a while even if its successors were replaced, too: when those before the
-- last replaced one were replaced, in milliseconds, oldest first.
alter table sessions add column replaced text not null default '';
alter table connections add column replaced text not null default '';
