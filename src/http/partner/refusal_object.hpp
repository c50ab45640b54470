#pragma once

#include "domain/booking.hpp"
#include "http/partner/outcome_names.hpp"
#include "json/object.hpp"

#include <string>
#include <string_view>
#include <vector>

/// The description of a refusal in outcomes of bookings and of changes. This header is for the .cpp files
/// that hold descriptions.
namespace roost::http {

inline constexpr auto taken_range = json::object<domain::nights>(
    "", json::member("from", &domain::nights::first, "The first night that is taken"),
    json::member("to", &domain::nights::last, "The last one of the range, inclusive"));

/// Returns ranges of nights as the JSON of `takenNights`.
inline std::string taken_nights_json(const std::vector<domain::nights>& taken) {
  json::writer json;
  json.begin_array();
  for (const auto& each : taken) json::write(json, taken_range, each);
  json.end_array();
  return std::string{json.text()};
}

/// Returns the schema of `takenNights` in an error.
inline json::schema taken_nights_schema() {
  auto taken = json::array_of(json::schema_of(taken_range));
  taken.member = "takenNights";
  taken.schema_facts.meaning = "The nights of the stay that are taken";
  return taken;
}

struct outcome_refusal {
  domain::refusal reason{};
  const std::vector<domain::nights>* taken = nullptr;
};

inline std::string_view refusal_text(domain::refusal reason) {
  switch (reason) {
  case domain::refusal::overlapping_nights:
    return "Some nights of the stay are taken";
  case domain::refusal::held_nights:
    return "Some nights of the stay are held for another guest";
  case domain::refusal::provider_payment_missing:
    return "platformProviderPaymentValue is missing or 0";
  case domain::refusal::check_out_not_after_check_in:
    return "checkOutDate is not after checkInDate";
  case domain::refusal::booking_refused:
    return "The booking is refused";
  case domain::refusal::booking_cancelled:
    return "The booking is cancelled";
  case domain::refusal::changes_not_allowed:
    return "The landlord does not allow changes by your platform";
  case domain::refusal::stay_begun:
    return "The stay has begun: checkInDate cannot change";
  case domain::refusal::stay_over:
    return "The stay is over";
  default:
    return "No unit with this externalId can be booked on your platform";
  }
}

/// `Names` are all reasons that the refusal may have.
template <const auto& Names>
constexpr auto refusal_object_of = json::object<outcome_refusal>(
    "",
    json::member(
        "reason", [](const outcome_refusal& from) { return json::plain_text{partner_name_of(from.reason)}; },
        "Why it was refused", json::one_of{Names}),
    json::member(
        "message", [](const outcome_refusal& from) { return json::plain_text{refusal_text(from.reason)}; },
        "The reason in words, which may change"),
    json::list(
        "takenNights", [](const outcome_refusal& from) -> const auto& { return *from.taken; }, taken_range,
        "The nights of the stay that were taken when it was refused; empty for other reasons"));

} // namespace roost::http
