"""The contention lab: the same reservations decided by eight strategies, judged, compared and reported."""
