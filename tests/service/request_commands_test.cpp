#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "store/database/connection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// roost request: what platforms asked for, and what became of it.
namespace roost::testing::request_commands_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

ROOST_FOR_EACH_STORE(RequestCommands);

constexpr auto reference = "7b0a4d4e-8f0c-4f6b-9a51-0d6e6b1c2f3a";

/// A server that has booked u1 and refused a stay of a unit that nobody knows.
struct two_requests {
  explicit two_requests(store_kind kind) : place(kind) {
    place.import(portfolio_of(1));
    server.emplace(place);
    const auto partner = server->partner_of("marketplace-a");
    booked = id_of(partner.post("/bookings", stay("u1")));
    server->wait_for_log({"booking_created"});
    refused =
        id_of(partner.post("/bookings", stay("old 7", {{"/bookingId", '"' + std::string(reference) + '"'}})));
    line = server->wait_for_log({"booking_refused"});
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
    return place.run_well(words);
  }

  workplace place;
  std::optional<running_roost> server;
  std::string booked, refused, line;
};

TEST_P(RequestCommands, ListWhatIsAskedForTheNewestFirst) {
  const two_requests there(GetParam());
  const auto first = there.booked + "  Success  +[0-9]+s  marketplace-a  u1  2099-03-01 to 2099-05-01  -\n";
  const auto second = there.refused +
                      "  Failed   +[0-9]+s  marketplace-a  old 7  2099-03-01 to 2099-05-01  " + reference +
                      "  unit_not_linked\n";
  EXPECT_THAT(there.list(), MatchesRegex(second + first));
  EXPECT_THAT(there.list({"--limit", "1"}), MatchesRegex(second));
  EXPECT_THAT(there.list({"--status", "success"}), MatchesRegex(first));
  EXPECT_THAT(there.list({"--status", "Failed"}), MatchesRegex(second)); // as the list prints it
  EXPECT_THAT(there.list({"--status", "new"}), IsEmpty());
  EXPECT_THAT(there.list({"--platform", "marketplace-a", "--since", "1h"}), MatchesRegex(second + first));
  EXPECT_THAT(there.list({"--platform", "marketplace-b"}), IsEmpty());
  EXPECT_THAT(there.list({"--since", "2090-01-01"}), IsEmpty());
}

TEST_P(RequestCommands, ListThoseOfAPlatformThatIsNotConfiguredAnyMore) {
  two_requests there(GetParam());
  there.server->stop();
  there.place.store().open().internals().script("test_platform",
                                                "update booking_requests set platform = 'former'");
  EXPECT_THAT(there.list({"--platform", "former"}), HasSubstr(there.refused));
  EXPECT_THAT(there.list({"--platform", "former", "--status", "dropped"}), IsEmpty());
}

TEST_P(RequestCommands, ShowWhatBecameOfARequest) {
  const two_requests there(GetParam());
  EXPECT_THAT(there.place.run_well({"request", "show", there.refused}),
              AllOf(HasSubstr("Status         Failed\nReason         unit_not_linked: no unit is linked to "
                              "this ID, or it is excluded or archived\nPlatform       marketplace-a\n"
                              "External ID    old 7\nReference      " +
                              std::string(reference) + "\nCheck-in       2099-03-01\n"),
                    HasSubstr("s ago\nDecided        20"), HasSubstr("Notified       no landlord\n")));
  EXPECT_THAT(there.place.run_well({"request", "show", there.booked}),
              AllOf(HasSubstr("Status         Success\nPlatform"), HasSubstr("\nBooking        "),
                    HasSubstr("Notified       Casa Verde Rentals\n")));
}

TEST_P(RequestCommands, RefuseWhatThereIsNot) {
  const workplace place(GetParam());
  const auto refuses = [&](const std::vector<std::string>& words, int status, const std::string& why) {
    const auto run = place.run(words);
    EXPECT_EQ(run.status, status) << why;
    EXPECT_EQ(run.errors, "roost: " + why + "\n");
  };
  refuses({"request", "show", unit_id(9)}, 1, "there is no booking request with the id " + unit_id(9));
  EXPECT_THAT(place.run({"request", "list", "--platform", "nobody"}).errors,
              StartsWith("roost: no platform is called 'nobody'; configured are: marketplace-a, "));
  EXPECT_EQ(place.run({"request", "list", "--platform", "nobody"}).status, 2);
  refuses({"request", "list", "--status", "old"}, 2,
          "--status: 'old' is not one of new, success, failed, dropped");
  refuses({"request", "list", "--since", "soon"}, 2,
          "--since: 'soon' is neither a duration (24h, 7d) nor a date or time (2026-11-20)");
}

TEST_P(RequestCommands, AreFoundByTheLogLineOfTheDecision) {
  const two_requests there(GetParam());
  EXPECT_THAT(there.line, HasSubstr("booking_refused request=" + there.refused +
                                    " platform=marketplace-a external_id=\"old 7\" reference=" + reference +
                                    " landlord=\"\" reason=unit_not_linked"));
}

} // namespace roost::testing::request_commands_test
