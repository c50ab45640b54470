#include "service/support/json_text.hpp"
#include "service/support/partner.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/store_faults.hpp"
#include "service/support/web_browser.hpp"

#include <gtest/gtest.h>

#include <algorithm>

/// The store is replaced by an older copy under a running server: a restored backup, or a replica that was
/// promoted before it had everything.
namespace roost::testing::history_test {
using namespace std::chrono_literals;

/// A server with helpers that observe its reaction to a change of its store.
class observed_server {
public:
  observed_server(const workplace& place, std::string token, started wait_for = started::serving)
      : token_(std::move(token)), server_(place, wait_for) {}

  running_roost& process() { return server_; }
  partner platform() const { return {server_.port(), "marketplace-a", token_}; }

  /// Returns whether the first night of the booked stay is taken; nullopt while the server is not serving.
  std::optional<bool> is_taken() const {
    const auto listing = platform().get("/listings/u1");
    if (listing.status != 200) return std::nullopt;
    return listing.body.find("\"from\":\"" + day_from_now(10) + "\"") != std::string::npos;
  }

  std::optional<double> position() const { return server_.metric("roost_changes_position"); }

  void book() {
    ASSERT_EQ(platform().post("/bookings", booking("u1", 10, 20)).status, 201U);
    ASSERT_TRUE(eventually([this] { return is_taken() == true; }));
  }

  void expect_stay_gone() {
    EXPECT_TRUE(eventually([this] { return is_taken() == false; }, running_roost::start_timeout))
        << server_.log();
    server_.wait_for_event("another_history");
    EXPECT_GE(server_.metric("roost_store_histories_total").value_or(0), 1);
    server_.wait_until_ready();
  }

  void expect_new_booking_succeeds() {
    EXPECT_EQ(platform().post("/bookings", booking("u1", 12, 22)).status, 201U);
    EXPECT_TRUE(eventually([this] {
      return platform().get("/listings/u1").body.find("\"from\":\"" + day_from_now(12) + "\"") !=
             std::string::npos;
    })) << server_.log();
  }

private:
  std::string token_;
  running_roost server_;
};

class RestoredStore : public ::testing::TestWithParam<store_kind> {
protected:
  void SetUp() override {
    place().import(portfolio_of(1));
    token_ = place().issue_token("marketplace-a");
    server_.emplace(place(), token_);
    store_.back_up(); // contains this server's lease
    server_->process().wait_until_ready();
  }

  workplace& place() { return store_.place(); }

  removable_store store_{GetParam()};
  std::string token_;
  std::optional<observed_server> server_;
};
ROOST_ON_EACH_STORE(RestoredStore);

TEST_P(RestoredStore, IsReloadedByAServerWhoseDecisionsAreLost) {
  server_->book();
  store_.restore();
  server_->expect_stay_gone();
  server_->expect_new_booking_succeeds();
  EXPECT_EQ(server_->process().stop(), 0);
}

TEST_P(RestoredStore, IsReloadedByAServerWhoseImportIsLost) {
  place().import(portfolio_of(2)); // the command waits for the server
  ASSERT_EQ(server_->platform().get("/listings/u2").status, 200U);
  store_.restore();
  EXPECT_TRUE(eventually([&] { return server_->platform().get("/listings/u2").status == 404; }))
      << server_->process().log();
  EXPECT_TRUE(eventually([&] {
    const auto list = server_->platform().get("/listings");
    return list.status == 200 && list.body.find("\"u2\"") == std::string::npos;
  }));
  place().import(portfolio_of(3));
  EXPECT_EQ(server_->platform().get("/listings/u3").status, 200U);
}

TEST_P(RestoredStore, EndsTheClientsThatItDoesNotContain) {
  const auto port = server_->process().port();
  const auto registered = send_request(
      port, "POST", "/oauth/register", {{"Content-Type", "application/json"}},
      R"({"client_name":"Rent Helper","redirect_uris":["http://127.0.0.1:4711/callback"],"token_endpoint_auth_method":"none"})");
  ASSERT_EQ(registered.status, 201U) << registered.body;
  const auto error_of_exchange = [&] {
    const auto response = send_request(
        port, "POST", "/oauth/token", {{"Content-Type", "application/x-www-form-urlencoded"}},
        "grant_type=authorization_code&code=none&redirect_uri=http%3A%2F%2F127.0.0.1%3A4711%2Fcallback"
        "&code_verifier=a-verifier-of-the-tests-that-is-long-enough-for-s256&client_id=" +
            string_at(registered, "/client_id"));
    return string_at(response, "/error");
  };
  EXPECT_EQ(error_of_exchange(), "invalid_grant");
  server_->book(); // makes the restored store recognizable
  store_.restore();
  server_->expect_stay_gone();
  EXPECT_TRUE(eventually([&] { return error_of_exchange() == "invalid_client"; })) << error_of_exchange();
}

TEST_P(RestoredStore, IsReloadedByAStandbyServer) {
  observed_server second(place(), token_, started::listening);
  second.process().wait_for_event("standing_by");
  ASSERT_TRUE(eventually([&] { return second.position() > 0; }));
  const auto before = second.position();
  server_->book();
  ASSERT_TRUE(eventually([&] { return second.position() > before; }));
  store_.restore();
  server_->expect_stay_gone();
  EXPECT_EQ(server_->process().stop(), 0);
  second.process().wait_until_ready();
  EXPECT_EQ(second.is_taken(), false);
  second.process().wait_for_event("another_history");
  second.expect_new_booking_succeeds();
}

using RestoredFile = RestoredStore;
ROOST_ON_STORES(OnSqlite, RestoredFile, store_kind::sqlite);

TEST_P(RestoredFile, IsNotOpenedWithTheWriteAheadLogOfThePreviousOne) {
  server_->book();
  store_.restore_keeping_wal();
  EXPECT_TRUE(eventually([&] { return !server_->process().is_ready(); }));
  const auto is_refused = [&] {
    return std::ranges::any_of(server_->process().events("store_unreachable"), [](const auto& outage) {
      return outage.at("what").find("-wal still belongs to the previous one") != std::string::npos;
    });
  };
  EXPECT_TRUE(eventually(is_refused, running_roost::start_timeout)) << server_->process().log();
  store_.remove_wal();
  server_->expect_stay_gone();
}

class PromotedReplica : public ::testing::Test {
protected:
  postgresql_cluster cluster_;
  workplace place_{cluster_.url()};
};

TEST_F(PromotedReplica, IsReloadedWhenItIsBehindTheServer) {
  place_.import(portfolio_of(1));
  observed_server server(place_, place_.issue_token("marketplace-a"));
  cluster_.make_replica();
  server.book();
  cluster_.fail_over_to_replica();
  server.expect_stay_gone();
  server.expect_new_booking_succeeds();
  EXPECT_EQ(server.process().stop(), 0);
}

/// Either server may become the writer.
TEST_F(PromotedReplica, IsReloadedByAStandbyServer) {
  place_.import(portfolio_of(1));
  const auto token = place_.issue_token("marketplace-a");
  observed_server first(place_, token), second(place_, token, started::listening);
  second.process().wait_for_event("standing_by");
  ASSERT_TRUE(eventually([&] { return second.position() > 0; }));
  cluster_.make_replica();
  const auto before = second.position();
  first.book();
  ASSERT_TRUE(eventually([&] { return second.position() > before; }));
  cluster_.fail_over_to_replica();
  EXPECT_TRUE(eventually([&] { return first.is_taken() == false || second.is_taken() == false; },
                         running_roost::start_timeout));
  for (auto* server : {&first, &second}) {
    server->process().wait_for_event("another_history");
    EXPECT_NE(server->is_taken(), true);
  }
  EXPECT_EQ(first.process().stop(), 0);
  second.process().wait_until_ready();
  EXPECT_EQ(second.is_taken(), false);
  second.expect_new_booking_succeeds();
}

TEST_F(PromotedReplica, IsUsedWithoutReloadWhenItHasEverything) {
  place_.import(portfolio_of(1));
  observed_server server(place_, place_.issue_token("marketplace-a"));
  server.book();
  server.process().wait_until_ready();
  cluster_.make_replica();
  cluster_.fail_over_to_replica();
  EXPECT_TRUE(eventually([&] { return server.is_taken() == true; }, running_roost::start_timeout));
  EXPECT_TRUE(
      eventually([&] { return server.platform().post("/bookings", booking("u1", 30, 40)).status == 201; },
                 running_roost::start_timeout));
  EXPECT_EQ(server.process().metric("roost_store_histories_total"), 0.0) << server.process().log();
}

} // namespace roost::testing::history_test
