-- How often a mail may have been delivered, recorded before each attempt, and the id of the first mail of the email that it
-- belongs to, set by its first attempt: mails that are gathered later belong to another email, with attempts of its own.
alter table outgoing_mail add column possible_deliveries integer not null default 0 check (possible_deliveries between 0 and 2);
alter table outgoing_mail add column email_id text;
update outgoing_mail set email_id =
  (select other.id from outgoing_mail as other where other.recipient = outgoing_mail.recipient
   and other.gathered_for = outgoing_mail.gathered_for and other.attempts > 0 and other.next_attempt_at is not null
   order by other.created_at, other.id limit 1)
where gathered_for is not null and attempts > 0 and next_attempt_at is not null;
