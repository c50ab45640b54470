#include "mail/creation_notices.hpp"

#include "domain/text.hpp"
#include "mail/mail_pages.hpp"

#include <stdexcept>

namespace roost::mail {

namespace {

using domain::one_line;

/// The room in words. Whatever the engine sent is on one line.
struct room_words {
  explicit room_words(const uncreated_room& of)
      : why(of.refused.why), platform(one_line(of.platform)),
        property(one_line(of.wanted.internal_name.value_or(of.wanted.address))),
        address(one_line(of.wanted.address)), created(of.refused.room), total(of.wanted.rooms.size()) {
    const auto& room = of.wanted.rooms[of.refused.room];
    name = one_line(domain::internal_name_of(of.wanted, room));
    external_id = one_line(domain::external_id_of(of.wanted, room));
  }

  std::string reason() const {
    switch (why) {
    case domain::room_problem::rent_not_fixed:
      return "It came without a fixed rent. A rent that changes with the months cannot be created from "
             "there.";
    case domain::room_problem::stay_limits_reversed:
      return "Its minimum stay is longer than its maximum stay.";
    case domain::room_problem::id_taken:
      return "A unit of your account is linked to " + platform + " under its ID already.";
    case domain::room_problem::name_taken:
      return "Another unit of your account has the same internal name, \"" + name + "\".";
    }
    throw std::logic_error("unknown value");
  }

  std::string advice() const {
    switch (why) {
    case domain::room_problem::rent_not_fixed:
      return "Give it one rent for all months in " + platform +
             " and send it again. You can set a rent for each month here afterwards.";
    case domain::room_problem::stay_limits_reversed:
      return "Correct its stay limits in " + platform + " and send it again.";
    case domain::room_problem::id_taken:
      return "If it is that unit, there is nothing to do. Otherwise correct the link of that unit here, or "
             "the "
             "new one's ID in " +
             platform + ", and send it again.";
    case domain::room_problem::name_taken:
      return "Change one of the two names. If it is the new one, send it again from " + platform + ".";
    }
    throw std::logic_error("unknown value");
  }

  /// After an earlier request for the same units more of them may be there than this one created.
  std::string outcome() const {
    const bool repeated = why == domain::room_problem::id_taken;
    if (total == 1) return repeated ? "No unit was created." : "The property is there, without this unit.";
    const auto rest = total - created - 1;
    auto text = (repeated ? "This request created " : "The property is there with ") +
                std::to_string(created) + " of the " + std::to_string(total) + " units that were sent.";
    if (rest > 0) text += " Those that came after this one have to be sent again too.";
    return text;
  }

  domain::room_problem why;
  std::string platform, property, address, name, external_id;
  std::size_t created, total;
};

mail_content content_of(const room_words& room, std::string_view company_name) {
  mail_content content{.title = "Unit not created",
                       .summary =
                           room.platform + " wanted to create a unit in your account, and that failed.",
                       .reason = room.reason(),
                       .advice = room.advice(),
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
  return {.id = id,
          .account_id = account_id,
          .kind = "unit_not_created",
          .title = "Unit not created: " + words.name,
          .body = words.platform + " wanted to create it in " + words.property + " (" + words.external_id +
                  "). " + words.reason() + " " + words.outcome() + " " + words.advice(),
          .created_at = now};
}

domain::outgoing_mail uncreated_room_mail(const domain::uuid& id, domain::timestamp now,
                                          std::string recipient, std::string_view company_name,
                                          const uncreated_room& room) {
  const room_words words(room);
  return mail_of(content_of(words, company_name), id, now, std::move(recipient),
                 "Unit not created: " + words.name + ", " + words.property);
}

} // namespace roost::mail
