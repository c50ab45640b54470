-- A rent that varies has its months' amounts and none of its own: portfolio files cannot say one, so that an import of a
-- store's own export would change it. The booking engine's edits left one.
update units set rent_cents = 0 where not rent_fixed and rent_cents <> 0;
