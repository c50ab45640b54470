#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/workplace.hpp"
#include "support/decoded_message.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Decisions of the booking queue, from the submission to the calendar, the notification and the mail.
namespace roost::testing::booking_decisions_test {
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ROOST_FOR_EACH_STORE(BookingDecisions);

constexpr auto reference = "7b0a4d4e-8f0c-4f6b-9a51-0d6e6b1c2f3a";

/// A server and a partner that submits stays and waits for the decisions.
struct decision_fixture {
  explicit decision_fixture(store_kind kind, const std::string& portfolio,
                            const std::string& platform = "marketplace-a")
      : place(kind) {
    place.import(portfolio);
    server.emplace(place);
    client.emplace(server->partner_of(platform));
  }

  /// Submits a stay and returns the decision's event with the reason of a refusal: `booking_refused
  /// unit_not_linked`.
  std::string submit(const std::string& check_in, const std::string& check_out,
                     const std::vector<edit>& edits = {}) {
    auto body = edited(booking("u1", 0, 1),
                       {{"/checkInDate", '"' + check_in + '"'}, {"/checkOutDate", '"' + check_out + '"'}});
    const auto receipt = client->post("/bookings", edited(body, edits));
    if (receipt.status != 201) return receipt.body;
    const auto id = json_at(receipt.body, "/raw/0/id").substr(1, 36);
    const auto decided = server->wait_for_event("", {{"request", id}});
    return decided.name == "booking_refused" ? decided.name + " " + decided.at("reason") : decided.name;
  }

  std::string unavailabilities(const std::string& id = "u1") const {
    return without_times_and_ids(json_at(client->get("/listings/" + id).body, "/unavailabilities"));
  }

  std::vector<std::string> notifications() {
    return store_rows(place.store().open(),
                      "select kind, title, body from notifications order by created_at, id", 3);
  }

  workplace place;
  std::optional<running_roost> server;
  std::optional<partner> client;
};

std::string blocked(const std::string& from, const std::string& to) {
  return R"({"from":")" + from + R"(","to":")" + to +
         R"(","reason":"Unavailable","createdAt":"<time>","updatedAt":"<time>"})";
}

const edit with_reference{"/bookingId", '"' + std::string(reference) + '"'};

TEST_P(BookingDecisions, BlockAnAcceptedStayAndItsPreparationDays) {
  decision_fixture fixture(GetParam(), portfolio_of(1, {{unit_pointer(0) + "/preparationDays", "2"}}));
  const auto updated = json_at(fixture.client->get("/listings/u1").body, "/updatedAt");
  EXPECT_EQ(fixture.submit("2099-03-01", "2099-04-01", {with_reference}), "booking_created");
  EXPECT_EQ(fixture.unavailabilities(), "[" + blocked("2099-03-01", "2099-04-02") + "]");
  EXPECT_EQ(json_at(fixture.client->get("/listings/u1").body, "/updatedAt"), updated);
  EXPECT_EQ(
      json_at(fixture.server->partner_of("booking-engine").get("/listings").body, "/0/unavailabilities/0/to"),
      R"("2099-04-02")"); // the engine's list is built per request
  EXPECT_THAT(store_rows(fixture.place.store().open(),
                         "select b.platform, b.reference, b.status, cast(b.provider_payment_cents as text),"
                         " t.email from bookings b join tenants t on t.id = b.tenant_id",
                         5),
              ElementsAre("marketplace-a|" + std::string(reference) + "|confirmed|65000|eva@tenant.example"));
  EXPECT_THAT(
      fixture.notifications(),
      ElementsAre("booking_created|New booking: Room 1, Madrid|Eva Lindqvist stays from 1 March 2099 to "
                  "1 April 2099 (31 nights), 1 person. Booked on marketplace-a, reference " +
                  std::string(reference) + "."));
  EXPECT_THAT(fixture.place.mails(), IsEmpty());
}

TEST_P(BookingDecisions, AppearInTheListAtItsNextBuild) {
  workplace place(GetParam());
  place.set("feeds.rebuild", "\"1s\"");
  place.import(portfolio_of(1));
  running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  EXPECT_EQ(partner.post("/bookings", booking("u1", 30, 60)).status, 201U);
  EXPECT_TRUE(eventually([&] {
    return json_at(partner.get("/listings").body, "/0/unavailabilities/0/to") == '"' + day_from_now(59) + '"';
  }));
}

TEST_P(BookingDecisions, AllowAdjacentStaysButNoOverlap) {
  decision_fixture fixture(GetParam(), portfolio_of(1, {{unit_pointer(0) + "/preparationDays", "3"}}));
  EXPECT_EQ(fixture.submit("2099-03-10", "2099-03-20"), "booking_created"); // its block ends on the 22nd
  const std::string taken = "booking_refused overlapping_nights";
  EXPECT_EQ(fixture.submit("2099-03-10", "2099-03-20"), taken);
  EXPECT_EQ(fixture.submit("2099-03-12", "2099-03-13"), taken);
  EXPECT_EQ(fixture.submit("2099-03-01", "2099-03-31"), taken);
  EXPECT_EQ(fixture.submit("2099-03-05", "2099-03-11"), taken);
  EXPECT_EQ(fixture.submit("2099-03-22", "2099-03-24"), taken); // a preparation day
  EXPECT_EQ(fixture.submit("2099-03-23", "2099-03-24"), "booking_created");
  // Only its nights count: its preparation days may overlap the next stay.
  EXPECT_EQ(fixture.submit("2099-03-05", "2099-03-10"), "booking_created");
  EXPECT_EQ(fixture.unavailabilities(), "[" + blocked("2099-03-05", "2099-03-12") + "," +
                                            blocked("2099-03-10", "2099-03-22") + "," +
                                            blocked("2099-03-23", "2099-03-26") + "]");
}

TEST_P(BookingDecisions, RefuseAStayOnTakenNightsAndNotifyTheLandlord) {
  decision_fixture fixture(GetParam(), portfolio_of(1, {{unit_pointer(0) + "/blocks",
                                                         R"([{"from":"2099-03-10","to":"2099-03-12"}])"}}));
  EXPECT_EQ(fixture.submit("2099-03-01", "2099-03-11", {with_reference}),
            "booking_refused overlapping_nights");
  EXPECT_EQ(fixture.unavailabilities(), "[" + blocked("2099-03-10", "2099-03-12") + "]");
  EXPECT_THAT(store_rows(fixture.place.store().open(), "select state, refusal from booking_requests", 2),
              ElementsAre("Failed|overlapping_nights"));
  EXPECT_THAT(
      fixture.notifications(),
      ElementsAre(
          "booking_refused|Booking refused: Room 1, Madrid|Eva Lindqvist wanted to stay from 1 March 2099 to "
          "11 March 2099 (10 nights). Requested on marketplace-a, reference " +
          std::string(reference) +
          ". At least one of these nights is already taken: by another booking, by a block in the unit's "
          "calendar or by another channel. Nothing was booked. Look at the unit's calendar. If the nights "
          "can "
          "be sold after all, free them and ask for the booking to be sent again. If not, check that "
          "marketplace-a shows your current calendar. marketplace-a is not notified of this refusal, and the "
          "guest may still expect to stay. Please settle it with marketplace-a or with the guest."));

  ASSERT_TRUE(eventually([&] { return fixture.place.mails().size() == 1; }));
  const auto mail = mail::decode(fixture.place.mails()[0]);
  EXPECT_EQ(mail.headers.at("To"), "ana@casaverde.example");
  EXPECT_EQ(mail.headers.at("From"), "no-reply@roost.example");
  EXPECT_EQ(mail.subject, "Booking refused: Room 1, Madrid, 1 March 2099 to 11 March 2099");
  EXPECT_EQ(mail.parts.at("text/plain; charset=utf-8"),
            "Hello Casa Verde Rentals,\n\n"
            "we could not accept a booking from marketplace-a. Nothing was booked, and your calendar is "
            "unchanged.\n\n"
            "Unit: Room 1, Madrid\nGuest: Eva Lindqvist\nCheck-in: 1 March 2099\nCheck-out: 11 March 2099\n"
            "Length: 10 nights\nPlatform: marketplace-a\nReference: " +
                std::string(reference) +
                "\n\nWhy: At least one of these nights is already taken: by another booking, by a block in "
                "the unit's "
                "calendar or by another channel.\n\n"
                "What you can do: Look at the unit's calendar. If the nights can be sold after all, free "
                "them and ask "
                "for the booking to be sent again. If not, check that marketplace-a shows your current "
                "calendar.\n\n"
                "marketplace-a is not notified of this refusal, and the guest may still expect to stay. "
                "Please settle "
                "it with marketplace-a or with the guest.\n\nRoost\n");
  EXPECT_THAT(mail.parts.at("text/html; charset=utf-8"), HasSubstr("<strong>Why</strong>"));
}

TEST_P(BookingDecisions, RespectEveryKindOfBlock) {
  decision_fixture fixture(GetParam(),
                           portfolio_of(1, {{unit_pointer(0) + "/blocks",
                                             R"([{"from":"2099-03-10","to":"2099-03-12","source":"manual"},
                    {"from":"2099-04-10","to":"2099-04-12","source":"channel","host":"host-one"},
                    {"from":"2099-06-01","to":null,"source":"manual"}])"}}));
  const std::string taken = "booking_refused overlapping_nights";
  EXPECT_EQ(fixture.submit("2099-03-12", "2099-03-14"), taken);
  EXPECT_EQ(fixture.submit("2099-04-01", "2099-04-11"), taken);
  EXPECT_EQ(fixture.submit("2099-05-01", "2099-06-02"), taken);
  EXPECT_EQ(fixture.submit("2150-01-01", "2150-01-02"), taken); // the last block has no end
  EXPECT_EQ(fixture.submit("2099-05-01", "2099-06-01"), "booking_created");
}

TEST_P(BookingDecisions, DropARepeatedReferenceSilently) {
  decision_fixture fixture(GetParam(), portfolio_of(2));
  EXPECT_EQ(fixture.submit("2099-03-01", "2099-04-01", {with_reference}), "booking_created");
  std::string upper = reference;
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
  EXPECT_EQ(fixture.submit("2099-03-01", "2099-04-01", {with_reference}), "booking_dropped");
  EXPECT_EQ(fixture.submit("2099-03-01", "2099-04-01", {{"/bookingId", '"' + upper + '"'}}),
            "booking_dropped");
  EXPECT_EQ(fixture.submit("2099-08-01", "2099-09-01", {with_reference, {"/externalId", "\"u2\""}}),
            "booking_dropped");
  EXPECT_EQ(fixture.unavailabilities("u2"), "[]");
  EXPECT_EQ(fixture.notifications().size(), 1U);
  EXPECT_THAT(fixture.place.mails(), IsEmpty());
  EXPECT_THAT(store_rows(fixture.place.store().open(), "select state from booking_requests order by seq", 1),
              ElementsAre("Success", "Dropped", "Dropped", "Dropped"));
  // On another platform, the same reference is another booking.
  fixture.client.emplace(fixture.server->partner_of("marketplace-b"));
  EXPECT_EQ(fixture.submit("2099-08-01", "2099-09-01", {with_reference}), "booking_created");
}

TEST_P(BookingDecisions, AcceptAResubmissionOfARefusedReference) {
  decision_fixture fixture(GetParam(), portfolio_of(1, {{unit_pointer(0) + "/blocks",
                                                         R"([{"from":"2099-03-10","to":"2099-03-12"}])"}}));
  EXPECT_EQ(fixture.submit("2099-03-01", "2099-04-01", {with_reference}),
            "booking_refused overlapping_nights");
  EXPECT_EQ(fixture.submit("2099-04-01", "2099-05-01", {with_reference}), "booking_created");
}

TEST_P(BookingDecisions, RefuseUnitsThatAreNotLinkedExcludedOrArchived) {
  decision_fixture fixture(GetParam(),
                           portfolio_of(4, {{unit_pointer(1) + "/excludedFrom", R"(["marketplace-a"])"},
                                            {unit_pointer(2) + "/archived", "true"},
                                            {unit_pointer(3) + "/links", "[]"}}));
  const std::string not_linked = "booking_refused unit_not_linked";
  EXPECT_EQ(fixture.submit("2099-03-01", "2099-04-01", {{"/externalId", "\"nobody's\""}}), not_linked);
  EXPECT_EQ(fixture.submit("2099-03-01", "2099-04-01", {{"/externalId", '"' + unit_id(4) + '"'}}),
            not_linked);
  EXPECT_THAT(fixture.notifications(), IsEmpty()); // the landlord is unknown
  EXPECT_EQ(fixture.submit("2099-03-01", "2099-04-01", {{"/externalId", "\"u2\""}}), not_linked);
  EXPECT_EQ(fixture.submit("2099-03-01", "2099-04-01", {{"/externalId", "\"u3\""}}), not_linked);
  EXPECT_THAT(fixture.notifications(), ElementsAre(HasSubstr("Booking refused: Room 2, Madrid|"),
                                                   HasSubstr("Booking refused: Room 3, Madrid|")));
  EXPECT_TRUE(eventually([&] { return fixture.place.mails().size() == 2; }));
}

TEST_P(BookingDecisions, RequireAPaymentUnlessItIsDerived) {
  decision_fixture fixture(GetParam(), portfolio_of(1));
  const edit nothing{"/platformProviderPaymentValue", ""}, zero{"/platformProviderPaymentValue", "0"};
  const std::string missing = "booking_refused provider_payment_missing";
  EXPECT_EQ(fixture.submit("2099-03-01", "2099-04-01", {nothing}), missing);
  EXPECT_EQ(fixture.submit("2099-03-01", "2099-04-01", {zero}), missing);
  EXPECT_EQ(fixture.submit("2099-03-01", "2099-04-01", {{"/platformProviderPaymentValue", "0.001"}}),
            missing);
  fixture.client.emplace(fixture.server->partner_of("marketplace-d"));
  EXPECT_EQ(fixture.submit("2099-03-01", "2099-04-01", {nothing}), "booking_created");
  fixture.client.emplace(fixture.server->partner_of("booking-engine"));
  EXPECT_EQ(fixture.submit("2099-05-01", "2099-06-01", {nothing}), "booking_created");
  EXPECT_EQ(fixture.submit("2099-07-01", "2099-08-01", {zero}), missing);
  EXPECT_THAT(store_rows(fixture.place.store().open(),
                         "select cast(provider_payment_cents as text) from bookings", 1),
              ElementsAre("65000", "65000"));
}

TEST_P(BookingDecisions, CreateAStayBeyondTheUnitsLimitsWithAWarning) {
  decision_fixture fixture(GetParam(), portfolio_of(1, {{unit_pointer(0) + "/minStayMonths", "2"},
                                                        {unit_pointer(0) + "/maxStayMonths", "6"}}));
  EXPECT_EQ(fixture.submit("2099-03-01", "2099-03-02", {{"/numberOfExtraTenants", "3"}}), "booking_created");
  EXPECT_EQ(fixture.submit("2099-04-01", "2099-12-01"), "booking_created");
  EXPECT_THAT(
      fixture.notifications(),
      ElementsAre(
          HasSubstr("(1 night), 3 people. Booked on marketplace-a. Please check this stay: It is for "
                    "3 people, more than the unit sleeps. It is shorter than the unit's minimum stay."),
          HasSubstr("Please check this stay: It is longer than the unit's maximum stay.")));
}

TEST_P(BookingDecisions, RefuseAStayWithoutANight) {
  decision_fixture fixture(GetParam(), portfolio_of(1));
  const std::string no_night = "booking_refused check_out_not_after_check_in";
  EXPECT_EQ(fixture.submit("2099-03-02", "2099-03-01"), no_night);
  EXPECT_EQ(fixture.submit("2099-03-02", "2099-03-02"), no_night);
  EXPECT_EQ(fixture.unavailabilities(), "[]");
}

TEST_P(BookingDecisions, AcceptStaysInAnyCentury) {
  decision_fixture fixture(GetParam(), portfolio_of(1, {{unit_pointer(0) + "/preparationDays", "30"}}));
  EXPECT_EQ(fixture.submit("0001-01-01", "0001-01-02"), "booking_created");
  EXPECT_EQ(fixture.submit("9999-12-01", "9999-12-31"), "booking_created");
  EXPECT_EQ(fixture.submit("2099-03-01", "2099-04-01"), "booking_created"); // the queue still works
  EXPECT_EQ(fixture.unavailabilities(), "[" + blocked("0001-01-01", "0001-01-31") + "," +
                                            blocked("2099-03-01", "2099-04-30") + "," +
                                            blocked("9999-12-01", "9999-12-30") + "]"); // the last date
}

TEST_P(BookingDecisions, RecognizeATenantByEmailOrFiscalId) {
  decision_fixture fixture(GetParam(), portfolio_of(1));
  EXPECT_EQ(fixture.submit("2099-03-01", "2099-03-02", {{"/tenant/fiscalId", R"("PT-1")"}}),
            "booking_created");
  EXPECT_EQ(
      fixture.submit("2099-03-03", "2099-03-04",
                     {{"/tenant/email", R"("EVA@Tenant.Example")"}, {"/tenant/firstName", R"("Evelyn")"}}),
      "booking_created");
  EXPECT_EQ(
      fixture.submit("2099-03-05", "2099-03-06",
                     {{"/tenant/email", R"("other@tenant.example")"}, {"/tenant/fiscalId", R"("PT-1")"}}),
      "booking_created");
  EXPECT_EQ(fixture.submit("2099-03-07", "2099-03-08", {{"/tenant/email", R"("new@tenant.example")"}}),
            "booking_created");
  EXPECT_THAT(
      store_rows(
          fixture.place.store().open(),
          "select t.first_name, t.email, cast(count(*) as text) from tenants t"
          " join bookings b on b.tenant_id = t.id group by t.id, t.first_name, t.email order by t.email",
          3),
      ElementsAre("Eva|eva@tenant.example|3", "Eva|new@tenant.example|1"));
}

TEST_P(BookingDecisions, NotifyOnlyUsersWhoMayManageBookings) {
  const auto user = [](int number, const std::string& role, bool deactivated) {
    return R"({"id":"22222222-0000-4000-8000-00000000000)" + std::to_string(number) + R"(","email":"user)" +
           std::to_string(number) + R"(@casaverde.example","role":")" + role + R"(","deactivated":)" +
           (deactivated ? "true" : "false") + "}";
  };
  decision_fixture fixture(GetParam(),
                           portfolio_of(1, {{account_pointer + "/users/-", user(2, "Manager", false)},
                                            {account_pointer + "/users/-", user(3, "Viewer", false)},
                                            {account_pointer + "/users/-", user(4, "Super Admin", true)},
                                            {account_pointer + "/users/-", user(5, "Super Admin", false)}}));
  EXPECT_EQ(fixture.submit("2099-03-01", "2099-03-01"), "booking_refused check_out_not_after_check_in");
  ASSERT_TRUE(eventually([&] { return fixture.place.mails().size() == 3; }));
  std::vector<std::string> recipients;
  for (const auto& text : fixture.place.mails()) recipients.push_back(mail::decode(text).headers.at("To"));
  EXPECT_THAT(recipients, ::testing::UnorderedElementsAre("ana@casaverde.example", "user2@casaverde.example",
                                                          "user5@casaverde.example"));
  EXPECT_EQ(fixture.notifications().size(), 1U);
}

TEST_P(BookingDecisions, FavorTheFirstOfTwoRequestsForTheSameNights) {
  workplace place(GetParam());
  place.set("bookings.cycle", "\"300ms\"");
  place.import(portfolio_of(1));
  running_roost server(place);
  const auto first = server.partner_of("marketplace-a"), second = server.partner_of("marketplace-b");
  const auto winner = json_at(first.post("/bookings", booking("u1", 30, 60)).body, "/raw/0/id").substr(1, 36);
  const auto loser = json_at(second.post("/bookings", booking("u1", 59, 61)).body, "/raw/0/id").substr(1, 36);
  EXPECT_EQ(server.wait_for_event("", {{"request", winner}}).name, "booking_created");
  EXPECT_EQ(server.wait_for_event("", {{"request", loser}}).at("reason"), "overlapping_nights");
}

TEST_P(BookingDecisions, SurviveARestartAndANewImport) {
  decision_fixture fixture(GetParam(), portfolio_of(2));
  EXPECT_EQ(fixture.submit("2099-03-01", "2099-04-01", {with_reference}), "booking_created");
  const auto before = fixture.client->get("/listings/u1").body;
  EXPECT_EQ(fixture.server->stop(), 0);
  fixture.server.emplace(fixture.place);
  fixture.client.emplace(fixture.server->partner_of("marketplace-a"));
  EXPECT_EQ(fixture.client->get("/listings/u1").body, before);
  fixture.place.import(portfolio_of(2));
  EXPECT_EQ(fixture.unavailabilities(), "[" + blocked("2099-03-01", "2099-03-31") + "]");
  EXPECT_EQ(fixture.submit("2099-05-01", "2099-06-01", {with_reference}), "booking_dropped");
  EXPECT_EQ(fixture.submit("2099-03-31", "2099-04-02"), "booking_refused overlapping_nights");
}

} // namespace roost::testing::booking_decisions_test
