-- A request that arrived while its ID was linked exactly must not book a unit that is linked under the first part of the ID:
-- the last request that had arrived when the link ended.
alter table former_links add column last_request bigint not null default 0;
update former_links set last_request = coalesce(
  (select max(seq) from booking_requests where state = 'New' and received_at <= ended_at), 0);

-- Reads the sequence, which includes requests that are not committed yet.
create or replace function keep_former_link() returns trigger language plpgsql as $$
begin
  insert into former_links (external_id, platform, account_id, ended_at, last_request)
  values (old.external_id, old.platform, old.account_id, clock_timestamp(),
          (select case when is_called then last_value else 0 end from booking_requests_seq_seq))
  on conflict (external_id, platform, account_id)
    do update set ended_at = excluded.ended_at, last_request = excluded.last_request;
  return null;
end $$;
