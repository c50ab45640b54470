#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/messages/messages.hpp"
#include "store/portfolio/live.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/stored_bookings.hpp"
#include "store/support/stored_rows.hpp"
#include "support/store.hpp"

#include <future>
#include <thread>

namespace roost::testing::decisions_test {
ROOST_FOR_EACH_STORE(Decisions);

constexpr const char* cancel_all =
    "update bookings set status = 'cancelled', cancelled_by = 'landlord', cancelled_at = created_at";

void expect_nothing_decided(store::session& db) {
  for (const char* table : {"bookings", "tenants", "notifications", "outgoing_mail"})
    EXPECT_EQ(count_rows(db, table), 0);
  EXPECT_EQ(store::requests_by_state(db).success, 0);
}

template <typename Run>
store::violation violation_of(Run run) {
  try {
    run();
  } catch (const store::constraint_violated& error) {
    return error.kind();
  }
  ADD_FAILURE() << "no constraint was violated";
  return store::violation::invalid_value;
}

TEST_P(Decisions, KeepTheStoreFromChangingUnderALock) {
  writer node(session());
  const auto request = sample_request(1);
  node.insert({request});
  const auto rows = std::make_shared<store::decision_rows>();
  rows->add(accept(request, unit_id(1)));
  std::future<store::stream_point> change;
  const auto outcome = store::record_locked_decisions(
      session(), node.lease, [&](std::int64_t newest) -> std::optional<store::decided_group> {
        EXPECT_EQ(newest, node.basis.followed.position);
        change = std::async(std::launch::async, [this] {
          auto db = store().open();
          return store::record_change(db, {store::change_kind::account, {account_id(1)}, {}, {}});
        });
        EXPECT_EQ(change.wait_for(std::chrono::milliseconds{200}), std::future_status::timeout);
        return store::decided_group{node.basis, rows};
      });
  ASSERT_TRUE(outcome && outcome->change);
  EXPECT_TRUE(outcome->stale.empty());
  EXPECT_EQ(change.get().position, outcome->change->position + 1);
  EXPECT_EQ(count_rows(session(), "bookings"), 1);
}

TEST_P(Decisions, AreCheckedUnderALock) {
  writer node(session());
  const auto request = sample_request(1);
  node.insert({request});
  store::record_change(session(), {store::change_kind::account, {account_id(1)}, {}, {}});
  const auto rows = std::make_shared<store::decision_rows>();
  rows->add(accept(request, unit_id(1)));
  const auto outcome = store::record_locked_decisions(
      session(), node.lease, [&](std::int64_t) -> std::optional<store::decided_group> {
        return store::decided_group{node.basis, rows};
      });
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->stale, std::vector{account_id(1)});
  EXPECT_FALSE(
      store::record_locked_decisions(session(), node.lease, [](std::int64_t) { return std::nullopt; }));
  expect_nothing_decided(session());
}

TEST_P(Decisions, AreWrittenWithAllTheirEffects) {
  writer node(session());
  const auto first = sample_request(1), second = sample_request(2);
  node.insert({first, second});
  const auto accepted = accept(first, unit_id(1));
  node.decide({accepted, refuse(second)});

  EXPECT_EQ(count_rows(session(), "notifications"), 2);
  EXPECT_EQ(store::pending_mail_count(session(), moment("2030-01-01T00:00:00Z")), 1);
  const std::vector<domain::uuid> requests{first.id, second.id};
  const auto stays = booked_stays(session(), requests);
  ASSERT_EQ(stays.size(), 1u);
  EXPECT_EQ(stays[0].unit_id, unit_id(1));
  EXPECT_EQ(stays[0].blocked, domain::stay_nights(first.check_in, first.check_out));
  const auto tenants = store::load_tenants(session(), {});
  ASSERT_EQ(tenants.size(), 1u);
  EXPECT_EQ(tenants[0].details.email, first.tenant.email);
  EXPECT_EQ(tenants[0].category, "Platform guest");
}

TEST_P(Decisions, SetTheCategoryOfAKnownTenantOnlyIfItHasNone) {
  writer node(session());
  auto first = sample_request(1), second = sample_request(2), third = sample_request(3);
  second.check_in = day("2027-06-01");
  second.check_out = third.check_in = day("2027-07-01");
  third.check_out = day("2027-08-01");
  node.insert({first, second, third});
  auto accepted = accept(first, unit_id(1));
  accepted.new_tenant->category.reset();
  node.decide({accepted});
  for (const auto& [request, category] : {std::pair{second, "Platform guest"}, std::pair{third, "Another"}}) {
    auto again = accept(request, unit_id(1));
    again.new_tenant.reset();
    again.booking->tenant_id = accepted.new_tenant->id;
    again.tenant_category = category;
    node.decide({again});
    EXPECT_EQ(store::load_tenants(session(), {}).front().category, "Platform guest");
  }
}

TEST_P(Decisions, WithAnOverlappingStayFailAsAGroup) {
  writer node(session());
  const auto first = sample_request(1);
  auto second = sample_request(2);
  second.check_in = day("2027-04-30"); // the last night of the first
  second.check_out = day("2027-06-01");
  node.insert({first, second});
  EXPECT_EQ(violation_of([&] {
              node.decide({accept(first, unit_id(1)), accept(second, unit_id(1))});
            }),
            store::violation::overlapping_stay);
  expect_nothing_decided(session());
  EXPECT_EQ(store::requests_by_state(session()).pending, 2);
}

TEST_P(Decisions, AllowAStayToBeginOnTheDayAnotherEnds) {
  writer node(session());
  const auto first = sample_request(1);
  auto second = sample_request(2), elsewhere = sample_request(3);
  second.check_in = first.check_out;
  second.check_out = day("2027-06-01");
  node.insert({first, second, elsewhere});
  EXPECT_NO_THROW(
      node.decide({accept(first, unit_id(1)), accept(second, unit_id(1)), accept(elsewhere, unit_id(2))}));
}

TEST_P(Decisions, CannotBeChangedIntoAnOverlapLater) {
  writer node(session());
  const auto first = sample_request(1);
  auto second = sample_request(2);
  second.check_in = first.check_out;
  second.check_out = day("2027-06-01");
  node.insert({first, second});
  node.decide({accept(first, unit_id(1)), accept(second, unit_id(1))});
  for (const char* update : {"update bookings set check_out = '2027-05-02', last_night = '2027-05-01'"
                             " where check_in = '2027-04-01'",
                             "update bookings set check_in = '2027-04-30' where check_in = '2027-05-01'"})
    EXPECT_EQ(violation_of([&] { session().internals().script("move", update); }),
              store::violation::overlapping_stay);
  session().internals().script("cancel", std::string(cancel_all) + " where check_in = '2027-04-01'");
  session().internals().script("move",
                               "update bookings set check_in = '2027-04-15' where check_in = '2027-05-01'");
  EXPECT_EQ(violation_of([&] {
              session().internals().script(
                  "revive",
                  "update bookings set status = 'confirmed', cancelled_by = null, cancelled_at = null"
                  " where status = 'cancelled'");
            }),
            store::violation::overlapping_stay);
}

TEST_P(Decisions, WithAReferenceOfTheAccountsOtherBookingsAreRefused) {
  writer node(session());
  const auto first = sample_request(1);
  auto second = sample_request(2);
  second.reference = first.reference;
  node.insert({first, second});
  node.decide({accept(first, unit_id(1))});
  EXPECT_EQ(violation_of([&] { node.decide({accept(second, unit_id(2))}); }),
            store::violation::duplicate_reference);
  session().internals().script("cancel", cancel_all);
  EXPECT_EQ(violation_of([&] { node.decide({accept(second, unit_id(2))}); }),
            store::violation::duplicate_reference); // even though that booking was cancelled
}

TEST_P(Decisions, WithoutAReferenceAreNeverDuplicates) {
  writer node(session());
  auto first = sample_request(1), second = sample_request(2);
  first.reference.reset();
  second.reference.reset();
  node.insert({first, second});
  EXPECT_NO_THROW(node.decide({accept(first, unit_id(1)), accept(second, unit_id(2))}));
}

TEST_P(Decisions, AreWrittenOnlyOnce) {
  writer node(session());
  const auto first = sample_request(1), second = sample_request(2);
  node.insert({first, second});
  node.decide({refuse(first)});
  EXPECT_THROW(node.decide({accept(first, unit_id(1)), refuse(second)}), store::already_decided);
  EXPECT_THROW(node.decide({refuse(sample_request(3))}), store::already_decided); // there is no such request
  EXPECT_EQ(store::requests_by_state(session()).failed, 1);
  EXPECT_EQ(count_rows(session(), "bookings"), 0);
}

TEST_P(Decisions, BasedOnAnOldPortfolioAreNotWritten) {
  writer node(session());
  const auto request = sample_request(1);
  node.insert({request});
  import_sample(session(), sample_portfolio());
  EXPECT_EQ(node.decide({accept(request, unit_id(1))}).stale, std::vector{account_id(1)});
  expect_nothing_decided(session());
  node.follow();
  EXPECT_TRUE(node.decide({accept(request, unit_id(1))}).stale.empty());
  EXPECT_EQ(store::requests_by_state(session()).success, 1);
}

/// SQLite has only one writer at a time.
class DecisionsDuringAChange : public on_each_store {};
ROOST_ON_POSTGRESQL(DecisionsDuringAChange);

/// The group has already checked for stale accounts when it waits for its position.
TEST_P(DecisionsDuringAChange, AreNotWrittenIfTheirAccountTakesItsPositionFirst) {
  writer node(session());
  const auto request = sample_request(1);
  node.insert({request});
  auto other = store().open(), observer = store().open();
  store::transaction change(other, store::transaction::purpose::write);
  store::append(other, {store::change_kind::account, {account_id(1)}, {}, {}});
  auto decided = std::async(std::launch::async, [&] { return node.decide({accept(request, unit_id(1))}); });
  while (count_rows(observer, "pg_stat_activity where wait_event_type = 'Lock'"
                              " and datname = current_database()") == 0)
    std::this_thread::yield();
  change.commit();
  EXPECT_EQ(decided.get().stale, std::vector{account_id(1)});
  expect_nothing_decided(session());
}

TEST_P(Decisions, AreWrittenIfOnlyAnotherAccountHasChanged) {
  writer node(session());
  const auto request = sample_request(1);
  node.insert({request});
  auto other = sample_portfolio(2);
  other.accounts.erase(other.accounts.begin());
  import_sample(session(), other);
  const auto recorded = node.decide({accept(request, unit_id(1))});
  EXPECT_TRUE(recorded.stale.empty());
  EXPECT_EQ(recorded.change, store::newest_point(session()));
  EXPECT_EQ(store::requests_by_state(session()).success, 1);
}

TEST_P(Decisions, AreWrittenIfOnlyStaysWereAdded) {
  writer node(session());
  node.insert({sample_request(1), sample_request(2)});
  EXPECT_TRUE(node.decide({accept(sample_request(1), unit_id(1))}).stale.empty());
  EXPECT_TRUE(node.decide({accept(sample_request(2), unit_id(2))}).stale.empty());
}

TEST_P(Decisions, AppendAChangeThatNamesTheirBookings) {
  writer node(session());
  node.insert({sample_request(1), sample_request(2)});
  const auto before = position_of(session());
  const auto accepted = accept(sample_request(1), unit_id(1));
  node.decide({accepted, refuse(sample_request(2))});
  const auto entries = store::entries_after(session(), before, 10);
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].change.kind, store::change_kind::calendar);
  EXPECT_EQ(entries[0].change.accounts, std::vector{account_id(1)});
  EXPECT_EQ(entries[0].change.subjects, std::vector{accepted.booking->id});
}

TEST_P(Decisions, AppendNoChangeIfAllAreRefusals) {
  writer node(session());
  node.insert({sample_request(1)});
  const auto before = position_of(session());
  EXPECT_FALSE(node.decide({refuse(sample_request(1))}).change);
  EXPECT_EQ(position_of(session()), before);
}

TEST_P(Decisions, AreStaleOnceANewUnitHasTheIdThatMatchedTheProperty) {
  writer node(session());
  const auto request = sample_request(1);
  node.insert({request});
  node.basis.property_matches = {{request.platform, "ext-1_7", account_id(1)}};
  session().internals().script("test_link",
                               "update links set external_id = 'ext-1_7' where external_id = 'ext-2'");
  const auto decide = [&] { return node.decide({accept(request, unit_id(1))}); };
  store::record_change(session(), {store::change_kind::account, {account_id(1)}, {}, {fresh_id()}});
  EXPECT_EQ(decide().stale, std::vector{account_id(1)});
  expect_nothing_decided(session());
  node.basis.property_matches = {{request.platform, "ext-1_8", account_id(1)},
                                 {"another-platform", "ext-1_7", account_id(1)}};
  EXPECT_TRUE(decide().stale.empty());
}

TEST_P(Decisions, BasedOnAnotherHistoryAreNotWritten) {
  writer node(session());
  const auto request = sample_request(1);
  node.insert({request});
  node.basis.followed.id = fresh_id();
  EXPECT_THROW(node.decide({accept(request, unit_id(1))}), store::another_history);
  expect_nothing_decided(session());
}

TEST_P(Decisions, RequireTheLease) {
  writer node(session());
  const auto request = sample_request(1);
  node.insert({request});
  store::release(session(), node.lease);
  EXPECT_THROW(node.decide({accept(request, unit_id(1))}), store::lease_lost);
  expect_nothing_decided(session());
}

TEST_P(Decisions, AreWrittenInLargeGroups) {
  auto file = sample_portfolio(1, 1200);
  writer node(session());
  import_sample(session(), file);
  node.follow();
  std::vector<domain::booking_request> requests;
  std::vector<domain::decision> decisions;
  for (unsigned long n = 1; n <= 1200; ++n) {
    requests.push_back(sample_request(n));
    decisions.push_back(accept(requests.back(), unit_id(n)));
  }
  node.insert(requests);
  node.decide(decisions);
  EXPECT_EQ(store::requests_by_state(session()).success, 1200);
  EXPECT_EQ(count_rows(session(), "bookings"), 1200);
}

} // namespace roost::testing::decisions_test
