#include "store/connector/clients.hpp"
#include "store/connector/connections.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/sample_portfolio.hpp"
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
    store::oauth_client made;
    made.id = id;
    made.name = "Assistant \"one\"";
    made.redirect_uris = {"http://localhost/cb", "https://one.example/cb?a=\"b\""};
    made.grant_types = {"authorization_code", "refresh_token"};
    made.scope = "bookings";
    made.fingerprint = fingerprint;
    made.created_at = now;
    return made;
  }

  std::optional<store::oauth_client> add(const store::oauth_client& wanted, std::size_t most = 100) {
    return store::register_client(session(), lease, wanted, most);
  }

  /// Somebody authorizes the client.
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
    return store::delete_old_clients(session(), lease, now, now - 1h, now - std::chrono::days{90}, 100);
  }

  bool knows(const std::string& id) { return store::find_client(session(), id).has_value(); }

  const domain::timestamp noon = moment("2026-11-20T12:00:00Z");
  store::lease lease;

private:
  unsigned codes_ = 0;
};
ROOST_ON_EACH_STORE(Clients);

TEST_P(Clients, AreFoundAsTheyRegistered) {
  add(client("mcp-1", "a", noon));
  const auto found = store::find_client(session(), "mcp-1");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "Assistant \"one\"");
  EXPECT_THAT(found->redirect_uris,
              ::testing::ElementsAre("http://localhost/cb", "https://one.example/cb?a=\"b\""));
  EXPECT_TRUE(found->may("refresh_token"));
  EXPECT_FALSE(found->may("password"));
  EXPECT_EQ(found->scope, "bookings");
  EXPECT_EQ(found->created_at, noon);
  EXPECT_FALSE(knows("mcp-2"));
}

TEST_P(Clients, ThatRegisterTheSameAgainAreTheSame) {
  add(client("mcp-1", "a", noon));
  const auto again = add(client("mcp-2", "a", noon + 50min));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->id, "mcp-1");
  EXPECT_EQ(again->created_at, noon + 50min);
  EXPECT_EQ(delete_old(noon + 90min), 0) << "its hour begins anew";
  EXPECT_EQ(add(client("mcp-3", "b", noon))->id, "mcp-3");
}

TEST_P(Clients, WithASecretAreNewEachTime) {
  for (const auto* id : {"mcp-1", "mcp-2"}) {
    auto wanted = client(id, "a", noon);
    wanted.auth_method = store::confidential_client;
    wanted.secret_hash = "secret";
    EXPECT_EQ(add(wanted)->id, id);
  }
}

TEST_P(Clients, HaveALimit) {
  EXPECT_TRUE(add(client("mcp-1", "a", noon), 1));
  EXPECT_FALSE(add(client("mcp-2", "b", noon), 1));
  EXPECT_FALSE(knows("mcp-2"));
  EXPECT_TRUE(add(client("mcp-3", "a", noon), 1)) << "which is there";
}

TEST_P(Clients, ThatNobodyAuthorizesAreGoneAfterAnHour) {
  add(client("mcp-1", "a", noon));
  add(client("mcp-2", "b", noon));
  use("mcp-2", noon);
  EXPECT_EQ(delete_old(noon + 1h), 0);
  EXPECT_EQ(delete_old(noon + 1h + 1ms), 1);
  EXPECT_FALSE(knows("mcp-1"));
  EXPECT_TRUE(knows("mcp-2"));
}

TEST_P(Clients, ThatNobodyUsesAreGoneAfter90Days) {
  add(client("mcp-1", "a", noon));
  use("mcp-1", noon);
  EXPECT_EQ(delete_old(noon + std::chrono::days{90}), 0);
  EXPECT_EQ(delete_old(noon + std::chrono::days{90} + 1ms), 1);
}

TEST_P(Clients, StayAsLongAsAConnectionOfTheirsLives) {
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
  const auto may = [](const domain::uuid&) { return true; };
  const auto made = store::exchange_code(session(), lease, {"long", "mcp-1", "", "", {}}, may, noon,
                                         std::chrono::days{120});
  ASSERT_TRUE(std::holds_alternative<store::connection>(made.outcome));
  EXPECT_EQ(delete_old(noon + std::chrono::days{100}), 0);
  EXPECT_EQ(delete_old(noon + std::chrono::days{120}), 1);
}

TEST_P(Clients, AreUsedByTheRefreshesOfTheirConnections) {
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
  const auto may = [](const domain::uuid&) { return true; };
  store::exchange_code(session(), lease, {"long", "mcp-1", "", "", {}}, may, noon, std::chrono::days{60});
  const auto refresh = [&](std::int64_t generation, domain::timestamp now) {
    const std::vector<store::connection_refresh> one{{code.id, generation, "mcp-1", {}}};
    store::refresh_connections(session(), lease, one, may, {now, 0ms, std::chrono::days{60}});
    return store::find_client(session(), "mcp-1")->used_at;
  };
  EXPECT_EQ(refresh(1, noon + 1h), noon) << "written once a day";
  EXPECT_EQ(refresh(2, noon + 25h), noon + 25h);
}

} // namespace roost::testing::clients_test
