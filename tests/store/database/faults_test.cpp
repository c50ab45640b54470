#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/transaction.hpp"
#include "store/portfolio/live.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <functional>

namespace roost::testing::faults_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class LostConnection : public ::testing::Test {
protected:
  test_store store{store_kind::postgresql};
  store::session session = store.open();
};

TEST_F(LostConnection, IsUnavailableOnceAndThenConnectsAgain) {
  EXPECT_EQ(store::applied_position(session), 1);
  store.cut_connections();
  EXPECT_THROW(store::applied_position(session), store::unavailable);
  EXPECT_EQ(store::applied_position(session), 1);
}

TEST_F(LostConnection, BeforeATransactionGoesUnnoticed) {
  writer node(session);
  store.cut_connections();
  EXPECT_NO_THROW(store::write_transaction(session, node.lease));
  store.cut_connections();
  EXPECT_NO_THROW(node.insert({sample_request(1)})); // which is one statement
}

TEST_F(LostConnection, WithinATransactionLosesAllOfIt) {
  writer node(session);
  {
    store::write_transaction txn(session, node.lease);
    session.internals().script("write", "update change_stream set applied = 100");
    store.cut_connections();
    EXPECT_THROW(session.internals().script("write", "select 1"), store::unavailable);
    EXPECT_THROW(session.internals().script("write", "select 1"),
                 store::unavailable); // not outside of it either
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
    FAIL() << "the commit went through a cut connection";
  } catch (const store::unavailable& fault) {
    EXPECT_TRUE(fault.commit_uncertain());
  }
}

TEST_F(LostConnection, NamesNoValueOfARow) {
  writer node(session);
  auto twice = sample_request(1);
  twice.occupants = 0;
  twice.tenant.email = "secret@tenant.example";
  try {
    node.insert({twice});
    FAIL() << "the check did not refuse it";
  } catch (const store::constraint_violated& refused) {
    EXPECT_EQ(std::string(refused.what()).find("secret"), std::string::npos);
    EXPECT_EQ(refused.constraint(), "booking_requests_occupants_check");
  }
}

class FullDisk : public ::testing::Test {
protected:
  test_store store{store_kind::sqlite};
  store::session session = store.open();
};

TEST_F(FullDisk, IsUnavailableAndLosesNothingThatWasAcknowledged) {
  writer node(session);
  node.insert({sample_request(1)});
  session.internals().script("limit", "pragma max_page_count = 1"); // of the pages that are in use already
  std::vector<domain::booking_request> many;
  for (unsigned long n = 2; n < 4000; ++n) many.push_back(sample_request(n));
  EXPECT_THROW(node.insert(many), store::unavailable);
  EXPECT_EQ(store::pending_requests(session, 0, 10).size(), 1u);
  session.internals().script("limit", "pragma max_page_count = 1000000");
  EXPECT_NO_THROW(node.insert(many));
}

TEST(LockedFile, IsUnavailableAfterAWhile) {
  test_store store(store_kind::sqlite);
  auto first = store.open(), second = store.open();
  second.connect();
  second.internals().script("impatient", "pragma busy_timeout = 50");
  store::transaction holding(first, store::transaction::purpose::write);
  EXPECT_THROW(store::try_acquire(second, "node-b", 1s), store::unavailable);
  EXPECT_EQ(store::applied_position(second), 1); // readers do not wait for writers
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const store::error& what) {
    return what.what();
  }
  return "no error";
}

TEST(DamagedFile, IsNamedWithWhatToDo) {
  const test_store store(store_kind::sqlite);
  const auto file = store.url().substr(std::string("sqlite3://").size());
  std::ofstream(file, std::ios::in | std::ios::binary).seekp(100) << std::string(4'000, 'x');
  auto session = store.open();
  const auto said = message_of([&] { store::applied_position(session); });
  EXPECT_THAT(said, HasSubstr(file + ": database disk image is malformed ("));
  EXPECT_THAT(said, HasSubstr("; the file is damaged or no store: stop the server and restore a backup"));
}

TEST(UnreadableUrl, IsRefusedBeforeAnythingRepeatsIt) {
  for (const std::string password : {"p@S3CRET", "p%S3CRET", "p/S3CRET"}) {
    try {
      store::session session("postgresql://roost:" + password + "@127.0.0.1:1/roost");
      FAIL() << password;
    } catch (const std::invalid_argument& refused) {
      EXPECT_THAT(refused.what(), AllOf(HasSubstr("the URL is not a store: "), Not(HasSubstr("S3CRET"))));
    }
  }
}

/// The settings of each session follow what the URL has itself.
TEST(ParametersOfAUrl, MayEndInASeparator) {
  const test_store store(store_kind::postgresql);
  const auto has_some = store.url().find('?') != std::string::npos;
  for (const std::string end : {has_some ? "&" : "?", has_some ? "" : "?connect_timeout=5&"}) {
    store::session session(store.url() + end);
    EXPECT_NO_THROW(session.connect()) << end;
  }
}

TEST(ReadOnlyDatabase, IsToldInWords) {
  const test_store store(store_kind::postgresql);
  auto session = store.open();
  session.internals().script("read_only", "set default_transaction_read_only = on");
  const auto said =
      message_of([&] { session.internals().script("write", "update change_stream set applied = 2"); });
  EXPECT_THAT(said, HasSubstr("the database accepts no writes"));
  EXPECT_THAT(said, HasSubstr("(SQLSTATE 25006, write)"));
}

TEST(ForbiddenTable, IsToldInWords) {
  const test_store store(store_kind::postgresql);
  auto session = store.open();
  session.internals().script("lower", "create role nobody_of_roost; set role nobody_of_roost");
  const auto said = message_of([&] { session.internals().script("read", "select * from units"); });
  session.internals().script("end", "reset role; drop role nobody_of_roost");
  EXPECT_THAT(said, HasSubstr("make the role of store.url the owner of the database"));
  EXPECT_THAT(said, HasSubstr("(SQLSTATE 42501, read)"));
}

TEST(ReadOnlyFile, IsUnavailable) {
  test_store store(store_kind::sqlite);
  auto session = store.open();
  session.connect();
  session.internals().script("read_only", "pragma query_only = on");
  EXPECT_THROW(store::try_acquire(session, "node-b", 1s), store::unavailable);
}

ROOST_FOR_EACH_STORE(Transactions);

TEST_P(Transactions, ThatAreNotCommittedLeaveNothing) {
  {
    store::transaction txn(session(), store::transaction::purpose::write);
    session().internals().script("write", "update change_stream set applied = 100");
  }
  EXPECT_EQ(store::applied_position(session()), 1);
}

TEST_P(Transactions, ThatFailedCannotBeCommitted) {
  store::transaction txn(session(), store::transaction::purpose::write);
  session().internals().script("write", "update change_stream set applied = 100");
  EXPECT_THROW(session().internals().script("wrong", "update no_such_table set a = 1"), store::failure);
  EXPECT_THROW(txn.commit(), store::unavailable);
}

TEST_P(Transactions, ForReadingSeeOneMoment) {
  auto other = store().open();
  store::transaction txn(session(), store::transaction::purpose::read);
  EXPECT_EQ(store::applied_position(session()), 1);
  other.internals().script("write", "update change_stream set applied = 100");
  EXPECT_EQ(store::applied_position(session()), 1);
}

TEST_P(Transactions, SeeThroughAStatementThatWasLeftHalfRead) {
  writer node(session());
  node.insert({sample_request(1), sample_request(2)});
  const store::selection ids{"ids", "select {columns} from booking_requests",
                             store::named<domain::uuid>("id")};
  const auto stop = [](const domain::uuid&) { throw std::runtime_error("enough"); };
  EXPECT_THROW(session().internals().read(ids, {}, stop), std::runtime_error);
  EXPECT_NO_THROW(node.insert({sample_request(3)}));
}

} // namespace roost::testing::faults_test
