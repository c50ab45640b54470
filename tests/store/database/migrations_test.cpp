#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/migrations.hpp"
#include "store/support/count_rows.hpp"
#include "support/store.hpp"

#include <atomic>
#include <thread>
#include <vector>

namespace roost::testing::migrations_test {
class Migrations : public ::testing::TestWithParam<store_kind> {
protected:
  test_store store{GetParam(), false};
  store::session session = store.open();
};
ROOST_ON_EACH_STORE(Migrations);

TEST_P(Migrations, BringAnEmptyStoreUpToDateOnce) {
  EXPECT_FALSE(store::schema_is_current(session));
  EXPECT_EQ(store::migrate(session).front(), "initial");
  EXPECT_TRUE(store::schema_is_current(session));
  EXPECT_TRUE(store::migrate(session).empty());
}

TEST_P(Migrations, AreAppliedOnceWhenProcessesStartTogether) {
  std::atomic<std::int64_t> applied{0}, failed{0};
  std::vector<std::thread> processes;
  for (int i = 0; i < 4; ++i)
    processes.emplace_back([&] {
      try {
        auto own = store.open();
        applied += std::ssize(store::migrate(own));
      } catch (const store::error& fault) {
        ++failed;
        ADD_FAILURE() << fault.what();
      }
    });
  for (auto& each : processes) each.join();
  EXPECT_EQ(failed, 0);
  EXPECT_TRUE(store::schema_is_current(session));
  EXPECT_EQ(applied, count_rows(session, "schema_migrations"));
}

TEST_P(Migrations, RefuseAStoreThatIsNewerThanTheProgram) {
  store::migrate(session);
  session.internals().script("newer", "insert into schema_migrations (version, name, checksum, applied_at)"
                                      " values (9999, 'from the future', '1', '2030-01-01T00:00:00Z')");
  EXPECT_THROW(store::migrate(session), store::schema_mismatch);
  EXPECT_THROW(store::schema_is_current(session), store::schema_mismatch);
}

TEST_P(Migrations, RefuseAStoreWhoseAppliedFileDiffers) {
  store::migrate(session);
  session.internals().script("edited", "update schema_migrations set checksum = '0' where version = 1");
  EXPECT_THROW(store::migrate(session), store::schema_mismatch);
}

TEST(StoreUrl, IsOfSqliteOrPostgresql) {
  EXPECT_THROW(store::session("mysql://localhost/roost"), std::invalid_argument);
  EXPECT_THROW(store::session("sqlite3://"), std::invalid_argument);
  EXPECT_THROW(store::session(""), std::invalid_argument);
  EXPECT_TRUE(store::session("sqlite3://var/roost.db").is_sqlite());
  EXPECT_FALSE(store::session("postgresql://roost@127.0.0.1:5432/roost").is_sqlite());
}

TEST(StoreUrl, MakesTheFoldersOfItsFile) {
  test_store folder(store_kind::sqlite, false);
  store::session nested(folder.url() + ".d/a folder/with spaces=and equals.db");
  EXPECT_NO_THROW(store::migrate(nested));
}

TEST(Connecting, SaysThatAServerIsNotThere) {
  store::session nobody("postgresql://roost@127.0.0.1:1/roost");
  EXPECT_THROW(nobody.connect(), store::unavailable);
  EXPECT_THROW(store::schema_is_current(nobody), store::unavailable);
}

} // namespace roost::testing::migrations_test
