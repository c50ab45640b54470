-- The energy performance class, which EU law requires in rental advertisements.
alter table units add column energy_class text;
