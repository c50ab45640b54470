#include "mail/notices.hpp"

#include "domain/date.hpp"
#include "domain/text.hpp"
#include "mail/mail_pages.hpp"
#include "mail/stay_words.hpp"

#include <stdexcept>
#include <utility>

namespace roost::mail {

namespace {

using domain::counted, domain::one_line;

/// Returns why the request was refused, and what the landlord can do.
std::pair<std::string, std::string> reason_and_advice(domain::refusal refusal, const stay_words& stay) {
  switch (refusal) {
  case domain::refusal::unit_not_linked:
    return {
        "The request is for the unit that " + stay.platform + " calls \"" + stay.external_id +
            "\". No unit is linked under that ID, or the unit is excluded from the feed, or it is archived.",
        "Check the unit's link to " + stay.platform +
            " and that the unit is included in its feed. Then ask for the booking to be sent again."};
  case domain::refusal::overlapping_nights:
    return {"At least one of these nights is already taken: by another booking, by a block in the unit's "
            "calendar or by another channel.",
            "Look at the unit's calendar. If the nights can be sold after all, free them and ask for the "
            "booking to be sent again. If not, check that " +
                stay.platform + " shows your current calendar."};
  case domain::refusal::held_nights:
    return {"A platform holds at least one of these nights for a guest who is about to book. Nights are held "
            "for at most 30 minutes.",
            "If the guest does not book, ask for the booking to be sent again."};
  case domain::refusal::provider_payment_missing:
    return {stay.platform + " did not say how much it collected from the guest and pays to you.",
            "Ask " + stay.platform + " to send the booking again with the amount."};
  case domain::refusal::check_out_not_after_check_in:
    return {"The check-out date is not after the check-in date.",
            "Ask " + stay.platform + " to send the booking again with the right dates."};
  case domain::refusal::platform_not_configured:
    return {stay.platform + " is no longer connected, so its waiting booking requests are refused.",
            "If you still work with " + stay.platform + ", ask your operator to connect it again."};
  case domain::refusal::withdrawn:
  case domain::refusal::booking_refused:
  case domain::refusal::booking_cancelled:
  case domain::refusal::changes_not_allowed:
  case domain::refusal::stay_begun:
  case domain::refusal::stay_over:
    break; // nobody is notified
  }
  throw std::logic_error("unknown value");
}

/// Platforms are not notified of refusals (Partner API, Events), so the guest may still expect the stay.
std::string reminder_about(const stay_words& stay) {
  return stay.platform +
         " is not notified of this refusal, and the guest may still expect to stay. "
         "Please settle it with " +
         stay.platform + " or with the guest.";
}

mail_content content_of(const stay_words& stay, std::string_view company_name, domain::refusal refusal) {
  auto [reason, advice] = reason_and_advice(refusal, stay);
  mail_content content{.title = "Booking refused",
                       .summary = "we could not accept a booking from " + stay.platform +
                                  ". Nothing was booked, and your calendar is unchanged.",
                       .reason = std::move(reason),
                       .advice = std::move(advice),
                       .reminder = reminder_about(stay)};
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

/// The room in words for a landlord. Text from the engine is reduced to one line.
struct room_words {
  explicit room_words(const uncreated_room& uncreated)
      : problem(uncreated.refusal.reason), platform(one_line(uncreated.platform)),
        property(one_line(uncreated.request.internal_name.value_or(uncreated.request.address))),
        address(one_line(uncreated.request.address)), created(uncreated.refusal.room),
        total(uncreated.request.rooms.size()) {
    const auto& room = uncreated.request.rooms[created];
    name = one_line(domain::internal_name_of(uncreated.request, room));
    external_id = one_line(domain::external_id_of(uncreated.request, room));
  }

  /// Describes what exists now. If an earlier request created units, this one counts only its own.
  std::string outcome() const {
    const bool repeated = problem == domain::room_problem::id_taken;
    if (total == 1) return repeated ? "No unit was created." : "The property exists without this unit.";
    const auto rest = total - created - 1;
    auto text = (repeated ? "This request created " : "The property exists with ") + std::to_string(created) +
                " of the " + std::to_string(total) + " units that were sent.";
    if (rest > 0) text += " The units after this one also need to be sent again.";
    return text;
  }

  domain::room_problem problem;
  std::string platform, property, address, name, external_id;
  std::size_t created, total;
};

/// Returns why the room was not created, and what the landlord can do.
std::pair<std::string, std::string> reason_and_advice(const room_words& room) {
  switch (room.problem) {
  case domain::room_problem::rent_not_fixed:
    return {"It was sent without a fixed rent. A rent that varies by month cannot be created from there.",
            "Give it one rent for all months in " + room.platform +
                " and send it again. You can set a rent for each month here afterwards."};
  case domain::room_problem::stay_limits_reversed:
    return {"Its minimum stay is longer than its maximum stay.",
            "Correct its stay limits in " + room.platform + " and send it again."};
  case domain::room_problem::id_taken:
    return {"A unit of your account is linked to " + room.platform + " under its ID already.",
            "If it is that unit, there is nothing to do. Otherwise correct that unit's link here, or the "
            "new one's ID in " +
                room.platform + ", and send it again."};
  case domain::room_problem::name_taken:
    return {"Another unit of your account has the same internal name, \"" + room.name + "\".",
            "Change one of the two names. If it is the new one, send it again from " + room.platform + "."};
  }
  throw std::logic_error("unknown value");
}

mail_content content_of(const room_words& room, std::string_view company_name) {
  auto [reason, advice] = reason_and_advice(room);
  mail_content content{.title = "Unit not created",
                       .summary = room.platform + " could not create a unit in your account.",
                       .reason = std::move(reason),
                       .advice = std::move(advice),
                       .reminder = room.outcome()};
  content.greet(company_name);
  content.add("Unit", room.name);
  content.add("Property", room.property);
  content.add("Address", room.address);
  content.add("Platform", room.platform);
  content.add("Its ID there", room.external_id);
  return content;
}

} // namespace

domain::notification created_notice(const domain::uuid& id, domain::timestamp now,
                                    const domain::uuid& account_id, const domain::uuid& booking_id,
                                    const stay_facts& stay, std::span<const domain::stay_warning> warnings) {
  const stay_words words(stay);
  auto body =
      words.guest + " stays " + words.dates() + ", " + words.people + ". Booked on " + words.origin() + ".";
  body += warnings_text(warnings, words);
  return {.id = id,
          .account_id = account_id,
          .kind = "booking_created",
          .title = "New booking: " + words.unit,
          .body = std::move(body),
          .booking_id = booking_id,
          .request_id = stay.request.id,
          .created_at = now,
          .unit_id = stay.unit_id};
}

domain::notification refused_notice(const domain::uuid& id, domain::timestamp now,
                                    const domain::uuid& account_id, const stay_facts& stay,
                                    domain::refusal refusal) {
  const stay_words words(stay);
  const auto [reason, advice] = reason_and_advice(refusal, words);
  return {.id = id,
          .account_id = account_id,
          .kind = "booking_refused",
          .title = "Booking refused: " + words.unit,
          .body = words.guest + " wanted to stay " + words.dates() + ". Requested on " + words.origin() +
                  ". " + reason + " Nothing was booked. " + advice + " " + reminder_about(words),
          .request_id = stay.request.id,
          .created_at = now,
          .unit_id = stay.unit_id};
}

domain::notification cancelled_notice(const domain::uuid& id, domain::timestamp now,
                                      const domain::uuid& account_id, const domain::uuid& booking_id,
                                      const stay_facts& stay) {
  const stay_words words(stay);
  return {.id = id,
          .account_id = account_id,
          .kind = "booking_cancelled",
          .title = "Booking cancelled: " + words.unit,
          .body = "The stay of " + words.guest + " " + words.dates() + " was cancelled on " + words.origin() +
                  ". The nights are free again. Nothing is refunded.",
          .booking_id = booking_id,
          .request_id = stay.request.id,
          .created_at = now,
          .unit_id = stay.unit_id};
}

domain::outgoing_mail refused_mail(const domain::uuid& id, domain::timestamp now, std::string recipient,
                                   std::string_view company_name, const stay_facts& stay,
                                   domain::refusal refusal) {
  const stay_words words(stay);
  return render_mail(content_of(words, company_name, refusal), id, now, std::move(recipient),
                     "Booking refused: " + words.unit + ", " + words.check_in + " to " + words.check_out);
}

domain::outgoing_mail gathered_refusal(const domain::uuid& id, domain::timestamp now, std::string recipient,
                                       std::string_view company_name, const stay_facts& stay,
                                       domain::refusal refusal) {
  const stay_words words(stay);
  const auto [reason, advice] = reason_and_advice(refusal, words);
  return {.id = id,
          .to = std::move(recipient),
          .subject = words.unit,
          .text =
              words.guest + ", " + words.dates() + ", on " + words.origin() + ". " + reason + " " + advice,
          .created_at = now,
          .gathered_for = one_line(company_name)};
}

domain::outgoing_mail gathered_refusals(std::span<const domain::outgoing_mail> parts, std::size_t count) {
  const auto& first = parts.front();
  const auto bookings = counted(static_cast<std::int64_t>(count), "booking", "bookings");
  mail_content content{.title = "Bookings refused",
                       .summary = "we could not accept " + bookings +
                                  ". Nothing was booked, and your calendars are unchanged.",
                       .reminder =
                           "The platforms are not notified of these refusals, and the guests may still "
                           "expect to stay. Please settle them with the platforms or with the guests."};
  content.greet(first.gathered_for.value_or(""));
  for (const auto& part : parts) content.add(part.subject, part.text);
  if (parts.size() < count)
    content.add("Further refusals",
                std::to_string(count - parts.size()) + "; your notifications list them all.");
  return render_mail(content, first.id, first.created_at, first.to, bookings + " refused");
}

domain::notification uncreated_room_notice(const domain::uuid& id, domain::timestamp now,
                                           const domain::uuid& account_id, const uncreated_room& room) {
  const room_words words(room);
  const auto [reason, advice] = reason_and_advice(words);
  return {.id = id,
          .account_id = account_id,
          .kind = "unit_not_created",
          .title = "Unit not created: " + words.name,
          .body = words.platform + " could not create it in " + words.property + " (" + words.external_id +
                  "). " + reason + " " + words.outcome() + " " + advice,
          .created_at = now};
}

domain::outgoing_mail uncreated_room_mail(const domain::uuid& id, domain::timestamp now,
                                          std::string recipient, std::string_view company_name,
                                          const uncreated_room& room) {
  const room_words words(room);
  return render_mail(content_of(words, company_name), id, now, std::move(recipient),
                     "Unit not created: " + words.name + ", " + words.property);
}

} // namespace roost::mail
