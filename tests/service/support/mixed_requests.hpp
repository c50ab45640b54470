#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "service/support/partner.hpp"
#include "store/database/session.hpp"
#include "support/raw_client.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace roost::testing {

/// A request of a client that writes, and its response.
struct client_event {
  enum class type { submission, paid, cancel, edit, property };

  type kind{};
  std::string platform;
  unsigned unit = 1; ///< of portfolio_of()
  domain::date check_in{}, check_out{};
  std::string reference;                    ///< of the booking; for a property its id
  std::string email = "eva@tenant.example"; ///< the tenant's
  int rent = 0;                             ///< of an edit
  bool has_invalid_room = false;            ///< of a property: its second room cannot be created
  std::optional<raw_response> response;     ///< nullopt: the connection was closed first

  bool succeeded() const { return response && response->status / 100 == 2; }
};

std::string to_string(client_event::type kind);

struct mixed_settings {
  std::map<std::string, std::string> tokens; ///< by platform
  std::string account_key;
  std::uint32_t seed = 1;
  unsigned clients = 6;
  unsigned units = 3;
  int newest_percent = 0; ///< how often a repetition or cancellation concerns the newest booking
};

/// A platform's request.
struct http_call {
  std::string method, path, body;
  header_fields fields = {}; ///< with the credentials
};

/// A client of several platforms that uses all their writing routes: submissions, webhooks, listing updates
/// and new properties, on so few units that many compete for the same nights. It sometimes repeats a request,
/// or cancels a booking.
class mixed_client {
public:
  /// `number` differs between the clients of one history; together with the seed it determines the requests.
  mixed_client(const mixed_settings& settings, unsigned number);

  client_event next();

  http_call to_call(const client_event& event) const;

private:
  int between(int min, int max) { return std::uniform_int_distribution<int>{min, max}(random_); }
  client_event any_booked();
  client_event new_booking();
  client_event new_edit();
  client_event new_property();

  const mixed_settings& settings_;
  unsigned number_;
  std::mt19937 random_;
  std::vector<client_event> booked_;
  int properties_ = 0;
};

/// Reads from the running server, by platform and path.
using live_read = std::function<raw_response(const std::string& platform, const std::string& path)>;

/// Compares requests and their responses with the store and the running server, once all requests are
/// decided: each acknowledged request is decided once, the stays of a unit do not overlap, every acknowledged
/// cancel released its nights, payment plans add up, landlords have each notification once, and updates and
/// new properties are stored. Returns descriptions of the first twenty differences.
std::vector<std::string> mixed_differences(store::session& db, const std::vector<client_event>& events,
                                           const live_read& read);

/// Nights of a booking or of a block.
struct taken_range {
  domain::uuid id{};
  domain::nights nights;
};

/// Returns the blocks of a unit.
std::vector<taken_range> stored_blocks(store::session& db, const domain::uuid& unit);

/// Returns the nights that bookings and blocks of the office have or had, until they were changed, cancelled
/// or deleted, by id of the unit.
std::map<std::string, std::vector<taken_range>> ever_taken_nights(store::session& db);

/// Returns a description of each request that was refused although no booking of the store ever had one of
/// its nights. mixed_differences() contains them, too.
std::vector<std::string> unfounded_refusals(store::session& db);

/// Returns the number of mails that were not sent.
std::int64_t unsent_mails(store::session& db);

/// Returns how many of them were given up because two deliveries remained unconfirmed.
std::int64_t unconfirmed_mails(store::session& db);

} // namespace roost::testing
