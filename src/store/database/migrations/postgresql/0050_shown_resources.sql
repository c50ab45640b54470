-- The ids that the event streams of the office report for a change, each followed by the owner whose users see it (nil: only users
-- without an owner). Null: they follow from the other columns.
alter table changes add column shown uuid[];
alter table changes alter shown set storage external;
