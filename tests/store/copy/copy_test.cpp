#include "store/audit/audit.hpp"
#include "store/copy/copy_plan.hpp"
#include "store/copy/copy_scene.hpp"
#include "store/database/lease.hpp"
#include "store/database/migrations.hpp"
#include "temporary_folder.hpp"

#include <algorithm>
#include <filesystem>

namespace roost::testing::copy_test {
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Copy : public copy_scene {};
INSTANTIATE_TEST_SUITE_P(InEachDirection, Copy,
                         ::testing::Combine(::testing::Values(store_kind::sqlite, store_kind::postgresql),
                                            ::testing::Values(store_kind::sqlite, store_kind::postgresql)),
                         [](const auto& info) { return to_string(info.param); });

TEST_P(Copy, HasARowOfEveryTable) {
  for (const auto& entry : store::table_entries())
    if (entry.use != store::table_use::own) {
      EXPECT_THAT(rows_of(source_, "select cast(count(*) as text) from " + std::string(entry.name)),
                  ::testing::Not(ElementsAre("0")))
          << entry.name << ": add a row in filled_store.hpp";
    }
}

TEST_P(Copy, CopiesEveryRowAndMakesTheTargetAStore) {
  const auto copied = copy();
  EXPECT_THAT(copied.differences, IsEmpty());
  EXPECT_EQ(copied.differing, 0);
  EXPECT_FALSE(copied.resumed);
  EXPECT_FALSE(is_unfinished());
  EXPECT_EQ(copied.tables.size(), std::ranges::count_if(store::table_entries(), [](const auto& entry) {
              return entry.use != store::table_use::own;
            }));
  EXPECT_EQ(store::compare_stores(settings()).differing, 0);
  EXPECT_FALSE(store::try_acquire(source_, "server", 1h));
  EXPECT_TRUE(store::try_acquire(target_, "server", 1h));
}

TEST_P(Copy, PreservesValuesThatAreEasilyCorrupted) {
  copy();
  EXPECT_EQ(rows_of(target_, "select company_name from accounts"),
            rows_of(source_, "select company_name from accounts"));
  EXPECT_THAT(rows_of(target_, "select company_name from accounts"),
              ElementsAre("Çasa \"Vërde\" \\ 家 😀\ttab"));
  EXPECT_THAT(rows_of(target_, "select wifi_password from properties order by id"),
              ElementsAre("\\N", "NULL"));
  EXPECT_THAT(rows_of(target_, "select terms from bookings where reference is null"),
              ElementsAre("{ \"b\":1.50,\"a\" : \"\\u00e9\" }"));
  EXPECT_THAT(rows_of(target_, "select cast(session_epoch as text) from users"),
              ElementsAre("9223372036854775807"));
  EXPECT_THAT(rows_of(target_, "select short_term_ical_max_date from units limit 1"),
              ElementsAre("9999-12-31"));
  EXPECT_THAT(rows_of(target_, "select cost from ai_usage order by id"),
              ElementsAre("0.021075", "123456789012345678.000000000000000001", "0", "7.10"));
}

TEST_P(Copy, ContinuesTheSequenceOfRequests) {
  copy();
  run_script(target_,
             "insert into booking_requests (id, platform, external_id, check_in, check_out, occupants,"
             " first_name, email, received_at) values ('00000009-0000-4000-8000-0000000000ff', 'a', 'u1',"
             " '2027-01-01', '2027-02-01', '1', '', '', '2026-01-01T00:00:00Z')");
  EXPECT_THAT(rows_of(target_, "select cast(seq as text) from booking_requests where state = 'New'"),
              ElementsAre("6"));
}

TEST_P(Copy, StartsANewHistoryAfterTheSources) {
  const auto before = store::record_change(source_, {});
  copy();
  const auto after = store::newest_point(target_);
  EXPECT_EQ(after.position, before.position + 1);
  EXPECT_FALSE(store::view_stream(target_, before).has_known_point);
  EXPECT_EQ(store::newest_point(source_), before);
}

TEST_P(Copy, CallsNoteOnceAllRowsAreEqual) {
  auto options = settings();
  options.note = [](store::session& target, std::int64_t rows) {
    EXPECT_GT(rows, 40);
    run_script(target, "insert into audit (id, made_at, actor, action, subject, detail) values"
                       " ('00000099-0000-4000-8000-000000000001', '2026-01-01T00:00:00Z', 'me',"
                       " 'copy', '', '')");
  };
  store::copy_store(options);
  EXPECT_EQ(store::list_audit(target_, 10).size(), 2U);
  EXPECT_EQ(store::list_audit(source_, 10).size(), 1U);
  EXPECT_EQ(store::compare_stores(settings()).differing, 0); // ignores such entries
}

TEST_P(Copy, ResumesWhereItWasInterrupted) {
  copy_pages(9);
  EXPECT_TRUE(is_unfinished());
  const auto units_before = rows_of(target_, "select id from units order by id");
  EXPECT_FALSE(units_before.empty());
  int pages = 0;
  auto options = settings();
  options.progress = [&](store::copy_step step, auto...) {
    pages += step == store::copy_step::copying ? 1 : 0;
  };
  const auto copied = store::copy_store(options);
  EXPECT_TRUE(copied.resumed);
  EXPECT_EQ(copied.differing, 0);
  EXPECT_FALSE(is_unfinished());
  EXPECT_LT(pages, 60);
}

TEST_P(Copy, ResumesAfterAnyPage) {
  for (int page = 0; page < 12; ++page) copy_pages(4);
  const auto copied = copy();
  EXPECT_TRUE(copied.resumed);
  EXPECT_EQ(copied.differing, 0);
}

TEST_P(Copy, StartsOverIfTheSourceHasChanged) {
  copy_pages(30);
  run_script(source_, "update accounts set company_name = 'Another'");
  store::record_change(source_, {});
  const auto copied = copy();
  EXPECT_FALSE(copied.resumed);
  EXPECT_EQ(copied.differing, 0);
  EXPECT_THAT(rows_of(target_, "select company_name from accounts"), ElementsAre("Another"));
}

TEST_P(Copy, StartsOverIfAServerHasHeldTheSource) {
  copy_pages(30);
  const auto served = store::try_acquire(source_, "server", 1h);
  ASSERT_TRUE(served);
  store::release(source_, served->held);
  const auto copied = copy();
  EXPECT_FALSE(copied.resumed);
  EXPECT_EQ(copied.differing, 0);
}

TEST_P(Copy, DiscardsForeignRowsInTablesThatItHadNotStarted) {
  copy_pages(9);
  run_script(target_, "insert into signing_keys values ('1', 'a server''s');"
                      "insert into wrong_passwords values ('" +
                          id_text(20, 77) + "', 'h', '2026-01-01T00:00:00Z')");
  const auto copied = copy();
  EXPECT_TRUE(copied.resumed);
  EXPECT_EQ(copied.differing, 0);
  EXPECT_THAT(rows_of(target_, "select fingerprint from signing_keys"), ElementsAre("abcdef"));
}

TEST_P(Copy, StartsOverAfterARejectedRow) {
  const auto insert_conflicting_link = [this] {
    run_script(target_, "insert into links (unit_id, account_id, platform, external_id, url) values ('" +
                            id_text(5, 5) + "', '" + id_text(1, 10) + "', 'a', 'another', null)");
  };
  try {
    copy_and(store::copy_step::copying, "links", 3, insert_conflicting_link);
    FAIL() << "was copied";
  } catch (const store::target_rejected_row& error) {
    EXPECT_THAT(error.what(), HasSubstr("the target rejected a row of links: constraint "));
  }
  EXPECT_TRUE(is_marked_as_different());
  const auto again = copy();
  EXPECT_FALSE(again.resumed);
  EXPECT_EQ(again.differing, 0);
  EXPECT_FALSE(is_unfinished());
}

TEST_P(Copy, StaysUnfinishedIfTheSourceChangesDuringTheComparison) {
  const auto copied = copy_and(store::copy_step::comparing, "audit", 1, [this] { revoke_token(source_); });
  EXPECT_EQ(copied.differing, 0) << "it compared the earlier state";
  EXPECT_EQ(copied.changed, "the source");
  EXPECT_FALSE(copied.is_identical());
  EXPECT_TRUE(is_marked_as_different());
  const auto again = copy();
  EXPECT_FALSE(again.resumed);
  EXPECT_TRUE(again.is_identical());
  EXPECT_THAT(rows_of(target_, "select id from partner_tokens"), IsEmpty());
}

TEST_P(Copy, StaysUnfinishedAfterAChangeThatOnlyTheAuditLogShows) {
  const auto copied = copy_and(store::copy_step::comparing, "audit", 1, [this] {
    run_script(source_, "update outgoing_mail set attempts = 0;"
                        "insert into audit (id, made_at, actor, action, subject, detail) values ('" +
                            id_text(20, 0) + "', '1970-01-01T00:00:00Z', 'me', 'mail retry', '', '')");
  });
  EXPECT_EQ(copied.changed, "the source");
  EXPECT_TRUE(is_marked_as_different());
  EXPECT_TRUE(copy().is_identical());
}

TEST_P(Copy, CannotBeServedBeforeItIsFinished) {
  copy_pages(9);
  EXPECT_FALSE(store::try_acquire(target_, "server", 1h));
  EXPECT_THROW(store::refuse_unfinished_copy(target_), store::unfinished_copy);
  copy();
  store::refuse_unfinished_copy(target_);
}

TEST_P(Copy, ReportsDifferencesWithoutValues) {
  auto options = settings();
  int pages = 0;
  options.progress = [&](store::copy_step step, std::string_view table, auto...) {
    if (step != store::copy_step::copying || table != "audit" || pages++ > 0) return;
    run_script(target_, "update tenants set first_name = 'Secret';"
                        "delete from exclusions;"
                        "insert into sign_in_codes values ('00000014-0000-4000-8000-0000000000ff',"
                        " '00000002-0000-4000-8000-00000000000a', '2026-01-01T00:00:00Z')");
  };
  const auto copied = store::copy_store(options);
  EXPECT_EQ(copied.differing, 3);
  EXPECT_THAT(
      copied.differences,
      ElementsAre("exclusions: the row " + id_text(5, 1) + ", b is missing in the target",
                  "tenants: the row " + id_text(1, 10) + ", " + id_text(8, 1) + " differs in first_name",
                  "sign_in_codes: the row 00000014-0000-4000-8000-0000000000ff is in the target only"));
  EXPECT_TRUE(is_unfinished());
  const auto again = copy();
  EXPECT_FALSE(again.resumed) << "a copy that differs is discarded";
  EXPECT_EQ(again.differing, 0);
}

TEST_P(Copy, IsRefusedWhileAServerHoldsTheSource) {
  ASSERT_TRUE(store::try_acquire(source_, "node-a", 1h));
  expect_refusal("the source is held by node-a until ");
}

/// Commands and servers would use an empty store without a marker.
TEST_P(Copy, CreatesNothingInTheTargetIfTheSourceIsUnfit) {
  const auto served = store::try_acquire(source_, "node-a", 1h);
  ASSERT_TRUE(served);
  expect_refusal("the source is held by node-a until ");
  EXPECT_FALSE(store::has_schema(target_));
  store::release(source_, served->held);
  if (!source_.is_sqlite()) return;
  run_script(source_, "insert into pending_import values (1, 'i', '2026-01-01T00:00:00Z', '[]', '[]', '[]')");
  expect_refusal("an import into the source is not finished");
  EXPECT_FALSE(store::has_schema(target_));
}

TEST_P(Copy, CreatesNoFolderIfTheSourceIsUnfit) {
  ASSERT_TRUE(store::try_acquire(source_, "node-a", 1h));
  const tests::temporary_folder folder;
  auto options = settings();
  options.target_url = "sqlite3://" + (folder.path() / "new/roost.db").string();
  EXPECT_THROW(store::copy_store(options), store::copy_refused);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST_P(Copy, IsRefusedWhileAServerHoldsTheTarget) {
  store::migrate(target_);
  ASSERT_TRUE(store::try_acquire(target_, "node-a", 1h));
  expect_refusal("the target is held by node-a until ");
  EXPECT_FALSE(is_unfinished());
}

TEST_P(Copy, LeavesATargetWithRowsUnchanged) {
  store::migrate(target_);
  run_script(target_, "insert into audit (id, made_at, actor, action, subject, detail) values"
                      " ('00000099-0000-4000-8000-000000000001', '2026-01-01T00:00:00Z', 'me',"
                      " 'copy', '', '')");
  const auto point = store::newest_point(target_);
  expect_refusal("already holds rows (audit)");
  EXPECT_FALSE(is_unfinished());
  EXPECT_EQ(store::newest_point(target_), point);
  EXPECT_EQ(store::try_acquire(target_, "server", 1h)->held.epoch, 1);
}

TEST_P(Copy, IsRefusedIfTheTargetHasOtherTables) {
  run_script(target_, "create table something (id integer)");
  expect_refusal("tables that are not Roost's");
  EXPECT_FALSE(store::has_schema(target_));
}

TEST_P(Copy, CompletesTheMigrationsOfATargetWithoutRows) {
  for (const int version : {1, store::newest_schema() / 2, store::newest_schema() - 1}) {
    const test_store interrupted(std::get<1>(GetParam()), false);
    auto target = interrupted.open();
    store::migrate_to(target, version);
    auto options = settings();
    options.target_url = interrupted.url();
    options.page_rows = 1000;
    EXPECT_EQ(store::copy_store(options).differing, 0) << version;
    EXPECT_TRUE(store::erase_move_marker(source_));
  }
}

TEST_P(Copy, IsRefusedIfTheTargetHasRowsInAnOlderSchema) {
  store::migrate_to(target_, store::newest_schema() - 1);
  run_script(target_, "insert into audit (id, made_at, actor, action, subject, detail) values"
                      " ('00000099-0000-4000-8000-000000000001', '2026-01-01T00:00:00Z', 'me',"
                      " 'copy', '', '')");
  expect_refusal("the target's schema is older than this program, and it holds rows");
  EXPECT_FALSE(store::schema_is_current(target_));
}

TEST_P(Copy, IsRefusedIfTheTargetIsAnUnfinishedCopyOfAnotherStore) {
  copy_pages(9);
  const test_store other(store_kind::sqlite,
                         false); // stores with the template's schema have the same identity
  auto session = other.open();
  store::migrate_to(session, store::newest_schema());
  auto options = settings();
  options.source_url = other.url();
  EXPECT_THROW(store::copy_store(options), store::copy_refused);
  EXPECT_EQ(copy().resumed, true);
}

TEST_P(Copy, IsRefusedIfTheSourceHasAnOlderSchema) {
  const test_store old(std::get<0>(GetParam()), false);
  auto session = old.open();
  store::migrate_to(session, store::newest_schema() - 1);
  auto options = settings();
  options.source_url = old.url();
  try {
    store::copy_store(options);
    FAIL();
  } catch (const store::copy_refused& error) {
    EXPECT_THAT(error.what(), HasSubstr("run `roost migrate`"));
  }
  EXPECT_FALSE(store::schema_is_current(session));
}

TEST_P(Copy, CanBeComparedLater) {
  copy();
  run_script(target_, "update users set email = 'other@x.example'");
  const auto compared = store::compare_stores(settings());
  EXPECT_EQ(compared.differing, 1);
  EXPECT_THAT(compared.differences, ElementsAre("users: the row " + id_text(2, 10) + " differs in email"));
  EXPECT_FALSE(is_unfinished());
}

TEST_P(Copy, ReportsWhichStoreChangedDuringAComparison) {
  copy();
  for (auto* changed : {&source_, &target_}) {
    auto options = settings();
    options.progress = [&](auto, std::string_view table, auto...) {
      if (table == "audit") revoke_token(*changed);
    };
    const auto compared = store::compare_stores(options);
    EXPECT_EQ(compared.changed, changed == &source_ ? "the source" : "the target");
    EXPECT_FALSE(compared.is_identical());
  }
}

} // namespace roost::testing::copy_test
