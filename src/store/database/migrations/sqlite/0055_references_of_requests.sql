-- SQLite has no hash indexes.
select 1;
