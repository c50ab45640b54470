#include "actors/connector/connector_keeper.hpp"
#include "actors/support/session_scene.hpp"
#include "store/support/stored_rows.hpp"

namespace roost::testing::connector_keeper_test {

using actors::client_registered;
using actors::code_issued;
using actors::connection_ended;
using actors::connection_list;
using actors::found_client;
using actors::storage_error;
using actors::tokens_granted;
using store::token_refusal;
using namespace std::chrono_literals;

class ConnectorKeeper : public session_scene {
protected:
  void SetUp() override {
    session_scene::SetUp();
    keeper = spawn(storage());
  }
  void TearDown() override {
    for (auto* each : {&keeper, &other})
      if (*each) caf::anon_send_exit(*each, caf::exit_reason::user_shutdown);
    keeper = other = nullptr;
    session_scene::TearDown();
  }

  actors::connector_keeper spawn(actors::storage_actor at, bool on_hold = false) {
    actors::connector_keeper_setup setup;
    setup.storage = std::move(at);
    setup.lease = held;
    setup.ended = ended;
    setup.may_use_tools = [this](const domain::uuid&) { return has_tools.load(); };
    setup.now = clock();
    setup.code = 120s;
    setup.refresh_token = std::chrono::days{60};
    setup.grace = grace;
    setup.access_token = 15min;
    setup.max_clients = 2;
    setup.registry = &registry;
    setup.on_hold = on_hold;
    return actors::spawn_connector_keeper(runtime, std::move(setup));
  }

  actors::register_client client(const std::string& id) const {
    actors::register_client made;
    made.wanted.id = made.wanted.fingerprint = id;
    made.wanted.redirect_uris = {"http://localhost/"};
    made.wanted.grant_types = {"authorization_code", "refresh_token"};
    return made;
  }

  actors::issue_code code() const {
    actors::issue_code made;
    made.wanted.id = connection_id;
    made.wanted.hash = "hash";
    made.wanted.client_id = "mcp-1";
    made.wanted.redirect_uri = "http://localhost/";
    made.wanted.challenge = "challenge";
    made.wanted.user_id = user.id;
    made.wanted.resource = "https://tools.example/mcp";
    return made;
  }

  static actors::exchange_code exchange() {
    return {{"hash", "mcp-1", "http://localhost/", "challenge", {}}};
  }

  actors::refresh_connection token(std::int64_t generation, actors::deadline until = {}) const {
    return {{connection_id, generation, "mcp-1", {}}, until};
  }

  store::token_outcome connect() {
    answer_of<code_issued>(keeper, code());
    return answer_of<tokens_granted>(keeper, exchange()).outcome;
  }

  store::token_outcome refresh(std::int64_t generation) {
    return answer_of<tokens_granted>(keeper, token(generation)).outcome;
  }

  static std::optional<token_refusal> refusal_in(const store::token_outcome& outcome) {
    const auto* why = std::get_if<token_refusal>(&outcome);
    return why ? std::optional{*why} : std::nullopt;
  }

  bool is_ended() const { return ended->has_ended(connection_id, {}, 0); }

  const domain::uuid connection_id = numbered_id(5, 1);
  std::chrono::milliseconds grace{0};
  std::atomic<bool> has_tools = true;
  std::shared_ptr<actors::session_register> ended = std::make_shared<actors::session_register>();
  actors::connector_keeper keeper, other;
};
ROOST_ON_EACH_STORE(ConnectorKeeper);

TEST_P(ConnectorKeeper, KnowsClientsThatRegisteredUpToALimit) {
  EXPECT_EQ(answer_of<client_registered>(keeper, client("mcp-1")).client->created_at, noon);
  EXPECT_TRUE(answer_of<client_registered>(keeper, client("mcp-2")).client);
  EXPECT_FALSE(answer_of<client_registered>(keeper, client("mcp-3")).client);
  other = spawn(storage());
  for (auto& each : {keeper, other}) {
    EXPECT_EQ(answer_of<found_client>(each, actors::find_client{"mcp-2"}).client->id, "mcp-2");
    EXPECT_FALSE(answer_of<found_client>(each, actors::find_client{"mcp-3"}).client);
  }
  EXPECT_EQ(counted(R"(roost_connector_registrations_total{result="registered"})"), 2U);
  EXPECT_EQ(counted(R"(roost_connector_registrations_total{result="too_many"})"), 1U);
}

TEST_P(ConnectorKeeper, ForgetsClientsThatNobodyUsed) {
  answer_of<client_registered>(keeper, client("mcp-1"));
  now = noon + 1h + 1ms;
  self->send(keeper, actors::delete_old_connections{});
  answer_of<connection_list>(keeper, actors::list_connections{user.id}); // in the same lane
  EXPECT_EQ(count_rows(session(), "connector_clients"), 0);
  EXPECT_FALSE(answer_of<found_client>(keeper, actors::find_client{"mcp-1"}).client);
}

TEST_P(ConnectorKeeper, ForgetsNothingOnHold) {
  other = spawn(storage(), true);
  answer_of<client_registered>(other, client("mcp-1"));
  now = noon + std::chrono::days{100};
  self->send(other, actors::delete_old_connections{});
  answer_of<connection_list>(other, actors::list_connections{user.id}); // in the same lane
  EXPECT_EQ(count_rows(session(), "connector_clients"), 1);
}

TEST_P(ConnectorKeeper, GivesACodeItsTimes) {
  EXPECT_TRUE(answer_of<code_issued>(keeper, code()).done);
  EXPECT_FALSE(answer_of<code_issued>(keeper, code()).done);
  now = noon + 120s;
  EXPECT_EQ(refusal_in(answer_of<tokens_granted>(keeper, exchange()).outcome), token_refusal::expired);
}

TEST_P(ConnectorKeeper, EndsAConnectionWhoseCodeComesAgain) {
  EXPECT_EQ(refusal_in(connect()), std::nullopt);
  EXPECT_FALSE(is_ended());
  EXPECT_EQ(refusal_in(answer_of<tokens_granted>(keeper, exchange()).outcome), token_refusal::used);
  EXPECT_TRUE(is_ended());
  EXPECT_EQ(counted(R"(roost_connector_tokens_total{grant="authorization_code",result="used"})"), 1U);
}

TEST_P(ConnectorKeeper, EndsAConnectionWhoseTokenComesAgain) {
  connect();
  EXPECT_EQ(std::get<store::connection>(refresh(1)).generation, 2);
  EXPECT_FALSE(is_ended());
  EXPECT_EQ(refusal_in(refresh(1)), token_refusal::reused);
  EXPECT_TRUE(is_ended());
  EXPECT_EQ(counted("roost_connections_ended_total"), 1U);
}

TEST_P(ConnectorKeeper, AsksWhatTheUserMayDo) {
  connect();
  has_tools = false;
  EXPECT_EQ(refusal_in(refresh(1)), token_refusal::no_tools);
  has_tools = true;
  EXPECT_EQ(refusal_in(refresh(1)), std::nullopt);
}

TEST_P(ConnectorKeeper, RefreshesTogetherWhatComesDuringACommit) {
  connect();
  hold_storage();
  auto first = self->request(keeper, caf::infinite, token(1));
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (counted("roost_connection_refresh_group_size_count") < 1 && std::chrono::steady_clock::now() < end)
    std::this_thread::yield();
  auto second = self->request(keeper, caf::infinite, token(2));
  auto late = self->request(keeper, caf::infinite, token(2, actors::deadline::in(-1ms)));
  auto third = self->request(keeper, caf::infinite, token(3));
  held->give_up();
  EXPECT_EQ((ask<connection_ended>(keeper, actors::end_connection{}).second),
            make_error(storage_error::lease_lost));
  held->hold(lease, actors::held_lease::clock::now() + 1h);
  release_storage();
  for (auto* each : {&first, &second, &third})
    EXPECT_EQ(refusal_in(receive<tokens_granted>(std::move(*each)).first.outcome), std::nullopt);
  EXPECT_EQ(receive<tokens_granted>(std::move(late)).second, make_error(storage_error::unavailable));
  EXPECT_EQ(counted("roost_connection_refresh_group_size_count"), 2U);
}

TEST_P(ConnectorKeeper, ListsAndEndsTheUsersConnections) {
  connect();
  EXPECT_EQ(answer_of<connection_list>(keeper, actors::list_connections{user.id}).connections.size(), 1U);
  EXPECT_FALSE(
      answer_of<connection_ended>(keeper, actors::end_connection{numbered_id(9, 9), connection_id}).done);
  EXPECT_FALSE(is_ended());
  EXPECT_TRUE(answer_of<connection_ended>(keeper, actors::end_connection{user.id, connection_id}).done);
  EXPECT_TRUE(is_ended());
  EXPECT_TRUE(answer_of<connection_list>(keeper, actors::list_connections{user.id}).connections.empty());
}

TEST_P(ConnectorKeeper, RespondsWithAnErrorWithoutTheLeaseAndWithoutTheStore) {
  const auto refused_by = [&](const actors::connector_keeper& by, storage_error why) {
    EXPECT_EQ(ask<client_registered>(by, client("mcp-1")).second, make_error(why));
    EXPECT_EQ(ask<code_issued>(by, code()).second, make_error(why));
    EXPECT_EQ(ask<tokens_granted>(by, exchange()).second, make_error(why));
    EXPECT_EQ(ask<tokens_granted>(by, token(1)).second, make_error(why));
    EXPECT_EQ(ask<connection_ended>(by, actors::end_connection{user.id, connection_id}).second,
              make_error(why));
  };
  other = spawn(missing_storage());
  refused_by(other, storage_error::unavailable);
  EXPECT_EQ(ask<found_client>(other, actors::find_client{"mcp-1"}).second,
            make_error(storage_error::unavailable));
  held->give_up();
  refused_by(keeper, storage_error::lease_lost);
  held->hold({"another", lease.epoch + 1}, actors::held_lease::clock::now() + 1h);
  refused_by(keeper, storage_error::lease_lost);
  EXPECT_FALSE(is_ended());
}

TEST_P(ConnectorKeeper, IsNotMissedInSilence) {
  clock_breaks = true;
  self->send(keeper, actors::end_connection{user.id, connection_id});
  EXPECT_EQ(first_failure(), "connector_keeper: the clock broke");
}

} // namespace roost::testing::connector_keeper_test
