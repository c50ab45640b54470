#pragma once

#include "domain/date.hpp"
#include "store/database/session.hpp"
#include "support/raw_client.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace roost::testing {

/// A request of a client that writes, and its response.
struct client_event {
  enum class type { submission, paid, cancel, edit, property };

  type kind{};
  std::string platform;
  unsigned unit = 1; ///< of portfolio_of()
  domain::date check_in{}, check_out{};
  std::string reference;                ///< of the booking; for a property its id
  int rent = 0;                         ///< of an edit
  bool has_invalid_room = false;        ///< of a property: its second room cannot be created
  std::optional<raw_response> response; ///< nullopt: the connection was closed first

  bool succeeded() const { return response && response->status / 100 == 2; }
};

std::string to_string(client_event::type kind);

struct mixed_settings {
  std::map<std::string, std::string> tokens; ///< by platform
  std::string account_key;
  std::uint32_t seed = 1;
  unsigned clients = 6;
  unsigned units = 3;
};

/// Clients that use all writing routes concurrently: submissions, webhooks, listing updates and new
/// properties, on so few units that many compete for the same nights. A client sometimes repeats a request,
/// or cancels a booking.
class mixed_load {
public:
  explicit mixed_load(mixed_settings settings);
  ~mixed_load();
  mixed_load(const mixed_load&) = delete;
  mixed_load& operator=(const mixed_load&) = delete;

  /// Makes the clients connect to this port from now on; 0 makes them wait.
  void set_port(std::uint16_t port) { port_ = port; }

  std::size_t succeeded() const { return succeeded_; }

  /// Stops the clients and returns all their requests.
  std::vector<client_event> finish();

private:
  class client;

  mixed_settings settings_;
  std::atomic<std::uint16_t> port_ = 0;
  std::atomic<std::size_t> succeeded_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::vector<client_event> events_;
  std::vector<std::thread> threads_;
};

/// Reads from the running server, by platform and path.
using live_read = std::function<raw_response(const std::string& platform, const std::string& path)>;

/// Compares requests and their responses with the store and the running server, once all requests are
/// decided: each acknowledged request is decided once, the stays of a unit do not overlap, every acknowledged
/// cancel released its nights, payment plans add up, landlords have each notification once, and updates and
/// new properties are stored. Returns descriptions of the first twenty differences.
std::vector<std::string> mixed_differences(store::session& db, const std::vector<client_event>& events,
                                           const live_read& read);

} // namespace roost::testing
