#include "domain/text.hpp"
#include "mail/mail_pages.hpp"
#include "mail/notices.hpp"

#include <stdexcept>
#include <utility>

namespace roost::mail {

namespace {

using domain::one_line;

/// The room in words for a landlord. Text from the engine is reduced to one line.
struct room_words {
  explicit room_words(const uncreated_room& uncreated)
      : problem(uncreated.refusal.why), platform(one_line(uncreated.platform)),
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
                       .summary =
                           room.platform + " wanted to create a unit in your account, and that failed.",
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

domain::notification uncreated_room_notice(const domain::uuid& id, domain::timestamp now,
                                           const domain::uuid& account_id, const uncreated_room& room) {
  const room_words words(room);
  const auto [reason, advice] = reason_and_advice(words);
  return {.id = id,
          .account_id = account_id,
          .kind = "unit_not_created",
          .title = "Unit not created: " + words.name,
          .body = words.platform + " wanted to create it in " + words.property + " (" + words.external_id +
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
