#include "store/connector/clients.hpp"
#include "store/connector/connections.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/sample_portfolio.hpp"
#include "store/support/stored_rows.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>

namespace roost::testing::clients_test {

using namespace std::chrono_literals;

class Clients : public on_each_store {
protected:
  void SetUp() override {
    import_sample(session(), sample_portfolio());
    lease = take_lease(session());
  }

  store::oauth_client client(const std::string& id, const std::string& fingerprint,
                             domain::timestamp now) const {
    store::oauth_client result;
    result.id = id;
    result.name = "Assistant \"one\"";
    result.redirect_uris = {"http://localhost/cb", "https://one.example/cb?a=\"b\""};
    result.grant_types = {"authorization_code", "refresh_token"};
    result.scope = "bookings";
    result.fingerprint = fingerprint;
    result.created_at = now;
    return result;
  }

  std::optional<store::oauth_client> add(const store::oauth_client& client, std::size_t max_clients = 100) {
    return store::register_client(session(), lease, client, max_clients).client;
  }

  std::vector<std::string> evicted_by(const store::oauth_client& client, std::size_t max_clients) {
    return store::register_client(session(), lease, client, max_clients).evicted;
  }

  /// Lets a user authorize the client.
  void use(const std::string& id, domain::timestamp now) {
    store::authorization_code code;
    code.id = numbered_id(3, ++codes_);
    code.hash = "hash " + std::to_string(codes_);
    code.client_id = id;
    code.created_at = now;
    code.expires_at = now + 120s;
    ASSERT_TRUE(store::issue_code(session(), lease, code));
  }

  std::int64_t delete_old(domain::timestamp now) {
    return written_by(session(), lease, store::delete_old_clients, now, now - 1h, now - std::chrono::days{90},
                      100);
  }

  bool exists(const std::string& id) { return store::find_client(session(), id).has_value(); }

  const domain::timestamp noon = moment("2026-11-20T12:00:00Z");
  store::lease lease;

private:
  unsigned codes_ = 0;
};
ROOST_ON_EACH_STORE(Clients);

TEST_P(Clients, AreStoredAsRegistered) {
  add(client("mcp-1", "a", noon));
  const auto stored = store::find_client(session(), "mcp-1");
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->name, "Assistant \"one\"");
  EXPECT_THAT(stored->redirect_uris,
              ::testing::ElementsAre("http://localhost/cb", "https://one.example/cb?a=\"b\""));
  EXPECT_TRUE(stored->may("refresh_token"));
  EXPECT_FALSE(stored->may("password"));
  EXPECT_EQ(stored->scope, "bookings");
  EXPECT_EQ(stored->created_at, noon);
  EXPECT_FALSE(exists("mcp-2"));
}

/// Earlier versions stored names as they were sent.
TEST_P(Clients, HaveNamesWithoutInvisibleCharacters) {
  auto older = client("mcp-1", "a", noon);
  older.name = "Assist\u200bant\u2062";
  add(older);
  EXPECT_EQ(store::find_client(session(), "mcp-1")->name, "Assistant");
  older.id = "mcp-2";
  EXPECT_EQ(store::register_client(session(), lease, older, 10).client->name, "Assistant");
  auto invisible = client("mcp-3", "b", noon);
  invisible.name = "\u200b";
  add(invisible);
  EXPECT_EQ(store::find_client(session(), "mcp-3")->name, std::nullopt);
}

TEST_P(Clients, KeepTheirIdWhenTheyRegisterTheSameValues) {
  add(client("mcp-1", "a", noon));
  const auto again = add(client("mcp-2", "a", noon + 50min));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->id, "mcp-1");
  EXPECT_EQ(again->created_at, noon + 50min);
  EXPECT_EQ(delete_old(noon + 90min), 0) << "its hour restarted";
  EXPECT_EQ(add(client("mcp-3", "b", noon))->id, "mcp-3");
}

TEST_P(Clients, WithASecretAreNewForEachRegistration) {
  for (const auto* id : {"mcp-1", "mcp-2"}) {
    auto confidential = client(id, "a", noon);
    confidential.auth_method = store::confidential_client;
    confidential.secret_hash = "secret";
    EXPECT_EQ(add(confidential)->id, id);
  }
}

TEST_P(Clients, HaveALimitThatAuthorizedOnesMayFill) {
  EXPECT_TRUE(add(client("mcp-1", "a", noon), 1));
  use("mcp-1", noon);
  EXPECT_FALSE(add(client("mcp-2", "b", noon), 1));
  EXPECT_TRUE(exists("mcp-1"));
  EXPECT_FALSE(exists("mcp-2"));
  EXPECT_TRUE(add(client("mcp-3", "a", noon), 1)) << "it exists already";
}

TEST_P(Clients, MakeRoomByEvictingTheOldestThatNoUserAuthorized) {
  add(client("mcp-used", "a", noon - 1h));
  use("mcp-used", noon - 1h);
  add(client("mcp-new", "b", noon + 2s));
  add(client("mcp-old", "c", noon));
  EXPECT_THAT(evicted_by(client("mcp-newest", "d", noon + 3s), 3), ::testing::ElementsAre("mcp-old"));
  for (const auto* id : {"mcp-used", "mcp-new", "mcp-newest"}) EXPECT_TRUE(exists(id)) << id;
  EXPECT_FALSE(exists("mcp-old"));
}

TEST_P(Clients, AreEvictedDownToALimitThatWasLowered) {
  for (const auto* id : {"mcp-1", "mcp-2", "mcp-3"}) add(client(id, id, noon));
  use("mcp-3", noon);
  EXPECT_THAT(evicted_by(client("mcp-4", "d", noon + 1s), 2),
              ::testing::UnorderedElementsAre("mcp-1", "mcp-2"));
  EXPECT_TRUE(exists("mcp-4"));
}

TEST_P(Clients, AreEvictedAHundredAtATime) {
  for (int i = 0; i < 102; ++i) {
    const auto id = "mcp-" + std::to_string(i);
    add(client(id, id, noon), 1'000);
  }
  EXPECT_EQ(evicted_by(client("mcp-new", "new", noon + 1s), 2).size(), 100U);
  EXPECT_EQ(evicted_by(client("mcp-newest", "newest", noon + 2s), 2).size(), 2U);
}

TEST_P(Clients, AreNotEvictedForARefusedOne) {
  for (const auto* id : {"mcp-1", "mcp-2", "mcp-3"}) add(client(id, id, noon));
  use("mcp-2", noon);
  use("mcp-3", noon);
  EXPECT_FALSE(add(client("mcp-4", "d", noon + 1s), 2));
  EXPECT_TRUE(exists("mcp-1"));
}

TEST_P(Clients, AreDeletedAfterAnHourWithoutAuthorization) {
  add(client("mcp-1", "a", noon));
  add(client("mcp-2", "b", noon));
  use("mcp-2", noon);
  EXPECT_EQ(delete_old(noon + 1h), 0);
  EXPECT_EQ(delete_old(noon + 1h + 1ms), 1);
  EXPECT_FALSE(exists("mcp-1"));
  EXPECT_TRUE(exists("mcp-2"));
}

TEST_P(Clients, AreDeletedAfter90DaysWithoutUse) {
  add(client("mcp-1", "a", noon));
  use("mcp-1", noon);
  EXPECT_EQ(delete_old(noon + std::chrono::days{90}), 0);
  EXPECT_EQ(delete_old(noon + std::chrono::days{90} + 1ms), 1);
}

TEST_P(Clients, AreKeptWhileAConnectionIsLive) {
  add(client("mcp-1", "a", noon));
  use("mcp-1", noon);
  const auto user = sample_portfolio().accounts.front().users.front().details.id;
  store::authorization_code code;
  code.id = numbered_id(4, 1);
  code.hash = "long";
  code.client_id = "mcp-1";
  code.user_id = user;
  code.created_at = noon;
  code.expires_at = noon + 120s;
  ASSERT_TRUE(store::issue_code(session(), lease, code));
  const store::grant_checks may{[](const domain::uuid&) { return true; },
                                [](const std::string&) { return true; }};
  const auto exchange = store::exchange_code(session(), lease, {"long", "mcp-1", "", "", {}}, may, noon,
                                             std::chrono::days{120});
  ASSERT_TRUE(std::holds_alternative<store::connection>(exchange.outcome));
  EXPECT_EQ(delete_old(noon + std::chrono::days{100}), 0);
  EXPECT_EQ(delete_old(noon + std::chrono::days{120}), 1);
}

TEST_P(Clients, AreMarkedAsUsedByRefreshes) {
  add(client("mcp-1", "a", noon));
  const auto user = sample_portfolio().accounts.front().users.front().details.id;
  store::authorization_code code;
  code.id = numbered_id(4, 1);
  code.hash = "long";
  code.client_id = "mcp-1";
  code.user_id = user;
  code.created_at = noon;
  code.expires_at = noon + 120s;
  ASSERT_TRUE(store::issue_code(session(), lease, code));
  const store::grant_checks may{[](const domain::uuid&) { return true; },
                                [](const std::string&) { return true; }};
  store::exchange_code(session(), lease, {"long", "mcp-1", "", "", {}}, may, noon, std::chrono::days{60});
  const auto refresh = [&](std::int64_t generation, domain::timestamp now) {
    const std::vector<store::connection_refresh> one{{code.id, generation, "mcp-1", {}}};
    store::refresh_connections(session(), lease, one, may, {now, 0ms, std::chrono::days{60}});
    return store::find_client(session(), "mcp-1")->used_at;
  };
  EXPECT_EQ(refresh(1, noon + 1h), noon) << "recorded once a day";
  EXPECT_EQ(refresh(2, noon + 25h), noon + 25h);
}

} // namespace roost::testing::clients_test
