-- Sessions, assistants' connections and API keys end for good when their user is deactivated, removed or moved to another
-- account: they stay invalid if the user returns. Codes and connections of an earlier connection epoch are invalid. API keys
-- have no epoch.
alter table users add column connection_epoch bigint not null default 0;
alter table connector_codes add column epoch bigint not null default 0;
alter table connections add column epoch bigint not null default 0;

drop trigger users_end_sessions on users;
create or replace function end_sessions_of_user() returns trigger language plpgsql as $$
begin
  new.session_epoch := old.session_epoch + 1;
  if (new.deactivated and not old.deactivated) or old.account_id <> new.account_id then
    new.connection_epoch := old.connection_epoch + 1;
    update api_keys set ended_at = now() where user_id = old.id and ended_at is null;
  end if;
  return new;
end $$;
create trigger users_end_sessions before update of role, deactivated, password_hash, account_id on users for each row
    when (old.role <> new.role or (new.deactivated and not old.deactivated)
          or old.password_hash is distinct from new.password_hash or old.account_id <> new.account_id)
    execute function end_sessions_of_user();

-- The epochs with which a removed user would return.
create table former_users (
  user_id uuid primary key,
  session_epoch bigint not null,
  connection_epoch bigint not null
);

create function keep_former_user() returns trigger language plpgsql as $$
begin
  insert into former_users (user_id, session_epoch, connection_epoch)
    values (old.id, old.session_epoch + 1, old.connection_epoch + 1)
    on conflict (user_id) do update
    set session_epoch = excluded.session_epoch, connection_epoch = excluded.connection_epoch;
  update api_keys set ended_at = now() where user_id = old.id and ended_at is null;
  return null;
end $$;
create trigger users_are_removed after delete on users for each row execute function keep_former_user();

create function continue_former_user() returns trigger language plpgsql as $$
declare
  former former_users;
begin
  select * into former from former_users where user_id = new.id;
  if found then
    new.session_epoch := greatest(new.session_epoch, former.session_epoch);
    new.connection_epoch := greatest(new.connection_epoch, former.connection_epoch);
  end if;
  return new;
end $$;
create trigger users_return before insert on users for each row execute function continue_former_user();

-- Those of users who were removed or deactivated earlier. Their deactivation has already ended the sessions of the latter.
update users set connection_epoch = connection_epoch + 1 where deactivated;
update connections set ended_at = now(), ended_by = 'operator'
    where ended_at is null
          and not exists (select 1 from users where users.id = connections.user_id and not users.deactivated);
update sessions set ended_at = now(), ended_by = 'operator'
    where ended_at is null and not exists (select 1 from users where users.id = sessions.user_id);
update api_keys set ended_at = now()
    where ended_at is null
          and not exists (select 1 from users where users.id = api_keys.user_id and not users.deactivated);
