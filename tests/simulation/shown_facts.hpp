#pragma once

#include "service/support/mixed_requests.hpp"
#include "simulation/shown_stays.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::testing {

/// Facts about units that clients know, and that every later read on every server must show: acknowledged
/// updates and cancellations, bookings that another server has confirmed, and stays that the office writes.
class shown_facts {
public:
  using sequence = std::uint64_t; ///< the order of all requests and responses

  /// Records a request that is being sent. Returns its number.
  std::size_t on_request(const client_event& event);

  /// Records the response to the request with this number. Each start of a server counts as another server.
  void on_response(std::size_t number, const raw_response& response, const std::string& server);

  sequence next_sequence() { return ++last_; }

  /// Forgets all later responses: a backup from that time has replaced the store.
  void forget_since(sequence time);

  using view = unit_view;

  /// Stops comparing the nights of a platform's booking, because the office moves or cancels it.
  void exclude(const std::string& reference);

  /// Returns whether no update of the unit can have had an effect since.
  bool is_settled_since(unsigned unit, sequence time) const;

  shown_stays& office_stays() { return office_stays_; }
  const shown_stays& office_stays() const { return office_stays_; }

  /// Compares the response to a read of a unit with the facts known when the read was sent. Returns a
  /// description of a contradiction.
  std::optional<std::string> contradiction(unsigned unit, view shown, sequence sent,
                                           const raw_response& response, const std::string& server) const;

private:
  struct request {
    client_event event;
    sequence sent = 0, acknowledged = 0;
  };
  using range = std::pair<domain::date, domain::date>;

  /// The known state of a booking. Bookings of the same nights are not compared.
  struct stay {
    std::string reference;
    sequence confirmed = 0, cancel_sent = 0, cancelled = 0;
    std::string confirmed_by;
    bool is_unique = true; ///< false: nothing is compared
  };

  std::optional<std::string> contradicting_stay(unsigned unit, view shown, sequence sent,
                                                const std::vector<std::string_view>& rows,
                                                const std::string& server) const;
  std::optional<std::string> contradicting_rent(unsigned unit, sequence sent, int shown) const;

  sequence last_ = 0;
  std::vector<request> requests_;
  std::map<unsigned, std::vector<std::size_t>> edits_; ///< by unit; indexes of requests_
  std::map<unsigned, std::map<range, stay>> stays_;    ///< by unit
  shown_stays office_stays_;
};

} // namespace roost::testing
