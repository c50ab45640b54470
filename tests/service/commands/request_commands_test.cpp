#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "store/database/connection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// roost request: submissions of platforms and their outcomes.
namespace roost::testing::request_commands_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

ROOST_FOR_EACH_STORE(RequestCommands);

constexpr auto reference = "7b0a4d4e-8f0c-4f6b-9a51-0d6e6b1c2f3a";

/// A server that has booked u1 and refused a stay of an unknown unit.
struct request_fixture {
  explicit request_fixture(store_kind kind) : place(kind) {
    place.import(portfolio_of(1));
    server.emplace(place);
    const auto partner = server->partner_of("marketplace-a");
    booked = id_of(partner.post("/bookings", stay("u1")));
    server->wait_for_event("booking_created");
    refused =
        id_of(partner.post("/bookings", stay("old 7", {{"/bookingId", '"' + std::string(reference) + '"'}})));
    refusal = server->wait_for_event("booking_refused");
  }

  static std::string stay(const std::string& unit, const std::vector<edit>& edits = {}) {
    return edited(
        booking(unit, 0, 1, {{"/checkInDate", R"("2099-03-01")"}, {"/checkOutDate", R"("2099-05-01")"}}),
        edits);
  }

  static std::string id_of(const raw_response& receipt) {
    return json_at(receipt.body, "/raw/0/id").substr(1, 36);
  }

  std::string list(const std::vector<std::string>& options = {}) const {
    std::vector<std::string> words{"request", "list"};
    words.insert(words.end(), options.begin(), options.end());
    return place.run_or_throw(words);
  }

  workplace place;
  std::optional<running_roost> server;
  std::string booked, refused;
  event refusal; ///< of `refused`
};

TEST_P(RequestCommands, ListRequestsNewestFirst) {
  const request_fixture fixture(GetParam());
  const auto first = fixture.booked + "  Success  +[0-9]+s  marketplace-a  u1  2099-03-01 to 2099-05-01  -\n";
  const auto second = fixture.refused +
                      "  Failed   +[0-9]+s  marketplace-a  old 7  2099-03-01 to 2099-05-01  " + reference +
                      "  unit_not_linked\n";
  EXPECT_THAT(fixture.list(), MatchesRegex(second + first));
  EXPECT_THAT(fixture.list({"--limit", "1"}), MatchesRegex(second));
  EXPECT_THAT(fixture.list({"--status", "success"}), MatchesRegex(first));
  EXPECT_THAT(fixture.list({"--status", "Failed"}), MatchesRegex(second)); // as the list prints it
  EXPECT_THAT(fixture.list({"--status", "new"}), IsEmpty());
  EXPECT_THAT(fixture.list({"--platform", "marketplace-a", "--since", "1h"}), MatchesRegex(second + first));
  EXPECT_THAT(fixture.list({"--platform", "marketplace-b"}), IsEmpty());
  EXPECT_THAT(fixture.list({"--since", "2090-01-01"}), IsEmpty());
}

TEST_P(RequestCommands, ListRequestsOfAFormerPlatform) {
  request_fixture fixture(GetParam());
  fixture.server->stop();
  fixture.place.store().open().internals().script("test_platform",
                                                  "update booking_requests set platform = 'former'");
  EXPECT_THAT(fixture.list({"--platform", "former"}), HasSubstr(fixture.refused));
  EXPECT_THAT(fixture.list({"--platform", "former", "--status", "dropped"}), IsEmpty());
}

TEST_P(RequestCommands, ShowTheOutcomeOfARequest) {
  const request_fixture fixture(GetParam());
  EXPECT_THAT(fixture.place.run_or_throw({"request", "show", fixture.refused}),
              AllOf(HasSubstr("Status         Failed\nReason         unit_not_linked: no unit is linked to "
                              "this ID, or it is excluded or archived\nPlatform       marketplace-a\n"
                              "External ID    old 7\nReference      " +
                              std::string(reference) + "\nCheck-in       2099-03-01\n"),
                    HasSubstr("s ago\nDecided        20"), HasSubstr("Notified       no landlord\n")));
  EXPECT_THAT(fixture.place.run_or_throw({"request", "show", fixture.booked}),
              AllOf(HasSubstr("Status         Success\nPlatform"), HasSubstr("\nBooking        "),
                    HasSubstr("Notified       Casa Verde Rentals\n")));
}

TEST_P(RequestCommands, RefuseUnknownRequestsAndFilters) {
  const workplace place(GetParam());
  const auto expect_refused = [&](const std::vector<std::string>& words, int status,
                                  const std::string& error) {
    const auto run = place.run(words);
    EXPECT_EQ(run.status, status) << error;
    EXPECT_EQ(run.errors, "roost: " + error + "\n");
  };
  expect_refused({"request", "show", unit_id(9)}, 1, "there is no booking request with the id " + unit_id(9));
  EXPECT_THAT(place.run({"request", "list", "--platform", "marketplace-x"}).errors,
              StartsWith("roost: unknown platform 'marketplace-x'; configured platforms: marketplace-a, "));
  EXPECT_EQ(place.run({"request", "list", "--platform", "marketplace-x"}).status, 2);
  expect_refused({"request", "list", "--status", "old"}, 2,
                 "--status: 'old' is not one of new, success, failed, dropped");
  expect_refused({"request", "list", "--since", "soon"}, 2,
                 "--since: 'soon' is neither a duration (24h, 7d) nor a date or time (2026-11-20)");
}

TEST_P(RequestCommands, ShowTheIdThatTheDecisionsEventNames) {
  const request_fixture fixture(GetParam());
  EXPECT_EQ(fixture.refusal.fields, (event_fields{{"request", fixture.refused},
                                                  {"platform", "marketplace-a"},
                                                  {"external_id", "old 7"},
                                                  {"reference", reference},
                                                  {"landlord", ""},
                                                  {"reason", "unit_not_linked"}}));
}

} // namespace roost::testing::request_commands_test
