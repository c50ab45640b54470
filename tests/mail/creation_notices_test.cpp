#include "mail/notices.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::mail::creation_notices_test {
using ::testing::HasSubstr;
using ::testing::Not;
using enum domain::room_problem;

const domain::uuid an_id = *domain::parse_uuid("5f0c3f2e-8a44-4d6f-9a51-0d7f3f6f2a10");
const domain::uuid an_account = *domain::parse_uuid("5f0c3f2e-8a44-4d6f-9a51-0d7f3f6f2a11");
const domain::timestamp now = *domain::parse_timestamp("2026-11-20T09:30:00.000Z");

domain::property_request request() {
  domain::property_request property;
  property.id = "5120";
  property.address = "Calle Mayor 12, Madrid";
  property.internal_name = "Mayor";
  for (const auto* id : {"1", "2", "3"}) {
    auto& room = property.rooms.emplace_back();
    room.id = id;
    room.internal_name = std::string("CM12 Room ") + id;
  }
  return property;
}

domain::notification notice(const domain::property_request& property, std::size_t room,
                            domain::room_problem problem) {
  return uncreated_room_notice(an_id, now, an_account, {"booking-engine", property, {room, problem}});
}

domain::outgoing_mail mail_of(const domain::property_request& property,
                              domain::room_problem problem = name_taken,
                              std::string_view company = "Casa Sol") {
  return uncreated_room_mail(an_id, now, "landlord@casa-sol.example", company,
                             {"booking-engine", property, {1, problem}});
}

TEST(UncreatedRoomNotice, StatesWhatFailedWhyAndWhatExists) {
  const auto created = notice(request(), 1, name_taken);
  EXPECT_EQ(created.id, an_id);
  EXPECT_EQ(created.account_id, an_account);
  EXPECT_EQ(created.kind, "unit_not_created");
  EXPECT_EQ(created.created_at, now);
  EXPECT_EQ(created.title, "Unit not created: CM12 Room 2");
  EXPECT_EQ(created.body,
            "booking-engine could not create it in Mayor (5120_2). Another unit of your account has the same "
            "internal name, \"CM12 Room 2\". The property exists with 1 of the 3 units that were sent. "
            "The units after this one also need to be sent again. Change one of the two names. If it is the "
            "new one, send it again from booking-engine.");
}

TEST(UncreatedRoomNotice, ExplainsEveryReason) {
  EXPECT_THAT(notice(request(), 0, rent_not_fixed).body, HasSubstr("was sent without a fixed rent"));
  EXPECT_THAT(notice(request(), 0, stay_limits_reversed).body,
              HasSubstr("minimum stay is longer than its maximum stay"));
}

TEST(UncreatedRoomNotice, CountsOnlyTheUnitsOfThisRequestIfTheIdIsLinked) {
  const auto created = notice(request(), 1, id_taken);
  EXPECT_THAT(created.body,
              HasSubstr("(5120_2). A unit of your account is linked to booking-engine under its ID "
                        "already. This request created 1 of the 3 units that were sent."));
  auto single = request();
  single.rooms.resize(1);
  EXPECT_THAT(notice(single, 0, id_taken).body, HasSubstr("No unit was created. If it is that unit"));
}

TEST(UncreatedRoomNotice, CountsTheCreatedUnits) {
  EXPECT_THAT(notice(request(), 0, name_taken).body, HasSubstr("0 of the 3 units that were sent. The units"));
  EXPECT_THAT(notice(request(), 2, name_taken).body, HasSubstr("2 of the 3 units that were sent. Change"));
  auto single = request();
  single.rooms.resize(1);
  EXPECT_THAT(notice(single, 0, name_taken).body, HasSubstr("The property exists without this unit."));
}

TEST(UncreatedRoomMail, HasTheSameContentInTextAndHtml) {
  const auto mail = mail_of(request());
  EXPECT_EQ(mail.to, "landlord@casa-sol.example");
  EXPECT_EQ(mail.subject, "Unit not created: CM12 Room 2, Mayor");
  EXPECT_EQ(mail.created_at, now);
  for (const auto& body : {mail.text, mail.html})
    for (const auto* part : {"Hello Casa Sol,", "CM12 Room 2", "Mayor", "Calle Mayor 12, Madrid", "5120_2",
                             "booking-engine", "same internal name", "What you can do", "1 of the 3 units"})
      EXPECT_THAT(body, HasSubstr(part));
  EXPECT_THAT(mail.html, HasSubstr("<title>Unit not created</title>"));
}

TEST(UncreatedRoomMail, EscapesTextFromTheEngineInHtmlOnly) {
  auto property = request();
  property.rooms[1].internal_name = "<b>Room</b> & {{label}}";
  const auto mail = mail_of(property);
  EXPECT_THAT(mail.html, Not(HasSubstr("<b>")));
  EXPECT_THAT(mail.html, HasSubstr("&lt;b&gt;Room&lt;/b&gt; &amp; {{label}}"));
  EXPECT_THAT(mail.text, HasSubstr("<b>Room</b> & {{label}}"));
}

TEST(UncreatedRoomMail, HandlesMissingNames) {
  auto property = request();
  property.internal_name.reset();
  property.rooms[1].internal_name.reset();
  const auto mail = mail_of(property, rent_not_fixed, " ");
  EXPECT_EQ(mail.subject, "Unit not created: Calle Mayor 12, Madrid Room 1, Calle Mayor 12, Madrid");
  EXPECT_THAT(mail.text, ::testing::StartsWith("Hello,\n"));
}

} // namespace roost::mail::creation_notices_test
