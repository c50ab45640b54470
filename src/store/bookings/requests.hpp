#pragma once

#include "domain/booking.hpp"
#include "store/bookings/submission.hpp"
#include "store/database/lease.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace roost::store {

/// Stores new booking requests in one transaction. Skips requests whose id is already stored, so a group may
/// be sent again after an uncertain commit. Throws lease_lost.
void insert_requests(session& db, const lease& held, std::span<const submission> submissions);

struct pending_request {
  std::int64_t seq = 0; ///< order of arrival
  domain::booking_request request;
  /// Accounts with a booking of this platform and reference, even a cancelled one.
  std::vector<domain::uuid> imported_in;
  bool is_withdrawn = false; ///< the platform has withdrawn an earlier request with the same reference
  /// The hold that it has claimed, as a block: its nights are free for this request.
  std::optional<domain::uuid> claimed_hold;
  /// The account that recently had the request's unknown ID; set only if looked up.
  std::optional<domain::uuid> former_account;
};

/// Returns New requests in order of arrival, starting after `after_seq`: those of these platforms, or of all.
/// Two groups stored concurrently may become visible out of order, so each run of the queue starts from 0.
std::vector<pending_request>
pending_requests(session& db, std::int64_t after_seq, std::size_t limit,
                 std::optional<std::span<const std::string>> platforms = std::nullopt);

/// Waits for a transaction whose commit is in doubt and that decides these requests, then returns which of
/// its bookings are stored. Another server may have made other bookings from the requests. Throws unavailable
/// if the transaction does not end in time.
std::vector<domain::uuid> settled_bookings(session& db, std::span<const domain::uuid> requests,
                                           std::span<const domain::uuid> bookings);

/// The New requests of a platform.
struct platform_backlog {
  std::string platform;
  std::int64_t requests = 0;
  std::int64_t oldest_seq = 0; ///< of the one that arrived first
  domain::timestamp oldest{};  ///< when it was received
};

/// Returns the platforms that have New requests, by name; the cost grows with the number of these requests.
std::vector<platform_backlog> backlog_by_platform(session& db);

struct request_counts {
  std::int64_t pending = 0, success = 0, failed = 0, dropped = 0;
  std::vector<platform_backlog> backlog;          ///< of the pending ones
  std::optional<domain::timestamp> oldest_change; ///< when the first pending change of a stay was received
};

/// Counts the requests in each state; the cost grows only with the number of those, and of changes, that are
/// not decided.
request_counts requests_by_state(session& db);

/// A booking request with its outcome.
struct request_record {
  domain::booking_request request;
  domain::request_state state{};
  std::optional<std::string> reason; ///< of a refusal: domain::refusal as text
  std::optional<domain::timestamp> decided_at;
  std::optional<domain::uuid> booking_id;  ///< of a success
  std::optional<std::string> company_name; ///< of the landlord who was notified, if any
};

/// Selects the requests to list; unset members match every request.
struct request_filter {
  std::optional<domain::request_state> state;
  std::optional<std::string> platform;
  std::optional<domain::timestamp> since; ///< received at this time or later
};

/// Returns the newest requests first, without their `company_name`.
std::vector<request_record> list_requests(session& db, const request_filter& filter, std::size_t limit);

std::optional<request_record> find_request(session& db, const domain::uuid& id);

/// A unit that is linked to a platform under an external ID.
struct current_link {
  std::string platform, external_id;
  domain::uuid account_id{}, unit_id{};
};

/// Returns the links with these IDs on any platform, those of units created earlier first.
std::vector<current_link> current_links(session& db, std::span<const std::string> external_ids);

/// An external ID that a unit of an account had on a platform until it was unlinked.
struct former_link {
  std::string platform, external_id;
  domain::uuid account_id{};
  std::int64_t last_request = 0; ///< `seq` of the last request that arrived before the end
  /// Whether it ended in the last 90 days. A refusal names the guest, who hardly concerns a landlord who gave
  /// up the ID earlier.
  bool is_recent = false;
};

/// Returns the links with these IDs on any platform that have ended, the latest last.
std::vector<former_link> former_links(session& db, std::span<const std::string> external_ids);

} // namespace roost::store
