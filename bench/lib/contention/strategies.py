"""The eight strategies, and a variant of ours, in the order of the reports."""

TITLES = {
    "actors": "this service's actors, group commit",
    "actors_guarded": "the same, with the exclusion constraint as a second guard",
    "row_lock": "SELECT … FOR UPDATE on the unit",
    "advisory_lock": "advisory lock on the unit",
    "optimistic": "version of the unit, with retry",
    "exclusion_retry": "exclusion constraint, with retry",
    "on_conflict": "exclusion constraint, ON CONFLICT DO NOTHING",
    "serializable": "SERIALIZABLE, with retry",
    "unlocked": "check, then insert, without a lock",
}
OURS = "actors"
STRONGEST = "on_conflict"  # of the peers that are right: what ours are measured against
WITHOUT_POSTGRESQL = (OURS, "actors_guarded")
BARE_ONLY = ("actors_guarded",)  # whole bookings have the service's tables, which are so guarded
WRONG = ("unlocked",)  # is shown to be; the verdict on it is no failure of the run
