#include "store/connector/clients.hpp"
#include "store/connector/connections.hpp"
#include "store/database/connection.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/sample_portfolio.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>

namespace roost::testing::connections_test {

using store::token_refusal;
using namespace std::chrono_literals;

/// A store with a user, a registered client, and a writer's lease.
class Connections : public on_each_store {
protected:
  void SetUp() override {
    const auto portfolio = sample_portfolio();
    import_sample(session(), portfolio);
    user = portfolio.accounts.front().users.front().details.id;
    lease = take_lease(session());
  }

  store::authorization_code code(int number, domain::timestamp now) const {
    store::authorization_code made;
    made.id = numbered_id(5, static_cast<unsigned>(number));
    made.hash = "hash " + std::to_string(number);
    made.client_id = "mcp-1";
    made.client_name = "Assistant";
    made.redirect_uri = "http://localhost/cb";
    made.challenge = "challenge";
    made.user_id = user;
    made.resource = "https://tools.example/mcp";
    made.created_at = now;
    made.expires_at = now + 120s;
    return made;
  }

  bool issue(int number) { return store::issue_code(session(), lease, code(number, noon)); }

  store::code_exchange shown(int number) const {
    return {"hash " + std::to_string(number), "mcp-1", "http://localhost/cb", "challenge", {}};
  }

  store::token_outcome exchange(const store::code_exchange& with, domain::timestamp now) {
    return store::exchange_code(session(), lease, with, may, now, lifetime).outcome;
  }

  /// The refusal, or nothing where tokens are owed.
  static std::optional<token_refusal> refusal_in(const store::token_outcome& outcome) {
    const auto* why = std::get_if<token_refusal>(&outcome);
    return why ? std::optional{*why} : std::nullopt;
  }

  store::connection connect(int number = 1) {
    issue(number);
    return std::get<store::connection>(exchange(shown(number), noon));
  }

  std::vector<store::token_outcome> refresh_all(const std::vector<store::connection_refresh>& wanted,
                                                domain::timestamp now,
                                                std::chrono::milliseconds grace = 0ms) {
    return store::refresh_connections(session(), lease, wanted, may, {now, grace, lifetime});
  }

  store::token_outcome refresh(std::int64_t generation, domain::timestamp now,
                               std::chrono::milliseconds grace = 0ms) {
    return refresh_all({{numbered_id(5, 1), generation, "mcp-1", {}}}, now, grace).front();
  }

  std::optional<std::string> ended_by(int number = 1) {
    return store::find_connection(session(), numbered_id(5, static_cast<unsigned>(number)))
        ->connection.ended_by;
  }

  const domain::timestamp noon = moment("2026-11-20T12:00:00Z");
  static constexpr std::chrono::days lifetime{60};
  domain::uuid user{};
  store::lease lease;
  store::tool_check may = [](const domain::uuid&) { return true; };
};
ROOST_ON_EACH_STORE(Connections);

TEST_P(Connections, ComeOfACode) {
  const auto made = connect();
  EXPECT_EQ(made.id, numbered_id(5, 1));
  EXPECT_EQ(made.user_id, user);
  EXPECT_EQ(made.resource, "https://tools.example/mcp");
  EXPECT_EQ(made.generation, 1);
  EXPECT_EQ(made.expires_at, noon + lifetime);
  const auto listed = store::live_connections(session(), noon, user);
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed.front().connection.client_name, "Assistant");
  EXPECT_EQ(listed.front().email, "user1@landlord.example");
}

TEST_P(Connections, GiveOneCodeForAForm) {
  EXPECT_TRUE(issue(1));
  EXPECT_FALSE(issue(1));
  auto again = code(1, noon);
  again.hash = "another";
  EXPECT_FALSE(store::issue_code(session(), lease, again));
}

TEST_P(Connections, EndWhenTheirCodeIsUsedAgain) {
  connect();
  EXPECT_EQ(refusal_in(exchange(shown(1), noon)), token_refusal::used);
  EXPECT_EQ(ended_by(), "code_replay");
  EXPECT_EQ(refusal_in(refresh(1, noon)), token_refusal::ended);
  EXPECT_EQ(store::connections_ended_since(session(), noon).size(), 1U);
}

TEST_P(Connections, EndWhenTheirCodeIsUsedAgainAfterItsTime) {
  connect();
  EXPECT_EQ(refusal_in(exchange(shown(1), noon + 1h)), token_refusal::used);
  EXPECT_EQ(ended_by(), "code_replay");
}

TEST_P(Connections, AreNotEndedByAnotherClientsHoldOfTheirCode) {
  connect();
  auto stolen = shown(1);
  stolen.client_id = "mcp-2";
  EXPECT_EQ(refusal_in(exchange(stolen, noon)), token_refusal::unknown);
  EXPECT_EQ(ended_by(), std::nullopt);
}

TEST_P(Connections, ComeOfACodeWithin120Seconds) {
  issue(1);
  EXPECT_EQ(refusal_in(exchange(shown(1), noon + 120s)), token_refusal::expired);
  EXPECT_EQ(refusal_in(exchange(shown(1), noon + 119'999ms)), std::nullopt);
}

TEST_P(Connections, ComeOfACodeOnlyWithAllThatItIsBoundTo) {
  issue(1);
  const auto refused = [&](auto change) {
    auto with = shown(1);
    change(with);
    return refusal_in(exchange(with, noon));
  };
  EXPECT_EQ(refused([](auto& with) { with.hash = "hash 2"; }), token_refusal::unknown);
  EXPECT_EQ(refused([](auto& with) { with.client_id = "mcp-2"; }), token_refusal::unknown);
  EXPECT_EQ(refused([](auto& with) { with.redirect_uri += "/"; }), token_refusal::other_redirect);
  EXPECT_EQ(refused([](auto& with) { with.challenge = ""; }), token_refusal::other_verifier);
  EXPECT_EQ(refused([](auto& with) { with.resource = "https://other.example"; }),
            token_refusal::other_resource);
  EXPECT_EQ(refused([](auto& with) { with.resource = "https://tools.example/mcp"; }), std::nullopt)
      << "a refusal leaves the code as it was";
}

TEST_P(Connections, ComeOnlyWhereTheUserMayUseATool) {
  issue(1);
  may = [](const domain::uuid&) { return false; };
  EXPECT_EQ(refusal_in(exchange(shown(1), noon)), token_refusal::no_tools);
  may = [this](const domain::uuid& asked) { return asked == user; };
  EXPECT_EQ(refusal_in(exchange(shown(1), noon)), std::nullopt);
}

TEST_P(Connections, RotateEachTokenOnceForAnother60Days) {
  connect();
  for (std::int64_t generation = 1; generation < 4; ++generation) {
    const auto now = noon + std::chrono::days{50 * generation};
    const auto rotated = std::get<store::connection>(refresh(generation, now));
    EXPECT_EQ(rotated.generation, generation + 1);
    EXPECT_EQ(rotated.expires_at, now + lifetime);
  }
}

TEST_P(Connections, AreOverAfter60DaysWithoutARefresh) {
  connect();
  EXPECT_EQ(refusal_in(refresh(1, noon + lifetime)), token_refusal::expired);
  EXPECT_EQ(refusal_in(refresh(1, noon + lifetime - 1ms)), std::nullopt);
}

TEST_P(Connections, EndWhenAReplacedTokenComesAgain) {
  connect();
  refresh(1, noon);
  EXPECT_EQ(refusal_in(refresh(1, noon)), token_refusal::reused);
  EXPECT_EQ(ended_by(), "reuse");
  EXPECT_EQ(refusal_in(refresh(2, noon)), token_refusal::ended);
}

TEST_P(Connections, RepeatATokenWithinAGraceThatIsConfigured) {
  connect();
  refresh(1, noon, 10s);
  EXPECT_EQ(std::get<store::connection>(refresh(1, noon + 10s, 10s)).generation, 2);
  EXPECT_EQ(refusal_in(refresh(1, noon + 10'001ms, 10s)), token_refusal::reused);
}

TEST_P(Connections, TakeATokenOfTwoGenerationsAgoForStolenWithinTheGrace) {
  connect();
  refresh(1, noon, 10s);
  refresh(2, noon, 10s);
  EXPECT_EQ(refusal_in(refresh(1, noon, 10s)), token_refusal::reused);
}

TEST_P(Connections, GiveTokensToOneOfThoseThatComeTogether) {
  connect();
  const store::connection_refresh same{numbered_id(5, 1), 1, "mcp-1", {}};
  const auto outcomes = refresh_all({same, same, same}, noon);
  EXPECT_EQ(refusal_in(outcomes[0]), std::nullopt);
  EXPECT_EQ(refusal_in(outcomes[1]), token_refusal::reused);
  EXPECT_EQ(refusal_in(outcomes[2]), token_refusal::ended);
  EXPECT_EQ(ended_by(), "reuse");
}

TEST_P(Connections, GiveTheSameTokenToThoseThatComeTogetherWithinAGrace) {
  connect();
  const store::connection_refresh same{numbered_id(5, 1), 1, "mcp-1", {}};
  for (const auto& outcome : refresh_all({same, same, same}, noon, 10s))
    EXPECT_EQ(std::get<store::connection>(outcome).generation, 2);
  EXPECT_EQ(refusal_in(refresh(2, noon, 10s)), std::nullopt);
}

TEST_P(Connections, KeepTheirTokenWhereNoToolMayBeUsed) {
  connect();
  may = [](const domain::uuid&) { return false; };
  EXPECT_EQ(refusal_in(refresh(1, noon)), token_refusal::no_tools);
  may = [](const domain::uuid&) { return true; };
  EXPECT_EQ(refusal_in(refresh(1, noon)), std::nullopt);
}

TEST_P(Connections, AreUnknownToOtherClientsAndBeforeTheirTokensWereGiven) {
  connect();
  const auto id = numbered_id(5, 1);
  EXPECT_EQ(refusal_in(refresh_all({{id, 1, "mcp-2", {}}}, noon).front()), token_refusal::unknown);
  EXPECT_EQ(refusal_in(refresh_all({{id, 2, "mcp-1", {}}}, noon).front()), token_refusal::unknown);
  EXPECT_EQ(refusal_in(refresh_all({{numbered_id(5, 9), 1, "mcp-1", {}}}, noon).front()),
            token_refusal::unknown);
  EXPECT_EQ(refusal_in(refresh_all({{id, 1, "mcp-1", "https://other.example"}}, noon).front()),
            token_refusal::other_resource);
  EXPECT_EQ(ended_by(), std::nullopt);
}

TEST_P(Connections, OfAUserWhoWasRemovedGiveNothing) {
  issue(2);
  connect();
  session().internals().script("remove_user",
                               "delete from users where id = '" + domain::to_string(user) + "'");
  EXPECT_EQ(refusal_in(refresh(1, noon)), token_refusal::user_gone);
  EXPECT_EQ(refusal_in(exchange(shown(2), noon)), token_refusal::user_gone);
}

TEST_P(Connections, AreEndedByTheirUserAlone) {
  connect();
  EXPECT_FALSE(store::end_connection_of(session(), lease, numbered_id(6, 6), numbered_id(5, 1), noon));
  EXPECT_TRUE(store::end_connection_of(session(), lease, user, numbered_id(5, 1), noon));
  EXPECT_FALSE(store::end_connection_of(session(), lease, user, numbered_id(5, 1), noon));
  EXPECT_EQ(ended_by(), "user");
  EXPECT_TRUE(store::revoked_connections(session(), std::array{numbered_id(5, 1)}).empty())
      << "no command did";
  EXPECT_TRUE(store::live_connections(session(), noon).empty());
}

TEST_P(Connections, AreRevokedByACommandThatServersNotice) {
  connect();
  const auto change = store::revoke_connection(session(), numbered_id(5, 1), noon);
  ASSERT_TRUE(change);
  EXPECT_EQ(store::entries_after(session(), change->position - 1, 10).at(0).what.subjects,
            std::vector{numbered_id(5, 1)});
  EXPECT_EQ(store::revoked_connections(session(), std::array{numbered_id(5, 1)}),
            std::vector{numbered_id(5, 1)});
  EXPECT_EQ(store::revoke_connection(session(), numbered_id(5, 1), noon), std::nullopt);
  EXPECT_EQ(ended_by(), "operator");
}

TEST_P(Connections, AreForgottenWhenTheirTimeIsOver) {
  connect(1);
  connect(2);
  refresh(1, noon + std::chrono::days{30});
  const auto later = noon + std::chrono::days{61};
  EXPECT_EQ(store::delete_old_connections(session(), lease, later, 1), 2) << "a code, and a connection";
  EXPECT_EQ(store::delete_old_connections(session(), lease, later, 10), 1) << "the other code";
  EXPECT_EQ(store::live_connections(session(), later).size(), 1U);
}

TEST_P(Connections, AreLeftAloneByAServerThatLostTheLease) {
  connect();
  auto lost = lease;
  lost.epoch -= 1;
  EXPECT_THROW(store::refresh_connections(session(), lost, std::vector<store::connection_refresh>{}, may, {}),
               store::lease_lost);
  EXPECT_THROW(store::issue_code(session(), lost, code(2, noon)), store::lease_lost);
  EXPECT_THROW(store::exchange_code(session(), lost, shown(1), may, noon, lifetime), store::lease_lost);
  EXPECT_THROW(store::end_connection_of(session(), lost, user, numbered_id(5, 1), noon), store::lease_lost);
}

} // namespace roost::testing::connections_test
