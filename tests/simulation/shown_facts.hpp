#pragma once

#include "service/support/mixed_requests.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace roost::testing {

/// What clients know about the units, and what every later read on every server must therefore show:
/// acknowledged updates and cancellations, and bookings that another server has confirmed.
class shown_facts {
public:
  using moment = std::uint64_t; ///< the order of everything that clients send and get

  /// To be called when a request is sent; returns its number.
  std::size_t sent(const client_event& event);

  /// To be called when the request with this number gets a response from a server. Each start of a server is
  /// another server.
  void answered(std::size_t number, const raw_response& response, const std::string& server);

  moment now() { return ++last_; }

  /// Forgets all responses since then: a backup from that time took the place of the store.
  void forget_since(moment time);

  /// What a read of a unit shows.
  enum class view { listing, calendar };

  /// Compares the response to a read of a unit with the facts that were known when the read was sent. Returns
  /// what contradicts them.
  std::optional<std::string> contradiction(unsigned unit, view shown, moment sent,
                                           const raw_response& response, const std::string& server) const;

private:
  struct request {
    client_event event;
    moment sent = 0, acknowledged = 0;
  };
  using range = std::pair<domain::date, domain::date>;

  /// The requests about a booking. Two bookings of the same nights are compared by neither.
  struct stay {
    std::string reference;
    moment confirmed = 0, cancel_sent = 0, cancelled = 0;
    std::string confirmed_by;
    bool is_unique = true;
  };

  std::optional<std::string> contradicting_stay(unsigned unit, view shown, moment sent,
                                                const std::string& body, const std::string& server) const;
  std::optional<std::string> contradicting_rent(unsigned unit, moment sent, int shown) const;

  moment last_ = 0;
  std::vector<request> requests_;
  std::map<unsigned, std::vector<std::size_t>> edits_; ///< by unit; indexes of requests_
  std::map<unsigned, std::map<range, stay>> stays_;    ///< by unit
};

} // namespace roost::testing
