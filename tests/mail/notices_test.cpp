#include "mail/notices.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <vector>

namespace roost::mail::notices_test {
using ::testing::HasSubstr;
using ::testing::Not;

domain::uuid id_of(char last) {
  return domain::parse_uuid(std::string("5f0c3f2e-8a44-4d6f-9a51-0d7f3f6f2a1") + last).value();
}

const domain::timestamp now = domain::parse_timestamp("2026-11-20T09:30:00.000Z").value();

domain::booking_request request() {
  return {.id = id_of('0'),
          .platform = "marketplace-a",
          .external_id = "8812",
          .reference = "b1f7e6de-3c5e-4a53-8a30-7d9e1f2c3b4a",
          .check_in = domain::parse_date("2027-02-01").value(),
          .check_out = domain::parse_date("2027-07-01").value(),
          .occupants = 2,
          .tenant = {.first_name = "Ana",
                     .last_name = "García",
                     .email = "ana@guest.example",
                     .fiscal_id = "X1234567Z",
                     .phone = "+34 600 000 000"}};
}

domain::notification created(const domain::booking_request& request,
                             std::span<const domain::stay_warning> warnings = {}) {
  return created_notice(id_of('1'), now, id_of('2'), id_of('3'), {"Room 2", "Madrid", id_of('4'), request},
                        warnings);
}

domain::notification refused(const domain::booking_request& request, domain::refusal refusal) {
  return refused_notice(id_of('1'), now, id_of('2'), {"Room 2", "Madrid", id_of('4'), request}, refusal);
}

domain::outgoing_mail mail_about(const stay_facts& stay,
                                 domain::refusal refusal = domain::refusal::overlapping_nights,
                                 std::string_view company = "Casa Sol") {
  return refused_mail(id_of('1'), now, "landlord@casa-sol.example", company, stay, refusal);
}

TEST(CreatedNotice, StatesTheGuestTheUnitAndTheDates) {
  const auto notice = created(request());
  EXPECT_EQ(notice.title, "New booking: Room 2, Madrid");
  EXPECT_EQ(notice.body,
            "Ana García stays from 1 February 2027 to 1 July 2027 (150 nights), 2 people. Booked on "
            "marketplace-a, reference b1f7e6de-3c5e-4a53-8a30-7d9e1f2c3b4a.");
}

TEST(CreatedNotice, BelongsToTheBookingItsRequestAndItsUnit) {
  const auto notice = created(request());
  EXPECT_EQ(notice.id, id_of('1'));
  EXPECT_EQ(notice.account_id, id_of('2'));
  EXPECT_EQ(notice.booking_id, id_of('3'));
  EXPECT_EQ(notice.request_id, id_of('0'));
  EXPECT_EQ(notice.unit_id, id_of('4'));
  EXPECT_EQ(notice.kind, "booking_created");
  EXPECT_EQ(notice.created_at, now);
}

TEST(CreatedNotice, WarnsOfEachExceededLimit) {
  EXPECT_THAT(created(request()).body, Not(HasSubstr("check this stay")));
  constexpr std::array warnings{domain::stay_warning::above_capacity,
                                domain::stay_warning::longer_than_maximum};
  const auto body = created(request(), warnings).body;
  EXPECT_THAT(body,
              ::testing::EndsWith("Please check this stay: It is for 2 people, more than the unit sleeps. It "
                                  "is longer than the unit's maximum stay."));
  constexpr std::array shorter{domain::stay_warning::shorter_than_minimum};
  EXPECT_THAT(created(request(), shorter).body, HasSubstr("shorter than the unit's minimum stay"));
}

TEST(CreatedNotice, UsesTheSingular) {
  auto booking = request();
  booking.check_out = booking.check_in + domain::days{1};
  booking.occupants = 1;
  EXPECT_THAT(created(booking).body, HasSubstr("(1 night), 1 person."));
}

TEST(CreatedNotice, OmitsUnknownValues) {
  auto booking = request();
  booking.reference.reset();
  booking.tenant.last_name.reset();
  const auto notice =
      created_notice(id_of('1'), now, id_of('2'), id_of('3'), {"Room 2", "", id_of('4'), booking}, {});
  EXPECT_EQ(notice.title, "New booking: Room 2");
  EXPECT_THAT(notice.body, ::testing::StartsWith("Ana stays from"));
  EXPECT_THAT(notice.body, ::testing::EndsWith("Booked on marketplace-a."));
}

TEST(RefusedNotice, StatesTheReasonAndWhatToDo) {
  const auto notice = refused(request(), domain::refusal::overlapping_nights);
  EXPECT_EQ(notice.kind, "booking_refused");
  EXPECT_EQ(notice.title, "Booking refused: Room 2, Madrid");
  EXPECT_FALSE(notice.booking_id);
  EXPECT_EQ(notice.request_id, id_of('0'));
  EXPECT_EQ(notice.unit_id, id_of('4'));
  EXPECT_THAT(notice.body,
              HasSubstr("Ana García wanted to stay from 1 February 2027 to 1 July 2027 (150 nights)"));
  EXPECT_THAT(notice.body, HasSubstr("already taken"));
  EXPECT_THAT(notice.body, HasSubstr("Nothing was booked."));
  EXPECT_THAT(notice.body, HasSubstr("marketplace-a is not notified of this refusal"));
}

TEST(RefusedNotice, ExplainsEveryReason) {
  using enum domain::refusal;
  EXPECT_THAT(refused(request(), unit_not_linked).body, HasSubstr("marketplace-a calls \"8812\""));
  EXPECT_THAT(refused(request(), provider_payment_missing).body,
              HasSubstr("did not say how much it collected"));
  EXPECT_THAT(refused(request(), held_nights).body, HasSubstr("holds at least one of these nights"));
  EXPECT_THAT(refused(request(), check_out_not_after_check_in).body,
              HasSubstr("check-out date is not after the check-in date"));
}

TEST(RefusedNotice, OmitsTheNightsIfThereAreNone) {
  auto booking = request();
  booking.check_out = booking.check_in;
  const auto notice = refused(booking, domain::refusal::check_out_not_after_check_in);
  EXPECT_THAT(notice.body, HasSubstr("from 1 February 2027 to 1 February 2027. Requested"));
}

TEST(RefusedMail, HasTheSameContentInTextAndHtml) {
  const auto booking = request();
  const auto mail = mail_about({"Room 2", "Madrid", id_of('4'), booking});
  EXPECT_EQ(mail.to, "landlord@casa-sol.example");
  EXPECT_EQ(mail.subject, "Booking refused: Room 2, Madrid, 1 February 2027 to 1 July 2027");
  EXPECT_EQ(mail.created_at, now);
  for (const auto& body : {mail.text, mail.html})
    for (const auto* part :
         {"Hello Casa Sol,", "Room 2, Madrid", "Ana García", "1 February 2027", "1 July 2027", "150 nights",
          "marketplace-a", "b1f7e6de-3c5e-4a53-8a30-7d9e1f2c3b4a", "already taken", "What you can do",
          "not notified"})
      EXPECT_THAT(body, HasSubstr(part));
}

TEST(RefusedMail, ListsEachFactOnItsOwnLine) {
  const auto booking = request();
  EXPECT_THAT(
      mail_about({"Room 2", "Madrid", id_of('4'), booking}).text,
      HasSubstr("\n\nUnit: Room 2, Madrid\nGuest: Ana García\nCheck-in: 1 February 2027\nCheck-out: 1 July "
                "2027\nLength: 150 nights\nPlatform: marketplace-a\nReference: "
                "b1f7e6de-3c5e-4a53-8a30-7d9e1f2c3b4a\n\nWhy: "));
}

TEST(RefusedMail, ContainsOnlyTheNameOfTheGuest) {
  const auto booking = request();
  const auto mail = mail_about({"Room 2", "Madrid", id_of('4'), booking});
  for (const auto& body : {mail.text, mail.html})
    for (const auto* secret : {"X1234567Z", "600 000 000", "ana@guest.example"})
      EXPECT_THAT(body, Not(HasSubstr(secret)));
}

TEST(RefusedMail, EscapesUntrustedTextInHtmlOnly) {
  auto booking = request();
  booking.tenant.first_name = "<img src=x onerror=\"alert(1)\">";
  booking.tenant.last_name = "D'Angelo & {{label}}";
  const auto mail = mail_about({"Room 2", "Madrid", id_of('4'), booking});
  EXPECT_THAT(mail.html, Not(HasSubstr("<img")));
  EXPECT_THAT(mail.html,
              HasSubstr("&lt;img src=x onerror=&quot;alert(1)&quot;&gt; D&#39;Angelo &amp; {{label}}"));
  EXPECT_THAT(mail.text, HasSubstr("<img src=x onerror=\"alert(1)\"> D'Angelo & {{label}}"));
}

TEST(RefusedMail, LoadsNoExternalResources) {
  const auto booking = request();
  const auto html = mail_about({"Room 2", "Madrid", id_of('4'), booking}).html;
  for (const auto* link : {"http:", "https:", "src=", "url(", "<link", "<script"})
    EXPECT_THAT(html, Not(HasSubstr(link)));
}

TEST(RefusedMail, HasASubjectOfOneLine) {
  const auto booking = request();
  const auto mail = mail_about({"Room 2\r\nBcc: x@elsewhere.example", "Madrid\n", id_of('4'), booking});
  EXPECT_THAT(mail.subject, Not(::testing::ContainsRegex("[\r\n]")));
  EXPECT_THAT(mail.subject, HasSubstr("Room 2 Bcc: x@elsewhere.example, Madrid, 1 February 2027"));
}

TEST(RefusedMail, HandlesAMissingUnitAndCompanyName) {
  const auto booking = request();
  const auto mail = mail_about({"", "", id_of('4'), booking}, domain::refusal::unit_not_linked, "");
  EXPECT_THAT(mail.subject, ::testing::StartsWith("Booking refused: Unknown unit, "));
  EXPECT_THAT(mail.text, ::testing::StartsWith("Hello,\n"));
  EXPECT_THAT(mail.text, HasSubstr("calls \"8812\""));
}

/// Parts of a mail about several refusals.
std::vector<domain::outgoing_mail> gathered(std::size_t count, std::string_view company = "Casa Sol") {
  std::vector<domain::outgoing_mail> parts;
  auto booking = request();
  for (std::size_t i = 0; i < count; ++i) {
    const auto room = "Room " + std::to_string(i + 1);
    const stay_facts stay{room, "Madrid", id_of('4'), booking};
    parts.push_back(gathered_refusal(id_of(static_cast<char>('1' + i)), now + std::chrono::minutes{i},
                                     "landlord@casa-sol.example", company, stay,
                                     domain::refusal::overlapping_nights));
    booking.tenant.first_name = "Eva & Ida";
    booking.external_id = "8813";
  }
  return parts;
}

TEST(GatheredRefusal, IsAParagraphOfTheCombinedMail) {
  const auto part = gathered(1).front();
  EXPECT_EQ(part.gathered_for, "Casa Sol");
  EXPECT_EQ(part.subject, "Room 1, Madrid");
  EXPECT_THAT(part.text,
              ::testing::StartsWith("Ana García, from 1 February 2027 to 1 July 2027 (150 nights), on "
                                    "marketplace-a, reference b1f7e6de"));
  EXPECT_THAT(part.text, HasSubstr("already taken"));
  EXPECT_THAT(part.text, HasSubstr("Look at the unit's calendar."));
  EXPECT_TRUE(part.html.empty());
}

TEST(GatheredRefusal, NamesTheCompanyOnOneLine) {
  EXPECT_EQ(gathered(1, "Casa\r\nSol ").front().gathered_for, "Casa Sol");
}

TEST(GatheredRefusals, ListAllRefusalsInOneMail) {
  const auto parts = gathered(2);
  const auto mail = gathered_refusals(parts, 2);
  EXPECT_EQ(mail.to, "landlord@casa-sol.example");
  EXPECT_EQ(mail.subject, "2 bookings refused");
  EXPECT_FALSE(mail.gathered_for);
  EXPECT_THAT(
      mail.text,
      ::testing::StartsWith("Hello Casa Sol,\n\nwe could not accept 2 bookings. Nothing was booked, and your "
                            "calendars are unchanged.\n\nRoom 1, Madrid: Ana García, from 1 February 2027"));
  EXPECT_THAT(mail.text, HasSubstr("\nRoom 2, Madrid: Eva & Ida García, from 1 February 2027"));
  EXPECT_THAT(mail.text,
              ::testing::EndsWith("The platforms are not notified of these refusals, and the guests may "
                                  "still expect to stay. Please settle them with the platforms or with "
                                  "the guests.\n\nRoost\n"));
  EXPECT_THAT(mail.text, Not(HasSubstr("Further refusals")));
}

TEST(GatheredRefusals, HaveTheSameContentInHtml) {
  const auto html = gathered_refusals(gathered(2), 2).html;
  for (const auto* part :
       {"<title>Bookings refused</title>", "Hello Casa Sol,", "we could not accept 2 bookings",
        "Room 1, Madrid</td>", "Ana García", "Eva &amp; Ida García", "settle them"})
    EXPECT_THAT(html, HasSubstr(part));
}

TEST(GatheredRefusals, HaveTheIdAndTimeOfTheFirst) {
  const auto mail = gathered_refusals(gathered(3), 3);
  EXPECT_EQ(mail.id, id_of('1'));
  EXPECT_EQ(mail.created_at, now);
}

TEST(GatheredRefusals, CountTheRefusalsWithoutAPart) {
  const auto mail = gathered_refusals(gathered(3), 2'500);
  EXPECT_EQ(mail.subject, "2500 bookings refused");
  for (const auto& body : {mail.text, mail.html}) {
    EXPECT_THAT(body, HasSubstr("we could not accept 2500 bookings"));
    EXPECT_THAT(body, HasSubstr("2497; your notifications list them all."));
  }
}

TEST(GatheredRefusals, MayBeASingleOne) {
  const auto mail = gathered_refusals(gathered(1), 1);
  EXPECT_EQ(mail.subject, "1 booking refused");
  EXPECT_THAT(mail.text, HasSubstr("we could not accept 1 booking."));
}

TEST(GatheredRefusals, ContainOnlyTheNamesOfTheGuests) {
  const auto mail = gathered_refusals(gathered(2), 2);
  for (const auto& body : {mail.text, mail.html})
    for (const auto* secret : {"X1234567Z", "600 000 000", "ana@guest.example"})
      EXPECT_THAT(body, Not(HasSubstr(secret)));
}

} // namespace roost::mail::notices_test
