-- Which unit of any account is linked under an ID: an edit for a room must not reach the unit of the whole property.
create index links_by_external_id on links (platform, external_id);
