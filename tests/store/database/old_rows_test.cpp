#include "store/database/connection.hpp"
#include "store/database/old_rows.hpp"
#include "store/database/transaction.hpp"
#include "store/support/rejecting_trigger.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/stored_rows.hpp"
#include "support/store.hpp"

#include <future>
#include <string>
#include <thread>

namespace roost::testing::old_rows_test {

/// Three wrong passwords of the last hours.
class OldRows : public on_each_store {
protected:
  void SetUp() override {
    lease = take_lease(session());
    for (const char* hour : {"10", "11", "12"})
      session().internals().script("password",
                                   "insert into wrong_passwords (id, address_hash, tried_at) values ('" +
                                       domain::to_string(fresh_id()) + "', 'at " + hour + "', '2026-11-20T" +
                                       hour + ":00:00.000Z')");
  }

  void reject_deletion(const std::string& hash) {
    const auto trigger = "create trigger reject_deletion before delete on wrong_passwords for each row"
                         " when (old.address_hash = '" +
                         hash + "') ";
    session().internals().script(
        "reject_deletion",
        session().is_sqlite()
            ? trigger + "begin select raise(abort, 'kept'); end"
            : "create function reject_deletion() returns trigger language plpgsql as $$ begin"
              " raise exception 'kept'; end $$;" +
                  trigger + "execute function reject_deletion()");
  }

  std::size_t left() { return static_cast<std::size_t>(count_rows(session(), "wrong_passwords")); }

  store::lease lease;
  const domain::timestamp noon = moment("2026-11-20T12:00:00.000Z");
};
ROOST_ON_EACH_STORE(OldRows);

TEST_P(OldRows, AreDeletedBeforeATimeTheOldestFirst) {
  store::old_rows rows(session(), lease);
  rows.remove({"wrong_passwords"}, "tried_at", noon, 1);
  EXPECT_EQ(rows.finish(), 1);
  EXPECT_EQ(left(), 2U);
  rows.remove({"wrong_passwords"}, "tried_at", noon, 10);
  EXPECT_EQ(rows.finish(), 2);
  EXPECT_EQ(left(), 1U);
}

TEST_P(OldRows, AreDeletedAlthoughTheDatabaseRejectsOne) {
  reject_deletion("at 10");
  store::old_rows rows(session(), lease);
  rows.remove({"wrong_passwords"}, "tried_at", noon, 10);
  bool is_reached = false;
  rows.write([&](store::session&) {
    is_reached = true;
    return 0;
  });
  EXPECT_TRUE(is_reached) << "later steps follow";
  EXPECT_EQ(rows.written(), 1);
  EXPECT_EQ(left(), 2U);
  EXPECT_THROW(rows.finish(), store::constraint_violated);
}

TEST_P(OldRows, AreLeftWithoutTheLease) {
  ++lease.epoch;
  store::old_rows rows(session(), lease);
  EXPECT_THROW(rows.remove({"wrong_passwords"}, "tried_at", noon, 10), store::lease_lost);
  EXPECT_EQ(left(), 3U);
}

/// Only PostgreSQL has concurrent writers.
class OldRowsWithAnotherWriter : public OldRows {};
ROOST_ON_POSTGRESQL(OldRowsWithAnotherWriter);

TEST_P(OldRowsWithAnotherWriter, AreKeptIfTheyChangeBeforeTheirDeletion) {
  store::transaction using_it(session(), store::transaction::purpose::write);
  session().internals().script("use", "update wrong_passwords set tried_at = '2026-11-20T12:30:00.000Z'"
                                      " where address_hash = 'at 10'");
  auto deleted = std::async(std::launch::async, [&] {
    auto other = store().open();
    store::old_rows rows(other, lease);
    rows.remove({"wrong_passwords"}, "tried_at", noon, 10);
    return rows.finish();
  });
  auto watching = store().open();
  static const store::selection waiting{"test_waiting", "select {columns} from pg_locks where not granted",
                                        store::named<bool>("count(*) > 0")};
  const auto has_ended = [&] {
    return deleted.wait_for(std::chrono::seconds{0}) == std::future_status::ready;
  };
  while (!watching.internals().read_one(waiting).value() && !has_ended()) std::this_thread::yield();
  using_it.commit();
  EXPECT_EQ(deleted.get(), 1);
  EXPECT_EQ(left(), 2U);
}

} // namespace roost::testing::old_rows_test
