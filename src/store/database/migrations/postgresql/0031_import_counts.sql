-- SQLite counts what each process writes of a large import. PostgreSQL writes imports in one transaction.
select 1;
