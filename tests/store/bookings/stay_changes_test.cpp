#include "store/bookings/decisions.hpp"
#include "store/bookings/outcomes.hpp"
#include "store/bookings/requests.hpp"
#include "store/bookings/stay_changes.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/transaction.hpp"
#include "store/support/cancelled_stays.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/sample_stay_change.hpp"
#include "store/support/stored_rows.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <optional>
#include <string>
#include <vector>

namespace roost::testing::stay_changes_test {
using kind = store::stay_change_receipt::kind;
using store::stay_change_state;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string platform = "marketplace-a";

std::string reference_of(unsigned long n) { return "reference-" + std::to_string(n); }

/// A change of the booking of `sample_request(booking)`.
store::stay_change change_of(unsigned long booking, const std::string& id = "change-1") {
  auto change = sample_stay_change(platform, reference_of(booking), id, "2027-04-10", "2027-05-20");
  change.occupants = 2;
  change.provider_payment = domain::money{700'00};
  return change;
}

class StayChanges : public on_each_store {
protected:
  void SetUp() override { desk.emplace(session()); }

  domain::booking_request submit(unsigned long n) {
    auto request = sample_request(n);
    desk->insert({request});
    return request;
  }

  /// Books the stay of request n. Returns the booking's id.
  domain::uuid book(unsigned long n = 1) {
    const auto accepted = accept(submit(n), unit_id(1));
    desk->decide({accepted});
    return accepted.booking->id;
  }

  store::stay_change_receipt put(const store::stay_change& change, const char* today = "2026-11-21") {
    return store::put_stay_change(session(), desk->lease, change, day(today));
  }

  std::optional<store::stay_change_record> find(const store::stay_change& change) {
    return store::find_stay_change(session(), change.platform, change.reference, change.id);
  }

  std::optional<store::pending_stay_change>
  first(const std::function<bool(const store::pending_stay_change&)>& is_due = any,
        const std::vector<std::string>& platforms = {platform}) {
    return store::first_pending_change(
        session(), platforms, [](const auto&) { return true; }, is_due);
  }

  /// Returns the IDs of the pending changes in their order.
  std::vector<std::string> pending_ids(const std::vector<std::string>& platforms = {platform}) {
    std::vector<std::string> ids;
    const auto none = [&](const store::pending_stay_change& each) {
      ids.push_back(each.change.id);
      return false;
    };
    EXPECT_FALSE(first(none, platforms));
    return ids;
  }

  std::int64_t newest_request_seq() { return store::pending_requests(session(), 0, 100).back().seq; }

  void decide(std::int64_t seq, const store::stay_change_decision& decision) {
    store::transaction txn(session(), store::transaction::purpose::write);
    ASSERT_TRUE(store::lock_pending_change(session(), seq));
    store::decide_pending_change(session(), seq, decision);
    txn.commit();
  }

  static bool any(const store::pending_stay_change&) { return true; }

  std::optional<writer> desk;
};
ROOST_ON_EACH_STORE(StayChanges);

TEST_P(StayChanges, AreStoredOnce) {
  book();
  const auto change = change_of(1);
  const auto created = put(change);
  EXPECT_EQ(created.result, kind::created);
  EXPECT_EQ(created.received_at, change.received_at);
  auto again = change;
  again.received_at += 1min;
  again.requested_by = "token 2";
  const auto repeated = put(again);
  EXPECT_EQ(repeated.result, kind::repeated);
  EXPECT_EQ(repeated.received_at, change.received_at);
  const auto stored = find(change).value();
  EXPECT_TRUE(store::request_the_same(stored.change, change));
  EXPECT_EQ(stored.change.requested_by, "token 1");
  EXPECT_EQ(stored.change.received_at, change.received_at);
  EXPECT_EQ(stored.state, stay_change_state::pending);
  EXPECT_FALSE(stored.refusal);
  EXPECT_THAT(stored.taken_nights, IsEmpty());
  EXPECT_FALSE(stored.decided_at);
  EXPECT_THAT(pending_ids(), ElementsAre("change-1"));
}

TEST_P(StayChanges, ThatDifferInAnyValueAreDifferent) {
  book();
  const auto change = change_of(1);
  put(change);
  const auto result_with = [&](const std::function<void(store::stay_change&)>& edit) {
    auto other = change;
    edit(other);
    return put(other).result;
  };
  EXPECT_EQ(result_with([](auto& of) { of.check_in = day("2027-04-11"); }), kind::different);
  EXPECT_EQ(result_with([](auto& of) { of.check_out = day("2027-05-21"); }), kind::different);
  EXPECT_EQ(result_with([](auto& of) { of.occupants = 3; }), kind::different);
  EXPECT_EQ(result_with([](auto& of) { of.occupants.reset(); }), kind::different);
  EXPECT_EQ(result_with([](auto& of) { of.provider_payment = domain::money{700'01}; }), kind::different);
  EXPECT_EQ(result_with([](auto& of) { of.provider_payment.reset(); }), kind::different);
  EXPECT_EQ(result_with([](auto&) {}), kind::repeated) << "the first one is still stored";
}

TEST_P(StayChanges, WithoutAValueDifferFromThoseThatSetIt) {
  book();
  auto change = change_of(1);
  change.occupants.reset();
  change.provider_payment.reset();
  put(change);
  const auto stored = find(change).value().change;
  EXPECT_FALSE(stored.occupants);
  EXPECT_FALSE(stored.provider_payment);
  EXPECT_EQ(put(change).result, kind::repeated);
  auto other = change;
  other.occupants = 1;
  EXPECT_EQ(put(other).result, kind::different) << "although the booking is for one person";
  other = change;
  other.provider_payment = domain::money{0};
  EXPECT_EQ(put(other).result, kind::different);
}

TEST_P(StayChanges, WithTheSameIdOfOtherBookingsAreIndependent) {
  book(1);
  submit(2);
  put(change_of(1));
  auto other = change_of(2);
  other.check_out = day("2027-06-01");
  EXPECT_EQ(put(other).result, kind::created);
  EXPECT_EQ(put(change_of(1, "change-2")).result, kind::created);
  EXPECT_EQ(find(other)->change.check_out, day("2027-06-01"));
  EXPECT_EQ(find(change_of(1))->change.check_out, day("2027-05-20"));
}

TEST_P(StayChanges, AreFoundOnlyByTheirPlatformReferenceAndId) {
  book();
  put(change_of(1));
  EXPECT_FALSE(store::find_stay_change(session(), "marketplace-b", reference_of(1), "change-1"));
  EXPECT_FALSE(store::find_stay_change(session(), platform, reference_of(2), "change-1"));
  EXPECT_FALSE(store::find_stay_change(session(), platform, reference_of(1), "change-2"));
}

TEST_P(StayChanges, OfUnknownBookingsAreNotStored) {
  submit(1);
  EXPECT_EQ(put(change_of(2)).result, kind::not_submitted);
  auto elsewhere = change_of(1);
  elsewhere.platform = "marketplace-b";
  EXPECT_EQ(put(elsewhere).result, kind::not_submitted);
  EXPECT_EQ(count_rows(session(), "stay_changes"), 0);
}

TEST_P(StayChanges, OfRefusedAndCancelledBookingsAreNotStored) {
  desk->decide({refuse(submit(1))});
  EXPECT_EQ(put(change_of(1)).result, kind::booking_refused);
  const auto id = book(2);
  const auto before = change_of(2, "change-2");
  put(before);
  ASSERT_TRUE(cancel_stay(session(), id));
  EXPECT_EQ(put(change_of(2)).result, kind::booking_cancelled);
  EXPECT_EQ(put(before).result, kind::repeated) << "it was stored before";
  EXPECT_EQ(count_rows(session(), "stay_changes"), 1);
}

TEST_P(StayChanges, OfStaysThatAreOverAreNotStored) {
  book(); // until 2027-05-01
  EXPECT_EQ(put(change_of(1), "2027-05-01").result, kind::stay_over) << "on the day of check-out";
  EXPECT_EQ(put(change_of(1), "2027-06-01").result, kind::stay_over);
  EXPECT_EQ(put(change_of(1), "2027-04-30").result, kind::created) << "on the day before";
}

TEST_P(StayChanges, OfPendingBookingsAreStored) {
  submit(1);
  EXPECT_EQ(put(change_of(1)).result, kind::created);
  submit(2);
  EXPECT_EQ(put(change_of(2), "2027-06-01").result, kind::created) << "the queue decides whether it is over";
  EXPECT_EQ(first()->booking->status, store::outcome_status::pending);
}

TEST_P(StayChanges, ComeAfterTheNewestRequest) {
  submit(1);
  put(change_of(1, "a"));
  const auto after_first = newest_request_seq();
  submit(2);
  put(change_of(1, "b"));
  const auto after_second = newest_request_seq();
  submit(3);
  ASSERT_LT(after_first, after_second);
  std::vector<std::int64_t> places;
  first([&](const store::pending_stay_change& each) {
    places.push_back(each.after_seq);
    return false;
  });
  EXPECT_THAT(places, ElementsAre(after_first, after_second));
}

TEST_P(StayChanges, ArePendingInTheOrderOfTheirPlaceThenOfTheirArrival) {
  submit(1);
  put(change_of(1, "d"));
  put(change_of(1, "c"));
  submit(2);
  put(change_of(2, "b"));
  put(change_of(1, "a"));
  EXPECT_THAT(pending_ids(), ElementsAre("d", "c", "b", "a"));
  session().internals().script("move", "update stay_changes set after_seq = 0 where id = 'b'");
  EXPECT_THAT(pending_ids(), ElementsAre("b", "d", "c", "a"));
}

TEST_P(StayChanges, ArePendingOfTheRequestedPlatformsOnly) {
  submit(1);
  auto elsewhere = sample_request(2);
  elsewhere.platform = "marketplace-b";
  desk->insert({elsewhere});
  auto other = change_of(2, "other");
  other.platform = "marketplace-b";
  put(other);
  put(change_of(1));
  EXPECT_THAT(pending_ids(), ElementsAre("change-1"));
  EXPECT_THAT(pending_ids({"marketplace-b"}), ElementsAre("other"));
  EXPECT_THAT(pending_ids({"marketplace-b", platform}), ElementsAre("other", "change-1"));
  EXPECT_THAT(pending_ids({}), IsEmpty());
}

TEST_P(StayChanges, HaveTheirBookingAsItIs) {
  const auto id = book();
  put(change_of(1));
  const auto pending = first().value();
  EXPECT_TRUE(store::request_the_same(pending.change, change_of(1)));
  EXPECT_EQ(pending.change.requested_by, "token 1");
  EXPECT_EQ(pending.booking, store::find_outcome(session(), platform, reference_of(1)));
  EXPECT_EQ(pending.booking->booking_id, id);
  EXPECT_EQ(pending.booking->booked, (store::booked_unit{account_id(1), unit_id(1)}));
}

TEST_P(StayChanges, ThatAreNotDueAreSkippedBeyondOnePage) {
  constexpr int count = 45; // pages have 20
  submit(1);
  std::vector<std::string> ids;
  for (int i = 0; i < count; ++i) {
    if (i == 15) submit(2);
    ids.push_back("change-" + std::to_string(i));
    put(change_of(1, ids.back()));
  }
  EXPECT_EQ(pending_ids(), ids) << "each once";
  const auto is_late = [&](const auto& each) { return each.change.id == ids[43]; };
  EXPECT_EQ(first(is_late)->change.id, ids[43]);
}

TEST_P(StayChanges, AreAppliedOrRefusedOnce) {
  book();
  put(change_of(1, "a"));
  put(change_of(1, "b"));
  const auto applied = first()->seq;
  decide(applied, {});
  const auto refused = first()->seq;
  EXPECT_NE(applied, refused);
  const std::vector taken{domain::nights{day("2027-05-01"), day("2027-05-03")},
                          domain::nights{day("2027-05-09"), day("2027-05-09")}};
  decide(refused, {stay_change_state::refused, domain::refusal::overlapping_nights, taken});
  EXPECT_FALSE(first());
  const auto first_record = find(change_of(1, "a")).value(), second_record = find(change_of(1, "b")).value();
  EXPECT_EQ(first_record.state, stay_change_state::applied);
  EXPECT_FALSE(first_record.refusal);
  EXPECT_THAT(first_record.taken_nights, IsEmpty());
  EXPECT_TRUE(first_record.decided_at);
  EXPECT_EQ(second_record.state, stay_change_state::refused);
  EXPECT_EQ(second_record.refusal, domain::refusal::overlapping_nights);
  EXPECT_EQ(second_record.taken_nights, taken);
  EXPECT_TRUE(second_record.decided_at);
  store::transaction txn(session(), store::transaction::purpose::write);
  EXPECT_FALSE(store::lock_pending_change(session(), applied)) << "it is decided";
  EXPECT_FALSE(store::lock_pending_change(session(), refused));
}

TEST_P(StayChanges, AreLockedWithTheirBooking) {
  book();
  put(change_of(1));
  const auto seq = first()->seq;
  store::transaction txn(session(), store::transaction::purpose::write);
  const auto locked = store::lock_pending_change(session(), seq).value();
  EXPECT_EQ(locked.seq, seq);
  EXPECT_TRUE(store::request_the_same(locked.change, change_of(1)));
  EXPECT_EQ(locked.booking->status, store::outcome_status::confirmed);
  EXPECT_FALSE(store::lock_pending_change(session(), seq + 1)) << "there is none";
}

TEST_P(StayChanges, ThatAreDecidedAreStillRepeated) {
  book();
  put(change_of(1));
  decide(first()->seq, {});
  EXPECT_EQ(put(change_of(1), "2027-06-01").result, kind::repeated) << "although the stay is over";
}

TEST_P(StayChanges, RequireTheLease) {
  book();
  auto lost = desk->lease;
  ++lost.epoch;
  EXPECT_THROW(store::put_stay_change(session(), lost, change_of(1), day("2026-11-21")), store::lease_lost);
  EXPECT_FALSE(find(change_of(1)));
}

TEST_P(StayChanges, FromConcurrentCallersAreCreatedOnce) {
  submit(1);
  constexpr int callers = 4, rounds = 10;
  for (int round = 1; round <= rounds; ++round) {
    std::vector<std::future<kind>> calls;
    for (int i = 0; i < callers; ++i)
      calls.push_back(std::async(std::launch::async, [&, round] {
        auto own = store().open();
        for (;;) try {
            return store::put_stay_change(own, desk->lease, change_of(1, std::to_string(round)),
                                          day("2026-11-21"))
                .result;
          } catch (const store::unavailable&) { // the same change is being stored
          }
      }));
    int created = 0;
    for (auto& call : calls) {
      const auto result = call.get();
      created += result == kind::created ? 1 : 0;
      EXPECT_TRUE(result == kind::created || result == kind::repeated);
    }
    EXPECT_EQ(created, 1);
  }
  EXPECT_EQ(pending_ids().size(), std::size_t{rounds});
}

/// Only PostgreSQL locks rows.
class LockedStayChanges : public StayChanges {};
ROOST_ON_POSTGRESQL(LockedStayChanges);

TEST_P(LockedStayChanges, CannotBeLockedTwice) {
  book();
  put(change_of(1));
  const auto seq = first()->seq;
  auto other = store().open();
  {
    const store::transaction deciding(other, store::transaction::purpose::write);
    ASSERT_TRUE(store::lock_pending_change(other, seq));
    const store::transaction txn(session(), store::transaction::purpose::write);
    EXPECT_THROW(store::lock_pending_change(session(), seq), store::unavailable);
  }
  const store::transaction txn(session(), store::transaction::purpose::write);
  EXPECT_TRUE(store::lock_pending_change(session(), seq));
}

TEST_P(LockedStayChanges, AreUnavailableWhileTheyAreBeingStored) {
  book();
  {
    auto other = store().open();
    const store::transaction storing(other, store::transaction::purpose::write);
    other.internals().script("hold", "insert into stay_changes (platform, reference, id, after_seq, check_in,"
                                     " check_out, requested_by, received_at) values ('marketplace-a',"
                                     " 'reference-1', 'change-1', 0, '2027-04-10', '2027-05-20', 'token 1',"
                                     " now())");
    EXPECT_THROW(put(change_of(1)), store::unavailable);
  }
  EXPECT_EQ(put(change_of(1)).result, kind::created);
}

} // namespace roost::testing::stay_changes_test
