#pragma once

#include "domain/booking_terms.hpp"
#include "domain/date.hpp"
#include "domain/money.hpp"
#include "domain/text.hpp"
#include "domain/unit.hpp"
#include "domain/uuid.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::domain {

/// Maximum lengths of a tenant's texts, in characters (Partner API, Tenant object).
inline constexpr std::size_t max_tenant_text_length = 128;
inline constexpr std::size_t max_tenant_phone_length = 64;

/// The lead tenant as a platform sends it (Partner API, Tenant object).
struct tenant_details {
  std::string first_name;
  std::optional<std::string> last_name;
  std::string email;
  std::optional<std::string> fiscal_id, phone, nationality;
};

/// A tenant of one landlord account.
struct tenant {
  uuid id{};
  uuid account_id{};
  tenant_details details;
  std::optional<std::string> category;
};

/// States of a queued booking request (Partner API, States and transitions). Duplicates are dropped.
enum class request_state { pending, success, failed, dropped };

inline constexpr std::array<std::string_view, 4> request_state_names{"New", "Success", "Failed", "Dropped"};
constexpr const auto& names_of(request_state) { return request_state_names; }

/// A platform's booking submission, acknowledged or about to be.
struct booking_request {
  uuid id{};
  std::string platform;                 ///< name of the configured platform
  std::string external_id;              ///< the platform's unit ID, or the unit UUID on single-landlord feeds
  std::optional<uuid> unit_id;          ///< the unit, if it was resolved on submission
  std::optional<std::string> reference; ///< the platform's booking ID; the idempotency key
  date check_in{}, check_out{};
  int occupants = 1;                     ///< total, including the lead tenant
  std::optional<money> provider_payment; ///< what the platform collected and pays to the landlord
  std::optional<money> ota_commission;   ///< for reference only
  tenant_details tenant;
  timestamp received_at{};
};

/// Returns a platform's booking ID in its stored form: UUIDs, which are case-insensitive, in lower case.
inline std::string normalized_reference(std::string_view reference) {
  return is_rfc_uuid(reference) ? lower_case(reference) : std::string{reference};
}

/// Booking statuses (Partner API, States and transitions).
enum class booking_status { confirmed, checked_in, checked_out, cancelled };

inline constexpr std::array<std::string_view, 4> booking_status_names{"confirmed", "checked_in",
                                                                      "checked_out", "cancelled"};
constexpr const auto& names_of(booking_status) { return booking_status_names; }

/// Who cancelled a booking (Partner API, States and transitions).
enum class cancelled_by { platform, landlord };

inline constexpr std::array<std::string_view, 2> cancelled_by_names{"platform", "landlord"};
constexpr const auto& names_of(cancelled_by) { return cancelled_by_names; }

struct booking {
  uuid id{};
  std::optional<uuid> request_id; ///< nullopt: the office made the booking by hand
  uuid account_id{};
  uuid unit_id{};
  uuid tenant_id{};
  std::optional<std::string> platform; ///< nullopt: made by hand, without a platform
  std::optional<std::string> reference;
  date check_in{}, check_out{};
  date last_night{}; ///< last blocked night, including the preparation days after check-out
  int occupants = 1;
  booking_status status = booking_status::confirmed;
  money provider_payment;
  std::optional<money> ota_commission;
  std::shared_ptr<const booking_terms> terms;
  timestamp created_at{};
};

/// A notification to a landlord in the app.
struct notification {
  uuid id{};
  uuid account_id{};
  std::string kind; ///< `booking_created`, `booking_refused`, `booking_changed`, `booking_cancelled`, …
  std::string title, body;
  std::optional<uuid> booking_id, request_id;
  timestamp created_at{};
  /// Of the booking or the request at that time. nullopt: not shown to users with an owner.
  std::optional<uuid> unit_id = {};
};

/// A message in the outbox.
struct outgoing_mail {
  uuid id{};
  std::string to, subject, text, html;
  timestamp created_at{};
  bool confidential = false; ///< contains a code or a link: its content is deleted once it is sent
  /// The company whose refusals are combined into one mail; nullopt: sent separately and immediately.
  std::optional<std::string> gathered_for = std::nullopt;
};

/// Why a request was refused (Partner API, States and transitions).
enum class refusal {
  unit_not_linked,    ///< no unit is linked under that ID, or it is excluded or archived
  overlapping_nights, ///< a booking, manual block or other channel's block holds one of the nights
  held_nights,        ///< only holds of platforms take nights of the stay
  provider_payment_missing,
  check_out_not_after_check_in,
  platform_not_configured, ///< an operator's refusal, because no server decides the platform's requests
  withdrawn,               ///< not by Roost: the platform cancelled the booking before the decision
  // Of changes of a stay only:
  booking_refused,
  booking_cancelled,
  changes_not_allowed, ///< by the landlord, on the platform's card
  stay_begun,          ///< and the day of check-in would change
  stay_over,
};

/// The refusals of the booking queue.
inline constexpr std::array refusals{refusal::unit_not_linked, refusal::overlapping_nights,
                                     refusal::held_nights, refusal::provider_payment_missing,
                                     refusal::check_out_not_after_check_in};

/// Identifiers for logs and the store.
inline constexpr std::array<std::string_view, 12> refusal_names{"unit_not_linked",
                                                                "overlapping_nights",
                                                                "held_nights",
                                                                "provider_payment_missing",
                                                                "check_out_not_after_check_in",
                                                                "platform_not_configured",
                                                                "withdrawn",
                                                                "booking_refused",
                                                                "booking_cancelled",
                                                                "changes_not_allowed",
                                                                "stay_begun",
                                                                "stay_over"};
constexpr const auto& names_of(refusal) { return refusal_names; }

/// Whether nights of the stay are taken, which then are known.
constexpr bool is_about_nights(refusal reason) {
  return reason == refusal::overlapping_nights || reason == refusal::held_nights;
}

/// The outcome of one request with all its effects, written in one transaction.
struct decision {
  uuid request_id{};
  request_state state = request_state::failed;
  std::optional<uuid> account_id; ///< the landlord whose request it is, if known
  std::optional<uuid> unit_id;    ///< failed only: the requested unit, if known
  std::optional<refusal> reason;  ///< failed only
  std::vector<nights> taken;      ///< failed only: the nights of the stay that are taken, if known
  /// The platform that can look up the outcome; nullopt: the request has no reference, or repeats another
  /// one.
  std::optional<std::string> reported_to;
  bool ends_hold = false;                     ///< the request has claimed a hold, which its decision ends
  std::optional<domain::booking> booking;     ///< success only
  std::optional<tenant> new_tenant;           ///< success only, if no existing tenant matched
  std::optional<std::string> tenant_category; ///< success only: for an existing tenant without one
  std::vector<notification> notifications;
  std::vector<outgoing_mail> mails;
};

} // namespace roost::domain
