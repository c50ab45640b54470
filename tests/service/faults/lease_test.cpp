#include "service/support/fault_fixture.hpp"
#include "service/support/portfolio.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/lease.hpp"
#include "store/database/transaction.hpp"

#include <algorithm>
#include <csignal>
#include <functional>
#include <iterator>
#include <thread>

/// Two servers on one store: a writer and a standby.
namespace roost::testing::lease_test {
using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr std::chrono::seconds takeover_limit{15}; // after the writer was killed

class TwoServers : public ::testing::TestWithParam<store_kind> {
protected:
  void SetUp() override {
    place_.emplace(GetParam());
    start(fault_units);
  }

  void start(unsigned units) {
    place_->import(portfolio_of(units));
    token_ = place_->issue_token("marketplace-a");
    first_.emplace(*place_);
    second_.emplace(*place_, started::listening);
    second_->wait_for_event("standing_by");
  }

  partner client_of(const running_roost& server) const { return {server.port(), "marketplace-a", token_}; }

  store::lease lease() {
    auto session = place_->store().open();
    return store::current_lease(session)->holder;
  }

  /// Sends SIGSTOP and SIGCONT until the server is stopped where `condition` is true. The server runs between
  /// attempts.
  static void suspend_when(running_roost& server, const std::function<bool()>& condition) {
    constexpr std::chrono::seconds suspend_timeout{
        60}; // on a busy disk the server is rarely between two transactions
    ASSERT_TRUE(eventually(
        [&] {
          server.process().suspend();
          if (condition()) return true;
          server.process().send_signal(SIGCONT);
          return false;
        },
        suspend_timeout));
  }

  /// In SQLite a process suspended within a transaction keeps the file locked.
  void suspend_outside_sqlite_transaction(running_roost& server) {
    auto session = place_->store().open();
    if (session.is_sqlite()) session.internals().script("impatient", "pragma busy_timeout = 50");
    suspend_when(server, [&] {
      try {
        const store::transaction probe(session, store::transaction::purpose::write);
        return true;
      } catch (const store::unavailable&) {
        return false;
      }
    });
  }

  /// The second server books a stay and stops; the first read of the first server shows the stay.
  void expect_first_takes_over_from_second() {
    ASSERT_EQ(client_of(*second_).post("/bookings", booking("u1", 3'000, 3'010)).status, 201U)
        << second_->log();
    ASSERT_TRUE(eventually([&] { return shows_day(*second_, 3'000); }));
    EXPECT_EQ(second_->stop(), 0);
    first_->wait_until_ready();
    EXPECT_TRUE(shows_day(*first_, 3'000));
  }

  bool shows_day(const running_roost& server, int day) const {
    return client_of(server).get("/listings/u1").body.find("\"from\":\"" + day_from_now(day) + "\"") !=
           std::string::npos;
  }

  std::optional<workplace> place_;
  std::string token_;
  std::optional<running_roost> first_, second_;
};
ROOST_ON_EACH_STORE(TwoServers);

TEST_P(TwoServers, AreOneWriterAndOneStandby) {
  const auto writer = lease().node;
  const auto standby = second_->wait_for_event("standing_by", {{"writer", writer}});
  EXPECT_THAT(standby.at("until"), ::testing::StartsWith("20"));
  EXPECT_TRUE(eventually([&] {
    const auto readiness = second_->ops("/readyz");
    return readiness.status == 503 &&
           readiness.body.find("standing by: the writer is " + writer +
                               "; memory is 0 changes behind the store, and was level with it ") !=
               std::string::npos;
  })) << second_->ops("/readyz").body;
  EXPECT_EQ(second_->metric("roost_changes_behind"), 0.0);
  EXPECT_EQ(second_->ops("/healthz").status, 200U);
  EXPECT_EQ(second_->metric("roost_lease_held"), 0.0);
  EXPECT_EQ(first_->metric("roost_lease_held"), 1.0);
  EXPECT_THAT(client_of(*second_).get("/listings"), is_busy());
  EXPECT_THAT(client_of(*second_).post("/bookings", booking("u1", 10, 20)), is_busy());
  EXPECT_EQ(client_of(*first_).get("/listings/u1").status, 200U);
  EXPECT_EQ(second_->stop(), 0);
  EXPECT_EQ(first_->stop(), 0);
}

TEST_P(TwoServers, SwitchRolesImmediatelyWhenTheWriterIsStopped) {
  const auto before = lease();
  const auto stopped_at = std::chrono::steady_clock::now();
  EXPECT_EQ(first_->stop(), 0);
  second_->wait_until_ready();
  EXPECT_LT(std::chrono::steady_clock::now() - stopped_at, 5s);
  EXPECT_EQ(lease().epoch, before.epoch + 1);
  EXPECT_EQ(client_of(*second_).post("/bookings", booking("u1", 10, 20)).status, 201U);
}

class TwoServersWithALargePortfolio : public TwoServers {
protected:
  void SetUp() override {
    place_.emplace(GetParam());
    place_->set("server.drain_timeout", "\"1h\"");
    start(large_list_units);
  }
};
ROOST_ON_EACH_STORE(TwoServersWithALargePortfolio);

/// The first server has a client that reads its response slowly, one that never completes its request body,
/// and one that sends only the start of a request.
TEST_P(TwoServersWithALargePortfolio, SwitchRolesWhileTheLastResponsesAreStillBeingSent) {
  const auto list = client_of(*first_).get("/listings").body;
  raw_client slow(first_->port(), 4096), head(first_->port()), body(first_->port());
  head.send("GET /marketplace-a HT");
  const auto request = client_of(*first_).post_text("/bookings", booking("u1", 10, 20));
  body.send(request.substr(0, request.size() - 1));
  slow.send(client_of(*first_).get_text("/listings"));
  ASSERT_TRUE(slow.read_some());

  first_->process().send_signal(SIGTERM);
  second_->wait_until_ready();
  EXPECT_EQ(client_of(*second_).get("/listings/u1").status, 200U);
  EXPECT_EQ(client_of(*second_).post("/bookings", booking("u1", 10, 20)).status, 201U);
  EXPECT_FALSE(first_->process().wait_for_end(0s)) << first_->log();
  const auto response = slow.receive(false, 20s);
  ASSERT_TRUE(response);
  EXPECT_TRUE(response->body == list);
  EXPECT_EQ(first_->process().wait_for_end(running_roost::stop_timeout), 0);
  EXPECT_EQ(second_->stop(), 0);
}

TEST_P(TwoServers, FailOverWhenTheWriterIsKilledUnderLoad) {
  booking_load load({.token = token_, .seed = 1, .units = fault_units});
  load.set_port(first_->port());
  ASSERT_TRUE(load.wait_for_more(201, 100, running_roost::timeout));
  const auto before = lease();
  const auto killed_at = std::chrono::steady_clock::now();
  first_->kill();
  load.set_port(second_->port());
  second_->wait_until_ready();
  EXPECT_LT(std::chrono::steady_clock::now() - killed_at, takeover_limit);
  EXPECT_TRUE(load.wait_for_more(201, 50, running_roost::timeout));
  const auto submitted = load.finish();
  expect_acknowledged_or_busy(submitted, unanswered::allowed);
  expect_exact_history(*place_, submitted);
  EXPECT_NE(lease().node, before.node);
  EXPECT_EQ(lease().epoch, before.epoch + 1);
  EXPECT_EQ(second_->stop(), 0);
}

/// Kills the writer repeatedly as soon as it shows a booking, while the load changes more: the first
/// successful response of the new writer must show that booking.
TEST_P(TwoServers, ShowEveryBookingThatTheKilledWriterHadShown) {
  booking_load load({.token = token_, .seed = 7, .units = fault_units});
  auto *writer = &first_, *other = &second_;
  std::vector<submission> own;
  for (int round = 0; round < 4; ++round) {
    load.set_port((*writer)->port());
    const int day = 3'000 + 100 * round; // beyond the horizon of the load
    const auto check_in = domain::parse_date(day_from_now(day)).value();
    const requested_stay stay{1, check_in, check_in + domain::days{10},
                              unit_id(70 + static_cast<unsigned>(round))};
    own.push_back({stay, client_of(**writer).post("/bookings", stay.json())});
    ASSERT_TRUE(own.back().acknowledged()) << (*writer)->log();
    ASSERT_TRUE(eventually([&] { return shows_day(**writer, day); }));
    (*writer)->kill();
    load.set_port((*other)->port());
    std::optional<raw_response> first_response;
    ASSERT_TRUE(eventually([&] {
      auto response = client_of(**other).get("/listings/u1");
      if (response.status == 200U) first_response = std::move(response);
      return first_response.has_value();
    })) << (*other)->log();
    EXPECT_THAT(first_response->body, HasSubstr("\"from\":\"" + day_from_now(day) + "\"")) << (*other)->log();
    writer->emplace(*place_, started::listening);
    (*writer)->wait_for_event("standing_by");
    std::swap(writer, other);
  }
  auto submitted = load.finish();
  expect_acknowledged_or_busy(submitted, unanswered::allowed);
  std::ranges::move(own, std::back_inserter(submitted));
  expect_exact_history(*place_, submitted);
}

/// The writer is suspended under load until its lease has expired. When it continues, it must commit neither
/// its unfinished transactions nor new requests.
TEST_P(TwoServers, LetAWriterWithAnExpiredLeaseCommitNothing) {
  booking_load load({.token = token_, .seed = 2, .units = fault_units, .response_timeout = 40s});
  load.set_port(first_->port());
  ASSERT_TRUE(load.wait_for_more(201, 100, running_roost::timeout));
  const auto before = lease();
  suspend_outside_sqlite_transaction(*first_);
  second_->wait_until_ready();
  const auto after = lease();
  EXPECT_EQ(after.epoch, before.epoch + 1);

  raw_client late(first_->port()); // the kernel accepts the connection for the suspended server
  const std::string body = booking("u1", 2'000, 2'010, {{"/bookingId", "\"" + unit_id(77) + "\""}});
  late.send(to_request("POST", "/marketplace-a/bookings",
                       {{"Authorization", "Bearer " + token_}, {"Content-Type", "application/json"}}, body));
  first_->process().send_signal(SIGCONT);
  first_->wait_for_event("lease_lost");
  first_->wait_for_event("standing_by", {{"writer", after.node}});
  if (const auto response = late.receive()) {
    EXPECT_THAT(*response, is_busy());
  }

  load.set_port(second_->port());
  EXPECT_TRUE(load.wait_for_more(201, 20, running_roost::timeout));
  const auto submitted = load.finish();
  expect_acknowledged_or_busy(submitted, unanswered::allowed);
  expect_exact_history(*place_, submitted);
  EXPECT_EQ(lease(), after);
  expect_first_takes_over_from_second();
}

/// Each server in turn is suspended until its lease has expired, and continues while the other one serves, so
/// that both take themselves for the writer. Clients send requests to both throughout.
TEST_P(TwoServers, KeepTheHistoryExactWhileBothTakeThemselvesForTheWriter) {
  booking_load to_first({.token = token_, .seed = 5, .units = fault_units, .response_timeout = 40s});
  booking_load to_second({.token = token_, .seed = 6, .units = fault_units, .response_timeout = 40s});
  to_first.set_port(first_->port());
  to_second.set_port(second_->port());
  ASSERT_TRUE(to_first.wait_for_more(201, 50, running_roost::timeout));
  suspend_outside_sqlite_transaction(*first_);
  ASSERT_TRUE(to_second.wait_for_more(201, 50, takeover_limit)) << second_->log();
  first_->process().send_signal(SIGCONT);
  ASSERT_TRUE(to_second.wait_for_more(201, 50, running_roost::timeout));
  suspend_outside_sqlite_transaction(*second_);
  ASSERT_TRUE(to_first.wait_for_more(201, 50, takeover_limit)) << first_->log();
  second_->process().send_signal(SIGCONT);
  ASSERT_TRUE(to_first.wait_for_more(201, 50, running_roost::timeout));
  auto submitted = to_first.finish();
  std::ranges::move(to_second.finish(), std::back_inserter(submitted));
  expect_acknowledged_or_busy(submitted, unanswered::allowed);
  expect_exact_history(*place_, submitted);
  if (HasFailure()) ADD_FAILURE() << first_->log() << "\nThe second server:\n" << second_->log();
  EXPECT_EQ(first_->stop(), 0);
  EXPECT_EQ(second_->stop(), 0);
}

class TwoServersOfPostgresql : public TwoServers {
protected:
  /// Whether a connection waits for the rows of a COPY, for which PostgreSQL has no timeout.
  static bool waits_for_rows(store::session& observer) {
    static const store::selection waiting_copies{
        "waiting_copies",
        "select {columns} from pg_stat_activity where datname = current_database() and state = 'active'"
        " and query ilike 'copy %' and wait_event = 'ClientRead'",
        store::named<bool>("count(*) > 0")};
    return observer.internals().read_one(waiting_copies).value();
  }
};
ROOST_ON_POSTGRESQL(TwoServersOfPostgresql);

TEST_P(TwoServersOfPostgresql, FailOverWhenTheWriterIsSuspendedDuringACopy) {
  booking_load load({.token = token_, .seed = 3, .units = fault_units, .response_timeout = 40s});
  load.set_port(first_->port());
  ASSERT_TRUE(load.wait_for_more(201, 100, running_roost::timeout));
  const auto before = lease();
  auto session = place_->store().open();
  suspend_when(*first_, [&] {
    if (!waits_for_rows(session)) return false;
    std::this_thread::sleep_for(50ms); // a connection whose rows are in transit does not count
    return waits_for_rows(session);
  });
  const auto suspended_at = std::chrono::steady_clock::now();
  second_->wait_until_ready();
  EXPECT_LT(std::chrono::steady_clock::now() - suspended_at, takeover_limit);
  EXPECT_EQ(lease().epoch, before.epoch + 1);
  second_->wait_for_event("overdue_transactions_ended", {{"writer", before.node}});

  first_->process().send_signal(SIGCONT);
  first_->wait_for_event("lease_lost");
  load.set_port(second_->port());
  EXPECT_TRUE(load.wait_for_more(201, 20, running_roost::timeout));
  const auto submitted = load.finish();
  expect_acknowledged_or_busy(submitted, unanswered::allowed);
  expect_exact_history(*place_, submitted);
  expect_first_takes_over_from_second();
}

} // namespace roost::testing::lease_test
