-- Whose an ID on a platform was until it was unlinked: a request that still names it is that landlord's business.
create table former_links (
  external_id text not null check (external_id <> ''),
  platform text not null check (platform <> ''),
  account_id uuid not null,
  ended_at timestamptz not null,
  primary key (external_id, platform, account_id)
);

-- Whoever unlinks it: an import, also when it deletes the unit. Links are made and deleted, never changed.
create function keep_former_link() returns trigger language plpgsql as $$
begin
  insert into former_links (external_id, platform, account_id, ended_at)
  values (old.external_id, old.platform, old.account_id, clock_timestamp())
  on conflict (external_id, platform, account_id) do update set ended_at = excluded.ended_at;
  return null;
end $$;
create trigger links_end after delete on links for each row execute function keep_former_link();

-- Of links that ended before, bookings tell.
insert into former_links (external_id, platform, account_id, ended_at)
select r.external_id, r.platform, b.account_id, max(b.created_at)
from bookings b join booking_requests r on r.id = b.request_id
where not exists (select 1 from links l where l.platform = r.platform and l.external_id = r.external_id)
group by r.external_id, r.platform, b.account_id;
