#include "store/connector/clients.hpp"
#include "store/connector/connections.hpp"
#include "store/database/connection.hpp"
#include "store/sessions/users.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/sample_portfolio.hpp"
#include "store/support/stored_rows.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>

#include <algorithm>

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
    store::authorization_code result;
    result.id = numbered_id(5, static_cast<unsigned>(number));
    result.hash = "hash " + std::to_string(number);
    result.client_id = "mcp-1";
    result.client_name = "Assistant";
    result.redirect_uri = "http://localhost/cb";
    result.challenge = "challenge";
    result.user_id = user;
    result.epoch = epoch;
    result.resource = "https://tools.example/mcp";
    result.created_at = now;
    result.expires_at = now + 120s;
    return result;
  }

  /// Returns the user's connection epoch.
  std::int64_t epoch_of_user() {
    const auto users = store::all_user_access(session());
    return std::ranges::find(users, user, &store::user_access::id)->connection_epoch;
  }

  bool issue(int number) { return store::issue_code(session(), lease, code(number, noon)); }

  store::code_exchange exchange_of(int number) const {
    return {"hash " + std::to_string(number), "mcp-1", "http://localhost/cb", "challenge", {}};
  }

  store::token_outcome exchange(const store::code_exchange& request, domain::timestamp now) {
    return store::exchange_code(session(), lease, request, checks, now, lifetime).outcome;
  }

  /// Returns the refusal, or nullopt if tokens are due.
  static std::optional<token_refusal> refusal_in(const store::token_outcome& outcome) {
    const auto* refusal = std::get_if<token_refusal>(&outcome);
    return refusal ? std::optional{*refusal} : std::nullopt;
  }

  store::connection connect(int number = 1) {
    issue(number);
    return std::get<store::connection>(exchange(exchange_of(number), noon));
  }

  std::vector<store::token_outcome> refresh_all(const std::vector<store::connection_refresh>& requests,
                                                domain::timestamp now,
                                                std::chrono::milliseconds grace = 0ms) {
    return store::refresh_connections(session(), lease, requests, checks, {now, grace, lifetime});
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
  std::int64_t epoch = 0; ///< of the user at the consent
  store::lease lease;
  store::grant_checks checks{[](const domain::uuid&) { return true; },
                             [](const std::string&) { return true; }};
};
ROOST_ON_EACH_STORE(Connections);

TEST_P(Connections, AreCreatedByACode) {
  const auto connection = connect();
  EXPECT_EQ(connection.id, numbered_id(5, 1));
  EXPECT_EQ(connection.user_id, user);
  EXPECT_EQ(connection.resource, "https://tools.example/mcp");
  EXPECT_EQ(connection.generation, 1);
  EXPECT_EQ(connection.expires_at, noon + lifetime);
  const auto listed = store::live_connections(session(), noon, user);
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed.front().connection.client_name, "Assistant");
  EXPECT_EQ(listed.front().email, "user1@landlord.example");
}

/// Earlier versions stored names as they were sent.
TEST_P(Connections, HaveNamesWithoutInvisibleCharacters) {
  auto older = code(1, noon);
  older.client_name = "Assist\u200bant";
  store::issue_code(session(), lease, older);
  exchange(exchange_of(1), noon);
  EXPECT_EQ(store::live_connections(session(), noon, user).front().connection.client_name, "Assistant");
  EXPECT_EQ(store::live_connections(session(), noon, std::nullopt).front().connection.client_name,
            "Assistant");
  EXPECT_EQ(store::find_connection(session(), older.id)->connection.client_name, "Assistant");
  EXPECT_EQ(store::end_connections_of(session(), lease, user, noon).front().client_name, "Assistant");
}

TEST_P(Connections, AllowOneCodePerForm) {
  EXPECT_TRUE(issue(1));
  EXPECT_FALSE(issue(1));
  auto again = code(1, noon);
  again.hash = "another";
  EXPECT_FALSE(store::issue_code(session(), lease, again));
}

TEST_P(Connections, AreReportedMostRecentlyUsedFirstWhenAllEnd) {
  connect(1);
  issue(2);
  exchange(exchange_of(2), noon + 1min);
  const auto ended = store::end_connections_of(session(), lease, user, noon + 1min);
  ASSERT_EQ(ended.size(), 2U);
  EXPECT_EQ(ended[0].id, numbered_id(5, 2));
}

TEST_P(Connections, EndIfTheirCodeIsReplayed) {
  connect();
  EXPECT_EQ(refusal_in(exchange(exchange_of(1), noon)), token_refusal::used);
  EXPECT_EQ(ended_by(), "code_replay");
  EXPECT_EQ(refusal_in(refresh(1, noon)), token_refusal::ended);
  EXPECT_EQ(store::connections_ended_since(session(), noon).size(), 1U);
}

TEST_P(Connections, EndIfTheirCodeIsReplayedAfterItsExpiry) {
  connect();
  EXPECT_EQ(refusal_in(exchange(exchange_of(1), noon + 1h)), token_refusal::used);
  EXPECT_EQ(ended_by(), "code_replay");
}

TEST_P(Connections, AreNotEndedByAnotherClientsReplay) {
  connect();
  auto stolen = exchange_of(1);
  stolen.client_id = "mcp-2";
  EXPECT_EQ(refusal_in(exchange(stolen, noon)), token_refusal::unknown);
  EXPECT_EQ(ended_by(), std::nullopt);
}

TEST_P(Connections, RequireACodeYoungerThan120Seconds) {
  issue(1);
  EXPECT_EQ(refusal_in(exchange(exchange_of(1), noon + 120s)), token_refusal::expired);
  EXPECT_EQ(refusal_in(exchange(exchange_of(1), noon + 119'999ms)), std::nullopt);
}

TEST_P(Connections, RequireAllValuesThatTheCodeIsBoundTo) {
  issue(1);
  const auto refused = [&](auto change) {
    auto request = exchange_of(1);
    change(request);
    return refusal_in(exchange(request, noon));
  };
  EXPECT_EQ(refused([](auto& request) { request.hash = "hash 2"; }), token_refusal::unknown);
  EXPECT_EQ(refused([](auto& request) { request.client_id = "mcp-2"; }), token_refusal::unknown);
  EXPECT_EQ(refused([](auto& request) { request.redirect_uri += "/"; }), token_refusal::other_redirect);
  EXPECT_EQ(refused([](auto& request) { request.challenge = ""; }), token_refusal::other_verifier);
  EXPECT_EQ(refused([](auto& request) { request.resource = "https://other.example"; }),
            token_refusal::other_resource);
  EXPECT_EQ(refused([](auto& request) { request.resource = "https://tools.example/mcp"; }), std::nullopt)
      << "a refusal leaves the code unused";
}

TEST_P(Connections, RequireAUserWhoMayUseATool) {
  issue(1);
  checks.may_use_tools = [](const domain::uuid&) { return false; };
  EXPECT_EQ(refusal_in(exchange(exchange_of(1), noon)), token_refusal::no_tools);
  checks.may_use_tools = [this](const domain::uuid& id) { return id == user; };
  EXPECT_EQ(refusal_in(exchange(exchange_of(1), noon)), std::nullopt);
}

TEST_P(Connections, RequireAResourceOfAToolServer) {
  issue(1);
  checks.is_tool_server = [](const std::string& resource) { return resource != "https://tools.example/mcp"; };
  EXPECT_EQ(refusal_in(exchange(exchange_of(1), noon)), token_refusal::resource_gone);
  checks.is_tool_server = [](const std::string& resource) { return resource == "https://tools.example/mcp"; };
  EXPECT_EQ(refusal_in(exchange(exchange_of(1), noon)), std::nullopt) << "a refusal leaves the code unused";
  checks.is_tool_server = [](const std::string&) { return false; };
  EXPECT_EQ(refusal_in(refresh(1, noon)), token_refusal::resource_gone);
  checks.is_tool_server = [](const std::string&) { return true; };
  EXPECT_EQ(refusal_in(refresh(1, noon)), std::nullopt) << "a refusal leaves the refresh token valid";
}

TEST_P(Connections, RotateEachTokenAndExtendTheirLifetimeTo60Days) {
  connect();
  for (std::int64_t generation = 1; generation < 4; ++generation) {
    const auto now = noon + std::chrono::days{50 * generation};
    const auto rotated = std::get<store::connection>(refresh(generation, now));
    EXPECT_EQ(rotated.generation, generation + 1);
    EXPECT_EQ(rotated.expires_at, now + lifetime);
  }
}

TEST_P(Connections, ExpireAfter60DaysWithoutARefresh) {
  connect();
  EXPECT_EQ(refusal_in(refresh(1, noon + lifetime)), token_refusal::expired);
  EXPECT_EQ(refusal_in(refresh(1, noon + lifetime - 1ms)), std::nullopt);
}

TEST_P(Connections, EndIfAReplacedTokenIsReused) {
  connect();
  refresh(1, noon);
  EXPECT_EQ(refusal_in(refresh(1, noon)), token_refusal::reused);
  EXPECT_EQ(ended_by(), "reuse");
  EXPECT_EQ(refusal_in(refresh(2, noon)), token_refusal::ended);
}

TEST_P(Connections, RepeatATokenWithinTheConfiguredGracePeriod) {
  connect();
  refresh(1, noon, 10s);
  EXPECT_EQ(std::get<store::connection>(refresh(1, noon + 10s, 10s)).generation, 2);
  EXPECT_EQ(refusal_in(refresh(1, noon + 10'001ms, 10s)), token_refusal::reused);
}

TEST_P(Connections, RepeatAnyTokenWithinTheGracePeriodOfItsOwnReplacement) {
  connect();
  refresh(1, noon, 10s);
  refresh(2, noon + 1s, 10s);
  refresh(3, noon + 2s, 10s);
  EXPECT_EQ(std::get<store::connection>(refresh(1, noon + 10s, 10s)).generation, 4);
  EXPECT_EQ(std::get<store::connection>(refresh(2, noon + 11s, 10s)).generation, 4);
  EXPECT_EQ(refusal_in(refresh(1, noon + 11s, 10s)), token_refusal::reused);
  EXPECT_EQ(ended_by(), "reuse");
}

TEST_P(Connections, EndOnReuseOfATokenThatWasReplacedInTheFuture) {
  connect();
  refresh(1, noon + 24h, 10s); // by a clock that was a day ahead
  EXPECT_EQ(std::get<store::connection>(refresh(1, noon, 10s)).expires_at, noon + lifetime);
  EXPECT_EQ(refusal_in(refresh(1, noon + 10'001ms, 10s)), token_refusal::reused);
}

TEST_P(Connections, AndCodesFromTheFutureExpireAfterTheirLifetime) {
  store::issue_code(session(), lease, code(1, noon + 24h)); // by a clock that was a day ahead
  connect(2);
  refresh_all({{numbered_id(5, 2), 1, "mcp-1", {}}}, noon + 24h);
  EXPECT_EQ(written_by(session(), lease, store::shorten_connections, noon,
                       store::connection_lifetimes{120s, lifetime}),
            2);
  EXPECT_EQ(refusal_in(exchange(exchange_of(1), noon + 120s)), token_refusal::expired);
  const auto listed = store::live_connections(session(), noon);
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed[0].connection.used_at, noon);
  EXPECT_EQ(listed[0].connection.expires_at, noon + lifetime);
}

TEST_P(Connections, EndOnAnyReplacedTokenWithoutAGracePeriod) {
  connect();
  refresh(1, noon);
  refresh(2, noon);
  EXPECT_EQ(refusal_in(refresh(1, noon)), token_refusal::reused);
}

TEST_P(Connections, GiveTokensToOneOfConcurrentRefreshes) {
  connect();
  const store::connection_refresh same{numbered_id(5, 1), 1, "mcp-1", {}};
  const auto outcomes = refresh_all({same, same, same}, noon);
  EXPECT_EQ(refusal_in(outcomes[0]), std::nullopt);
  EXPECT_EQ(refusal_in(outcomes[1]), token_refusal::reused);
  EXPECT_EQ(refusal_in(outcomes[2]), token_refusal::ended);
  EXPECT_EQ(ended_by(), "reuse");
}

TEST_P(Connections, GiveTheSameTokenToConcurrentRefreshesWithinTheGracePeriod) {
  connect();
  const store::connection_refresh same{numbered_id(5, 1), 1, "mcp-1", {}};
  for (const auto& outcome : refresh_all({same, same, same}, noon, 10s))
    EXPECT_EQ(std::get<store::connection>(outcome).generation, 2);
  EXPECT_EQ(refusal_in(refresh(2, noon, 10s)), std::nullopt);
}

TEST_P(Connections, KeepTheirTokenWhileNoToolMayBeUsed) {
  connect();
  checks.may_use_tools = [](const domain::uuid&) { return false; };
  EXPECT_EQ(refusal_in(refresh(1, noon)), token_refusal::no_tools);
  checks.may_use_tools = [](const domain::uuid&) { return true; };
  EXPECT_EQ(refusal_in(refresh(1, noon)), std::nullopt);
}

TEST_P(Connections, RejectOtherClientsAndUnissuedTokens) {
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

TEST_P(Connections, GetNoTokensOnceTheirUserIsRemoved) {
  issue(2);
  connect();
  session().internals().script("remove_user",
                               "delete from users where id = '" + domain::to_string(user) + "'");
  EXPECT_EQ(refusal_in(refresh(1, noon)), token_refusal::user_gone);
  EXPECT_EQ(refusal_in(exchange(exchange_of(2), noon)), token_refusal::user_gone);
}

TEST_P(Connections, EndForGoodWhenTheirUserIsDeactivatedOrRemoved) {
  const auto portfolio = sample_portfolio();
  auto deactivated = portfolio, removed = portfolio;
  deactivated.accounts[0].users[0].details.deactivated = true;
  removed.accounts[0].users.clear();
  auto moved = removed, removed_again = removed;
  moved.accounts.push_back(sample_account(7, 0, 0));
  moved.accounts[1].users = portfolio.accounts[0].users;
  removed_again.accounts.push_back(sample_account(7, 0, 0));
  removed_again.accounts[1].users.clear();
  const std::vector<std::vector<domain::portfolio>> imports{
      {deactivated, portfolio}, {removed, portfolio}, {removed, moved}, {removed_again, portfolio}};
  int number = 1;
  for (const auto& files : imports) {
    epoch = epoch_of_user();
    connect(number);
    issue(number + 1);
    for (const auto& file : files) EXPECT_TRUE(import_sample(session(), file).problems.empty());
    EXPECT_GT(epoch_of_user(), epoch);
    const store::connection_refresh token{numbered_id(5, static_cast<unsigned>(number)), 1, "mcp-1", {}};
    EXPECT_EQ(refusal_in(refresh_all({token}, noon).front()), token_refusal::ended) << number;
    EXPECT_EQ(refusal_in(exchange(exchange_of(number + 1), noon)), token_refusal::ended) << number;
    EXPECT_TRUE(store::live_connections(session(), noon).empty());
    EXPECT_TRUE(store::live_connections(session(), noon, user).empty());
    number += 2;
  }
  epoch = epoch_of_user();
  connect(number);
  EXPECT_EQ(store::live_connections(session(), noon, user).size(), 1U) << "later ones are valid";
}

TEST_P(Connections, SurviveANewPasswordAndANewRole) {
  connect();
  session().internals().script(
      "change_user", "update users set password_hash = '$argon2id$new', role = 'Viewer' where id = '" +
                         domain::to_string(user) + "'");
  EXPECT_EQ(refusal_in(refresh(1, noon)), std::nullopt);
}

TEST_P(Connections, CanBeEndedOnlyByTheirUser) {
  connect();
  EXPECT_FALSE(store::end_connection_of(session(), lease, numbered_id(6, 6), numbered_id(5, 1), noon));
  EXPECT_TRUE(store::end_connection_of(session(), lease, user, numbered_id(5, 1), noon));
  EXPECT_FALSE(store::end_connection_of(session(), lease, user, numbered_id(5, 1), noon));
  EXPECT_EQ(ended_by(), "user");
  EXPECT_TRUE(store::revoked_connections(session(), std::array{numbered_id(5, 1)}).empty())
      << "not ended by a command";
  EXPECT_TRUE(store::live_connections(session(), noon).empty());
}

TEST_P(Connections, AreRevokedWithAChangeForServers) {
  connect();
  const auto change = store::revoke_connection(session(), numbered_id(5, 1), noon);
  ASSERT_TRUE(change);
  EXPECT_EQ(store::entries_after(session(), change->position - 1, 10).at(0).change.subjects,
            std::vector{numbered_id(5, 1)});
  EXPECT_EQ(store::revoked_connections(session(), std::array{numbered_id(5, 1)}),
            std::vector{numbered_id(5, 1)});
  EXPECT_EQ(store::revoke_connection(session(), numbered_id(5, 1), noon), std::nullopt);
  EXPECT_EQ(ended_by(), "operator");
}

TEST_P(Connections, AreDeletedAfterTheyExpire) {
  connect(1);
  connect(2);
  refresh(1, noon + std::chrono::days{30});
  const auto later = noon + std::chrono::days{61};
  EXPECT_EQ(written_by(session(), lease, store::delete_old_connections, later, 1), 2)
      << "a code, and a connection";
  EXPECT_EQ(written_by(session(), lease, store::delete_old_connections, later, 10), 1) << "the other code";
  EXPECT_EQ(store::live_connections(session(), later).size(), 1U);
}

TEST_P(Connections, RequireTheLease) {
  connect();
  auto lost = lease;
  lost.epoch -= 1;
  EXPECT_THROW(
      store::refresh_connections(session(), lost, std::vector<store::connection_refresh>{}, checks, {}),
      store::lease_lost);
  EXPECT_THROW(store::issue_code(session(), lost, code(2, noon)), store::lease_lost);
  EXPECT_THROW(store::exchange_code(session(), lost, exchange_of(1), checks, noon, lifetime),
               store::lease_lost);
  EXPECT_THROW(store::end_connection_of(session(), lost, user, numbered_id(5, 1), noon), store::lease_lost);
}

} // namespace roost::testing::connections_test
