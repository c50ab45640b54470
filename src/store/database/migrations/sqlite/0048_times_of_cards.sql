-- When a card was created or changed, which a conditional write of an outdated state says. Existing cards have the time of their
-- account's last change, the best that is known.
alter table platform_cards add column updated_at text not null default '';
update platform_cards set updated_at = (select a.updated_at from accounts a where a.id = platform_cards.account_id);
