#include "service/support/webhook_fixture.hpp"
#include "store/database/lease.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// The audit log: changes by commands, and by partners with their tokens and keys.
namespace roost::testing::audit_test {
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

ROOST_FOR_EACH_STORE(AuditLog);

/// Returns the entries of an action, oldest first: actor, subject and detail.
std::vector<std::string> entries_of(workplace& place, const std::string& action) {
  return store_rows(
      place.store().open(),
      "select actor, subject, detail from audit where action = '" + action + "' order by made_at", 3);
}

/// Returns the id of the first listed credential that contains these words.
std::string id_of(const workplace& place, const std::string& kind, const std::string& words = "}") {
  const auto listed = place.run_or_throw({kind, "list", "--json"});
  return listed.substr(listed.rfind("\"id\":\"", listed.find(words)) + 6, 36);
}

TEST_P(AuditLog, NamesTheTokenThatChangedAListing) {
  webhook_fixture fixture(GetParam());
  const auto engine = fixture.server->partner_of("booking-engine");
  const auto token = id_of(fixture.place, "token", "booking-engine");
  EXPECT_EQ(engine.put("/listing", listing_update("u1", {{"/rent", "701"}})).status, 200U);
  EXPECT_EQ(engine.put("/listing", listing_update("u1", {{"/rent", "701"}})).status, 200U);
  EXPECT_EQ(engine.put("/listing", listing_update("unknown")).status, 404U);
  EXPECT_THAT(entries_of(fixture.place, "listing update"),
              ElementsAre("token " + token + "|" + unit_id(1) + "|booking-engine u1"))
      << "updates without a change are not recorded";
}

TEST_P(AuditLog, NamesTheAccountKeyThatCreatedAProperty) {
  webhook_fixture fixture(GetParam());
  const auto engine = fixture.server->partner_of("booking-engine");
  const header_fields with_key{{"svc-api-key", fixture.place.issue_account_key(account_id)}};
  const auto key = id_of(fixture.place, "key");
  EXPECT_EQ(engine.post("/property-listing", engine_property("P1", 2), with_key).status, 201U);
  const auto entries = entries_of(fixture.place, "property creation");
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_THAT(entries[0], AllOf(HasSubstr("account key " + key + "|"), HasSubstr("|booking-engine")));
}

TEST_P(AuditLog, NamesTheCredentialThatCancelledABooking) {
  webhook_fixture fixture(GetParam());
  const auto key = fixture.place.run_or_throw({"webhook-key", "issue"});
  const auto key_id = id_of(fixture.place, "webhook-key");
  EXPECT_EQ(fixture.send_as_a().body, ok);
  EXPECT_EQ(fixture.send_as_b({{"/listing_external_reference", R"("u2")"}}).body, ok);
  fixture.decided_requests(2, "state", 1);
  const auto cancel = R"({"event":"booking-cancelled","offer_api_reference":"u1","booking_id":90210})";
  const header_fields with_key{{"x-api-key", key.substr(0, key.find('\n'))},
                               {"Content-Type", "application/json"}};
  for (int again = 0; again < 2; ++again)
    EXPECT_EQ(send_request(fixture.server->port(), "POST", "/marketplace-a/webhook", with_key, cancel).status,
              201U);
  EXPECT_THAT(entries_of(fixture.place, "webhook cancel"),
              ElementsAre("webhook key " + key_id + "|" + unit_id(1) + "|marketplace-a 90210"));
  const auto token = id_of(fixture.place, "token", "marketplace-b");
  EXPECT_EQ(fixture
                .send_as_b({{"/notification_type", R"("booking_cancelled")"},
                            {"/listing_external_reference", R"("u2")"}})
                .body,
            ok);
  EXPECT_THAT(
      entries_of(fixture.place, "webhook cancel"),
      ElementsAre(HasSubstr("webhook key"), "token " + token + "|" + unit_id(2) + "|marketplace-b b-1"));
}

TEST_P(AuditLog, AndTheServersLogNameTheActorOfACancelCommand) {
  webhook_fixture fixture(GetParam());
  EXPECT_EQ(fixture.send_as_a().body, ok);
  fixture.decided_requests(1, "state", 1);
  const auto id = fixture.bookings("cast(b.id as text)", 1).at(0);
  fixture.place.run_or_throw({"booking", "cancel", id, "--by", "Ana"});
  EXPECT_THAT(entries_of(fixture.place, "booking cancel"), ElementsAre(HasSubstr("Ana|" + id)));
  EXPECT_EQ(fixture.server->wait_for_event("booking_cancelled", {{"booking", id}}).at("by"), "Ana");
  EXPECT_THAT(fixture.place.run_or_throw({"booking", "show", id}), HasSubstr(", Ana"));
  EXPECT_EQ(fixture.place.run({"booking", "cancel", id}).status, 1);
  EXPECT_EQ(entries_of(fixture.place, "booking cancel").size(), 1U);
}

TEST_P(AuditLog, RecordsEachSuccessfulChangeOfACredential) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  place.issue_token("marketplace-a");
  const auto token = id_of(place, "token");
  place.run_or_throw({"token", "revoke", token});
  EXPECT_EQ(place.run({"token", "revoke", token}).status, 1);
  place.issue_account_key(account_id);
  const auto key = id_of(place, "key");
  place.run_or_throw({"key", "revoke", key, "--by", "Ben"});
  EXPECT_EQ(place.run({"key", "issue", "--account", unit_id(1)}).status, 1);
  EXPECT_THAT(entries_of(place, "token issue"), ElementsAre(HasSubstr(token)));
  EXPECT_THAT(entries_of(place, "token revoke"), ElementsAre(HasSubstr("|" + token + "|")));
  EXPECT_EQ(entries_of(place, "key issue").size(), 1U);
  EXPECT_THAT(entries_of(place, "key issue"), ElementsAre(HasSubstr("|" + key + "|")));
  EXPECT_THAT(entries_of(place, "key revoke"), ElementsAre("Ben|" + key + "|"));
  EXPECT_THAT(place.run_or_throw({"audit", "list"}),
              AllOf(HasSubstr("key revoke"), Not(HasSubstr(unit_id(1)))));
}

TEST_P(AuditLog, RecordsTheChangesOfAnImport) {
  workplace place(GetParam());
  const auto entry_of_import = [&](const std::string& portfolio) {
    place.folder().write("next.json", portfolio);
    const auto output = place.run_or_throw({"import", "next.json", "--allow-removals", "--by", "Ana"});
    auto entry = entries_of(place, "import").back();
    EXPECT_THAT(output, ::testing::EndsWith(entry.substr(entry.rfind('|') + 1) + "\n"));
    return entry;
  };
  const auto whole =
      portfolio_of(2, {{unit_pointer(0) + "/blocks", R"([{"from":"2099-01-01","to":"2099-01-31"}])"},
                       {account_pointer + "/users/1", R"({"id":"22222222-0000-4000-8000-000000000002",)"
                                                      R"("email":"ben@casaverde.example","role":"Admin"})"}});
  EXPECT_EQ(entry_of_import(whole), "Ana|next.json|added: 1 account, 1 platform card, 2 users, 1 property, "
                                    "2 units, 16 links, 1 block");
  EXPECT_EQ(entry_of_import(whole), "Ana|next.json|nothing changed");
  EXPECT_EQ(entry_of_import(portfolio_of(2, {{unit_pointer(0) + "/links", "[]"},
                                             {account_pointer + "/platformCards", "[]"},
                                             {account_pointer + "/users/0/role", R"("Super Admin")"}})),
            "Ana|next.json|changed: 1 user; removed: 1 platform card, 1 user, 8 links, 1 block");
}

TEST_P(AuditLog, AndTheChangesItRecordsAreRefusedDuringACopy) {
  workplace place(GetParam());
  auto session = place.store().open();
  ASSERT_TRUE(store::try_acquire(session, "copy/host/1", std::chrono::seconds{10}));
  const auto refused = place.run({"token", "issue", "--platform", "marketplace-a"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.errors, HasSubstr("wait until `roost copy` has finished"));
  EXPECT_EQ(place.run({"import", ROOST_SOURCE_DIR "/config/demo-portfolio.json"}).status, 1);
  EXPECT_THAT(place.run_or_throw({"token", "list", "--json"}), HasSubstr("[]"));
  EXPECT_EQ(place.run_or_throw({"account", "list"}), "");
  EXPECT_EQ(place.run_or_throw({"audit", "list"}), "");
}

} // namespace roost::testing::audit_test
