#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/transaction.hpp"
#include "store/portfolio/live.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <functional>

namespace roost::testing::connection_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class LostConnection : public ::testing::Test {
protected:
  test_store store{store_kind::postgresql};
  store::session session = store.open();
};

TEST_F(LostConnection, IsUnavailableOnceAndThenReconnects) {
  EXPECT_EQ(store::applied_position(session), 1);
  store.cut_connections();
  EXPECT_THROW(store::applied_position(session), store::unavailable);
  EXPECT_EQ(store::applied_position(session), 1);
}

TEST_F(LostConnection, BeforeATransactionIsHidden) {
  writer node(session);
  store.cut_connections();
  EXPECT_NO_THROW(store::write_transaction(session, node.lease));
  store.cut_connections();
  EXPECT_NO_THROW(node.insert({sample_request(1)})); // which is one statement
}

TEST_F(LostConnection, InATransactionLosesAllOfIt) {
  writer node(session);
  {
    store::write_transaction txn(session, node.lease);
    session.internals().script("write", "update change_stream set applied = 100");
    store.cut_connections();
    EXPECT_THROW(session.internals().script("write", "select 1"), store::unavailable);
    EXPECT_THROW(session.internals().script("write", "select 1"), store::unavailable)
        << "no reconnect in between";
    EXPECT_THROW(txn.commit(), store::unavailable);
  }
  EXPECT_EQ(store::applied_position(session), 1);
}

TEST_F(LostConnection, DuringACommitIsUncertain) {
  writer node(session);
  store::write_transaction txn(session, node.lease);
  store.cut_connections();
  try {
    txn.commit();
    FAIL() << "committed over a lost connection";
  } catch (const store::unavailable& fault) {
    EXPECT_TRUE(fault.commit_uncertain());
  }
}

TEST_F(LostConnection, ReportsNoRowValues) {
  writer node(session);
  auto request = sample_request(1);
  request.occupants = 0;
  request.tenant.email = "secret@tenant.example";
  try {
    node.insert({request});
    FAIL() << "the check did not reject it";
  } catch (const store::constraint_violated& error) {
    EXPECT_EQ(std::string(error.what()).find("secret"), std::string::npos);
    EXPECT_EQ(error.constraint(), "booking_requests_occupants_check");
  }
}

TEST(LongScript, IsNotEndedByTheLimitOfOtherStatements) {
  test_store store(store_kind::postgresql);
  auto session = store.open();
  auto& connection = session.internals();
  const store::selection timeout{"test_timeout", "select {columns}",
                                 store::named<std::string>("current_setting('statement_timeout')")};
  store::transaction txn(session, store::transaction::purpose::write);
  connection.script("limit", "set local statement_timeout = '50ms'");
  EXPECT_NO_THROW(connection.long_script("slow", "select pg_sleep(0.2)"));
  EXPECT_EQ(connection.read_one(timeout), "10s") << "as for other statements";
}

class FullDisk : public ::testing::Test {
protected:
  test_store store{store_kind::sqlite};
  store::session session = store.open();
};

TEST_F(FullDisk, IsUnavailableAndKeepsAcknowledgedRequests) {
  writer node(session);
  node.insert({sample_request(1)});
  session.internals().script("limit", "pragma max_page_count = 1"); // less than already used
  std::vector<domain::booking_request> many;
  for (unsigned long n = 2; n < 4000; ++n) many.push_back(sample_request(n));
  EXPECT_THROW(node.insert(many), store::unavailable);
  EXPECT_EQ(store::pending_requests(session, 0, 10).size(), 1u);
  session.internals().script("limit", "pragma max_page_count = 1000000");
  EXPECT_NO_THROW(node.insert(many));
}

TEST(LockedFile, IsUnavailableAfterTheBusyTimeout) {
  test_store store(store_kind::sqlite);
  auto first = store.open(), second = store.open();
  second.connect();
  second.internals().script("short_timeout", "pragma busy_timeout = 50");
  store::transaction holding(first, store::transaction::purpose::write);
  EXPECT_THROW(store::try_acquire(second, "node-b", 1s), store::unavailable);
  EXPECT_EQ(store::applied_position(second), 1); // readers do not wait for writers
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const store::error& error) {
    return error.what();
  }
  return "no error";
}

TEST(DamagedFile, IsReportedWithAdvice) {
  const test_store store(store_kind::sqlite);
  const auto file = store.url().substr(std::string("sqlite3://").size());
  std::ofstream(file, std::ios::in | std::ios::binary).seekp(100) << std::string(4'000, 'x');
  auto session = store.open();
  const auto message = message_of([&] { store::applied_position(session); });
  EXPECT_THAT(message, HasSubstr(file + ": database disk image is malformed ("));
  EXPECT_THAT(message,
              HasSubstr("; the file is damaged or not a store: stop the server and restore a backup"));
}

TEST(InvalidUrl, IsRejectedWithoutRepeatingIt) {
  for (const std::string password : {"p@S3CRET", "p%S3CRET", "p/S3CRET"}) {
    try {
      store::session session("postgresql://roost:" + password + "@127.0.0.1:1/roost");
      FAIL() << password;
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("the URL is not a store: "), Not(HasSubstr("S3CRET"))));
    }
  }
}

/// The session settings are appended to the parameters of the URL.
TEST(UrlParameters, MayEndWithASeparator) {
  const test_store store(store_kind::postgresql);
  const auto has_parameters = store.url().find('?') != std::string::npos;
  for (const std::string end : {has_parameters ? "&" : "?", has_parameters ? "" : "?connect_timeout=5&"}) {
    store::session session(store.url() + end);
    EXPECT_NO_THROW(session.connect()) << end;
  }
}

TEST(ReadOnlyDatabase, IsDescribed) {
  const test_store store(store_kind::postgresql);
  auto session = store.open();
  session.internals().script("read_only", "set default_transaction_read_only = on");
  const auto message =
      message_of([&] { session.internals().script("write", "update change_stream set applied = 2"); });
  EXPECT_THAT(message, HasSubstr("the database accepts no writes"));
  EXPECT_THAT(message, HasSubstr("(SQLSTATE 25006, write)"));
}

TEST(ForbiddenTable, IsDescribed) {
  const test_store store(store_kind::postgresql);
  auto session = store.open();
  session.internals().script("lower",
                             "create role roost_without_privileges; set role roost_without_privileges");
  const auto message = message_of([&] { session.internals().script("read", "select * from units"); });
  session.internals().script("end", "reset role; drop role roost_without_privileges");
  EXPECT_THAT(message, HasSubstr("make the role of store.url the owner of the database"));
  EXPECT_THAT(message, HasSubstr("(SQLSTATE 42501, read)"));
}

TEST(ReadOnlyFile, IsUnavailable) {
  test_store store(store_kind::sqlite);
  auto session = store.open();
  session.connect();
  session.internals().script("read_only", "pragma query_only = on");
  EXPECT_THROW(store::try_acquire(session, "node-b", 1s), store::unavailable);
}

} // namespace roost::testing::connection_test
