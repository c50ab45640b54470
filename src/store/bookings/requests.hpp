#pragma once

#include "domain/booking.hpp"
#include "store/database/lease.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace roost::store {

/// Stores new booking requests in one transaction; a request whose id is there already is left alone, so that
/// a group may be sent again after an uncertain commit. Throws lease_lost.
void insert_requests(session& db, const lease& held, std::span<const domain::booking_request> requests);

struct pending_request {
  std::int64_t seq = 0; ///< order of arrival
  domain::booking_request request;
  std::vector<domain::uuid>
      imported_in; ///< accounts with a booking of that platform and reference, even cancelled
  std::optional<domain::uuid>
      former_account; ///< whose its unknown ID was until lately, where that was looked up
};

/// New requests in order of arrival, after `after_seq`. Two groups that are stored at the same time may
/// become visible out of order, so a run of the queue starts from 0.
std::vector<pending_request> pending_requests(session& db, std::int64_t after_seq, std::size_t limit);

/// Those of the bookings that are in the store, after a transaction that makes them from these requests, and
/// that nobody knows the end of, is through. Another server may have made other bookings of them meanwhile.
/// Throws unavailable while the transaction is not through.
std::vector<domain::uuid> settled_bookings(session& db, std::span<const domain::uuid> requests,
                                           std::span<const domain::uuid> bookings);

struct request_counts {
  std::int64_t pending = 0, success = 0, failed = 0, dropped = 0;
};

/// How many requests are in each state; its cost grows with the New ones only.
request_counts requests_by_state(session& db);

} // namespace roost::store
