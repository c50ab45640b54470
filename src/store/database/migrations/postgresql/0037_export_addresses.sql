-- The UUID in the URL of a unit's calendar export. Null: the unit's id, as before the address was ever renewed.
alter table units add column export_address uuid;
create unique index units_by_export_address on units (coalesce(export_address, id));
