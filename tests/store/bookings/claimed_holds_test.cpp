#include "store/bookings/requests.hpp"
#include "store/bookings/submissions.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/sample_hold.hpp"
#include "store/support/stored_rows.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Holds that booking requests take over, until their decision.
namespace roost::testing::claimed_holds_test {
using kind = store::put_receipt::kind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// The nights of `sample_request()` in the first unit are held.
class ClaimedHolds : public on_each_store {
protected:
  void SetUp() override {
    desk.emplace(session());
    session().internals().script("unblock", "delete from blocks");
    insert_hold(session(), held);
  }

  /// Submits `sample_request(n)` with this hold.
  store::put_receipt put(unsigned long n, const std::optional<std::string>& hold_id,
                         const std::function<void(store::submission&)>& edit = {}) {
    store::submission sent{sample_request(n)};
    sent.hold_id = hold_id;
    if (edit) edit(sent);
    return store::put_submissions(session(), desk->lease, std::span{&sent, 1}).front();
  }
  /// Submits request 1, which claims the hold.
  domain::booking_request claim() {
    EXPECT_EQ(put(1, held.id).result, kind::created);
    return sample_request(1);
  }

  /// Returns the holds that the New requests have claimed, in order of arrival.
  std::vector<std::optional<domain::uuid>> claimed() {
    std::vector<std::optional<domain::uuid>> holds;
    for (const auto& each : store::pending_requests(session(), 0, 100)) holds.push_back(each.claimed_hold);
    return holds;
  }

  std::int64_t active_holds() { return count_rows(session(), "holds where ended_at is null"); }

  /// Expects that the entry of the holds that have ended follows the position, after `others` entries.
  void expect_freed_after(std::int64_t position, std::size_t others = 0) {
    const auto entries = store::entries_after(session(), position, 100);
    ASSERT_THAT(entries, SizeIs(others + 1));
    const auto& freed = entries.back().change;
    EXPECT_EQ(freed.kind, store::change_kind::calendar);
    EXPECT_THAT(freed.accounts, ElementsAre(account_id(1)));
    EXPECT_THAT(freed.units, ElementsAre(unit_id(1)));
    EXPECT_THAT(freed.subjects, IsEmpty()) << "it is about no booking";
  }

  const hold_row held{"hold-1", "2027-04-01", "2027-05-01"};
  std::optional<writer> desk;
};
ROOST_ON_EACH_STORE(ClaimedHolds);

template <typename Decision>
Decision with_its_hold(Decision decision) {
  decision.ends_hold = true;
  return decision;
}

TEST_P(ClaimedHolds, AreNamedByTheirRequest) {
  const auto before = position_of(session());
  const auto request = claim();
  EXPECT_THAT(claimed(), ElementsAre(held.block_id));
  EXPECT_EQ(count_rows(session(), "holds where request_id = '" + domain::to_string(request.id) + "'"), 1);
  EXPECT_EQ(position_of(session()), before) << "the nights stay taken";
}

TEST_P(ClaimedHolds, HaveTheSamePlatformAndUnitAndHaveNotEnded) {
  EXPECT_EQ(put(1, std::nullopt).result, kind::created);
  EXPECT_EQ(put(2, "hold-2").result, kind::created) << "there is no such hold";
  put(3, held.id, [](auto& sent) { sent.request.platform = "marketplace-b"; });
  put(4, held.id, [](auto& sent) { sent.request.external_id = "ext-2"; });
  put(5, held.id, [](auto& sent) { sent.may_be_first = false; });
  end_holds(session());
  put(6, held.id);
  EXPECT_THAT(claimed(), SizeIs(5));
  EXPECT_THAT(claimed(), ::testing::Each(std::nullopt));
  EXPECT_EQ(count_rows(session(), "holds where request_id is not null"), 0);
}

TEST_P(ClaimedHolds, MayHaveExpiredIfTheyHaveNotEnded) {
  put(1, held.id, [&](auto& sent) {
    sent.request.received_at = moment(held.expires_at.c_str()) + std::chrono::seconds{1};
  });
  EXPECT_THAT(claimed(), ElementsAre(held.block_id)) << "the nights are still held";
}

TEST_P(ClaimedHolds, BelongToOneRequestOnly) {
  claim();
  EXPECT_EQ(put(2, held.id).result, kind::created);
  EXPECT_THAT(claimed(), ElementsAre(held.block_id, std::nullopt));
}

TEST_P(ClaimedHolds, OfOnePlatformAreNotThoseOfAnotherWithTheSameId) {
  hold_row other{held.id, "2027-06-01", "2027-07-01"};
  other.platform = "marketplace-b";
  insert_hold(session(), other);
  put(1, held.id, [](auto& sent) { sent.request.platform = "marketplace-b"; });
  EXPECT_THAT(claimed(), ElementsAre(other.block_id));
  EXPECT_EQ(count_rows(session(), "holds where platform = 'marketplace-a' and request_id is null"), 1);
}

TEST_P(ClaimedHolds, AreNotClaimedByARepeat) {
  EXPECT_EQ(put(1, std::nullopt).result, kind::created);
  const auto repeat = [](auto& sent) { sent.request.id = numbered_id(20, 2); };
  EXPECT_EQ(put(1, held.id, repeat).result, kind::repeated);
  EXPECT_THAT(claimed(), ElementsAre(std::nullopt));
  EXPECT_EQ(count_rows(session(), "holds where request_id is not null"), 0);
}

TEST_P(ClaimedHolds, DoNotCountWhenARepeatIsCompared) {
  claim();
  const auto repeat = [](auto& sent) { sent.request.id = numbered_id(20, 2); };
  EXPECT_EQ(put(1, std::nullopt, repeat).result, kind::repeated);
  EXPECT_EQ(put(1, "hold-2", repeat).result, kind::repeated);
  EXPECT_THAT(claimed(), ElementsAre(held.block_id));
}

TEST_P(ClaimedHolds, EndWithTheBooking) {
  const auto request = claim();
  const auto before = position_of(session());
  const auto outcome = desk->decide({with_its_hold(accept(request, unit_id(1)))});
  EXPECT_THAT(outcome.stale, IsEmpty());
  EXPECT_EQ(active_holds(), 0);
  EXPECT_EQ(count_rows(session(), "bookings"), 1);
  expect_freed_after(before, 1);
  ASSERT_TRUE(outcome.change);
  EXPECT_EQ(outcome.change->position, before + 1) << "memory must show the booking before the hold ends";
}

TEST_P(ClaimedHolds, EndWithTheRefusal) {
  const auto request = claim();
  const auto before = position_of(session());
  const auto outcome = desk->decide({with_its_hold(refuse(request))});
  EXPECT_THAT(outcome.stale, IsEmpty());
  EXPECT_FALSE(outcome.change);
  EXPECT_EQ(active_holds(), 0);
  expect_freed_after(before);
}

TEST_P(ClaimedHolds, EndIfTheRequestIsDropped) {
  domain::decision dropped;
  dropped.request_id = claim().id;
  dropped.state = domain::request_state::dropped;
  const auto before = position_of(session());
  desk->decide({with_its_hold(dropped)});
  EXPECT_EQ(active_holds(), 0);
  expect_freed_after(before);
}

TEST_P(ClaimedHolds, OfOneUnitEndWithOneEntryOfTheChangeStream) {
  insert_hold(session(), {"hold-2", "2027-06-01", "2027-07-01"});
  const auto first = claim();
  put(2, "hold-2");
  const auto before = position_of(session());
  desk->decide({with_its_hold(accept(first, unit_id(1))), with_its_hold(refuse(sample_request(2)))});
  EXPECT_EQ(active_holds(), 0);
  expect_freed_after(before, 1);
}

TEST_P(ClaimedHolds, OfOtherRequestsDoNotEnd) {
  claim();
  insert_hold(session(), {"hold-2", "2027-06-01", "2027-07-01"});
  put(2, std::nullopt);
  desk->decide({with_its_hold(refuse(sample_request(2)))});
  EXPECT_EQ(active_holds(), 2);
  EXPECT_THAT(claimed(), ElementsAre(held.block_id));
}

TEST_P(ClaimedHolds, LastIfTheDecisionsAreNotWritten) {
  const auto request = claim();
  put(2, std::nullopt);
  const std::vector decisions{with_its_hold(accept(request, unit_id(1))),
                              accept(sample_request(2), unit_id(1))};
  EXPECT_THROW(desk->decide(decisions), store::constraint_violated);
  EXPECT_THAT(claimed(), ElementsAre(held.block_id, std::nullopt));
  store::record_change(session(), {store::change_kind::account, {account_id(1)}, {}, {}});
  EXPECT_THAT(desk->decide({with_its_hold(accept(request, unit_id(1)))}).stale, ElementsAre(account_id(1)));
  EXPECT_THAT(claimed(), ElementsAre(held.block_id, std::nullopt));
}

TEST_P(ClaimedHolds, LetTheirRequestBookIfTheGroupEndsThem) {
  const auto request = claim();
  put(2, std::nullopt, [](auto& sent) {
    sent.request.check_in = day("2027-05-01");
    sent.request.check_out = day("2027-06-01");
  });
  auto other = sample_request(2);
  other.check_in = day("2027-05-01");
  other.check_out = day("2027-06-01");
  desk->decide({accept(other, unit_id(1)), with_its_hold(accept(request, unit_id(1)))});
  EXPECT_EQ(count_rows(session(), "bookings"), 2);
  EXPECT_EQ(active_holds(), 0);
}

TEST_P(ClaimedHolds, AreNotAmongTheNightsThatMadeTheDatabaseRefuseTheirRequest) {
  const auto request = claim();
  session().internals().script("import",
                               "insert into blocks (id, unit_id, first_night, last_night, source, host,"
                               " created_at, updated_at) values ('" +
                                   domain::to_string(fresh_id()) + "', '" + domain::to_string(unit_id(1)) +
                                   "', '2027-04-10', '2027-04-12', 'channel', 'a host',"
                                   " '2026-11-20T09:00:00.000Z', '2026-11-20T09:00:00.000Z')");
  EXPECT_THROW(desk->decide({with_its_hold(accept(request, unit_id(1)))}), store::constraint_violated);
  auto refused = with_its_hold(refuse(request));
  refused.unit_id = unit_id(1);
  desk->decide({refused});
  EXPECT_EQ(count_rows(session(), "booking_requests where taken_nights = '2027-04-10/2027-04-12'"), 1);
}

TEST_P(ClaimedHolds, EndWithTheWithdrawal) {
  const auto request = claim();
  const auto before = position_of(session());
  store::withdrawal by{request.platform, *request.reference, {}, {}};
  by.unit_of = [](const domain::booking_request&) { return store::booked_unit{account_id(1), unit_id(1)}; };
  by.audit = [](const domain::uuid& id, const std::optional<domain::uuid>& account) {
    return store::audit_entry{
        id, moment("2026-11-21T10:00:00.000Z"), "token 1", "booking withdrawal", "", "", account};
  };
  const auto withdrawn = store::withdraw_requests(session(), desk->lease, by);
  EXPECT_THAT(withdrawn.ids, ElementsAre(request.id));
  EXPECT_EQ(withdrawn.freed, store::newest_point(session()));
  EXPECT_EQ(active_holds(), 0);
  expect_freed_after(before);
}

TEST_P(ClaimedHolds, EndWithAnOperatorsRefusal) {
  const auto request = claim();
  const auto before = position_of(session());
  const store::decision_rows rows{std::vector{with_its_hold(refuse(request))}};
  store::record_refusals(session(), rows, [] {});
  EXPECT_EQ(active_holds(), 0);
  expect_freed_after(before);
}

} // namespace roost::testing::claimed_holds_test
