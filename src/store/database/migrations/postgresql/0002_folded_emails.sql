-- Addresses are compared by full Unicode case folding, which no database has: the program writes the folded form beside
-- the address. That of an address with letters beyond ASCII is only nearly right until its account is imported again.
alter table users add column folded_email text not null default '';
update users set folded_email = lower(email);
drop index users_email;
create unique index users_email on users (folded_email);
