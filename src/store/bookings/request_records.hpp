#pragma once

#include "domain/booking.hpp"
#include "store/database/session.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace roost::store {

/// A booking request with what became of it.
struct request_record {
  domain::booking_request request;
  domain::request_state state{};
  std::optional<std::string> reason; ///< of a refusal: domain::refusal as text
  std::optional<domain::timestamp> decided_at;
  std::optional<domain::uuid> booking_id;  ///< of a success
  std::optional<std::string> company_name; ///< the landlord who was told of it, if anybody was
};

/// Which requests to list; what is not set does not matter.
struct request_filter {
  std::optional<domain::request_state> state;
  std::optional<std::string> platform;
  std::optional<domain::timestamp> since; ///< received then or later
};

/// Newest first, without who was told.
std::vector<request_record> list_requests(session& db, const request_filter& wanted, std::size_t limit);

std::optional<request_record> find_request(session& db, const domain::uuid& id);

} // namespace roost::store
