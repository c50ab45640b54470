-- Which notifications a user has read. A time up to which all are read would not do: a notification becomes visible when its
-- transaction ends, which may be after a later one was read.
create table notification_reads (
  user_id uuid not null references users on delete cascade,
  notification_id uuid not null,
  primary key (user_id, notification_id)
);
