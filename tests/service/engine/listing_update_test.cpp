#include "service/support/fault_fixture.hpp"
#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/workplace.hpp"
#include "store/engine/linked_units.hpp"

#include <thread>

/// PUT /<engine-prefix>/listing on a running server: its changes and the following reads.
namespace roost::testing::listing_update_test {
using ::testing::HasSubstr;

/// A server with units u1, u2, … and the booking engine's client, without a markup on the rent.
struct engine_fixture {
  explicit engine_fixture(store_kind kind, unsigned units = 2, const std::vector<edit>& edits = {})
      : place(kind) {
    place.import(portfolio_of(units, edits));
    start();
  }
  void start() {
    server.emplace(place);
    engine.emplace(server->partner_of("booking-engine"));
  }
  raw_response update(const std::string& id, const std::vector<edit>& edits = {}) const {
    return engine->put("/listing", listing_update(id, edits));
  }
  std::string at(const std::string& id, const std::string& pointer) const {
    return json_at(engine->get("/listings/" + id).body, pointer);
  }
  std::vector<store::changelog_entry> changelog(unsigned unit) {
    auto session = place.store().open();
    return store::changelog_of(session, *domain::parse_uuid(unit_id(unit)));
  }

  workplace place;
  std::optional<running_roost> server;
  std::optional<partner> engine;
};

ROOST_FOR_EACH_STORE(EngineListingUpdate);
ROOST_FOR_SQLITE(EngineListingUpdateOverHttp);

TEST_P(EngineListingUpdate, IsVisibleInReadsAfterItsResponse) {
  engine_fixture fixture(GetParam());
  const auto before = fixture.engine->get("/listings/u1").body;
  const auto response = fixture.update("u1", {{"/minStayPeriod", "2"},
                                              {"/maxStayPeriod", "10"},
                                              {"/extraPricePerTenant", "50.5"},
                                              {"/capacity", "9"},
                                              {"/depositValue", "9"},
                                              {"/landlordEmail", R"("x@y.example")"}});
  EXPECT_EQ(response.status, 200U);
  EXPECT_EQ(response.body, "");
  EXPECT_EQ(response.header("content-length"), "0");
  const auto after = fixture.engine->get("/listings/u1").body;
  const std::string updated_at = json_at(after, "/updatedAt");
  EXPECT_GT(updated_at, json_at(before, "/updatedAt"));
  EXPECT_EQ(after, edited(before, {{"/rent", "700"},
                                   {"/minStayPeriod", "2"},
                                   {"/maxStayPeriod", "10"},
                                   {"/extraPricePerTenant", "50.5"},
                                   {"/updatedAt", updated_at}}));
  const auto list = fixture.engine->get("/listings").body;
  EXPECT_EQ(json_at(list, "/0"), after);
  EXPECT_EQ(json_at(list, "/1/rent"), "650"); // another unit
  EXPECT_EQ(json_at(fixture.server->partner_of("marketplace-c").get("/listings/u1").body, "/rent"), "700");
}

TEST_P(EngineListingUpdate, StoresAndClearsAMonthlySchedule) {
  engine_fixture fixture(GetParam());
  ASSERT_EQ(fixture
                .update("u1", {{"/isRentFixed", "false"},
                               {"/rentsPerMonth", R"([{"month":7,"rent":800.2},{"month":8,"rent":900}])"}})
                .status,
            200U);
  EXPECT_EQ(fixture.at("u1", "/isRentFixed"), "false");
  EXPECT_EQ(fixture.at("u1", "/rent"), "900");
  EXPECT_EQ(fixture.at("u1", "/rentsPerMonth/5/rent"), "700"); // a missing month has the headline rent
  EXPECT_EQ(fixture.at("u1", "/rentsPerMonth/6/rent"), "801"); // reads round up
  EXPECT_EQ(fixture.at("u1", "/rentsPerMonth/11/month"), "12");
  ASSERT_EQ(fixture.update("u1").status, 200U);
  EXPECT_EQ(fixture.at("u1", "/rentsPerMonth"), "[]");
  EXPECT_EQ(fixture.at("u1", "/rent"), "700");
}

TEST_P(EngineListingUpdate, StoresRentWithoutTheMarkupThatReadsAdd) {
  const engine_fixture fixture(
      GetParam(), 1,
      {{"/accounts/0/platformCards/1",
        R"({"platform":"booking-engine","markup":{"mode":"percentage","value":5}})"}});
  EXPECT_EQ(fixture.at("u1", "/rent"), "683");
  ASSERT_EQ(fixture.update("u1", {{"/rent", "700"}}).status, 200U);
  EXPECT_EQ(fixture.at("u1", "/rent"), "735");
}

TEST_P(EngineListingUpdate, HidesAUnitWithARentOfZeroAndShowsItAgain) {
  engine_fixture fixture(GetParam());
  ASSERT_EQ(fixture.update("u1", {{"/rent", "0"}}).status, 200U);
  EXPECT_EQ(fixture.engine->get("/listings/u1").body, not_found("Listing not available"));
  EXPECT_EQ(array_size(fixture.engine->get("/listings").body), 1U);
  ASSERT_EQ(fixture.update("u1", {{"/rent", "500"}}).status, 200U);
  EXPECT_EQ(fixture.at("u1", "/rent"), "500");
  EXPECT_EQ(array_size(fixture.engine->get("/listings").body), 2U);
}

TEST_P(EngineListingUpdate, IsRecordedInTheUnitsChangelog) {
  engine_fixture fixture(GetParam());
  ASSERT_EQ(fixture.update("u1", {{"/minStayPeriod", "2"}}).status, 200U);
  ASSERT_EQ(fixture.update("u1", {{"/minStayPeriod", "2"}}).status, 200U); // no change
  const auto entries = fixture.changelog(1);
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].changed_by, "booking-engine");
  EXPECT_EQ(entries[0].changes,
            (std::vector<domain::field_change>{{"rent", "650", "700"}, {"minStayPeriod", "null", "2"}}));
  EXPECT_TRUE(fixture.changelog(2).empty());
}

TEST_P(EngineListingUpdate, KeepsUpdatedAtWhenNothingChanges) {
  engine_fixture fixture(GetParam());
  ASSERT_EQ(fixture.update("u1").status, 200U);
  const auto once = fixture.engine->get("/listings/u1").body;
  ASSERT_EQ(fixture.update("u1").status, 200U);
  EXPECT_EQ(fixture.engine->get("/listings/u1").body, once);
}

TEST_P(EngineListingUpdate, FindsAWholePropertyByTheIdOfARoom) {
  engine_fixture fixture(
      GetParam(), 1,
      {{unit_pointer(0) + "/links", R"([{"platform":"booking-engine","externalId":"5120"}])"}});
  ASSERT_EQ(fixture.update("5120_r7").status, 200U);
  EXPECT_EQ(fixture.at("5120", "/rent"), "700");
  EXPECT_EQ(fixture.update("5120_r7_x", {{"/rent", "710"}}).status, 200U);
  EXPECT_EQ(fixture.update("512_0").status, 404U);
}

TEST_P(EngineListingUpdate, IsNotFoundForUnlinkedExcludedOrArchivedUnits) {
  engine_fixture fixture(GetParam(), 4,
                         {{unit_pointer(0) + "/links", "[]"},
                          {unit_pointer(1) + "/excludedFrom", R"(["booking-engine"])"},
                          {unit_pointer(2) + "/archived", "true"}});
  for (const auto* id : {"u1", "u2", "u3", "nobody"})
    EXPECT_EQ(fixture.update(id).body,
              not_found(std::string("Listing not found for booking-engine with externalId ") + id));
  EXPECT_EQ(fixture.update("u4").status, 200U);
  fixture.place.import(portfolio_of(4, {{property_pointer + "/archived", "true"}}));
  EXPECT_TRUE(eventually([&] { return fixture.update("u4").status == 404; }));
  for (unsigned unit = 1; unit <= 3; ++unit) EXPECT_TRUE(fixture.changelog(unit).empty());
}

TEST_P(EngineListingUpdate, ChangesNothingWhenRefused) {
  engine_fixture fixture(GetParam());
  const auto before = fixture.engine->get("/listings/u1").body;
  EXPECT_EQ(fixture.update("u1", {{"/rentsPerMonth", R"([{"month":13,"rent":5}])"}}).body,
            bad_request("rentsPerMonth.0.month must not be greater than 12"));
  EXPECT_EQ(fixture.update("u1", {{"/minStayPeriod", "13"}, {"/maxStayPeriod", "12"}}).body,
            bad_request("Min stay period cannot be greater than max stay period (unless max is 0)"));
  EXPECT_EQ(fixture.update("u1", {{"/rent", "100000000"}}).body,
            bad_request("A numeric value is out of range."));
  EXPECT_EQ(fixture.update("nobody", {{"/rent", "-1"}}).status, 400U); // the body is validated first
  EXPECT_EQ(fixture.engine->get("/listings/u1").body, before);
  EXPECT_TRUE(fixture.changelog(1).empty());
}

TEST_P(EngineListingUpdateOverHttp, ChecksTokenTypeAndSizeBeforeTheBody) {
  const engine_fixture fixture(GetParam());
  const std::string path = "/booking-engine/listing", good = listing_update("u1");
  const header_fields token{{"Authorization", "Bearer " + fixture.engine->token()}};
  const auto put = [&](header_fields fields, const std::string& body) {
    return send_request(fixture.server->port(), "PUT", path, fields, body);
  };
  EXPECT_EQ(put({}, "no JSON").body, unauthorized("Missing integration credentials"));
  EXPECT_EQ(
      put({{"Authorization", "Bearer " + fixture.server->partner_of("marketplace-d").token()}}, good).body,
      unauthorized("Unauthorized"));
  EXPECT_EQ(put(token, good).status, 415U);
  EXPECT_EQ(fixture.engine->put("/listing", std::string((1 << 20) + 1, ' ')).status, 413U);
  EXPECT_EQ(fixture.engine->put("/listing", "").body,
            bad_request("Body cannot be empty when content-type is set to 'application/json'"));
  EXPECT_EQ(fixture.engine->put("/listing", "[]").body, bad_request("Request body must be a JSON object"));
}

TEST_P(EngineListingUpdateOverHttp, IsNotARouteOfOtherMethodsAndPlatforms) {
  const engine_fixture fixture(GetParam());
  EXPECT_EQ(fixture.engine->post("/listing", listing_update("u1")).body,
            not_found("Cannot POST /booking-engine/listing"));
  EXPECT_EQ(fixture.server->partner_of("marketplace-d").put("/listing", listing_update("u1")).body,
            not_found("Cannot PUT /marketplace-d/listing"));
}

TEST_P(EngineListingUpdate, SurvivesAKillRightAfterItsResponse) {
  engine_fixture fixture(GetParam());
  ASSERT_EQ(fixture.update("u1", {{"/rent", "701.5"}}).status, 200U);
  fixture.server->kill();
  fixture.start();
  EXPECT_EQ(fixture.at("u1", "/rent"), "702");
  EXPECT_EQ(fixture.changelog(1).size(), 1U);
  ASSERT_EQ(fixture.update("u1", {{"/rent", "800"}}).status, 200U);
  EXPECT_EQ(fixture.at("u1", "/rent"), "800");
}

TEST_P(EngineListingUpdate, IsOverwrittenByTheNextImport) {
  engine_fixture fixture(GetParam());
  ASSERT_EQ(fixture.update("u1").status, 200U);
  fixture.place.import(portfolio_of(2));
  EXPECT_TRUE(eventually([&] { return fixture.at("u1", "/rent") == "650"; }));
  EXPECT_EQ(fixture.changelog(1).size(), 1U);
}

TEST_P(EngineListingUpdate, WorksWhileItsUnitsAreBooked) {
  workplace place(GetParam());
  place.import(portfolio_of(4));
  const running_roost server(place, started::serving, {"--set", "bookings.cycle=1s"});
  const auto engine = server.partner_of("booking-engine");
  const auto keep_updating = [&](unsigned client) {
    for (int round = 0; round < 30; ++round) {
      const auto id = "u" + std::to_string(1 + (client + round) % 4);
      const auto response =
          engine.put("/listing", listing_update(id, {{"/rent", std::to_string(500 + round)}}));
      EXPECT_EQ(response.status, 200U) << response.body;
    }
  };
  std::vector<std::thread> clients;
  for (unsigned client = 0; client < 4; ++client) clients.emplace_back(keep_updating, client);
  for (int stay = 0; stay < 20; ++stay)
    EXPECT_EQ(engine.post("/bookings", booking("u" + std::to_string(1 + stay % 4), 30 * stay, 30 * stay + 20))
                  .status,
              201U);
  for (auto& client : clients) client.join();
  EXPECT_TRUE(eventually([&] {
    return store_rows(place.store().open(), "select state from booking_requests where state = 'Success'", 1)
               .size() == 20;
  }));
  // The list is updated after the commit, so the last decision may be in the store but not yet in the list.
  for (int unit = 0; unit < 4; ++unit) {
    const auto at = "/" + std::to_string(unit);
    EXPECT_TRUE(eventually([&] {
      return json_at(engine.get("/listings").body, at + "/unavailabilities/4/reason") == R"("Unavailable")";
    }));
    EXPECT_THAT(json_at(engine.get("/listings").body, at + "/rent"), HasSubstr("5"));
  }
}

} // namespace roost::testing::listing_update_test
