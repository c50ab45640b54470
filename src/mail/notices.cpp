#include "mail/notices.hpp"

#include "domain/date.hpp"
#include "domain/text.hpp"
#include "mail/mail_pages.hpp"
#include "mail/stay_words.hpp"

#include <stdexcept>
#include <utility>

namespace roost::mail {

namespace {

std::string sentence(stay_warning warning, const stay_words& stay) {
  switch (warning) {
  case stay_warning::above_capacity:
    return "It is for " + stay.people + ", more than the unit sleeps.";
  case stay_warning::shorter_than_minimum:
    return "It is shorter than the unit's minimum stay.";
  case stay_warning::longer_than_maximum:
    return "It is longer than the unit's maximum stay.";
  }
  throw std::logic_error("unknown value");
}

std::string reason(domain::refusal why, const stay_words& stay) {
  switch (why) {
  case domain::refusal::unit_not_linked:
    return "The request is for the unit that " + stay.platform + " calls \"" + stay.external_id +
           "\". No unit is linked under that ID, or the unit is excluded from the feed, or it is archived.";
  case domain::refusal::overlapping_nights:
    return "At least one of these nights is already taken: by another booking, by a block in the unit's "
           "calendar or by another channel.";
  case domain::refusal::provider_payment_missing:
    return stay.platform + " did not say how much it collected from the guest and pays to you.";
  case domain::refusal::check_out_not_after_check_in:
    return "The check-out date is not after the check-in date.";
  }
  throw std::logic_error("unknown value");
}

std::string advice(domain::refusal why, const stay_words& stay) {
  switch (why) {
  case domain::refusal::unit_not_linked:
    return "Check the unit's link to " + stay.platform +
           " and that the unit is included in its feed. Then ask for the booking to be sent again.";
  case domain::refusal::overlapping_nights:
    return "Look at the unit's calendar. If the nights can be sold after all, free them and ask for the "
           "booking to be sent again. If not, check that " +
           stay.platform + " shows your current calendar.";
  case domain::refusal::provider_payment_missing:
    return "Ask " + stay.platform + " to send the booking again with the amount.";
  case domain::refusal::check_out_not_after_check_in:
    return "Ask " + stay.platform + " to send the booking again with the right dates.";
  }
  throw std::logic_error("unknown value");
}

/// Platforms are not told of a refusal (Partner API, Events), so the guest may still count on the stay.
std::string reminder(const stay_words& stay) {
  return stay.platform +
         " is not told about this refusal, and the guest may still expect to stay. "
         "Please settle it with " +
         stay.platform + " or with the guest.";
}

mail_content content_of(const stay_words& stay, std::string_view company_name, domain::refusal why) {
  mail_content content{.title = "Booking refused",
                       .summary = "we could not accept a booking from " + stay.platform +
                                  ". Nothing was booked, and your calendar is unchanged.",
                       .reason = reason(why, stay),
                       .advice = advice(why, stay),
                       .reminder = reminder(stay)};
  content.greet(company_name);
  content.add("Unit", stay.unit);
  content.add("Guest", stay.guest);
  content.add("Check-in", stay.check_in);
  content.add("Check-out", stay.check_out);
  content.add("Length", stay.nights);
  content.add("Platform", stay.platform);
  content.add("Reference", stay.reference);
  return content;
}

} // namespace

domain::notification created_notice(const domain::uuid& id, domain::timestamp now,
                                    const domain::uuid& account_id, const domain::uuid& booking_id,
                                    const stay_facts& stay, std::span<const stay_warning> warnings) {
  const stay_words words(stay);
  auto body =
      words.guest + " stays " + words.dates() + ", " + words.people + ". Booked on " + words.origin() + ".";
  if (!warnings.empty()) body += " Please check this stay:";
  for (const auto warning : warnings) body += " " + sentence(warning, words);
  return {.id = id,
          .account_id = account_id,
          .kind = "booking_created",
          .title = "New booking: " + words.unit,
          .body = std::move(body),
          .booking_id = booking_id,
          .request_id = stay.request.id,
          .created_at = now};
}

domain::notification refused_notice(const domain::uuid& id, domain::timestamp now,
                                    const domain::uuid& account_id, const stay_facts& stay,
                                    domain::refusal why) {
  const stay_words words(stay);
  return {.id = id,
          .account_id = account_id,
          .kind = "booking_refused",
          .title = "Booking refused: " + words.unit,
          .body = words.guest + " wanted to stay " + words.dates() + ". Asked for on " + words.origin() +
                  ". " + reason(why, words) + " Nothing was booked. " + advice(why, words) + " " +
                  reminder(words),
          .request_id = stay.request.id,
          .created_at = now};
}

domain::notification cancelled_notice(const domain::uuid& id, domain::timestamp now,
                                      const domain::uuid& account_id, const domain::uuid& booking_id,
                                      const stay_facts& stay) {
  const stay_words words(stay);
  return {.id = id,
          .account_id = account_id,
          .kind = "booking_cancelled",
          .title = "Booking cancelled: " + words.unit,
          .body = words.guest + " does not come " + words.dates() + ". Cancelled on " + words.origin() +
                  ". The nights are free again. Nothing is refunded.",
          .booking_id = booking_id,
          .request_id = stay.request.id,
          .created_at = now};
}

domain::notification cancelled_by_hand_notice(const domain::uuid& id, domain::timestamp now,
                                              const domain::uuid& account_id, const domain::uuid& booking_id,
                                              const stay_facts& stay, std::string_view by) {
  const stay_words words(stay);
  auto told = cancelled_notice(id, now, account_id, booking_id, stay);
  told.body = words.guest + " does not come " + words.dates() + ". Booked on " + words.origin() +
              ", cancelled here by " + domain::one_line(by) + ". The nights are free again. " +
              words.platform + " is not told, and nothing is refunded: please settle it with " +
              words.platform + ".";
  return told;
}

domain::outgoing_mail refused_mail(const domain::uuid& id, domain::timestamp now, std::string recipient,
                                   std::string_view company_name, const stay_facts& stay,
                                   domain::refusal why) {
  const stay_words words(stay);
  return mail_of(content_of(words, company_name, why), id, now, std::move(recipient),
                 "Booking refused: " + words.unit + ", " + words.check_in + " to " + words.check_out);
}

domain::outgoing_mail gathered_refusal(const domain::uuid& id, domain::timestamp now, std::string recipient,
                                       std::string_view company_name, const stay_facts& stay,
                                       domain::refusal why) {
  const stay_words words(stay);
  return {.id = id,
          .to = std::move(recipient),
          .subject = words.unit,
          .text = words.guest + ", " + words.dates() + ", on " + words.origin() + ". " + reason(why, words) +
                  " " + advice(why, words),
          .created_at = now,
          .gathered_for = domain::one_line(company_name)};
}

domain::outgoing_mail gathered_refusals(std::span<const domain::outgoing_mail> parts, std::size_t all) {
  const auto& first = parts.front();
  const auto bookings = domain::counted(static_cast<std::int64_t>(all), "booking", "bookings");
  mail_content content{.title = "Bookings refused",
                       .summary = "we could not accept " + bookings +
                                  ". Nothing was booked, and your calendars are unchanged.",
                       .reminder =
                           "The platforms are not told about these refusals, and the guests may still "
                           "expect to stay. Please settle them with the platforms or with the guests."};
  content.greet(first.gathered_for.value_or(""));
  for (const auto& part : parts) content.add(part.subject, part.text);
  if (parts.size() < all)
    content.add("Further ones", std::to_string(all - parts.size()) + "; your notifications list them all.");
  return mail_of(content, first.id, first.created_at, first.to, bookings + " refused");
}

} // namespace roost::mail
