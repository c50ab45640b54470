-- When a mail was given up: what is over is kept for a time from then on, or from when it was sent. Of mails that were given
-- up before nobody knows when; for them that time begins now.
alter table outgoing_mail add column given_up_at timestamptz
  check (given_up_at is null or (sent_at is null and next_attempt_at is null));
update outgoing_mail set given_up_at = clock_timestamp()
where sent_at is null and next_attempt_at is null;
drop index outgoing_mail_over;
create index outgoing_mail_over on outgoing_mail (coalesce(sent_at, given_up_at)) where next_attempt_at is null;
