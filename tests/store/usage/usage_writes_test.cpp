#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/store_state.hpp"
#include "store/support/sample_usage.hpp"
#include "store/support/stored_rows.hpp"
#include "store/usage/usage.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>

namespace roost::testing::usage_writes_test {

using records = std::vector<domain::ai_usage_record>;

constexpr const char* some_time = "2026-11-20T10:00:00.000Z";

class UsageWrites : public on_each_store {
protected:
  void SetUp() override {
    import_sample(session(), sample_portfolio(2));
    lease = take_lease(session());
  }

  store::usage_written record(const records& added) { return store::record_usage(session(), lease, added); }
  store::usage_written import(const records& added) { return store::import_usage(session(), added, {}); }
  domain::ai_usage_summary summary() { return store::read_usage_summary(session(), account_id(1), {}); }

  store::lease lease;
};
ROOST_ON_EACH_STORE(UsageWrites);

TEST_P(UsageWrites, SkipExistingRecords) {
  const auto first = record({sample_usage(1, some_time), sample_usage(2, some_time)});
  EXPECT_EQ(first.recorded, 2u);
  EXPECT_EQ(first.known, 0u);
  auto changed = sample_usage(1, some_time, "5");
  const auto second = record({changed, sample_usage(3, some_time), sample_usage(3, some_time)});
  EXPECT_EQ(second.recorded, 1u);
  EXPECT_EQ(second.known, 2u);
  const auto again = import({changed});
  EXPECT_EQ(again.recorded, 0u);
  EXPECT_EQ(again.known, 1u);
  EXPECT_EQ(summary().totals.calls, 3);
  EXPECT_EQ(summary().totals.cost, number("0.063225"));
}

TEST_P(UsageWrites, RefuseRecordsOfUnknownAccounts) {
  auto unknown = sample_usage(2, some_time);
  unknown.account_id = account_id(77);
  const auto done = record({sample_usage(1, some_time), unknown});
  EXPECT_EQ(done.recorded, 1u);
  EXPECT_EQ(done.refused, 1u);
  EXPECT_EQ(store::unknown_accounts(session(), std::vector{account_id(1), account_id(77)}),
            std::vector{account_id(77)});
}

/// A copy has moved the store since the command that imports has checked it.
TEST_P(UsageWrites, StayOutOfAStoreThatWasMovedMeanwhile) {
  store::write_move_marker(session(), "the new store");
  EXPECT_THROW(import({sample_usage(1, some_time)}), store::moved_store);
  EXPECT_EQ(count_rows(session(), "ai_usage"), 0);
}

TEST_P(UsageWrites, AcceptSystemWideCallsWithoutAnAccount) {
  auto call = sample_usage(1, some_time);
  call.account_id.reset();
  EXPECT_EQ(record({call}).recorded, 1u);
  EXPECT_EQ(count_rows(session(), "ai_usage where account_id is null"), 1);
  EXPECT_EQ(count_rows(session(), "ai_usage_days"), 0);
  EXPECT_EQ(summary().totals.calls, 0);
}

TEST_P(UsageWrites, RequireTheLease) {
  const store::lease lost{"another", lease.epoch + 1};
  EXPECT_THROW(store::record_usage(session(), lost, records{sample_usage(1, some_time)}), store::lease_lost);
  EXPECT_EQ(count_rows(session(), "ai_usage"), 0);
}

TEST_P(UsageWrites, CountARecordOnlyIfItsTransactionCommits) {
  try {
    auto broken = sample_usage(2, some_time);
    broken.provider = std::string("a\0b", 3);
    record({sample_usage(1, some_time), broken});
    FAIL() << "a NUL byte was stored";
  } catch (const store::constraint_violated&) {
  }
  EXPECT_EQ(summary().totals.calls, 0);
  EXPECT_EQ(count_rows(session(), "ai_usage_days"), 0);
}

TEST_P(UsageWrites, ImportManyRecordsAndReportProgress) {
  records many;
  for (unsigned long n = 0; n < 1201; ++n) many.push_back(sample_usage(n, some_time, "0.1"));
  std::vector<std::size_t> steps;
  const auto done =
      store::import_usage(session(), many, [&](std::size_t processed) { steps.push_back(processed); });
  EXPECT_EQ(done.recorded, 1201u);
  EXPECT_THAT(steps, ::testing::ElementsAre(500, 1000, 1201));
  EXPECT_EQ(summary().totals.cost, number("120.1"));
}

TEST_P(UsageWrites, CannotBeChangedOrDeleted) {
  record({sample_usage(1, some_time)});
  for (const auto* change : {"update ai_usage set cost = '0'", "delete from ai_usage",
                             "update ai_usage set model = 'x' where id is null or true"})
    EXPECT_THROW(session().internals().script("change", change), store::error) << change;
  EXPECT_EQ(summary().totals.cost, number("0.021075"));
}

/// Neither SQLite's replacing inserts nor PostgreSQL's truncate counts as a delete.
TEST_P(UsageWrites, SurviveReplacingAndTruncating) {
  record({sample_usage(1, some_time)});
  auto& db = session().internals();
  if (session().is_sqlite())
    db.script(
        "replace",
        "insert or replace into ai_usage (id, account_id, feature, provider, model, input_tokens,"
        " output_tokens, cache_creation_input_tokens, cache_read_input_tokens, cost, currency,"
        " pricing_snapshot, created_at) select id, account_id, feature, provider, 'other', 0, 0, 0, 0, '0',"
        " currency, pricing_snapshot, created_at from ai_usage");
  else
    EXPECT_THROW(db.script("truncate", "truncate ai_usage"), store::error);
  EXPECT_EQ(count_rows(session(), "ai_usage where model = 'model-1'"), 1);
}

} // namespace roost::testing::usage_writes_test
