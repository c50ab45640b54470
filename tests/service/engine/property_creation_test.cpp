#include "service/support/fault_fixture.hpp"
#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/workplace.hpp"
#include "store/bookings/bookings.hpp"
#include "support/decoded_message.hpp"

/// POST /<engine-prefix>/property-listing on a running server: what it creates, and the notification when it
/// fails.
namespace roost::testing::property_creation_test {
using ::testing::HasSubstr;

/// A server with an account that has unit u1, and the account's key.
struct creation_fixture {
  explicit creation_fixture(store_kind kind, const std::vector<edit>& edits = {},
                            std::vector<std::string> arguments = {})
      : place(kind), arguments(std::move(arguments)) {
    place.import(portfolio_of(1, edits));
    key = place.issue_account_key(account_id);
    start();
  }
  void start() {
    server.emplace(place, started::serving, arguments);
    engine.emplace(server->partner_of("booking-engine"));
  }
  raw_response create(const std::string& body) const {
    return engine->post("/property-listing", body, {{"svc-api-key", key}});
  }
  std::string list() const { return engine->get("/listings").body; }
  std::vector<std::string> rows(const std::string& query, int columns) {
    return store_rows(place.store().open(), query, columns);
  }

  workplace place;
  std::vector<std::string> arguments;
  std::string key;
  std::optional<running_roost> server;
  std::optional<partner> engine;
};

const std::string name_taken = "Listing with this internal name already exists";

ROOST_FOR_EACH_STORE(EnginePropertyCreation);

TEST_P(EnginePropertyCreation, ReturnsTheCreatedRecords) {
  const creation_fixture fixture(GetParam());
  const auto response = fixture.create(engine_property("P1", 1,
                                                       {{"/floor", R"("3")"},
                                                        {"/internal_name", R"("House")"},
                                                        {"/incompleteRentType", R"("biweekly")"},
                                                        {"/paidAtMovinDate", R"("Security Deposit")"},
                                                        {"/securityDeposit", R"("600.50")"},
                                                        {"/extraAdministrativeFee", "150"},
                                                        {"/cleaningLadyPrice", "45"},
                                                        {"/billsIncluded", "true"},
                                                        {"/billsMax", "60"},
                                                        {"/rooms/0/periodStayMin", "1"},
                                                        {"/rooms/0/periodStayMax", "11"},
                                                        {"/rooms/0/periodStayMaxBoolean", R"("true")"},
                                                        {"/rooms/0/numPeople", "2"},
                                                        {"/rooms/0/extraTenantsPrice", "50"}}));
  EXPECT_EQ(response.status, 201U);
  EXPECT_EQ(response.header("content-type"), "application/json; charset=utf-8");
  EXPECT_EQ(
      without_times_and_ids(response.body),
      R"({"property":{"id":"P1","propertyId":"<id>","internalName":"House","address":"Rua 1","floor":"3",)"
      R"("type":"apartment","contractType":"Traditional rental","incompleteRentType":"fortnightly",)"
      R"("dueAtConfirmation":["firstRent"],"dueAtMoveIn":["deposit"],"cleaningLadyPrice":45,)"
      R"("createdAt":"<time>","updatedAt":"<time>"},)"
      R"("listings":[{"externalId":"P1_1","integrationPlatform":"booking-engine","listingId":"<id>",)"
      R"("propertyId":"<id>","internalName":"P1 1","kind":"room","roomLabel":"Room 1","isRentFixed":true,"rent":650,)"
      R"("minStayPeriod":1,"maxStayPeriod":11,"capacity":2,"extraPricePerTenant":50,"billsIncluded":true,)"
      R"("billsIncludedMaxValue":60,"adminFeeValue":150,"depositValue":600.5,"createdAt":"<time>",)"
      R"("updatedAt":"<time>"}]})");
  EXPECT_EQ(json_at(response.body, "/property/propertyId"), json_at(response.body, "/listings/0/propertyId"));
}

TEST_P(EnginePropertyCreation, CreatesUnitsThatCanBeReadUpdatedAndBookedImmediately) {
  creation_fixture fixture(GetParam(), {}, {"--set", "bookings.cycle=1s"});
  ASSERT_EQ(
      fixture
          .create(engine_property(
              "P1", 2, {{"/securityDeposit", R"("600")"}, {"/rooms/-", R"({"fixedRent":true,"rent":900})"}}))
          .status,
      201U);
  const auto list = fixture.list();
  ASSERT_EQ(array_size(list), 4U);
  for (int i = 0; i < 3; ++i) // in the order of the rooms
    EXPECT_EQ(json_at(list, "/" + std::to_string(i + 1) + "/externalId"),
              i < 2 ? R"("P1_)" + std::to_string(i + 1) + '"' : R"("P1")");
  EXPECT_EQ(json_at(fixture.engine->get("/listings/P1_2").body, "/depositValue"), "600");
  EXPECT_EQ(json_at(fixture.engine->get("/listings/P1").body, "/rent"), "900");
  ASSERT_EQ(fixture.engine->put("/listing", listing_update("P1_2")).status, 200U);
  EXPECT_EQ(json_at(fixture.engine->get("/listings/P1_2").body, "/rent"), "700");
  EXPECT_EQ(fixture.engine->get("/listings/P1_2/housemates").body, "[]");
  ASSERT_EQ(fixture.engine->post("/bookings", booking("P1_2", 30, 90)).status, 201U);
  EXPECT_TRUE(eventually([&] {
    return json_at(fixture.engine->get("/listings/P1_2").body, "/unavailabilities/0/reason") ==
           R"("Unavailable")";
  }));
}

TEST_P(EnginePropertyCreation, AppliesTheTermsOfThePropertyToBookings) {
  creation_fixture fixture(GetParam(), {{"/accounts/0/contractType", R"("Seasonal")"}},
                           {"--set", "bookings.cycle=1s"});
  ASSERT_EQ(fixture.create(engine_property("P1", 1, {{"/securityDeposit", R"("600")"}})).status, 201U);
  ASSERT_EQ(fixture.engine->post("/bookings", booking("P1_1", 30, 120)).status, 201U);
  const auto bookings = [&] {
    auto session = fixture.place.store().open();
    return store::list_bookings(session, {}, 10);
  };
  ASSERT_TRUE(eventually([&] { return !bookings().empty(); }));
  const auto stored = bookings().front().booking;
  EXPECT_EQ(stored.terms->contract_type, "Traditional rental");
  EXPECT_EQ(stored.terms->payment_terms.check_in,
            (std::vector{domain::due_item::deposit, domain::due_item::last_rent}));
}

TEST_P(EnginePropertyCreation, RequiresAnAccountKey) {
  const creation_fixture fixture(GetParam());
  const auto create = [&](const header_fields& fields) {
    return fixture.engine->post("/property-listing", "no JSON", fields);
  };
  EXPECT_EQ(create({}).body, unauthorized("Missing svc-api-key header"));
  EXPECT_EQ(create({{"svc-api-key", ""}}).body, unauthorized("Missing svc-api-key header"));
  EXPECT_EQ(create({{"svc-api-key", "x"}}).body, unauthorized("Unauthorized"));
  EXPECT_EQ(create({{"svc-api-key", fixture.key + "x"}}).body, unauthorized("Unauthorized"));
  EXPECT_EQ(create({{"svc-api-key", fixture.key}, {"svc-api-key", fixture.key}}).body,
            unauthorized("Unauthorized"));
  EXPECT_EQ(create({{"svc-api-key", fixture.key}}).status, 400U);
  EXPECT_EQ(send_request(fixture.server->port(), "POST", "/booking-engine/property-listing",
                         {{"svc-api-key", fixture.key}})
                .body,
            unauthorized("Missing integration credentials"));
  EXPECT_EQ(send_request(
                fixture.server->port(), "POST", "/booking-engine/property-listing",
                {{"svc-api-key", fixture.key}, {"Authorization", "Bearer " + fixture.engine->token()}}, "{}")
                .status,
            415U);
  EXPECT_EQ(fixture.create(std::string((1 << 20) + 1, ' ')).status, 413U);
}

TEST_P(EnginePropertyCreation, AppliesRevokedKeysAndDisabledAccounts) {
  creation_fixture fixture(GetParam());
  fixture.place.import(portfolio_of(1, {{"/accounts/0/bookingEngine", R"({"propertyCreation":false})"}}));
  EXPECT_TRUE(eventually(
      [&] { return fixture.create(engine_property("P1", 1)).body == R"({"property":null,"listings":[]})"; }));
  EXPECT_EQ(fixture.create(engine_property("P1", 1)).status, 201U);
  EXPECT_EQ(fixture.create("{}").status, 400U); // the body is validated anyway
  const auto list = fixture.place.run_or_throw({"key", "list"});
  fixture.place.run_or_throw({"key", "revoke", list.substr(0, list.find(' '))});
  EXPECT_TRUE(eventually([&] { return fixture.create(engine_property("P1", 1)).status == 401; }));
}

TEST_P(EnginePropertyCreation, ChangesNothingWhenTheBodyIsInvalid) {
  creation_fixture fixture(GetParam());
  EXPECT_EQ(fixture.create("{}").body, bad_request("id must be a string, address must be a string"));
  EXPECT_EQ(fixture.create(engine_property("P1", 2, {{"/rooms/1/rent", "-1"}})).body,
            bad_request("rooms.1.rent must not be less than 0"));
  EXPECT_EQ(fixture.create(engine_property("P_1", 1)).body, bad_request("id must not contain an underscore"));
  EXPECT_EQ(fixture.rows("select internal_name from properties", 1),
            std::vector<std::string>{"Calle Mayor 12"});
}

TEST_P(EnginePropertyCreation, KeepsTheRoomsBeforeAFailureAndNotifiesTheLandlord) {
  creation_fixture fixture(GetParam());
  EXPECT_EQ(fixture.create(engine_property("P1", 3, {{"/rooms/1/internalName", R"("Room 1")"}})).body,
            bad_request(name_taken));
  const auto list = fixture.list();
  EXPECT_EQ(array_size(list), 2U);
  EXPECT_EQ(json_at(list, "/1/externalId"), R"("P1_1")");
  EXPECT_EQ(fixture.rows("select kind, title from notifications", 2),
            std::vector<std::string>{"unit_not_created|Unit not created: Room 1"});
  ASSERT_TRUE(eventually([&] { return fixture.place.mails().size() == 1; }));
  const auto mail = mail::decode(fixture.place.mails()[0]);
  EXPECT_THAT(mail.headers.at("To"), HasSubstr("ana@casaverde.example"));
  EXPECT_EQ(mail.subject, "Unit not created: Room 1, Rua 1");
  for (const auto& body :
       {mail.parts.at("text/plain; charset=utf-8"), mail.parts.at("text/html; charset=utf-8")})
    EXPECT_THAT(body, HasSubstr("1 of the 3 units"));
  // The remaining rooms are added to the same property.
  ASSERT_EQ(fixture.create(engine_property("P1", 3, {{"/rooms/0", ""}})).status, 201U);
  EXPECT_EQ(fixture.rows("select internal_name from properties where origin_id = 'P1'", 1).size(), 1U);
  EXPECT_EQ(array_size(fixture.list()), 4U);
}

TEST_P(EnginePropertyCreation, RefusesARoomWithoutFixedRent) {
  creation_fixture fixture(GetParam());
  const auto message = bad_request("Rent per month is required when rent is not fixed");
  EXPECT_EQ(fixture.create(engine_property("P1", 1, {{"/rooms/0/fixedRent", "false"}})).body, message);
  EXPECT_EQ(fixture.create(engine_property("P2", 1, {{"/rooms/0/fixedRent", ""}})).body, message);
  EXPECT_EQ(fixture
                .create(engine_property("P3", 1,
                                        {{"/rooms/0/periodStayMin", "12"},
                                         {"/rooms/0/periodStayMax", "11"},
                                         {"/rooms/0/periodStayMaxBoolean", R"("true")"}}))
                .body,
            bad_request("Min stay period cannot be greater than max stay period (unless max is 0)"));
  EXPECT_EQ(array_size(fixture.list()), 1U);
  EXPECT_EQ(fixture.rows("select title from notifications", 1).size(), 3U);
}

TEST_P(EnginePropertyCreation, NotifiesTheLandlordOfAnIdThatIsAlreadyLinked) {
  creation_fixture fixture(GetParam());
  ASSERT_EQ(fixture.create(engine_property("P1", 1)).status, 201U);
  EXPECT_EQ(fixture.create(engine_property("P1", 2, {{"/rooms/0/internalName", R"("Another")"}})).body,
            bad_request("Listing with this externalId already exists"));
  EXPECT_EQ(array_size(fixture.list()), 2U);
  EXPECT_EQ(fixture.rows("select kind, title from notifications", 2),
            std::vector<std::string>{"unit_not_created|Unit not created: Another"});
  ASSERT_TRUE(eventually([&] { return fixture.place.mails().size() == 1; }));
  EXPECT_THAT(mail::decode(fixture.place.mails()[0]).headers.at("To"), HasSubstr("ana@casaverde.example"));
}

TEST_P(EnginePropertyCreation, DoesNotPublishAUnitWithoutARent) {
  const creation_fixture fixture(GetParam());
  ASSERT_EQ(fixture.create(engine_property("P1", 1, {{"/rooms/0/rent", ""}})).status, 201U);
  EXPECT_EQ(fixture.engine->get("/listings/P1_1").body, not_found("Listing not available"));
  ASSERT_EQ(fixture.engine->put("/listing", listing_update("P1_1")).status, 200U);
  EXPECT_EQ(fixture.engine->get("/listings/P1_1").status, 200U);
}

TEST_P(EnginePropertyCreation, AcceptsIdsWithAnyCharacters) {
  const creation_fixture fixture(GetParam());
  ASSERT_EQ(fixture.create(engine_property("P/1 100%", 1, {{"/rooms/0/id", R"("é?")"}})).status, 201U);
  const auto response = fixture.engine->get("/listings/P%2F1%20100%25_%C3%A9%3F");
  EXPECT_EQ(json_at(response.body, "/externalId"), R"("P/1 100%_é?")");
  EXPECT_EQ(fixture.engine->put("/listing", listing_update("P/1 100%_é?")).status, 200U);
  EXPECT_EQ(fixture.engine->get("/listings/P%2F1%20100%25_%C3%A9%3F/housemates").status, 200U);
}

TEST_P(EnginePropertyCreation, CreatesThousandsOfRooms) {
  const creation_fixture fixture(GetParam());
  const auto body = engine_property("P1", 5'000);
  const auto response = fixture.create(body);
  ASSERT_EQ(response.status, 201U);
  EXPECT_EQ(array_size(json_at(response.body, "/listings")), 5'000U);
  EXPECT_EQ(array_size(fixture.list()), 5'001U);
}

TEST_P(EnginePropertyCreation, SurvivesImportsAndRestarts) {
  creation_fixture fixture(GetParam());
  ASSERT_EQ(fixture.create(engine_property("P1", 1)).status, 201U);
  fixture.server->kill();
  fixture.place.import(portfolio_of(2));
  fixture.start();
  EXPECT_EQ(array_size(fixture.list()), 3U);
  EXPECT_EQ(json_at(fixture.engine->get("/listings/P1_1").body, "/rent"), "650");
}

} // namespace roost::testing::property_creation_test
