#pragma once

#include "domain/date.hpp"
#include "support/raw_client.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace roost::testing {

/// One thing that a client told the server, and how it was answered.
struct told {
  enum class what { submission, paid, cancel, edit, property };

  what kind{};
  std::string platform;
  unsigned unit = 1; ///< of portfolio_of()
  domain::date check_in{}, check_out{};
  std::string reference;           ///< the booking's; of a property its id
  int rent = 0;                    ///< of an edit
  bool spoilt = false;             ///< of a property: its second room cannot be created
  std::optional<raw_response> got; ///< nothing: the connection ended first

  bool succeeded() const { return got && got->status / 100 == 2; }
};

std::string to_string(told::what kind);

struct mixed_settings {
  std::map<std::string, std::string> tokens; ///< by platform
  std::string account_key;
  std::uint32_t seed = 1;
  unsigned clients = 6;
  unsigned units = 3;
};

/// Clients that drive every writing route at once: submissions, webhooks, listing updates and new properties,
/// on so few units that many want the same nights. Now and then one repeats itself, or cancels what it
/// booked.
class mixed_load {
public:
  explicit mixed_load(mixed_settings settings);
  ~mixed_load();
  mixed_load(const mixed_load&) = delete;
  mixed_load& operator=(const mixed_load&) = delete;

  /// From now on the clients turn to this port; nobody is there after 0.
  void aim_at(std::uint16_t port) { port_ = port; }

  std::size_t succeeded() const { return succeeded_; }

  /// Ends the clients and gives everything that they told.
  std::vector<told> finish();

private:
  class client;

  mixed_settings settings_;
  std::atomic<std::uint16_t> port_ = 0;
  std::atomic<std::size_t> succeeded_ = 0;
  std::atomic<bool> over_ = false;
  std::mutex mutex_;
  std::vector<told> told_;
  std::vector<std::thread> threads_;
};

} // namespace roost::testing
