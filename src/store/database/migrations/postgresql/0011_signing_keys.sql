-- Which keys the store's tokens are signed with: a fingerprint that does not tell them. Written by the first who has them.
create table signing_keys (
  id integer primary key check (id = 1),
  fingerprint text not null
);
