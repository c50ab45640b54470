#pragma once

#include "domain/account.hpp"
#include "domain/booking.hpp"
#include "domain/unit.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/session.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace roost::store {

/// Somebody whom notifications may concern: every user that is not deactivated.
struct notification_target {
  domain::uuid user_id{};
  std::string email;
  std::string role;
};

/// A unit as the running server keeps it.
struct live_unit {
  domain::unit terms;
  std::vector<domain::block> blocks; ///< of all sources, ascending by first night
  std::vector<domain::link> links;
  std::vector<std::string> excluded_from; ///< platforms' names
};

struct live_property {
  domain::uuid id{};
  domain::property_terms terms;
  std::vector<live_unit> units; ///< ascending by creation, then id
};

struct live_account {
  domain::account settings;
  std::vector<notification_target> targets;
  std::vector<live_property> properties;
};

/// Reads what a running server keeps in memory of every account. Each goes to `take` as soon as it is read,
/// so that a large portfolio is not in memory twice. Returns where the stream of changes stood: what came
/// later may have been read, too.
///
/// A second session halves the time of a large portfolio: it reads other accounts at the same time, in a
/// thread of its own and from a snapshot that may be newer. `take` is called from both threads, but never at
/// the same time. Throws unavailable while an import is pending.
stream_point load_live(session& db, const std::function<void(live_account)>& take, session* beside = nullptr);

/// The same of these accounts, where they exist.
stream_point load_live(session& db, std::span<const domain::uuid> accounts,
                       const std::function<void(live_account)>& take);

struct cancelled_booking {
  domain::uuid id{}, unit_id{};
};

/// The cancelled bookings of these accounts' units. A server that has told its calendars what load_live()
/// read asks for them afterwards: a booking may have been cancelled in between, or while it was not told.
std::vector<cancelled_booking> cancelled_bookings(session& db, std::span<const domain::uuid> accounts);

/// A booking as a calendar and an account need it.
struct live_stay {
  domain::uuid unit_id{};
  domain::block block; ///< its nights, with the booking's id
  bool is_cancelled = false;
  domain::tenant tenant;
};

/// Of these bookings, in no particular order.
std::vector<live_stay> live_stays(session& db, std::span<const domain::uuid> bookings);

/// Tenants of these accounts (none named: of all), in no particular order.
std::vector<domain::tenant> load_tenants(session& db, std::span<const domain::uuid> accounts);

} // namespace roost::store
