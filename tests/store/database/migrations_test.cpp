#include "store/database/error.hpp"
#include "store/database/old_store.hpp"
#include "store/support/stored_rows.hpp"

#include <atomic>
#include <thread>
#include <vector>

/// How migrations are applied.
namespace roost::testing::migrations_test {
class Migrations : public old_store {};
ROOST_ON_EACH_STORE(Migrations);

TEST_P(Migrations, UpdateAnEmptyStoreOnce) {
  EXPECT_FALSE(store::schema_is_current(session));
  EXPECT_EQ(store::migrate(session).front(), "initial");
  EXPECT_TRUE(store::schema_is_current(session));
  EXPECT_TRUE(store::migrate(session).empty());
}

TEST_P(Migrations, AreAppliedOnceWhenProcessesStartConcurrently) {
  std::atomic<std::int64_t> applied{0}, failed{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      try {
        auto own = store.open();
        applied += std::ssize(store::migrate(own));
      } catch (const store::error& fault) {
        ++failed;
        ADD_FAILURE() << fault.what();
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(failed, 0);
  EXPECT_TRUE(store::schema_is_current(session));
  EXPECT_EQ(applied, count_rows(session, "schema_migrations"));
}

TEST_P(Migrations, RejectAStoreNewerThanTheProgram) {
  store::migrate(session);
  session.internals().script("newer", "insert into schema_migrations (version, name, checksum, applied_at)"
                                      " values (9999, 'from the future', '1', '2030-01-01T00:00:00Z')");
  EXPECT_THROW(store::migrate(session), store::schema_mismatch);
  EXPECT_THROW(store::schema_is_current(session), store::schema_mismatch);
}

TEST_P(Migrations, RejectAnAppliedMigrationThatDiffers) {
  store::migrate(session);
  session.internals().script("edited", "update schema_migrations set checksum = '0' where version = 1");
  EXPECT_THROW(store::migrate(session), store::schema_mismatch);
}

/// Migration 54 has had two texts: on PostgreSQL, one of them creates the index that migration 55 creates.
TEST_P(Migrations, AcceptAFormerTextOfAnAppliedMigration) {
  store::migrate_to(session, 54);
  const std::string former = session.is_sqlite() ? "8280129535620378924" : "6691001313780906971";
  const auto set_checksum = [&](int version) {
    session.internals().script("former", "update schema_migrations set checksum = '" + former +
                                             "' where version = " + std::to_string(version));
  };
  set_checksum(54);
  if (!session.is_sqlite())
    session.internals().script("former_index",
                               "drop index booking_requests_by_reference;"
                               " create index booking_requests_by_reference on booking_requests"
                               " using hash (reference) where reference is not null");
  EXPECT_FALSE(store::schema_is_current(session));
  EXPECT_EQ(store::migrate(session).front(), "references_of_requests");
  EXPECT_TRUE(store::schema_is_current(session));
  set_checksum(53);
  EXPECT_THROW(store::migrate(session), store::schema_mismatch) << "it is of migration 54 only";
}

} // namespace roost::testing::migrations_test
