#include "actors/connector/connector_keeper.hpp"
#include "actors/support/session_scene.hpp"
#include "store/support/stored_rows.hpp"
#include "support/eventually.hpp"

namespace roost::testing::connector_keeper_test {

using actors::storage_error;
using actors::tokens_granted;
using store::token_refusal;
using namespace std::chrono_literals;

class ConnectorKeeper : public session_scene {
protected:
  void SetUp() override {
    session_scene::SetUp();
    keeper = spawn(storage());
    connections.emplace(setup(storage()));
  }
  void TearDown() override {
    for (auto* each : {&keeper, &other})
      if (*each) caf::anon_send_exit(*each, caf::exit_reason::user_shutdown);
    keeper = other = nullptr;
    session_scene::TearDown();
  }

  actors::connector_setup setup(actors::storage_actor lane, bool on_hold = false) {
    actors::connector_setup setup;
    setup.storage = std::move(lane);
    setup.lease = held;
    setup.ended = ended;
    setup.checks.may_use_tools = [this](const domain::uuid&) { return has_tools.load(); };
    setup.checks.is_tool_server = [](const std::string&) { return true; };
    setup.now = clock();
    setup.code = 120s;
    setup.refresh_token = std::chrono::days{60};
    setup.grace = grace;
    setup.access_token = 15min;
    setup.max_clients = 2;
    setup.registry = &registry;
    setup.on_hold = on_hold;
    setup.clients = clients;
    setup.is_time_trusted = time_check();
    setup.is_clock_behind = clock_check();
    return setup;
  }
  actors::connector_keeper spawn(actors::storage_actor lane, bool on_hold = false) {
    return actors::spawn_connector_keeper(runtime, setup(std::move(lane), on_hold));
  }

  static store::oauth_client client(const std::string& id) {
    store::oauth_client client;
    client.id = client.fingerprint = id;
    client.redirect_uris = {"http://localhost/"};
    client.grant_types = {"authorization_code", "refresh_token"};
    return client;
  }

  store::authorization_code code() const {
    store::authorization_code code;
    code.id = connection_id;
    code.hash = "hash";
    code.client_id = "mcp-1";
    code.redirect_uri = "http://localhost/";
    code.challenge = "challenge";
    code.user_id = user.id;
    code.resource = "https://tools.example/mcp";
    return code;
  }

  static store::code_exchange code_exchange() {
    return {"hash", "mcp-1", "http://localhost/", "challenge", {}};
  }
  store::token_outcome exchange() { return result_of(connections->exchange_code(code_exchange())); }

  actors::refresh_connection token(std::int64_t generation, actors::deadline until = {}) const {
    return {{connection_id, generation, "mcp-1", {}}, until};
  }

  store::token_outcome connect() {
    result_of(connections->issue_code(code()));
    return exchange();
  }

  store::token_outcome refresh(std::int64_t generation) {
    return response_of<tokens_granted>(keeper, token(generation)).outcome;
  }

  static std::optional<token_refusal> refusal_in(const store::token_outcome& outcome) {
    const auto* refusal = std::get_if<token_refusal>(&outcome);
    return refusal ? std::optional{*refusal} : std::nullopt;
  }

  template <typename Message>
  void send_and_wait(const actors::connector_keeper& actor, Message message) {
    self->request(actor, caf::infinite, message).receive([] {}, [](const caf::error&) { FAIL(); });
  }
  void delete_old(const actors::connector_keeper& actor) {
    send_and_wait(actor, actors::delete_old_connections{});
    wait_for_jobs();
  }

  bool is_ended() const { return ended->has_ended(connection_id, {}, 0); }

  const domain::uuid connection_id = numbered_id(5, 1);
  std::chrono::milliseconds grace{0};
  std::atomic<bool> has_tools = true;
  std::shared_ptr<actors::session_register> ended = std::make_shared<actors::session_register>();
  std::shared_ptr<actors::client_cache> clients = std::make_shared<actors::client_cache>();
  actors::connector_keeper keeper, other;
  std::optional<actors::connection_repository> connections;
};
ROOST_ON_EACH_STORE(ConnectorKeeper);

TEST_P(ConnectorKeeper, RegistersClientsUpToALimit) {
  EXPECT_EQ(result_of(connections->register_client(client("mcp-1")))->created_at, noon);
  EXPECT_TRUE(result_of(connections->register_client(client("mcp-2"))));
  for (std::uint64_t number = 1; number <= 2; ++number) {
    auto approved = code();
    approved.id = numbered_id(5, number);
    approved.hash = approved.client_id = "mcp-" + std::to_string(number);
    EXPECT_TRUE(result_of(connections->issue_code(approved)));
  }
  EXPECT_FALSE(result_of(connections->register_client(client("mcp-3"))));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(result_of(connections->find_client("mcp-2"))->id, "mcp-2");
    EXPECT_FALSE(result_of(connections->find_client("mcp-3")));
    clients->clear(); // the second time, the store is read
  }
  EXPECT_EQ(counted(R"(roost_connector_registrations_total{result="registered"})"), 2U);
  EXPECT_EQ(counted(R"(roost_connector_registrations_total{result="too_many"})"), 1U);
}

TEST_P(ConnectorKeeper, RegistersAClientInPlaceOfOneThatNoUserAuthorized) {
  result_of(connections->register_client(client("mcp-1")));
  now = noon + 1s;
  result_of(connections->register_client(client("mcp-2")));
  EXPECT_TRUE(result_of(connections->register_client(client("mcp-3"))));
  EXPECT_FALSE(result_of(connections->find_client("mcp-1"))) << "not even in the cache";
  EXPECT_TRUE(result_of(connections->find_client("mcp-2")));
  EXPECT_EQ(counted(R"(roost_connector_registrations_total{result="replaced"})"), 1U);
  EXPECT_EQ(counted(R"(roost_connector_registrations_total{result="too_many"})"), 0U);
}

TEST_P(ConnectorKeeper, FindsACachedClientWithoutTheStore) {
  result_of(connections->register_client(client("mcp-1")));
  connections.emplace(setup(missing_storage()));
  EXPECT_EQ(result_of(connections->find_client("mcp-1"))->id, "mcp-1");
}

TEST_P(ConnectorKeeper, DeletesUnusedClients) {
  result_of(connections->register_client(client("mcp-1")));
  now = noon + 1h + 1ms;
  delete_old(keeper);
  EXPECT_EQ(count_rows(session(), "connector_clients"), 0);
  EXPECT_FALSE(result_of(connections->find_client("mcp-1")));
}

TEST_P(ConnectorKeeper, DeletesNothingWhileTheTimeIsNotTrusted) {
  is_time_trusted = false;
  result_of(connections->register_client(client("mcp-1")));
  now = noon + std::chrono::days{100};
  delete_old(keeper);
  EXPECT_EQ(count_rows(session(), "connector_clients"), 1);
}

TEST_P(ConnectorKeeper, DeletesNothingOnHold) {
  other = spawn(storage(), true);
  result_of(connections->register_client(client("mcp-1")));
  now = noon + std::chrono::days{100};
  delete_old(other);
  EXPECT_EQ(count_rows(session(), "connector_clients"), 1);
}

TEST_P(ConnectorKeeper, SetsTheTimesOfACode) {
  EXPECT_TRUE(result_of(connections->issue_code(code())));
  EXPECT_FALSE(result_of(connections->issue_code(code())));
  EXPECT_EQ(counted("roost_connector_codes_total"), 1U);
  now = noon + 120s;
  EXPECT_EQ(refusal_in(exchange()), token_refusal::expired);
}

TEST_P(ConnectorKeeper, EndsAConnectionWhoseCodeIsReused) {
  EXPECT_EQ(refusal_in(connect()), std::nullopt);
  EXPECT_FALSE(is_ended());
  EXPECT_EQ(refusal_in(exchange()), token_refusal::used);
  EXPECT_TRUE(is_ended());
  EXPECT_EQ(counted(R"(roost_connector_tokens_total{grant="authorization_code",result="used"})"), 1U);
}

TEST_P(ConnectorKeeper, EndsAConnectionWhoseTokenIsReused) {
  connect();
  EXPECT_EQ(std::get<store::connection>(refresh(1)).generation, 2);
  EXPECT_FALSE(is_ended());
  EXPECT_EQ(refusal_in(refresh(1)), token_refusal::reused);
  EXPECT_TRUE(is_ended());
  EXPECT_EQ(counted("roost_connections_ended_total"), 1U);
}

TEST_P(ConnectorKeeper, ChecksThatTheUserMayUseTools) {
  connect();
  has_tools = false;
  EXPECT_EQ(refusal_in(refresh(1)), token_refusal::no_tools);
  has_tools = true;
  EXPECT_EQ(refusal_in(refresh(1)), std::nullopt);
}

TEST_P(ConnectorKeeper, ShortensConnectionsFromTheFutureWithACorrectClock) {
  connect();
  const auto expiry_after_deletion = [this] {
    delete_old(keeper);
    return result_of(connections->list(user.id)).at(0).expires_at;
  };
  now = noon - std::chrono::days{1};
  is_clock_behind = true;
  EXPECT_EQ(expiry_after_deletion(), noon + std::chrono::days{60});
  is_clock_behind = false;
  EXPECT_EQ(expiry_after_deletion(), noon + std::chrono::days{59});
}

TEST_P(ConnectorKeeper, GroupsRefreshesThatArriveDuringACommit) {
  connect();
  hold_storage();
  auto first = self->request(keeper, caf::infinite, token(1));
  ASSERT_TRUE(eventually([&] { return counted("roost_connection_refresh_group_size_count") == 1; }));
  auto second = self->request(keeper, caf::infinite, token(2));
  auto late = self->request(keeper, caf::infinite, token(2, actors::deadline::in(-1ms)));
  auto third = self->request(keeper, caf::infinite, token(3));
  send_and_wait(keeper, actors::delete_old_connections{});
  release_storage();
  for (auto* handle : {&first, &second, &third})
    EXPECT_EQ(refusal_in(receive<tokens_granted>(std::move(*handle)).first.outcome), std::nullopt);
  EXPECT_EQ(receive<tokens_granted>(std::move(late)).second, make_error(storage_error::unavailable));
  EXPECT_EQ(counted("roost_connection_refresh_group_size_count"), 2U);
}

TEST_P(ConnectorKeeper, ListsAndEndsTheUsersConnections) {
  connect();
  EXPECT_EQ(result_of(connections->list(user.id)).size(), 1U);
  EXPECT_FALSE(result_of(connections->end_for_user(numbered_id(9, 9), connection_id)));
  EXPECT_FALSE(is_ended());
  EXPECT_TRUE(result_of(connections->end_for_user(user.id, connection_id)));
  EXPECT_TRUE(is_ended());
  EXPECT_EQ(counted("roost_connections_ended_total"), 1U);
  EXPECT_TRUE(result_of(connections->list(user.id)).empty());
}

TEST_P(ConnectorKeeper, RespondsWithAnErrorWithoutTheLeaseAndWithoutTheStore) {
  const auto expect_all_to_fail = [&](const actors::connector_keeper& actor, storage_error error) {
    EXPECT_EQ(error_of(connections->register_client(client("mcp-1"))), make_error(error));
    EXPECT_EQ(error_of(connections->issue_code(code())), make_error(error));
    EXPECT_EQ(error_of(connections->exchange_code(code_exchange())), make_error(error));
    EXPECT_EQ(ask<tokens_granted>(actor, token(1)).second, make_error(error));
    EXPECT_EQ(error_of(connections->end_for_user(user.id, connection_id)), make_error(error));
  };
  const auto missing = missing_storage();
  other = spawn(missing);
  connections.emplace(setup(missing));
  expect_all_to_fail(other, storage_error::unavailable);
  EXPECT_EQ(error_of(connections->find_client("mcp-1")), make_error(storage_error::unavailable));
  EXPECT_EQ(error_of(connections->list(user.id)), make_error(storage_error::unavailable));
  connections.emplace(setup(storage()));
  held->give_up();
  expect_all_to_fail(keeper, storage_error::lease_lost);
  held->hold({"another", lease.epoch + 1}, actors::held_lease::clock::now() + 1h);
  expect_all_to_fail(keeper, storage_error::lease_lost);
  EXPECT_FALSE(is_ended());
}

TEST_P(ConnectorKeeper, ReportsItsFailure) {
  clock_breaks = true;
  self->send(keeper, actors::delete_old_connections{});
  EXPECT_EQ(first_failure(), "connector_keeper: the clock broke");
}

} // namespace roost::testing::connector_keeper_test
