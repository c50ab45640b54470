-- A request that arrived while its ID was linked exactly must not book a unit that is linked under the first part of the ID:
-- the last request that had arrived when the link ended.
alter table former_links add column last_request integer not null default 0;
update former_links set last_request = coalesce(
  (select max(seq) from booking_requests where state = 'New' and received_at <= ended_at), 0);

drop trigger links_end;
create trigger links_end after delete on links
begin
  insert into former_links (external_id, platform, account_id, ended_at, last_request)
  values (old.external_id, old.platform, old.account_id, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'),
          (select coalesce(max(seq), 0) from booking_requests))
  on conflict (external_id, platform, account_id)
    do update set ended_at = excluded.ended_at, last_request = excluded.last_request;
end;
