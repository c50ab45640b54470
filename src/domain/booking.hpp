#pragma once

#include "domain/booking_terms.hpp"
#include "domain/date.hpp"
#include "domain/money.hpp"
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

/// Limits of a tenant's texts, in characters (Partner API, Tenant object).
inline constexpr std::size_t longest_tenant_text = 128;
inline constexpr std::size_t longest_tenant_phone = 64;

/// The lead tenant as a platform sends it (Partner API, Tenant object).
struct tenant_details {
  std::string first_name;
  std::optional<std::string> last_name;
  std::string email;
  std::optional<std::string> fiscal_id, phone, nationality;
};

/// Somebody who stays, in one landlord's account.
struct tenant {
  uuid id{};
  uuid account_id{};
  tenant_details details;
  std::optional<std::string> category;
};

/// Queued booking request states (Partner API, States and transitions). Dropped: a duplicate, kept for the
/// record.
enum class request_state { pending, success, failed, dropped };

std::string_view to_string(request_state state); ///< `New`, `Success`, `Failed`, `Dropped`

/// A booking that a platform asked for and that was acknowledged or is about to be.
struct booking_request {
  uuid id{};
  std::string platform;                 ///< name of the configured platform
  std::string external_id;              ///< the platform's unit ID, or the unit UUID on single-landlord feeds
  std::optional<uuid> unit_id;          ///< which unit it is, where that was found when it was asked for
  std::optional<std::string> reference; ///< the platform's booking ID; idempotency key
  date check_in{}, check_out{};
  int occupants = 1;                     ///< total, including the lead tenant
  std::optional<money> provider_payment; ///< what the platform collected and pays to the landlord
  std::optional<money> ota_commission;   ///< for reference only
  tenant_details tenant;
  timestamp received_at{};
};

/// A platform's booking ID as it is stored: a UUID means the same in either letter case.
std::string normalized_reference(std::string_view reference);

/// Booking statuses (Partner API, States and transitions).
enum class booking_status { confirmed, checked_in, checked_out, cancelled };

std::string_view to_string(booking_status status);

/// Whether a booking in this status can be cancelled: it holds nights that are not over.
bool is_active(booking_status status);

/// Who cancelled a booking (Partner API, States and transitions).
enum class cancelled_by { platform, landlord };

std::string_view to_string(cancelled_by who);

struct booking {
  uuid id{};
  uuid request_id{};
  uuid account_id{};
  uuid unit_id{};
  uuid tenant_id{};
  std::string platform;
  std::optional<std::string> reference;
  date check_in{}, check_out{};
  date last_night{}; ///< that it blocks: the preparation days after check-out included
  int occupants = 1;
  booking_status status = booking_status::confirmed;
  money provider_payment;
  std::optional<money> ota_commission;
  std::shared_ptr<const booking_terms> terms;
  timestamp created_at{};
};

/// What a landlord is told in the app.
struct notification {
  uuid id{};
  uuid account_id{};
  std::string kind; ///< `booking_created`, `booking_refused`, `booking_cancelled`, …
  std::string title, body;
  std::optional<uuid> booking_id, request_id;
  timestamp created_at{};
};

/// One message of the outbox.
struct outgoing_mail {
  uuid id{};
  std::string to, subject, text, html;
  timestamp created_at{};
  bool confidential = false; ///< holds a code or a link: what it says is deleted once it is sent
  /// The company whose refusals it is gathered with into one mail; none: it goes alone and at once.
  std::optional<std::string> gathered_for = std::nullopt;
};

/// Why a request was refused (Partner API, States and transitions).
enum class refusal {
  unit_not_linked,    ///< nothing linked under that ID, or the unit is excluded or archived
  overlapping_nights, ///< a booking, manual block or other channel's block holds one of the nights
  provider_payment_missing,
  check_out_not_after_check_in,
};

inline constexpr std::array refusals{refusal::unit_not_linked, refusal::overlapping_nights,
                                     refusal::provider_payment_missing,
                                     refusal::check_out_not_after_check_in};

std::string_view to_string(refusal why); ///< one word for logs and the store

/// Everything that follows from one request, written in one transaction.
struct decision {
  uuid request_id{};
  request_state state = request_state::failed;
  std::optional<refusal> why;                 ///< failed only
  std::optional<domain::booking> booking;     ///< success only
  std::optional<tenant> new_tenant;           ///< success only, when nobody matched
  std::optional<std::string> tenant_category; ///< success only: for a known tenant that had none
  std::vector<notification> notifications;
  std::vector<outgoing_mail> mails;
};

} // namespace roost::domain
