#include "service/support/fault_fixture.hpp"
#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/store_faults.hpp"
#include "store/database/connection.hpp"
#include "store/database/lease.hpp"
#include "store/database/transaction.hpp"

#include <csignal>

/// A store that is unreachable at the start, or goes offline and comes back under load.
namespace roost::testing::store_test {
using namespace std::chrono_literals;
using ::testing::HasSubstr;

class StoreOutage : public ::testing::TestWithParam<store_kind> {
protected:
  workplace& place() { return store_.place(); }
  void take_offline() { store_.take_offline(); }
  void bring_online() { store_.bring_online(); }

private:
  removable_store store_{GetParam()};
};
ROOST_ON_EACH_STORE(StoreOutage);

TEST_P(StoreOutage, AtStartupIsReportedUntilTheStoreIsReachable) {
  place().import(portfolio_of(1));
  const auto token = place().issue_token("marketplace-a");
  take_offline();
  running_roost server(place(), started::listening);
  const partner platform(server.port(), "marketplace-a", token);
  server.wait_for_event("store_unreachable");
  EXPECT_EQ(server.ops("/healthz").status, 200U);
  const auto readiness = server.ops("/readyz");
  EXPECT_EQ(readiness.status, 503U);
  EXPECT_THAT(readiness.body, HasSubstr(R"("store":"not reachable")"));
  EXPECT_EQ(server.ops("/metrics").status, 200U);
  EXPECT_THAT(platform.get("/listings"), is_busy());
  EXPECT_THAT(platform.get("/listings/u1"), is_busy());
  EXPECT_THAT(platform.post("/bookings", booking("u1", 10, 20)), is_busy());
  EXPECT_EQ(send_request(server.port(), "GET", "/nowhere").status, 404U);

  bring_online();
  server.wait_until_ready();
  EXPECT_TRUE(eventually([&] { return platform.get("/listings").status == 200; }));
  EXPECT_EQ(platform.post("/bookings", booking("u1", 10, 20)).status, 201U);
  EXPECT_TRUE(eventually([&] {
    return platform.get("/listings/u1").body.find("\"from\":\"" + day_from_now(10) + "\"") !=
           std::string::npos;
  }));
  EXPECT_EQ(server.stop(), 0);
}

TEST_P(StoreOutage, AtStartupDoesNotDelayShutdown) {
  take_offline();
  running_roost server(place(), started::listening);
  server.wait_for_event("store_unreachable");
  EXPECT_EQ(server.stop(), 0);
  bring_online();
}

/// A busy Roost on a PostgreSQL server that the test controls.
class DatabaseOutage : public ::testing::Test {
protected:
  void SetUp() override {
    load_.emplace(prepare_load(place_, 1));
    server_.emplace(place_);
    load_->set_port(server_->port());
    ASSERT_TRUE(load_->wait_for_more(201, 50, timeout));
    epoch_ = epoch();
  }

  /// Expects that the server continues as the same writer, without lost, duplicated or hanging requests.
  void expect_recovery() {
    EXPECT_TRUE(load_->wait_for_more(201, 50, timeout));
    expect_consistent_responses(place_, load_->finish());
    EXPECT_EQ(epoch(), epoch_);
    server_->wait_until_ready();
    EXPECT_EQ(server_->stop(), 0);
  }

  std::int64_t epoch() {
    auto session = place_.store().open();
    return store::current_lease(session)->holder.epoch;
  }

  static constexpr std::chrono::seconds timeout{15};
  postgresql_cluster database_;
  workplace place_{database_.url()};
  std::optional<booking_load> load_;
  std::optional<running_roost> server_;
  std::int64_t epoch_ = 0;
};

TEST_F(DatabaseOutage, ByAShutdownMakesTheServiceBusy) {
  database_.stop();
  EXPECT_TRUE(load_->wait_for_more(503, 50, timeout));
  EXPECT_EQ(server_->ops("/healthz").status, 200U);
  database_.start();
  expect_recovery();
}

TEST_F(DatabaseOutage, ByRepeatedCrashesLosesNoData) {
  for (int crash = 0; crash < 5; ++crash) {
    database_.kill();
    EXPECT_TRUE(load_->wait_for_more(503, 20, timeout));
    database_.start();
    EXPECT_TRUE(load_->wait_for_more(201, 20, timeout));
  }
  expect_recovery();
}

TEST_F(DatabaseOutage, ByCutConnectionsEndsImmediately) {
  for (int cut = 0; cut < 20; ++cut) {
    auto session = place_.store().open();
    session.internals().script("cut", "select pg_terminate_backend(pid) from pg_stat_activity"
                                      " where application_name = 'roost' and pid <> pg_backend_pid()");
    EXPECT_TRUE(load_->wait_for_more(201, 20, timeout));
  }
  expect_recovery();
}

TEST_F(DatabaseOutage, ByAFrozenDatabaseMakesTheServiceBusyWithinTheRequestTimeout) {
  database_.freeze();
  EXPECT_TRUE(load_->wait_for_more(503, 20, timeout));
  database_.thaw();
  expect_recovery();
}

TEST_F(DatabaseOutage, MakesFullListingsBusy) {
  const partner platform(server_->port(), "marketplace-a", place_.issue_token("marketplace-a"));
  const std::vector<std::string> full{"/casa-verde/listings/full", "/casa-verde/listings/u1/full"};
  database_.stop();
  for (const auto& path : full) EXPECT_THAT(platform.get(path), is_busy()) << path;
  // Another server may have taken the lock and made decisions.
  EXPECT_TRUE(eventually([&] { return platform.get("/listings").status == 503; }));
  database_.start();
  for (const auto& path : full)
    EXPECT_TRUE(eventually([&] { return platform.get(path).status == 200; })) << path;
  expect_recovery();
}

TEST_F(DatabaseOutage, MakesEngineWritesBusyWithoutPartialWrites) {
  const partner engine(server_->port(), "booking-engine", place_.issue_token("booking-engine"));
  const header_fields with_key{{"svc-api-key", place_.issue_account_key(account_id)}};
  const auto create = [&] { return engine.post("/property-listing", engine_property("P1", 2), with_key); };
  const auto update = [&] { return engine.put("/listing", listing_update("u1", {{"/rent", "701"}})); };
  EXPECT_TRUE(eventually([&] { return engine.get("/listings/u1/housemates").status == 200; }));
  database_.stop();
  EXPECT_THAT(update(), is_busy());
  EXPECT_THAT(create(), is_busy());
  EXPECT_THAT(engine.get("/listings/u1/housemates"), is_busy());
  database_.start();
  EXPECT_TRUE(eventually([&] { return update().status == 200; }));
  EXPECT_TRUE(eventually([&] { return create().status == 201; }));
  EXPECT_EQ(json_at(engine.get("/listings/u1").body, "/rent"), "701");
  EXPECT_EQ(engine.get("/listings/P1_2").status, 200U);
  EXPECT_EQ(engine.get("/listings/u1/housemates").status, 200U);
  expect_recovery();
}

TEST_F(DatabaseOutage, ByAFrozenDatabaseMakesEngineWritesBusyWithinTheRequestTimeout) {
  const header_fields token{{"Authorization", "Bearer " + place_.issue_token("booking-engine")},
                            {"Content-Type", "application/json"}};
  EXPECT_TRUE(eventually([&] {
    return send_request(server_->port(), "PUT", "/booking-engine/listing", token, listing_update("u1"))
               .status == 200;
  }));
  database_.freeze();
  raw_client client(server_->port());
  client.send(to_request("PUT", "/booking-engine/listing", token, listing_update("u1", {{"/rent", "701"}})));
  const auto response = client.receive(false, 15s);
  ASSERT_TRUE(response);
  EXPECT_THAT(*response, is_busy());
  database_.thaw();
  expect_recovery();
}

TEST_F(DatabaseOutage, StopsReadsUntilTheDatabaseIsBack) {
  const partner platform(server_->port(), "marketplace-a", place_.issue_token("marketplace-a"));
  EXPECT_TRUE(eventually([&] { return platform.get("/listings").status == 200; }));
  database_.stop();
  EXPECT_TRUE(eventually([&] { return platform.get("/listings").status == 503; }, 3s))
      << "the next holder of the lock may change what this server has in memory";
  EXPECT_THAT(platform.get("/listings"), is_busy());
  EXPECT_THAT(platform.get("/listings/u1"), is_busy());
  EXPECT_FALSE(server_->is_ready());
  database_.start();
  EXPECT_TRUE(eventually([&] { return platform.get("/listings").status == 200; }));
  expect_recovery();
}

/// The connections stay open: the server keeps its lock and may serve until its lease expires.
TEST_F(DatabaseOutage, ByAFrozenDatabaseStopsReadsWhenTheLeaseExpires) {
  const partner platform(server_->port(), "marketplace-a", place_.issue_token("marketplace-a"));
  EXPECT_TRUE(eventually([&] { return platform.get("/listings").status == 200; }));
  database_.freeze();
  EXPECT_EQ(platform.get("/listings").status, 200U);
  EXPECT_TRUE(eventually([&] { return platform.get("/listings").status == 503; }, timeout));
  database_.thaw();
  EXPECT_TRUE(eventually([&] { return platform.get("/listings").status == 200; }, timeout));
  expect_recovery();
}

TEST_F(DatabaseOutage, ByAFrozenDatabaseDoesNotDelayShutdown) {
  EXPECT_TRUE(eventually([this] { // the lane has been probed, and is not due again for ten seconds
    return server_->metric(R"(roost_store_lane_jobs_total{lane="ledger",outcome="done"})") >= 1;
  }));
  database_.freeze();
  EXPECT_TRUE(eventually([this] { // every client waits for a response
    return server_->metric(R"(roost_http_requests_in_flight{listener="public"})") == load_settings{}.clients;
  }));
  server_->process().send_signal(SIGTERM);
  // The timeouts of the requests in flight, of the store calls and of one more probe.
  EXPECT_EQ(server_->process().wait_for_end(25s), 0) << server_->log();
  EXPECT_THAT(server_->log(), ::testing::Not(HasSubstr("store_lane_lost lane=ledger")))
      << "the shutdown probed an idle lane and waited for it";
  database_.thaw();
  const auto submitted = load_->finish();
  server_.emplace(place_);
  expect_exact_history(place_, submitted);
}

/// A database that accepts no more sessions of the server's role, while those of the lease and of the
/// follower of the store continue.
TEST(FullDatabase, MakesAServerUnreadyUntilEveryLaneHasASession) {
  const postgresql_cluster database;
  workplace place(database.url());
  place.import(portfolio_of(1));
  auto owner = place.store().open();
  const auto run = [&](const std::string& text) { owner.internals().script("test", text); };
  run("create role clerk login; grant all on all tables in schema public to clerk");
  auto url = place.store().url();
  place.set("store.url", '"' + url.replace(url.find("roost@"), 5, "clerk") + '"');
  running_roost server(place);
  const partner platform(server.port(), "marketplace-a", place.issue_token("marketplace-a"));
  EXPECT_TRUE(eventually([&] { return platform.post("/bookings", booking("u1", 10, 20)).status == 201; }));

  run("alter role clerk connection limit 1"); // existing sessions stay open
  run("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'clerk'"
      " and (query = 'select 1' or query like '%booking_requests%')");
  EXPECT_TRUE(eventually([&] { return platform.post("/bookings", booking("u1", 30, 40)).status == 503; }));
  std::string lanes;
  EXPECT_TRUE(eventually([&] { // other lanes may be lost first
    lanes = json_at(server.ops("/readyz").body, "/checks/lanes");
    return lanes.find("acknowledgements: cannot connect to the store: ") != std::string::npos;
  })) << lanes;
  EXPECT_FALSE(server.is_ready());
  EXPECT_THAT(lanes, HasSubstr("too many connections"));
  EXPECT_EQ(server.wait_for_event("store_lane_lost", {{"lane", "acknowledgements"}}).level, "warn");

  run("alter role clerk connection limit -1");
  EXPECT_TRUE(eventually([&] { return server.is_ready(); })) << server.ops("/readyz").body;
  EXPECT_EQ(server.wait_for_event("store_lane_back", {{"lane", "acknowledgements"}}).level, "info");
  EXPECT_EQ(platform.post("/bookings", booking("u1", 30, 40)).status, 201U);
  EXPECT_EQ(server.stop(), 0);
}

/// In SQLite the import shares the file's only write lock with submissions and the lease.
TEST_P(StoreOutage, IsNotCausedByALargeImport) {
  const auto settings = prepare_load(place(), 1);
  running_roost server(place());
  booking_load load(settings);
  load.set_port(server.port());
  ASSERT_TRUE(load.wait_for_more(201, 20, 15s));
  place().import(portfolio_of(5'000));
  const partner platform(server.port(), "marketplace-a", settings.token);
  EXPECT_TRUE(eventually([&] { return platform.get("/listings/u5000").status == 200; }));
  EXPECT_TRUE(load.wait_for_more(201, 20, 15s));
  EXPECT_EQ(load.response_count(503), 0U);
  expect_consistent_responses(place(), load.finish());
  EXPECT_EQ(server.log().find("database is locked"), std::string::npos);
  EXPECT_EQ(server.stop(), 0);
}

/// Another process holds SQLite's write lock, like a shell with an open transaction.
TEST(LockedStoreFile, MakesTheServiceBusyUntilItIsUnlocked) {
  workplace place(store_kind::sqlite);
  const auto settings = prepare_load(place, 1);
  booking_load load(settings);
  running_roost server(place);
  load.set_port(server.port());
  ASSERT_TRUE(load.wait_for_more(201, 50, 15s));
  {
    auto other = place.store().open();
    const store::transaction locked(other, store::transaction::purpose::write);
    EXPECT_TRUE(load.wait_for_more(503, 3, 15s));
    EXPECT_EQ(partner(server.port(), "marketplace-a", settings.token).get("/listings").status, 200U);
  }
  EXPECT_TRUE(load.wait_for_more(201, 50, 15s));
  expect_consistent_responses(place, load.finish());
  EXPECT_EQ(server.stop(), 0);
}

} // namespace roost::testing::store_test
