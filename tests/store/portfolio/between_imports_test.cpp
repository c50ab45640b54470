#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/store_state.hpp"
#include "store/portfolio/between_imports.hpp"
#include "store/portfolio/portfolio_export.hpp"
#include "store/portfolio/portfolio_import.hpp"
#include "store/support/sample_portfolio.hpp"
#include "support/store.hpp"

#include <gtest/gtest.h>

#include <future>
#include <span>

namespace roost::testing::between_imports_test {
using namespace std::chrono_literals;
using purpose = store::transaction::purpose;

/// An import is pending whose process has ended.
class BetweenImports : public on_each_store {
protected:
  void SetUp() override {
    import_sample(session(), sample_portfolio());
    session().internals().script(
        "pending",
        "insert into pending_import (id, import, now, accounts, left_out_units, left_out_properties)"
        " values (1, '0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001', '2026-11-20T09:30:00.000Z', '[]', '[]',"
        " '[]')");
  }

  /// Checks that the read waits for the end of the import.
  template <typename Read>
  void expect_wait(Read read) {
    auto reader = store().open();
    auto reading = std::async(std::launch::async, [&] { read(reader); });
    EXPECT_EQ(reading.wait_for(200ms), std::future_status::timeout);
    store::write_pending_import(session());
    EXPECT_NO_THROW(reading.get());
  }
};
ROOST_ON_STORES(OnSqlite, BetweenImports, store_kind::sqlite);

TEST_P(BetweenImports, ReadersWait) {
  expect_wait([](store::session& db) {
    store::transaction_between_imports txn(db, purpose::read);
    EXPECT_FALSE(store::is_import_pending(db));
    txn.commit();
  });
}

TEST_P(BetweenImports, ReadersGiveUpIfAnImportMakesNoProgress) {
  EXPECT_THROW(store::transaction_between_imports(session(), purpose::read, 100ms), store::unavailable);
}

TEST_P(BetweenImports, WritersWriteTheRest) {
  store::transaction_between_imports txn(session(), purpose::write);
  EXPECT_FALSE(store::is_import_pending(session()));
  txn.commit();
}

TEST_P(BetweenImports, ExportsWait) {
  expect_wait([](store::session& db) {
    int exported = 0;
    store::export_account(db, account_id(1),
                          {.account = [&](const domain::portfolio_account&) { ++exported; },
                           .usage = [](std::span<const domain::ai_usage_record>) {}});
    EXPECT_EQ(exported, 1);
  });
}

TEST_P(BetweenImports, PlansWait) {
  expect_wait([](store::session& db) {
    int planned = 0;
    const auto problems = store::plan_import(db, sample_portfolio(), context_at("2026-11-21T09:30:00.000Z"),
                                             [&](const store::planned_account&) { ++planned; });
    EXPECT_TRUE(problems.empty());
    EXPECT_EQ(planned, 1);
  });
}

} // namespace roost::testing::between_imports_test
