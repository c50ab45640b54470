-- A refusal's mail may wait for others to the same recipient: it then names the company whose refusals they are. Mails that
-- were sent or given up are deleted after a time.
alter table outgoing_mail add column gathered_for text;
create index outgoing_mail_gathered on outgoing_mail (recipient) where gathered_for is not null and next_attempt_at is not null;
create index outgoing_mail_over on outgoing_mail (created_at) where next_attempt_at is null;
