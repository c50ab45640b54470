-- Sessions, assistants' connections and API keys end for good when their user is deactivated, removed or moved to another
-- account: they stay invalid if the user returns. Codes and connections of an earlier connection epoch are invalid. API keys
-- have no epoch.
alter table users add column connection_epoch integer not null default 0;
alter table connector_codes add column epoch integer not null default 0;
alter table connections add column epoch integer not null default 0;

drop trigger users_end_sessions;
create trigger users_end_sessions after update of role, deactivated, password_hash, account_id on users
    when old.role <> new.role or (new.deactivated and not old.deactivated)
         or old.password_hash is not new.password_hash or old.account_id <> new.account_id
begin
  update users set session_epoch = old.session_epoch + 1 where id = new.id;
end;
create trigger users_end_connections after update of deactivated, account_id on users
    when (new.deactivated and not old.deactivated) or old.account_id <> new.account_id
begin
  update users set connection_epoch = old.connection_epoch + 1 where id = new.id;
  update api_keys set ended_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') where user_id = old.id and ended_at is null;
end;

-- The epochs with which a removed user would return.
create table former_users (
  user_id text primary key,
  session_epoch integer not null,
  connection_epoch integer not null
) strict;

create trigger users_are_removed after delete on users
begin
  insert into former_users (user_id, session_epoch, connection_epoch)
    values (old.id, old.session_epoch + 1, old.connection_epoch + 1)
    on conflict (user_id) do update
    set session_epoch = excluded.session_epoch, connection_epoch = excluded.connection_epoch;
  update api_keys set ended_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') where user_id = old.id and ended_at is null;
end;

create trigger users_return after insert on users
    when exists (select 1 from former_users where user_id = new.id)
begin
  update users set
    session_epoch = max(session_epoch, (select f.session_epoch from former_users f where f.user_id = new.id)),
    connection_epoch = max(connection_epoch, (select f.connection_epoch from former_users f where f.user_id = new.id))
    where id = new.id;
end;

-- Those of users who were removed or deactivated earlier. Their deactivation has already ended the sessions of the latter.
update users set connection_epoch = connection_epoch + 1 where deactivated;
update connections set ended_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), ended_by = 'operator'
    where ended_at is null
          and not exists (select 1 from users where users.id = connections.user_id and not users.deactivated);
update sessions set ended_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), ended_by = 'operator'
    where ended_at is null and not exists (select 1 from users where users.id = sessions.user_id);
update api_keys set ended_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
    where ended_at is null
          and not exists (select 1 from users where users.id = api_keys.user_id and not users.deactivated);
