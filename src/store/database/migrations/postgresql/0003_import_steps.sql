-- SQLite writes large imports in steps, which it keeps in a table: it has one write lock. PostgreSQL needs none of that.
select 1;
