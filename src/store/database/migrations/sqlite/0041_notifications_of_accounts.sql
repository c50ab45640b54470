-- Each decision about a request of a landlord's unit has one notification: the office counts them by account and time.
create index notifications_of_account on notifications (account_id, created_at);
