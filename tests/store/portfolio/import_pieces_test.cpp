#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/store_state.hpp"
#include "store/database/transaction.hpp"
#include "store/portfolio/live.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/stored_rows.hpp"
#include "support/eventually.hpp"
#include "support/store.hpp"

#include <atomic>
#include <future>
#include <stdexcept>
#include <utility>

namespace roost::testing::import_pieces_test {

/// Runs on SQLite, which has one write lock.
class ImportInPieces : public on_each_store {
protected:
  void SetUp() override {
    context.max_units_at_once = 0;
    take_lease(session());
  }

  store::import_result import(const domain::portfolio& file) {
    serve(session());
    return store::import_portfolio(session(), file, context);
  }

  /// Returns the rows of all tables of the portfolio, without values that differ between imports.
  static std::vector<std::string> rows_of(store::session& db) {
    std::vector<std::string> rows;
    constexpr const char* tables[][2]{
        {"accounts", "id || landlord_key || company_name || created_at || updated_at"},
        {"platform_cards", "account_id || platform"},
        {"users", "id || email || role"},
        {"properties", "id || internal_name || archived || updated_at"},
        {"units", "id || internal_name || rent_cents || archived || created_at || updated_at"},
        {"unit_month_rents", "unit_id || month || rent_cents || updated_at"},
        {"booking_windows", "unit_id || position"},
        {"blocks", "unit_id || first_night || last_night || source || created_at"},
        {"links", "unit_id || platform || external_id"},
        {"exclusions", "unit_id || platform"},
        {"changes", "position || kind || accounts"},
        {"import_steps", "seq"},
        {"pending_import", "import"}};
    for (const auto& [table, row] : tables) {
      const auto text = "select {columns} from (select '" + std::string(table) + ": ' || " + row + " from " +
                        table + " order by 1)";
      const store::selection all{table, text.c_str(), store::named<std::string>("*")};
      for (auto& each : db.internals().read_all(all)) rows.push_back(std::move(each));
    }
    return rows;
  }

  /// Changes something in every table.
  static domain::portfolio changed(domain::portfolio file) {
    auto& units = file.accounts[0].properties[0].units;
    units.erase(units.begin());
    std::swap(units[0].terms.internal_name, units[1].terms.internal_name);
    units[2].terms.rent.amount = {999'00};
    units[3].excluded_from = {"marketplace-b"};
    units[4].blocks = {{.nights = {day("2027-08-01"), day("2027-08-09")}}};
    std::swap(file.accounts[0].details.landlord_key, file.accounts[1].details.landlord_key);
    file.accounts[1].details.cards.clear();
    file.accounts[0].details.cards[0].markup.value = 700;
    std::swap(file.accounts[0].users[0].details.email, file.accounts[1].users[0].details.email);
    file.accounts[0].properties[0].details.address.city = "Porto";
    return file;
  }

  /// Adds a block to each unit of the first account.
  static domain::portfolio with_blocks(domain::portfolio file) {
    for (auto& unit : file.accounts[0].properties[0].units)
      unit.blocks = {{.nights = {day("2027-08-01"), day("2027-08-09")}}};
    return file;
  }

  void fail_at_first_piece() {
    context.progress = [](std::size_t, std::size_t) { throw std::runtime_error("killed"); };
  }

  store::import_context context = context_at("2026-11-20T09:30:00.000Z");
  const domain::portfolio file = sample_portfolio(3, 3'000); // many steps
};
ROOST_ON_STORES(OnSqlite, ImportInPieces, store_kind::sqlite);

TEST_P(ImportInPieces, WritesTheSameRowsAsOneTransaction) {
  test_store other(store_kind::sqlite);
  auto reference = other.open();
  auto whole = context;
  whole.max_units_at_once = 1'000'000;
  auto later = changed(file);
  for (const auto* each : {&file, &std::as_const(later)}) {
    const auto in_pieces = import(*each);
    const auto in_one = store::import_portfolio(reference, *each, whole);
    EXPECT_TRUE(in_pieces.problems.empty());
    EXPECT_EQ(in_pieces.summary.units, in_one.summary.units);
    EXPECT_EQ(in_pieces.summary.counts.text(), in_one.summary.counts.text());
    EXPECT_FALSE(in_one.summary.counts.text().empty());
    EXPECT_EQ(in_pieces.summary.change.position, in_one.summary.change.position);
    EXPECT_EQ(rows_of(session()), rows_of(reference));
    context.now = whole.now = moment("2026-11-21T09:30:00.000Z");
  }
}

TEST_P(ImportInPieces, LetsOtherSessionsWriteBetweenPieces) {
  writer node(session());
  auto other = store().open();
  other.internals().script("impatient", "pragma busy_timeout = 0");
  unsigned long between = 0;
  context.progress = [&](std::size_t done, std::size_t total) {
    EXPECT_LE(done, total);
    EXPECT_EQ(total, 9'000U);
    serve(other);
    store::insert_requests(other, node.lease, std::array{store::submission(sample_request(++between))});
  };
  EXPECT_TRUE(import(file).problems.empty());
  EXPECT_GT(between, 3U);
  EXPECT_EQ(store::pending_requests(session(), 0, 1'000).size(), between);
}

TEST_P(ImportInPieces, RecordsNoChangeUntilAllRowsAreWritten) {
  auto other = store().open();
  const writer node(session());
  int between = 0;
  const auto known = store::newest_point(session());
  context.progress = [&](std::size_t, std::size_t) {
    ++between;
    EXPECT_TRUE(store::is_import_pending(other));
    EXPECT_EQ(store::newest_point(other), known) << "servers must not read the rows yet";
    EXPECT_THROW(store::refuse_while_importing(other), store::unavailable);
  };
  import(file);
  EXPECT_GT(between, 3);
  EXPECT_FALSE(store::is_import_pending(other));
  EXPECT_EQ(position_of(other), known.position + 1);
}

TEST_P(ImportInPieces, ReportsItsNextStep) {
  auto other = store().open();
  EXPECT_FALSE(store::next_import_step(other));
  std::int64_t last = 0;
  context.progress = [&](std::size_t, std::size_t) {
    const auto next = store::next_import_step(other);
    ASSERT_TRUE(next);
    EXPECT_TRUE(*next > last || *next == 0) << *next;
    last = *next;
  };
  import(file);
  EXPECT_FALSE(store::next_import_step(other));
}

TEST_P(ImportInPieces, IsFinishedByAnotherProcessWhenItsOwnEnds) {
  test_store undisturbed(store_kind::sqlite);
  auto whole = undisturbed.open();
  store::import_portfolio(whole, file, context);
  fail_at_first_piece();
  EXPECT_THROW(import(file), std::runtime_error);
  auto other = store().open();
  ASSERT_TRUE(store::is_import_pending(other));
  store::write_pending_import(other);
  EXPECT_FALSE(store::is_import_pending(other));
  EXPECT_EQ(rows_of(other), rows_of(whole));
}

TEST_P(ImportInPieces, IsFinishedBeforeTheNextStarts) {
  fail_at_first_piece();
  EXPECT_THROW(import(file), std::runtime_error);
  context.progress = nullptr;
  const auto next = import(sample_portfolio(1, 2));
  EXPECT_EQ(units_that_are(next.summary, store::import_action::removed), 2'998U)
      << "it sees all rows of the import before";
  EXPECT_FALSE(store::is_import_pending(session()));
}

TEST_P(ImportInPieces, IsNotRestartedWhenOtherAccountsChangeMeanwhile) {
  import(file);
  auto other = store().open();
  domain::portfolio neighbor;
  neighbor.accounts.push_back(sample_account(4, 2, 9'001));
  auto small = context;
  small.max_units_at_once = 1'000'000;
  int new_ids = 0;
  context.new_id = [&] { // for the new blocks, while the steps are collected
    if (++new_ids == 3) {
      EXPECT_TRUE(store::import_portfolio(other, neighbor, small).problems.empty());
    }
    if (new_ids % 100 == 0)
      store::record_change(other, {store::change_kind::unit, {account_id(4)}, {unit_id(9'001)}, {}});
    return fresh_id();
  };
  EXPECT_TRUE(import(with_blocks(file)).problems.empty());
  EXPECT_GE(new_ids, 3'000);
  EXPECT_LT(new_ids, 4'000) << "once for each unit with another block";
}

TEST_P(ImportInPieces, RunsAfterAnotherOneAndDoesNotDisturbIt) {
  import(file);
  auto other = store().open();
  domain::portfolio neighbors;
  for (unsigned long n = 0; n < 3; ++n)
    neighbors.accounts.push_back(sample_account(4 + n, 300, 9'001 + 300 * n));
  std::atomic<bool> has_begun{false};
  auto later = context;
  later.new_id = [&] {
    has_begun = true;
    return fresh_id();
  };
  std::future<store::import_result> second;
  int new_ids = 0;
  context.new_id = [&] { // for the new blocks, while the steps are collected
    if (++new_ids == 3) {
      serve(other); // the second import is in pieces, too
      second =
          std::async(std::launch::async, [&] { return store::import_portfolio(other, neighbors, later); });
      EXPECT_FALSE(eventually([&] { return has_begun.load(); }, 300ms));
    }
    return fresh_id();
  };
  EXPECT_TRUE(import(with_blocks(file)).problems.empty());
  EXPECT_LT(new_ids, 4'000) << "its steps were not deleted";
  EXPECT_TRUE(second.get().problems.empty());
  EXPECT_TRUE(has_begun);
  EXPECT_EQ(live_accounts(other).size(), 6U);
}

TEST_P(ImportInPieces, CountsWhatAnotherProcessWrites) {
  test_store undisturbed(store_kind::sqlite);
  auto whole = undisturbed.open();
  store::import_portfolio(whole, file, context);
  import(file);
  const auto later = changed(file);
  context.now = moment("2026-11-21T09:30:00.000Z");
  const auto expected = store::import_portfolio(whole, later, context).summary.counts.text();
  auto other = store().open();
  context.progress = [&](std::size_t, std::size_t) { store::write_pending_import(other); };
  EXPECT_EQ(import(later).summary.counts.text(), expected);
  EXPECT_EQ(count_rows(session(), "import_counts"), 0);
}

TEST_P(ImportInPieces, IsFinishedByASmallImportOfAnotherAccount) {
  fail_at_first_piece();
  EXPECT_THROW(import(file), std::runtime_error);
  context.progress = nullptr;
  context.max_units_at_once = 1'000'000;
  domain::portfolio neighbor;
  neighbor.accounts.push_back(sample_account(4, 2, 9'001));
  EXPECT_TRUE(import(neighbor).problems.empty());
  EXPECT_FALSE(store::is_import_pending(session()));
  EXPECT_EQ(live_accounts(session()).size(), 4U);
}

TEST_P(ImportInPieces, IsNotMadePendingOnceACopyHasBegun) {
  const auto copying = "update writer_lease set node = '" + std::string(store::copying_node_prefix) + "1'";
  bool has_begun = false;
  context.new_id = [&] {
    if (!std::exchange(has_begun, true)) session().internals().script("copying", copying);
    return fresh_id();
  };
  EXPECT_THROW(import(sample_portfolio()), store::unavailable);
  EXPECT_FALSE(store::is_import_pending(session()));
}

TEST_P(ImportInPieces, IsRefusedWhenAnotherAccountTakesItsUnitsMeanwhile) {
  auto other = store().open();
  domain::portfolio foreign;
  foreign.accounts.push_back(sample_account(77, 2, 1));
  auto small = context;
  small.max_units_at_once = 1'000'000;
  int new_ids = 0;
  context.new_id = [&] {
    if (++new_ids == 3) {
      EXPECT_TRUE(store::import_portfolio(other, foreign, small).problems.empty());
    }
    return fresh_id();
  };
  EXPECT_FALSE(import(with_blocks(file)).problems.empty());
  EXPECT_FALSE(store::is_import_pending(other));
  EXPECT_EQ(live_accounts(other).size(), 1U);
}

TEST_P(ImportInPieces, IsRestartedWhenItsAccountsChangeMeanwhile) {
  import(file);
  auto other = store().open();
  int new_ids = 0;
  context.new_id = [&] { // for the new blocks, while the steps are collected
    if (++new_ids == 3) {
      other.internals().script("edit", "update units set rent_cents = 1");
      store::record_change(other, {store::change_kind::unit, {account_id(1)}, {unit_id(1)}, {}});
    }
    return fresh_id();
  };
  EXPECT_TRUE(import(with_blocks(file)).problems.empty());
  EXPECT_GT(new_ids, 6'000) << "twice for each unit";
  const auto count = [&](const char* rows) {
    return session()
        .internals()
        .read_one(store::selection{rows, rows, store::named<std::int64_t>("count(*)")})
        .value();
  };
  EXPECT_EQ(count("select {columns} from blocks"), 9'000) << "one per unit";
  EXPECT_EQ(count("select {columns} from units where rent_cents = 1"), 0) << "the file sets the rents";
  EXPECT_EQ(count("select {columns} from import_steps"), 0);
}

TEST_P(ImportInPieces, WritesNothingWhenTheFileConflictsWithTheStore) {
  import(file);
  auto foreign = sample_portfolio(1, 2);
  foreign.accounts[0].details.id = account_id(77);
  const auto before = rows_of(session());
  EXPECT_FALSE(import(foreign).problems.empty());
  EXPECT_EQ(rows_of(session()), before);
}

} // namespace roost::testing::import_pieces_test
