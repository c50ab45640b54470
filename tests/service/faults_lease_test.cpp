#include "service/support/fault_scene.hpp"
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

/// Two servers on one store: one writes, the other stands by.
namespace roost::testing::faults_lease_test {
using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr std::chrono::seconds takeover_limit{15}; // from the writer's death

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
    second_->wait_for_log({" standing_by "});
  }

  partner at(const running_roost& server) const { return {server.port(), "marketplace-a", token_}; }

  store::lease lease() {
    auto session = place_->store().open();
    return store::current_lease(session)->holder;
  }

  /// SIGSTOP, again and again until it struck the server where it should. Not faster than the server can do
  /// anything in between.
  static void stop_when(running_roost& server, const std::function<bool()>& struck) {
    constexpr std::chrono::seconds strike_patience{
        60}; // on a busy disk it is seldom between two transactions
    ASSERT_TRUE(eventually(
        [&] {
          server.process().halt();
          if (struck()) return true;
          server.process().send_signal(SIGCONT);
          return false;
        },
        strike_patience));
  }

  /// In SQLite a process that stands still within a transaction keeps the file locked.
  void stop_anywhere_but_in_a_transaction_of_sqlite(running_roost& server) {
    auto session = place_->store().open();
    if (session.is_sqlite()) session.internals().script("impatient", "pragma busy_timeout = 50");
    stop_when(server, [&] {
      try {
        const store::transaction free(session, store::transaction::purpose::write);
        return true;
      } catch (const store::unavailable&) {
        return false;
      }
    });
  }

  /// The second books, is killed or ends, and the first one's first read shows it.
  void expect_that_the_first_takes_over_with_what_the_second_did() {
    ASSERT_EQ(at(*second_).post("/bookings", booking("u1", 3'000, 3'010)).status, 201U) << second_->log();
    ASSERT_TRUE(eventually([&] { return shows_day(*second_, 3'000); }));
    EXPECT_EQ(second_->stop(), 0);
    first_->wait_until_ready();
    EXPECT_TRUE(shows_day(*first_, 3'000));
  }

  bool shows_day(const running_roost& server, int day) const {
    return at(server).get("/listings/u1").body.find("\"from\":\"" + day_from_now(day) + "\"") !=
           std::string::npos;
  }

  std::optional<workplace> place_;
  std::string token_;
  std::optional<running_roost> first_, second_;
};
ROOST_ON_EACH_STORE(TwoServers);

TEST_P(TwoServers, AreOneThatWritesAndOneThatSaysThatItStandsBy) {
  const auto writer = lease().node;
  EXPECT_THAT(second_->log(), HasSubstr(" standing_by writer=" + writer + " until=20"));
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
  EXPECT_THAT(at(*second_).get("/listings"), is_busy());
  EXPECT_THAT(at(*second_).post("/bookings", booking("u1", 10, 20)), is_busy());
  EXPECT_EQ(at(*first_).get("/listings/u1").status, 200U);
  EXPECT_EQ(second_->stop(), 0);
  EXPECT_EQ(first_->stop(), 0);
}

TEST_P(TwoServers, ChangePlacesAtOnceWhenTheWriterEndsInOrder) {
  const auto before = lease();
  const auto ended = std::chrono::steady_clock::now();
  EXPECT_EQ(first_->stop(), 0);
  second_->wait_until_ready();
  EXPECT_LT(std::chrono::steady_clock::now() - ended, 5s);
  EXPECT_EQ(lease().epoch, before.epoch + 1);
  EXPECT_EQ(at(*second_).post("/bookings", booking("u1", 10, 20)).status, 201U);
}

class TwoServersOfALargePortfolio : public TwoServers {
protected:
  void SetUp() override {
    place_.emplace(GetParam());
    place_->set("server.drain_timeout", "\"1h\"");
    start(large_list);
  }
};
ROOST_ON_EACH_STORE(TwoServersOfALargePortfolio);

/// Of the first one's clients one takes its answer slowly, one never ends its request, and one only begins
/// it.
TEST_P(TwoServersOfALargePortfolio, ChangePlacesWhileTheLastAnswersAreStillBeingSent) {
  const auto list = at(*first_).get("/listings").body;
  raw_client slow(first_->port(), 4096), head(first_->port()), body(first_->port());
  head.send("GET /marketplace-a HT");
  const auto request = at(*first_).post_text("/bookings", booking("u1", 10, 20));
  body.send(request.substr(0, request.size() - 1));
  slow.send(at(*first_).get_text("/listings"));
  ASSERT_TRUE(slow.read_some());

  first_->process().send_signal(SIGTERM);
  second_->wait_until_ready();
  EXPECT_EQ(at(*second_).get("/listings/u1").status, 200U);
  EXPECT_EQ(at(*second_).post("/bookings", booking("u1", 10, 20)).status, 201U);
  EXPECT_FALSE(first_->process().wait_for_end(0s)) << first_->log();
  const auto got = slow.receive(false, 20s);
  ASSERT_TRUE(got);
  EXPECT_TRUE(got->body == list);
  EXPECT_EQ(first_->process().wait_for_end(running_roost::end_patience), 0);
  EXPECT_EQ(second_->stop(), 0);
}

TEST_P(TwoServers, GoOnWithTheSecondSoonAfterTheFirstIsKilledUnderLoad) {
  booking_load load({.token = token_, .seed = 1, .units = fault_units});
  load.aim_at(first_->port());
  ASSERT_TRUE(load.wait_for_more(201, 100, running_roost::patience));
  const auto before = lease();
  const auto killed = std::chrono::steady_clock::now();
  first_->kill();
  load.aim_at(second_->port());
  second_->wait_until_ready();
  EXPECT_LT(std::chrono::steady_clock::now() - killed, takeover_limit);
  EXPECT_TRUE(load.wait_for_more(201, 50, running_roost::patience));
  const auto submitted = load.finish();
  expect_clear_responses(submitted, unanswered::allowed);
  expect_exact_history(*place_, submitted);
  EXPECT_NE(lease().node, before.node);
  EXPECT_EQ(lease().epoch, before.epoch + 1);
  EXPECT_EQ(second_->stop(), 0);
}

/// Killed at the moment at which a booking is seen, again and again, while others change more: whoever takes
/// over is asked all the time, and its first answer must have that booking.
TEST_P(TwoServers, ShowInTheFirstAnswerAfterAKillWhatTheKilledOneHadShown) {
  booking_load load({.token = token_, .seed = 7, .units = fault_units});
  auto *writer = &first_, *other = &second_;
  std::vector<submission> own;
  for (int round = 0; round < 4; ++round) {
    load.aim_at((*writer)->port());
    const int day = 3'000 + 100 * round; // beyond what the load asks for
    const auto check_in = domain::parse_date(day_from_now(day)).value();
    const wanted_stay stay{1, check_in, check_in + domain::days{10},
                           unit_id(70 + static_cast<unsigned>(round))};
    own.push_back({stay, at(**writer).post("/bookings", stay.json())});
    ASSERT_TRUE(own.back().acknowledged()) << (*writer)->log();
    ASSERT_TRUE(eventually([&] { return shows_day(**writer, day); }));
    (*writer)->kill();
    load.aim_at((*other)->port());
    std::optional<raw_response> first;
    ASSERT_TRUE(eventually([&] {
      auto got = at(**other).get("/listings/u1");
      if (got.status == 200U) first = std::move(got);
      return first.has_value();
    })) << (*other)->log();
    EXPECT_THAT(first->body, HasSubstr("\"from\":\"" + day_from_now(day) + "\"")) << (*other)->log();
    writer->emplace(*place_, started::listening);
    (*writer)->wait_for_log({" standing_by "});
    std::swap(writer, other);
  }
  auto submitted = load.finish();
  expect_clear_responses(submitted, unanswered::allowed);
  std::ranges::move(own, std::back_inserter(submitted));
  expect_exact_history(*place_, submitted);
}

/// The first is stopped under load, past its lease; what it has half done and what still arrives at it must
/// come to nothing when it goes on.
TEST_P(TwoServers, LetOneThatWasStoppedPastItsLeaseCommitNothing) {
  booking_load load({.token = token_, .seed = 2, .units = fault_units, .answer_patience = 40s});
  load.aim_at(first_->port());
  ASSERT_TRUE(load.wait_for_more(201, 100, running_roost::patience));
  const auto before = lease();
  stop_anywhere_but_in_a_transaction_of_sqlite(*first_);
  second_->wait_until_ready();
  const auto after = lease();
  EXPECT_EQ(after.epoch, before.epoch + 1);

  raw_client late(first_->port()); // its listener's queue takes the connection
  const std::string body = booking("u1", 2'000, 2'010, {{"/bookingId", "\"" + unit_id(77) + "\""}});
  late.send(to_request("POST", "/marketplace-a/bookings",
                       {{"Authorization", "Bearer " + token_}, {"Content-Type", "application/json"}}, body));
  first_->process().send_signal(SIGCONT);
  first_->wait_for_log({" lease_lost "});
  first_->wait_for_log({" standing_by writer=" + after.node});
  if (const auto answered = late.receive()) {
    EXPECT_THAT(*answered, is_busy());
  }

  load.aim_at(second_->port());
  EXPECT_TRUE(load.wait_for_more(201, 20, running_roost::patience));
  const auto submitted = load.finish();
  expect_clear_responses(submitted, unanswered::allowed);
  expect_exact_history(*place_, submitted);
  EXPECT_EQ(lease(), after); // undisturbed
  expect_that_the_first_takes_over_with_what_the_second_did();
}

/// Each in its turn is stopped past its lease and goes on while the other one serves: both believe that they
/// are alone then, and clients ask both all the time.
TEST_P(TwoServers, KeepTheHistoryExactWhileBothAreAskedAndBothBelieveToBeAlone) {
  booking_load to_first({.token = token_, .seed = 5, .units = fault_units, .answer_patience = 40s});
  booking_load to_second({.token = token_, .seed = 6, .units = fault_units, .answer_patience = 40s});
  to_first.aim_at(first_->port());
  to_second.aim_at(second_->port());
  ASSERT_TRUE(to_first.wait_for_more(201, 50, running_roost::patience));
  stop_anywhere_but_in_a_transaction_of_sqlite(*first_);
  ASSERT_TRUE(to_second.wait_for_more(201, 50, takeover_limit)) << second_->log();
  first_->process().send_signal(SIGCONT);
  ASSERT_TRUE(to_second.wait_for_more(201, 50, running_roost::patience));
  stop_anywhere_but_in_a_transaction_of_sqlite(*second_);
  ASSERT_TRUE(to_first.wait_for_more(201, 50, takeover_limit)) << first_->log();
  second_->process().send_signal(SIGCONT);
  ASSERT_TRUE(to_first.wait_for_more(201, 50, running_roost::patience));
  auto submitted = to_first.finish();
  std::ranges::move(to_second.finish(), std::back_inserter(submitted));
  expect_clear_responses(submitted, unanswered::allowed);
  expect_exact_history(*place_, submitted);
  if (HasFailure()) ADD_FAILURE() << first_->log() << "\nThe other one:\n" << second_->log();
  EXPECT_EQ(first_->stop(), 0);
  EXPECT_EQ(second_->stop(), 0);
}

class TwoServersOfPostgresql : public TwoServers {
protected:
  /// Whether some connection waits for the rows of a copy, which no time limit of PostgreSQL's ever ends.
  static bool waits_for_rows(store::session& seen_from) {
    static const store::selection copies_that_wait{
        "copies_that_wait",
        "select {columns} from pg_stat_activity where datname = current_database() and state = 'active'"
        " and query ilike 'copy %' and wait_event = 'ClientRead'",
        store::named<bool>("count(*) > 0")};
    return seen_from.internals().read_one(copies_that_wait).value();
  }
};
ROOST_ON_POSTGRESQL(TwoServersOfPostgresql);

TEST_P(TwoServersOfPostgresql, GoOnSoonAfterTheFirstIsStoppedInTheMidstOfACopy) {
  booking_load load({.token = token_, .seed = 3, .units = fault_units, .answer_patience = 40s});
  load.aim_at(first_->port());
  ASSERT_TRUE(load.wait_for_more(201, 100, running_roost::patience));
  const auto before = lease();
  auto session = place_->store().open();
  stop_when(*first_, [&] {
    if (!waits_for_rows(session)) return false;
    std::this_thread::sleep_for(50ms); // rows may have been on their way
    return waits_for_rows(session);
  });
  const auto stopped = std::chrono::steady_clock::now();
  second_->wait_until_ready();
  EXPECT_LT(std::chrono::steady_clock::now() - stopped, takeover_limit);
  EXPECT_EQ(lease().epoch, before.epoch + 1);
  EXPECT_THAT(second_->log(), HasSubstr(" overdue_transactions_ended writer=" + before.node));

  first_->process().send_signal(SIGCONT);
  first_->wait_for_log({" lease_lost "});
  load.aim_at(second_->port());
  EXPECT_TRUE(load.wait_for_more(201, 20, running_roost::patience));
  const auto submitted = load.finish();
  expect_clear_responses(submitted, unanswered::allowed);
  expect_exact_history(*place_, submitted);
  expect_that_the_first_takes_over_with_what_the_second_did();
}

} // namespace roost::testing::faults_lease_test
