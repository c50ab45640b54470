#include "service/support/booking_load.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/workplace.hpp"
#include "store/database/connection.hpp"
#include "store/database/lease.hpp"
#include "store/database/migrations.hpp"
#include "store/database/store_state.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

/// `roost copy`, and servers before and after it.
namespace roost::testing::copy_test {
using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A server's store is copied to the other database.
class CopiedStore : public ::testing::TestWithParam<store_kind> {
protected:
  CopiedStore() { place_.import(portfolio_of(2)); }

  static store_kind other_kind() {
    return GetParam() == store_kind::sqlite ? store_kind::postgresql : store_kind::sqlite;
  }

  command_result copy_to(const test_store& target, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"copy", "--to", target.url()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return place_.run(arguments);
  }

  void move_to(const test_store& target) { place_.set("store.url", '"' + target.url() + '"'); }

  /// Books a stay with this reference and waits for its decision.
  static void book(const running_roost& server, const std::string& token, unsigned from,
                   const std::string& reference, store::session db) {
    const partner platform(server.port(), "marketplace-a", token);
    ASSERT_EQ(platform.post("/bookings", booking_with(from, reference)).status, 201U);
    EXPECT_TRUE(eventually([&] { return undecided_requests(db) == 0; }));
  }

  static std::string booking_with(unsigned from, const std::string& reference) {
    return edited(booking("u1", from, from + 30), {{"/bookingId", '"' + reference + '"'}});
  }

  static std::string stay(unsigned number) {
    return "7b0a4d4e-0000-4000-8000-00000000000" + std::to_string(number);
  }

  static std::vector<std::string> outcomes(const test_store& store) {
    return store_rows(store.open(), "select state from booking_requests order by seq", 1);
  }

  workplace place_{GetParam()};
  test_store target_{other_kind(), false};
};
ROOST_ON_EACH_STORE(CopiedStore);

TEST_P(CopiedStore, IsServedAfterACopyAndACopyBack) {
  const auto token = place_.issue_token("marketplace-a");
  {
    running_roost server(place_);
    book(server, token, 30, stay(1), place_.store().open());
    const auto refused = copy_to(target_);
    EXPECT_EQ(refused.status, 1);
    EXPECT_THAT(refused.errors, AllOf(HasSubstr("the source is held by "), HasSubstr("stop it first")));
    auto untouched = target_.open();
    EXPECT_FALSE(store::has_schema(untouched));
    EXPECT_EQ(server.stop(), 0);
  }
  const auto copied = copy_to(target_);
  ASSERT_EQ(copied.status, 0) << copied.errors;
  EXPECT_THAT(copied.output,
              AllOf(HasSubstr("bookings "), HasSubstr("same secrets file"), HasSubstr("store.url")));
  EXPECT_EQ(copy_to(target_, {"--check"}).status, 0);
  move_to(target_);
  EXPECT_THAT(place_.run_or_throw({"audit", "list"}), HasSubstr("copy"));
  {
    running_roost server(place_);
    book(server, token, 30, stay(1), target_.open()); // a repetition
    book(server, token, 90, stay(2), target_.open());
    EXPECT_EQ(outcomes(target_), (std::vector<std::string>{"Success", "Dropped", "Success"}));
    EXPECT_EQ(server.stop(), 0);
  }
  const test_store back(GetParam(), false);
  const auto returned = copy_to(back);
  ASSERT_EQ(returned.status, 0) << returned.errors;
  move_to(back);
  running_roost server(place_);
  book(server, token, 90, stay(2), back.open());
  book(server, token, 150, stay(3), back.open());
  EXPECT_EQ(outcomes(back),
            (std::vector<std::string>{"Success", "Dropped", "Success", "Dropped", "Success"}));
  EXPECT_EQ(server.stop(), 0);
}

TEST_P(CopiedStore, ReportsDifferencesWhenTheSourceHasChanged) {
  ASSERT_EQ(copy_to(target_).status, 0);
  place_.store().open().internals().script(
      "only_in_the_source", "insert into former_links (external_id, platform, account_id, ended_at)"
                            " select 'gone', 'marketplace-a', id, created_at from accounts");
  const auto checked = copy_to(target_, {"--check"});
  EXPECT_EQ(checked.status, 1);
  EXPECT_THAT(checked.errors,
              AllOf(HasSubstr("former_links: the row "), HasSubstr("is missing in the target")));
  EXPECT_EQ(copy_to(target_).status, 1); // the target is not empty
}

TEST_P(CopiedStore, IsRefusedByServersAndCommandsUntilItIsReopened) {
  ASSERT_EQ(copy_to(target_).status, 0);
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"booking", "list"},
                                             {"token", "issue", "--platform", "marketplace-a"},
                                             {"import", ROOST_SOURCE_DIR "/config/demo-portfolio.json"},
                                             {"lease", "release", "--confirm"}}) {
    const auto refused = place_.run(command);
    EXPECT_EQ(refused.status, 1) << command[0];
    EXPECT_THAT(refused.errors, HasSubstr("this store was moved to ")) << command[0];
  }
  const auto examined = place_.run({"doctor"});
  EXPECT_EQ(examined.status, 1);
  EXPECT_THAT(examined.output, HasSubstr("wrong    store          it was moved to "));
  EXPECT_THAT(place_.run_or_throw({"lease", "show"}), HasSubstr("no server can take the lease"));
  running_roost server(place_, started::listening);
  server.wait_for_event("store_moved");
  EXPECT_TRUE(eventually(
      [&] { return server.ops("/readyz").body.find("the store was moved to ") != std::string::npos; }));
  const auto refused = place_.run({"store", "reopen"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.errors, AllOf(HasSubstr("this store was moved to "), HasSubstr("Pass --confirm")));
  EXPECT_THAT(place_.run_or_throw({"store", "reopen", "--confirm"}), HasSubstr("reopened the store"));
  server.wait_until_ready();
  EXPECT_EQ(place_.run({"store", "reopen", "--confirm"}).status, 1);
  EXPECT_THAT(place_.run_or_throw({"audit", "list"}), HasSubstr("store reopen"));
  EXPECT_EQ(server.stop(), 0);
}

/// Starts before the copy has ended, and would take the lease that the copy releases.
TEST_P(CopiedStore, IsNotTakenByAServerThatStartsDuringTheCopy) {
  auto db = place_.store().open();
  child_process copy({.program = ROOST_PROGRAM,
                      .arguments = {"copy", "--to", target_.url(), "--config", place_.config_file()},
                      .folder = place_.folder().path()});
  ASSERT_TRUE(eventually([&] {
    const auto lease = store::current_lease(db);
    return (lease && lease->holder.node.starts_with(store::copying_node_prefix)) ||
           store::read_move_marker(db).has_value();
  }));
  running_roost waiting(place_, started::listening);
  EXPECT_EQ(copy.wait_for_end(workplace::command_timeout), 0) << copy.output();
  waiting.wait_for_event("store_moved");
  EXPECT_FALSE(store::current_lease(db));
  EXPECT_EQ(waiting.stop(), 0);
}

/// A copy that is killed, and the reactions of commands and servers to its unfinished target.
class KilledCopy : public CopiedStore {
protected:
  /// Kills the copy as soon as its marker is stored.
  void kill_copy() {
    child_process copy({.program = ROOST_PROGRAM,
                        .arguments = {"copy", "--to", target_.url(), "--config", place_.config_file()},
                        .folder = place_.folder().path()});
    auto db = target_.open();
    ASSERT_TRUE(eventually([&] { return is_marked(db); }));
    copy.send_signal(SIGKILL);
    ASSERT_TRUE(copy.wait_for_end(10s));
  }

  static bool is_marked(store::session& db) {
    try {
      return store::read_copy_marker(db).has_value();
    } catch (const store::error&) { // the table does not exist yet
      return false;
    }
  }
};
ROOST_ON_EACH_STORE(KilledCopy);

TEST_P(KilledCopy, IsNotUsedAndCanBeContinued) {
  kill_copy();
  auto db = target_.open();
  if (!is_marked(db)) GTEST_SKIP() << "the copy was faster than the kill";
  workplace other(GetParam());
  other.set("store.url", '"' + target_.url() + '"');
  EXPECT_THAT(other.run({"booking", "list"}).errors, HasSubstr("a copy that is not finished"));
  EXPECT_THAT(other.run({"doctor"}).output, HasSubstr("it is an unfinished copy"));
  {
    running_roost server(other, started::listening);
    server.wait_for_event("unfinished_copy");
    EXPECT_TRUE(eventually(
        [&] { return server.ops("/readyz").body.find("a copy that is not finished") != std::string::npos; }));
    EXPECT_EQ(server.stop(), 0);
  }
  const auto copied = copy_to(target_);
  EXPECT_EQ(copied.status, 0) << copied.errors;
  EXPECT_FALSE(is_marked(db));
  move_to(target_);
  running_roost server(place_);
  EXPECT_EQ(server.stop(), 0);
}

/// The server has the secrets file of the source, as documented.
TEST_P(KilledCopy, CanBeContinuedUnderAStandbyThatThenServes) {
  const auto token = place_.issue_token("marketplace-a");
  kill_copy();
  auto db = target_.open();
  if (!is_marked(db)) GTEST_SKIP() << "the copy was faster than the kill";
  const auto source = '"' + place_.store().url() + '"';
  move_to(target_);
  running_roost server(place_, started::listening);
  server.wait_for_event("unfinished_copy");
  place_.set("store.url", source);
  const auto copied = copy_to(target_);
  EXPECT_EQ(copied.status, 0) << copied.errors;
  server.wait_until_ready();
  book(server, token, 30, stay(1), target_.open());
  EXPECT_EQ(outcomes(target_), (std::vector<std::string>{"Success"}));
  EXPECT_EQ(server.stop(), 0);
}

TEST_P(CopiedStore, StartsAgainOnceRefusedRowsOfTheSourceAreRepaired) {
  auto source = place_.store().open();
  source.internals().script("spoil", source.is_sqlite()
                                         ? "pragma ignore_check_constraints = on"
                                         : "alter table audit drop constraint audit_actor_check");
  source.internals().script("spoil", "update audit set actor = ''");
  for (int run = 0; run < 2; ++run) {
    const auto refused = copy_to(target_);
    EXPECT_EQ(refused.status, 1);
    EXPECT_THAT(refused.errors, AllOf(HasSubstr("the target rejected a row of audit: constraint "),
                                      HasSubstr("Run the same command again: it starts over")));
  }
  source.internals().script("repair", "update audit set actor = 'me'");
  const auto copied = copy_to(target_);
  EXPECT_EQ(copied.status, 0) << copied.errors;
}

TEST(Copy, ReportsAnInvalidTarget) {
  const workplace place(store_kind::sqlite);
  EXPECT_EQ(place.run({"copy"}).status, 2);
  EXPECT_THAT(place.run({"copy", "--to", "oracle://x"}).errors,
              HasSubstr("--to: it is not a store; write for example \"sqlite3://"));
  const auto refused = place.run({"copy", "--to", "postgresql://roost:p@ssS3CRET@127.0.0.1:5432/x"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.errors, AllOf(HasSubstr("--to: it is not a store: "), HasSubstr("percent-encoded"),
                                    Not(HasSubstr("S3CRET"))));
  EXPECT_THAT(place.run({"copy", "--to", "postgresql://nobody@127.0.0.1:1/x"}).errors,
              AllOf(HasSubstr("cannot connect to the store"), HasSubstr("Run the same command again once"),
                    Not(HasSubstr("it resumes the copy"))));
  EXPECT_THAT(place.run({"copy", "--to", "sqlite3:///proc/x.db"}).errors,
              AllOf(HasSubstr("cannot create the store's file /proc/x.db"),
                    HasSubstr("Run the same command again once"), Not(HasSubstr("it resumes the copy"))));
}

} // namespace roost::testing::copy_test
