#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "store/support/rejecting_trigger.hpp"
#include "store/support/stored_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Acknowledged requests of a platform that the next server's configuration lacks.
namespace roost::testing::unconfigured_platform_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

ROOST_FOR_EACH_STORE(UnconfiguredPlatform);

/// A stopped server that has acknowledged, but not decided, a request of marketplace-c for the unit u1, and
/// others for u2.
struct acknowledged_request {
  explicit acknowledged_request(store_kind kind, int others = 0) : place(kind) {
    place.import(portfolio_of(2));
    place.set("bookings.cycle", "\"1h\"");
    running_roost server(place);
    const auto receipt = server.partner_of("marketplace-c").post("/bookings", booking("u1", 30, 60));
    EXPECT_EQ(receipt.status, 201U);
    id = json_at(receipt.body, "/raw/0/id").substr(1, 36);
    for (int i = 1; i <= others; ++i)
      EXPECT_EQ(server.partner_of("marketplace-c").post("/bookings", booking("u2", 30, 60)).status, 201U);
    EXPECT_EQ(server.stop(), 0);
    place.set("bookings.cycle", "\"50ms\"");
    configure_only_a();
  }

  void configure_only_a() {
    place.set_tables("[[platforms]]\nname = \"marketplace-a\"\nkind = \"marketplace-a\"\n"
                     "prefix = \"marketplace-a\"\n");
  }

  std::string shown() const { return place.run_or_throw({"request", "show", id}); }

  workplace place;
  std::string id;
};

TEST_P(UnconfiguredPlatform, KeepsItsRequestsNewAndOperatorsLearnOfThem) {
  const acknowledged_request request(GetParam());
  const running_roost server(request.place);
  server.wait_for_event("links_without_platform", {{"platform", "marketplace-c"}, {"links", "2"}});
  server.wait_for_event("requests_without_platform", {{"platform", "marketplace-c"}, {"requests", "1"}});
  EXPECT_EQ(server.partner_of("marketplace-a").post("/bookings", booking("u2", 30, 60)).status, 201U);
  server.wait_for_event("booking_created", {{"platform", "marketplace-a"}});
  EXPECT_THAT(request.shown(), HasSubstr("Status         New\n"));
  const auto ready = server.ops("/readyz");
  EXPECT_EQ(ready.status, 200U);
  EXPECT_THAT(json_at(ready.body, "/checks/platforms"),
              HasSubstr("marketplace-c is not configured here; waiting: 1 request, the oldest since 20"));
  EXPECT_EQ(server.metric("roost_queue_unconfigured_requests"), 1);
  EXPECT_TRUE(eventually([&] {
    return server.metric(R"(roost_queue_oldest_request_seconds{platform="marketplace-c"})").value_or(0) > 0;
  }));
  const auto examined = request.place.run({"doctor"});
  EXPECT_EQ(examined.status, 1);
  EXPECT_THAT(examined.output,
              AllOf(HasSubstr("wrong    requests       1 request of marketplace-c, the oldest from 20"),
                    Not(HasSubstr("none is waiting for a decision")),
                    HasSubstr("`roost request drop --platform marketplace-c` refuses them"),
                    HasSubstr("warning  links          2 units are linked to marketplace-c, which is not "
                              "configured.  Configure it")));
}

TEST_P(UnconfiguredPlatform, HasItsRequestsDecidedOnceItIsConfiguredAgain) {
  acknowledged_request request(GetParam());
  {
    running_roost server(request.place);
    server.wait_for_event("requests_without_platform");
    EXPECT_EQ(server.stop(), 0);
  }
  request.place.set_tables("");
  const running_roost server(request.place);
  server.wait_for_event("booking_created", {{"request", request.id}});
  EXPECT_THAT(request.shown(), HasSubstr("Status         Success\n"));
}

TEST_P(UnconfiguredPlatform, HasItsRequestsRefusedByAnOperator) {
  const acknowledged_request request(GetParam());
  const running_roost server(request.place);
  server.wait_for_event("requests_without_platform");
  const command_words drop{"request", "drop", "--platform", "marketplace-c"};
  auto confirmed = drop;
  confirmed.emplace_back("--confirm");
  const auto unconfirmed = request.place.run(drop);
  EXPECT_EQ(unconfirmed.status, 2);
  EXPECT_EQ(unconfirmed.errors, "roost: this refuses 1 booking request, which marketplace-c believes to be "
                                "accepted, and notifies the landlords; pass --confirm to do it\n");
  EXPECT_THAT(request.shown(), HasSubstr("Status         New\n"));
  EXPECT_EQ(request.place.run_or_throw(confirmed), "refused 1 booking request of marketplace-c\n");
  EXPECT_THAT(request.shown(),
              AllOf(HasSubstr("Status         Failed\nReason         platform_not_configured: "),
                    HasSubstr("Notified       Casa Verde Rentals\n")));
  EXPECT_THAT(request.place.run_or_throw({"notification", "list"}),
              HasSubstr("Booking refused: Room 1, Madrid"));
  server.wait_for_event("mail_sent");
  ASSERT_EQ(request.place.mails().size(), 1U);
  EXPECT_THAT(request.place.mails()[0], HasSubstr("ana@casaverde.example"));
  EXPECT_THAT(request.place.run_or_throw({"audit", "list"}), HasSubstr("request drop"));
  EXPECT_TRUE(
      eventually([&] { return server.ops("/readyz").body.find("\"platforms\"") == std::string::npos; }));
  EXPECT_EQ(server.metric(R"(roost_queue_requests{state="Failed"})"), 1);
  const auto again = request.place.run(confirmed);
  EXPECT_EQ(again.status, 1);
  EXPECT_EQ(again.errors, "roost: no booking request of marketplace-c waits for a decision\n");
}

/// As if the platform were marketplace-d or the engine, which match by the part before the underscore.
TEST_P(UnconfiguredPlatform, HasNoLandlordNotifiedWhoLinkedOnlyAPartOfTheId) {
  acknowledged_request request(GetParam());
  auto session = request.place.store().open();
  session.internals().script("other_unit",
                             "update booking_requests set unit_id = null, external_id = 'u1_x'");
  const command_words drop{"request", "drop", "--platform", "marketplace-c", "--confirm"};
  EXPECT_EQ(request.place.run_or_throw(drop), "refused 1 booking request of marketplace-c\n");
  EXPECT_THAT(request.shown(), AllOf(HasSubstr("Status         Failed\n"), Not(HasSubstr("Casa Verde"))));
  EXPECT_THAT(request.place.run_or_throw({"notification", "list"}), Not(HasSubstr("Booking refused")));
  EXPECT_EQ(count_rows(session, "outgoing_mail"), 0);
}

TEST_P(UnconfiguredPlatform, IsNotOneOfASingleLandlordWhoseAccountIsMissing) {
  acknowledged_request request(GetParam());
  request.place.store().open().internals().script("other_platform",
                                                  "update booking_requests set platform = 'landlord-one'");
  request.place.set_tables("[[platforms]]\nname = \"landlord-one\"\nkind = \"single-landlord\"\n"
                           "prefix = \"landlord-one\"\n");
  EXPECT_THAT(
      request.place.run({"doctor"}).output,
      AllOf(HasSubstr("1 request of landlord-one, the oldest from 20"),
            HasSubstr("because the platform's account is not set or not imported.  Set its `account` on "
                      "every server, and import that account.")));
}

TEST_P(UnconfiguredPlatform, HasItsOtherRequestsRefusedIfTheDatabaseRejectsOne) {
  acknowledged_request request(GetParam(), 4);
  auto session = request.place.store().open();
  reject_changes(session, "booking_requests", "state", "new.id = '" + request.id + "'");
  const command_words drop{"request", "drop", "--platform", "marketplace-c", "--confirm"};
  const auto partly = request.place.run(drop);
  EXPECT_EQ(partly.status, 1);
  EXPECT_THAT(partly.output, HasSubstr("refused 4 booking requests of marketplace-c\n"));
  EXPECT_THAT(partly.errors, HasSubstr("roost: the database rejected the refusal of 1 booking request, so "
                                       "these still wait; " +
                                       request.id + ": "));
  EXPECT_THAT(request.shown(), HasSubstr("Status         New\n"));
  accept_changes(session, "booking_requests");
  EXPECT_EQ(request.place.run_or_throw(drop), "refused 1 booking request of marketplace-c\n");
}

TEST_P(UnconfiguredPlatform, IsTheOnlyKindWhoseRequestsAnOperatorRefuses) {
  acknowledged_request request(GetParam());
  request.place.set_tables("");
  const auto refused = request.place.run({"request", "drop", "--platform", "marketplace-c", "--confirm"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_EQ(refused.errors,
            "roost: the platform marketplace-c is configured: its requests are decided by the server\n");
  EXPECT_THAT(request.shown(), AllOf(HasSubstr("Status         New\n"), Not(HasSubstr("Decided"))));
}

} // namespace roost::testing::unconfigured_platform_test
