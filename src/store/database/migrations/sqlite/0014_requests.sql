-- Whose an ID on a platform was until it was unlinked: a request that still names it is that landlord's business.
create table former_links (
  external_id text not null check (external_id <> ''),
  platform text not null check (platform <> ''),
  account_id text not null,
  ended_at text not null,
  primary key (external_id, platform, account_id)
) strict;

-- Whoever unlinks it: an import, also when it deletes the unit. Links are made and deleted, never changed.
create trigger links_end after delete on links
begin
  insert into former_links (external_id, platform, account_id, ended_at)
  values (old.external_id, old.platform, old.account_id, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
  on conflict (external_id, platform, account_id) do update set ended_at = excluded.ended_at;
end;

-- Of links that ended before, bookings tell.
insert into former_links (external_id, platform, account_id, ended_at)
select r.external_id, r.platform, b.account_id, max(b.created_at)
from bookings b join booking_requests r on r.id = b.request_id
where not exists (select 1 from links l where l.platform = r.platform and l.external_id = r.external_id)
group by r.external_id, r.platform, b.account_id;
