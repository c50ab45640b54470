#pragma once

#include "domain/account.hpp"
#include "domain/booking.hpp"
#include "domain/unit.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/session.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// Reads of the running server: what it keeps in memory, and what full feeds show in addition.
namespace roost::store {

/// A user who may receive notifications: one that is not deactivated.
struct notification_target {
  domain::uuid user_id{};
  std::string email;
  std::string role;
};

/// Returns the addresses of the users whose role is notified; of all users if none has such a role.
std::vector<std::string> recipients_of(std::span<const notification_target> targets,
                                       const std::function<bool(const std::string& role)>& is_notified);

struct live_unit {
  domain::unit terms;
  std::vector<domain::block> blocks; ///< of all sources, ascending by first night
  std::vector<domain::link> links;
  std::vector<std::string> excluded_from; ///< platform names
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

/// Returns the users of an account who may receive notifications.
std::vector<notification_target> targets_of(session& db, const domain::uuid& account);

/// Reads all accounts. Passes each to `take` as soon as it has been read, so that a large portfolio is not in
/// memory twice. Returns the position of the change stream at the start; later changes may have been read,
/// too.
///
/// A second session halves the time for a large portfolio: it reads other accounts concurrently, on its own
/// thread and from a snapshot that may be newer. `take` is called from both threads, but never concurrently.
/// Throws unavailable while an import is pending.
stream_point load_live(session& db, const std::function<void(live_account)>& take, session* second = nullptr);

/// Reads only these accounts, as far as they exist.
stream_point load_live(session& db, std::span<const domain::uuid> accounts,
                       const std::function<void(live_account)>& take);

/// Reads these units, as far as they exist, without the nights of their bookings.
std::vector<live_unit> live_units_of(session& db, std::span<const domain::uuid> units);

/// A booking that has no nights in this unit any more: it was cancelled or moved.
struct cancelled_booking {
  domain::uuid id{}, unit_id{};
};

/// Returns the cancelled bookings of these accounts' units. To be called after calendars have been updated
/// from load_live(): a booking may have been cancelled in the meantime, or a cancellation may have been
/// missed.
std::vector<cancelled_booking> cancelled_bookings(session& db, std::span<const domain::uuid> accounts);

/// A booking as calendars and accounts need it.
struct live_stay {
  domain::uuid unit_id{};
  domain::block block; ///< its nights, with the booking's id
  bool is_cancelled = false;
  domain::tenant tenant;
};

/// Returns these bookings in no particular order.
std::vector<live_stay> live_stays(session& db, std::span<const domain::uuid> bookings);

/// Returns the tenants of these accounts (if empty: of all accounts) in no particular order.
std::vector<domain::tenant> load_tenants(session& db, std::span<const domain::uuid> accounts);

/// Returns those of these tenants that the accounts have.
std::vector<domain::tenant> find_tenants(session& db, std::span<const domain::uuid> accounts,
                                         std::span<const domain::uuid> ids);

/// The part of a unit that only full feeds show, and that is not kept in memory.
struct presentation {
  std::shared_ptr<const domain::property> property; ///< shared by its units
  domain::unit_presentation unit;
  std::optional<std::string> link_url; ///< on the requested platform
};

/// Returns presentations by unit; units that no longer exist are omitted. Does not read Wi-Fi passwords.
std::unordered_map<domain::uuid, presentation, domain::uuid_hash>
presentations(session& db, std::span<const domain::uuid> units, std::string_view platform);

} // namespace roost::store
