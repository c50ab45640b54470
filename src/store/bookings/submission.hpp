#pragma once

#include "domain/booking.hpp"

#include <optional>
#include <string>
#include <utility>

namespace roost::store {

/// A booking request as it arrives.
struct submission {
  submission() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): stands for a request without a digest
  submission(domain::booking_request request, std::optional<std::string> digest = std::nullopt)
      : request(std::move(request)), digest(std::move(digest)) {}

  domain::booking_request request;
  std::optional<std::string> digest; ///< of canonical_text() (security::submission_digest)
  /// put_submissions() only: whether it may be stored. If not, it only finds what was submitted before.
  bool may_be_first = true;
  /// put_submissions() only: the platform's hold that the request takes over, if it is stored now.
  std::optional<std::string> hold_id = std::nullopt;
};

/// Returns a text that is equal for submissions with the same platform, reference and body. Bodies are equal
/// if they are equal after parsing: numbers by value, without the tenant's unknown members. The unit that a
/// webhook's reference leads to is not part of a body.
std::string canonical_text(const domain::booking_request& submission);

} // namespace roost::store
