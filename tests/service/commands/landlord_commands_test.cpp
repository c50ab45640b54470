#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/workplace.hpp"
#include "store/database/connection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

/// roost booking, notification and changelog: a landlord's tasks on the command line.
namespace roost::testing::landlord_commands_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

ROOST_FOR_EACH_STORE(LandlordCommands);

constexpr auto reference = "7b0a4d4e-8f0c-4f6b-9a51-0d6e6b1c2f3a";

/// Another landlord's account with a property without units.
const std::string other_account = "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002",
                  other_property = "33333333-0000-4000-8000-000000000002";
std::string another_portfolio() {
  return edited(empty_portfolio, {{account_pointer + "/id", '"' + other_account + '"'},
                                  {account_pointer + "/landlordKey", R"("other")"},
                                  {account_pointer + "/users", "[]"},
                                  {property_pointer + "/id", '"' + other_property + '"'}});
}

/// A server with one booking of u1, from 1 March to 1 May 2099.
struct booked_fixture {
  explicit booked_fixture(store_kind kind) : place(kind) {
    place.import(portfolio_of(2, {{unit_pointer(0) + "/deposit", R"({"mode":"rentMultiple","value":1})"},
                                  {unit_pointer(0) + "/preparationDays", "2"}}));
    server.emplace(place);
    partner = server->partner_of("marketplace-a");
    const auto submitted =
        partner->post("/bookings", booking("u1", 0, 1,
                                           {{"/checkInDate", R"("2099-03-01")"},
                                            {"/checkOutDate", R"("2099-05-01")"},
                                            {"/bookingId", '"' + std::string(reference) + '"'}}));
    server->wait_for_event("booking_created");
    id = store_rows(place.store().open(), "select cast(id as text) from bookings", 1).at(0);
  }

  std::string unavailabilities() const {
    return json_at(partner->get("/listings/u1").body, "/unavailabilities");
  }

  workplace place;
  std::optional<running_roost> server;
  std::optional<testing::partner> partner;
  std::string id;
};

TEST_P(LandlordCommands, ListBookingsWithFilters) {
  const booked_fixture fixture(GetParam());
  const auto line = fixture.id +
                    "  confirmed    2099-03-01 to 2099-05-01  Room 1, Madrid  Eva Lindqvist  marketplace-a " +
                    reference + "\n";
  EXPECT_EQ(fixture.place.run_or_throw({"booking", "list"}), line);
  EXPECT_EQ(fixture.place.run_or_throw({"booking", "list", "--unit", unit_id(1), "--status", "confirmed",
                                        "--account", account_id, "--platform", "marketplace-a", "--reference",
                                        reference, "--limit", "1"}),
            line);
  EXPECT_EQ(fixture.place.run_or_throw({"booking", "list", "--status", "Confirmed"}), line);
  EXPECT_THAT(fixture.place.run_or_throw({"booking", "list", "--unit", unit_id(2)}), IsEmpty());
  EXPECT_THAT(fixture.place.run_or_throw({"booking", "list", "--status", "cancelled"}), IsEmpty());
  EXPECT_THAT(
      fixture.place.run_or_throw({"booking", "list", "--reference", reference, "--status", "cancelled"}),
      IsEmpty());
}

TEST_P(LandlordCommands, RefuseUnknownOrContradictoryFilters) {
  const booked_fixture fixture(GetParam());
  fixture.place.import(another_portfolio());
  const auto expect_refused = [&](const std::vector<std::string>& words, const std::string& error) {
    const auto refused = fixture.place.run(words);
    EXPECT_EQ(refused.status, 1) << error;
    EXPECT_EQ(refused.errors, "roost: " + error + "\n");
    EXPECT_THAT(refused.output, IsEmpty());
  };
  expect_refused({"booking", "list", "--reference", "none", "--json"},
                 "there is no booking with the reference none");
  const auto message = "the booking with the reference " + std::string(reference) + " does not belong to ";
  expect_refused({"booking", "list", "--account", other_account, "--reference", reference},
                 message + "the account " + other_account);
  expect_refused({"booking", "list", "--platform", "marketplace-b", "--reference", reference},
                 message + "the platform marketplace-b");
  expect_refused({"booking", "list", "--unit", unit_id(2), "--reference", reference},
                 message + "the unit " + unit_id(2));
  expect_refused({"booking", "list", "--account", other_account, "--unit", unit_id(1)},
                 "the unit " + unit_id(1) + " is not in the account " + other_account);
  expect_refused({"unit", "list", "--account", account_id, "--property", other_property},
                 "the property " + other_property + " is not in the account " + account_id);
  EXPECT_THAT(fixture.place.run_or_throw({"unit", "list", "--property", other_property}), IsEmpty());
}

TEST_P(LandlordCommands, LimitListsToFiftyRowsExceptForPrograms) {
  const workplace place(GetParam());
  place.import(portfolio_of(51));
  const auto shown = place.run({"unit", "list"});
  EXPECT_EQ(std::ranges::count(shown.output, '\n'), 50);
  EXPECT_EQ(shown.errors,
            "only the first 50 are shown; use --limit N for more, or --json or --csv for all\n");
  EXPECT_THAT(place.run({"unit", "list", "--limit", "51"}).errors, IsEmpty());
  EXPECT_EQ(array_size(place.run_or_throw({"unit", "list", "--json"})), 51U);
  EXPECT_EQ(std::ranges::count(place.run_or_throw({"unit", "list", "--csv"}), '\n'), 52);
  const auto some = place.run({"unit", "list", "--json", "--limit", "2"});
  EXPECT_EQ(array_size(some.output), 2U);
  EXPECT_THAT(some.errors, IsEmpty());
}

TEST_P(LandlordCommands, ShowTheRangeOfAVaryingRent) {
  const workplace place(GetParam());
  place.import(portfolio_of(
      3,
      {{unit_pointer(0) + "/rent",
        R"({"fixed":false,"perMonth":[{"month":2,"rent":800},{"month":3,"rent":700},{"month":7,"rent":600}]})"},
       {unit_pointer(1) + "/rent", ""}}));
  const auto list = place.run_or_throw({"unit", "list"});
  EXPECT_THAT(list, HasSubstr("Room 1  room  Madrid  600.00 to 800.00 EUR a month\n"));
  EXPECT_THAT(list, HasSubstr("Room 2  room  Madrid  none\n"));
  EXPECT_THAT(list, HasSubstr("Room 3  room  Madrid  650.00 EUR a month\n"));
  const auto rents = [&](unsigned i) {
    const auto json = place.run_or_throw({"unit", "list", "--json"});
    const auto at = "/" + std::to_string(i) + "/";
    return json_at(json, at + "rent") + " " + json_at(json, at + "lowest_rent") + " " +
           json_at(json, at + "highest_rent");
  };
  EXPECT_EQ(rents(0), "null 600 800");
  EXPECT_EQ(rents(1), "null null null");
  EXPECT_EQ(rents(2), "650 null null");
  EXPECT_THAT(place.run_or_throw({"unit", "list", "--csv"}), HasSubstr(",2,,600,800,EUR,false\r\n"));
  EXPECT_THAT(place.run_or_throw({"unit", "show", unit_id(1)}),
              HasSubstr("Rent           600.00 to 800.00 EUR a month\n"));
  EXPECT_THAT(place.run_or_throw({"unit", "show", unit_id(2)}), HasSubstr("Rent           none\n"));
}

TEST_P(LandlordCommands, ShowABookingWithItsPaymentPlan) {
  const booked_fixture fixture(GetParam());
  const auto shown = fixture.place.run_or_throw({"booking", "show", fixture.id});
  EXPECT_THAT(
      shown,
      AllOf(
          HasSubstr("Check-in       2099-03-01 15:00\n"), HasSubstr("Check-out      2099-05-01 11:00\n"),
          HasSubstr("Blocked until  2099-05-02\n"), HasSubstr("Email          eva@tenant.example\n"),
          HasSubstr("Contract       Traditional rental\n"),
          HasSubstr("650.00 EUR  tenant    landlord  Rent, nights of 2099-03-01 to 2099-03-31\n"),
          HasSubstr(
              "2099-04-01       650.00 EUR  tenant    landlord  Rent, nights of 2099-04-01 to 2099-04-30\n"),
          HasSubstr("2099-03-01       650.00 EUR  tenant    landlord  Deposit\n"),
          HasSubstr("650.00 EUR  platform  landlord  Provider platform payment\n")));
  EXPECT_THAT(shown, HasSubstr("The tenant owes 1950.00 EUR in total.\n"));
}

TEST_P(LandlordCommands, CancelABookingInARunningServer) {
  const booked_fixture fixture(GetParam());
  EXPECT_THAT(fixture.unavailabilities(), HasSubstr("2099-05-02"));
  EXPECT_EQ(fixture.place.run_or_throw({"booking", "cancel", fixture.id}),
            "cancelled; the nights from 2099-03-01 to 2099-05-02 of Room 1, Madrid are free\n");
  EXPECT_EQ(fixture.unavailabilities(), "[]"); // as soon as the command returns
  const auto again = fixture.place.run({"booking", "cancel", fixture.id});
  EXPECT_EQ(again.status, 1);
  EXPECT_EQ(again.errors, "roost: the booking is cancelled and cannot be cancelled\n");
  EXPECT_THAT(fixture.place.run_or_throw({"booking", "show", fixture.id}),
              HasSubstr("cancelled by the landlord at "));
  EXPECT_EQ(fixture.partner
                ->post("/bookings",
                       booking("u1", 0, 1,
                               {{"/checkInDate", R"("2099-03-01")"}, {"/checkOutDate", R"("2099-04-01")"}}))
                .status,
            201U);
  EXPECT_TRUE(eventually([&] { return fixture.unavailabilities().find("2099-04-02") != std::string::npos; }));
}

TEST_P(LandlordCommands, CancelNothingIfOneOfSeveralBookingsIsUnknown) {
  const booked_fixture fixture(GetParam());
  const auto refused = fixture.place.run({"booking", "cancel", fixture.id, unit_id(1)});
  EXPECT_EQ(refused.status, 1);
  EXPECT_EQ(refused.output, "");
  EXPECT_THAT(fixture.unavailabilities(), HasSubstr("2099-05-02"));
  EXPECT_EQ(fixture.place.run_or_throw({"booking", "cancel", fixture.id, fixture.id}),
            "cancelled; the nights from 2099-03-01 to 2099-05-02 of Room 1, Madrid are free\n");
  EXPECT_EQ(fixture.unavailabilities(), "[]");
}

TEST_P(LandlordCommands, NameTheActorOfACancelInTheNotificationAndTheAuditLog) {
  const booked_fixture fixture(GetParam());
  fixture.place.run_or_throw({"booking", "cancel", fixture.id, "--by", "Ana of the office"});
  EXPECT_THAT(fixture.place.run_or_throw({"notification", "list", "--limit", "1"}),
              AllOf(HasSubstr("Booking cancelled: Room 1, Madrid"),
                    HasSubstr("cancelled here by Ana of the office")));
  const auto newest = fixture.place.run({"audit", "list", "--limit", "1"});
  EXPECT_THAT(newest.output, HasSubstr("Ana of the office  booking cancel  " + fixture.id));
  EXPECT_THAT(newest.errors, HasSubstr("only the first 1 are shown; use --limit N for more"));
}

TEST_P(LandlordCommands, GiveTheReasonOfACancelInTheNotificationTheChangelogAndTheAuditLog) {
  const booked_fixture fixture(GetParam());
  const auto& place = fixture.place;
  for (const auto& reason : {std::string(501, 'x'), std::string("  "), std::string("two\xff")}) {
    const auto refused = place.run({"booking", "cancel", fixture.id, "--reason", reason});
    EXPECT_EQ(refused.status, 2) << reason;
    EXPECT_THAT(refused.errors, StartsWith("roost: --reason: "));
  }
  place.run_or_throw({"booking", "cancel", fixture.id, "--by", "Ben", "--reason", "The roof leaks"});
  EXPECT_THAT(place.run_or_throw({"notification", "list", "--limit", "1"}),
              HasSubstr("Reason: The roof leaks"));
  EXPECT_THAT(place.run_or_throw({"audit", "list", "--json"}),
              AllOf(HasSubstr("reason: The roof leaks"), HasSubstr("status: \\\"confirmed\\\" to")));
  EXPECT_THAT(place.run_or_throw({"changelog", unit_id(1)}),
              AllOf(HasSubstr("  by Ben\n"), HasSubstr("  status: \"confirmed\" -> \"cancelled\"\n")));
}

TEST_P(LandlordCommands, DoNotCancelAStayThatIsOver) {
  booked_fixture fixture(GetParam());
  EXPECT_EQ(fixture.server->stop(), 0); // it would check the guest out
  fixture.place.store().open().internals().script(
      "past", "update bookings set check_in = '2020-01-01', check_out = '2020-02-01'");
  const auto refused = fixture.place.run({"booking", "cancel", fixture.id});
  EXPECT_EQ(refused.status, 1);
  EXPECT_EQ(refused.errors, "roost: the booking is over and cannot be cancelled\n");
  EXPECT_THAT(fixture.place.run_or_throw({"booking", "show", fixture.id}), HasSubstr("confirmed"));
}

TEST_P(LandlordCommands, ShowAccountsUnitsAndCalendars) {
  const booked_fixture fixture(GetParam());
  EXPECT_THAT(fixture.place.run_or_throw({"account", "list"}), HasSubstr(account_id + "  Casa Verde"));
  EXPECT_THAT(fixture.place.run_or_throw({"unit", "list", "--csv"}),
              HasSubstr("\r\n" + unit_id(1) + "," + account_id + ","));
  EXPECT_THAT(fixture.place.run_or_throw({"unit", "show", unit_id(1)}),
              HasSubstr("Link           marketplace-a  u1"));
  const auto calendar =
      fixture.place.run_or_throw({"unit", "calendar", unit_id(1), "--from", "2099-03", "--months", "1"});
  EXPECT_THAT(calendar,
              AllOf(HasSubstr("March 2099"), HasSubstr(" 31#"), HasSubstr(fixture.id + "  marketplace-a")));
  EXPECT_EQ(fixture.place.run({"unit", "list", "--account", unit_id(1)}).status, 1);
}

TEST_P(LandlordCommands, CancelABookingWithoutAServer) {
  booked_fixture fixture(GetParam());
  EXPECT_EQ(fixture.server->stop(), 0);
  EXPECT_THAT(fixture.place.run_or_throw({"booking", "cancel", fixture.id}), StartsWith("cancelled; "));
  running_roost again(fixture.place);
  EXPECT_EQ(json_at(again.partner_of("marketplace-a").get("/listings/u1").body, "/unavailabilities"), "[]");
}

TEST_P(LandlordCommands, ListNotifications) {
  const booked_fixture fixture(GetParam());
  const auto list = fixture.place.run_or_throw({"notification", "list"});
  EXPECT_THAT(list, AllOf(HasSubstr("  New booking: Room 1, Madrid\n"),
                          HasSubstr("  Eva Lindqvist stays from 1 March 2099")));
  EXPECT_EQ(fixture.place.run_or_throw({"notification", "list", "--account", account_id}), list);
  const auto unknown_account = fixture.place.run({"notification", "list", "--account", unit_id(1)});
  EXPECT_EQ(unknown_account.status, 1);
  EXPECT_EQ(unknown_account.errors, "roost: there is no account with the id " + unit_id(1) + "\n");
}

TEST_P(LandlordCommands, ShowChangesOfTheBookingEngine) {
  const booked_fixture fixture(GetParam());
  EXPECT_THAT(fixture.place.run_or_throw({"changelog", unit_id(1)}), IsEmpty());
  const auto token = fixture.place.issue_token("booking-engine");
  const auto changed =
      send_request(fixture.server->port(), "PUT", "/booking-engine/listing",
                   {{"Authorization", "Bearer " + token}, {"Content-Type", "application/json"}},
                   R"({"externalId":"u1","isRentFixed":true,"rent":700,"rentsPerMonth":[],"minStayPeriod":0,)"
                   R"("maxStayPeriod":0,"extraPricePerTenant":0,"availableFrom":"2027-01-01","capacity":2,)"
                   R"("cleaningFeeValue":0,"billsIncludedMaxValue":0,"adminFeeValue":0,"depositValue":0,)"
                   R"("landlordEmail":"a@b.example","unavailabilities":[]})");
  EXPECT_EQ(changed.status, 200U) << changed.body;
  EXPECT_THAT(fixture.place.run_or_throw({"changelog", unit_id(1)}),
              AllOf(HasSubstr("  by booking-engine\n"), HasSubstr("  rent: 650 -> 700\n")));
}

TEST_P(LandlordCommands, ReportInvalidArguments) {
  const workplace place(GetParam());
  const auto unknown = place.run({"booking", "show", unit_id(1)});
  EXPECT_EQ(unknown.status, 1);
  EXPECT_EQ(unknown.errors, "roost: there is no booking with the id " + unit_id(1) + "\n");
  EXPECT_EQ(place.run({"booking", "cancel", unit_id(1)}).status, 1);
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"booking", "show", "x"},
                                             {"booking", "cancel", "x"},
                                             {"booking", "list", "--status", "new"},
                                             {"booking", "list", "--platform", "nobody"},
                                             {"booking", "list", "--unit", "x"},
                                             {"booking", "list", "--limit", "0"},
                                             {"notification", "list", "--account", "x"},
                                             {"changelog", "x"}}) {
    const auto refused = place.run(wrong);
    EXPECT_EQ(refused.status, 2) << refused.errors;
    EXPECT_THAT(refused.errors, StartsWith("roost: "));
  }
}

} // namespace roost::testing::landlord_commands_test
