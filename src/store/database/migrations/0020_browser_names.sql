-- Users can see which browsers are remembered, and forget them one by one. A remembered browser has the id of the session
-- that was started with it.
alter table remembered_browsers add column browser text not null default '';
update remembered_browsers set browser = coalesce(
  (select sessions.browser from sessions where sessions.id = remembered_browsers.id), '');
create index remembered_browsers_of_user on remembered_browsers (user_id);
