"""The contention lab: the same reservations decided by eight strategies, verified, compared and reported."""
