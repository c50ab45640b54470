#include "store/database/error.hpp"
#include "store/database/transaction.hpp"
#include "store/portfolio/held_nights.hpp"
#include "store/portfolio/live.hpp"
#include "store/stays/hold_scene.hpp"
#include "store/stays/holds.hpp"
#include "store/support/cancelled_stays.hpp"
#include "support/eventually.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <future>
#include <optional>
#include <string>
#include <vector>

/// Nights that a platform holds until they expire or are released.
namespace roost::testing::holds_test {
using kind = store::hold_receipt::kind;
using release_kind = store::release_outcome::kind;
using std::chrono::days;
using std::chrono::milliseconds;
using std::chrono::minutes;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Holds : public hold_scene {};
ROOST_ON_EACH_STORE(Holds);

TEST_P(Holds, AreStoredWithTheirEntryOfTheChangeStream) {
  const auto before = position_of(session());
  const auto request = hold_of("2027-04-01", "2027-05-01");
  const auto receipt = place(request);
  EXPECT_EQ(receipt.result, kind::created);
  EXPECT_EQ(receipt.expires_at, request.expires_at);
  EXPECT_EQ(receipt.point, store::newest_point(session()));
  expect_hold_change_after(before);
  const auto stored = record(request);
  EXPECT_TRUE(store::request_the_same(stored.hold, request));
  EXPECT_EQ(stored.hold.block_id, request.block_id);
  EXPECT_EQ(stored.hold.unit_id, unit_id(1));
  EXPECT_EQ(stored.hold.last_night, day("2027-04-30"));
  EXPECT_EQ(stored.hold.created_at, request.created_at);
  EXPECT_EQ(stored.hold.expires_at, request.expires_at);
  EXPECT_FALSE(stored.request_id);
  EXPECT_FALSE(stored.ended_at);
}

TEST_P(Holds, ThatAreRepeatedHaveTheirFirstReceipt) {
  const auto first = hold_of("2027-04-01", "2027-05-01");
  place(first);
  const auto before = position_of(session());
  auto repeat = first;
  repeat.block_id = fresh_id();
  repeat.created_at += minutes{5};
  repeat.expires_at += minutes{5};
  repeat.last_night += domain::days{2};
  const auto expect_repeated = [&] {
    const auto receipt = place(repeat);
    EXPECT_EQ(receipt.result, kind::repeated);
    EXPECT_EQ(receipt.expires_at, first.expires_at);
    EXPECT_EQ(receipt.point, store::newest_point(session())) << "reads may not show it yet";
  };
  expect_repeated();
  EXPECT_EQ(position_of(session()), before);
  import_card(false);
  expect_repeated();
  release(first);
  expect_repeated();
  EXPECT_TRUE(record(first).ended_at) << "it is not placed again";
  EXPECT_EQ(count_rows(session(), "holds"), 1);
}

TEST_P(Holds, WithAnotherBodyAreDifferent) {
  const auto first = hold_of("2027-04-01", "2027-05-01");
  place(first);
  const std::vector<std::function<void(store::hold&)>> edits{
      [](store::hold& each) { each.external_id = "ext-2"; },
      [](store::hold& each) { each.check_in = day("2027-04-02"); },
      [](store::hold& each) { each.check_out = day("2027-05-02"); },
      [](store::hold& each) { each.minutes = 11; },
  };
  for (const auto& edit : edits) {
    auto other = first;
    edit(other);
    EXPECT_EQ(place(other).result, kind::different);
  }
  auto elsewhere = hold_of("2027-06-01", "2027-07-01");
  elsewhere.id = first.id;
  elsewhere.platform = "marketplace-b";
  EXPECT_EQ(place(elsewhere).result, kind::created) << "each platform has its own IDs";
}

TEST_P(Holds, CannotTakeNightsThatAreTaken) {
  const auto booking = book("2027-04-10", "2027-04-12");
  block("2027-04-14", "2027-04-15");
  place("2027-04-16", "2027-04-18");
  const auto before = position_of(session());
  const auto refused = place("2027-04-01", "2027-05-01");
  EXPECT_EQ(refused.result, kind::taken);
  EXPECT_THAT(refused.taken, ElementsAre(domain::nights{day("2027-04-10"), day("2027-04-11")},
                                         domain::nights{day("2027-04-14"), day("2027-04-17")}));
  EXPECT_THAT(place("2027-04-17", "2027-04-20").taken,
              ElementsAre(domain::nights{day("2027-04-17"), day("2027-04-17")}));
  EXPECT_EQ(position_of(session()), before) << "nothing was written";
  EXPECT_EQ(count_rows(session(), "holds"), 1);
  EXPECT_EQ(place("2027-04-12", "2027-04-14").result, kind::created) << "the nights between are free";
  EXPECT_EQ(place("2027-04-18", "2027-04-20").result, kind::created);
  cancel_stay(session(), booking);
  EXPECT_EQ(place("2027-04-10", "2027-04-12").result, kind::created);
}

TEST_P(Holds, TakeTheNightsOfThePreparation) {
  auto request = hold_of("2027-04-01", "2027-04-10");
  request.last_night = day("2027-04-11");
  ASSERT_EQ(place(request).result, kind::created);
  EXPECT_THAT(place("2027-04-11", "2027-05-01").taken,
              ElementsAre(domain::nights{day("2027-04-11"), day("2027-04-11")}));
  EXPECT_EQ(place("2027-04-12", "2027-05-01").result, kind::created);
}

TEST_P(Holds, CanBeForbiddenOnTheCard) {
  import_card(false);
  EXPECT_EQ(place("2027-04-01", "2027-05-01").result, kind::forbidden);
  EXPECT_EQ(count_rows(session(), "holds"), 0);
  auto elsewhere = hold_of("2027-04-01", "2027-05-01");
  elsewhere.platform = "marketplace-b";
  EXPECT_EQ(place(elsewhere).result, kind::created) << "the landlord has no card for it";
  import_card(true);
  EXPECT_EQ(place("2027-05-01", "2027-06-01").result, kind::created);
}

TEST_P(Holds, RequireAUnitOfTheAccount) {
  auto request = hold_of("2027-04-01", "2027-05-01");
  for (const auto unit : {3, 99}) {
    request.unit_id = unit_id(unit);
    EXPECT_EQ(place(request).result, kind::no_unit) << unit;
  }
}

TEST_P(Holds, OfAPlatformAreLimitedForEachLandlord) {
  const auto first = day("2027-01-01");
  const auto nth = [&](int n) {
    const auto check_in = domain::to_string(first + domain::days{n / 2});
    auto request = hold_of(check_in.c_str(), domain::to_string(first + domain::days{n / 2 + 1}).c_str());
    request.unit_id = unit_id(n % 2 == 0 ? 1 : 2);
    request.external_id = n % 2 == 0 ? "ext-1" : "ext-2";
    return request;
  };
  std::vector<store::hold> holds;
  for (int n = 0; n < store::max_holds; ++n) holds.push_back(nth(n));
  for (const auto& each : holds) ASSERT_EQ(place(each).result, kind::created);
  const auto next = nth(50);
  EXPECT_EQ(place(next).result, kind::too_many);
  EXPECT_EQ(place(holds.front()).result, kind::repeated);
  auto elsewhere = nth(51);
  elsewhere.platform = "marketplace-b";
  EXPECT_EQ(place(elsewhere).result, kind::created);
  auto of_other_landlord = nth(52);
  of_other_landlord.unit_id = unit_id(3);
  EXPECT_EQ(place(of_other_landlord, other_account).result, kind::created);

  claim(holds[0]);
  EXPECT_EQ(place(next).result, kind::created) << "the claimed one does not count";
  EXPECT_EQ(place(nth(53)).result, kind::too_many);
  EXPECT_EQ(release(holds[1]).result, release_kind::released);
  EXPECT_EQ(place(nth(53)).result, kind::created);
}

TEST_P(Holds, AreReleasedOnce) {
  const auto request = placed("2027-04-01", "2027-05-01");
  const auto before = position_of(session());
  const auto released = release(request, request.created_at + minutes{1});
  EXPECT_EQ(released.result, release_kind::released);
  EXPECT_EQ(released.point, store::newest_point(session()));
  expect_hold_change_after(before);
  EXPECT_EQ(record(request).ended_at, request.created_at + minutes{1});
  const auto again = release(request, request.created_at + minutes{2});
  EXPECT_EQ(again.result, release_kind::ended);
  EXPECT_EQ(again.point.position, 0);
  EXPECT_EQ(position_of(session()), before + 1);
  EXPECT_EQ(record(request).ended_at, request.created_at + minutes{1});
  EXPECT_EQ(place("2027-04-01", "2027-05-01").result, kind::created) << "the nights are free";
}

TEST_P(Holds, OfOtherPlatformsAreUnknown) {
  auto request = placed("2027-04-01", "2027-05-01");
  request.platform = "marketplace-b";
  EXPECT_EQ(release(request).result, release_kind::unknown);
  request.platform = platform;
  request.id = "another";
  EXPECT_EQ(release(request).result, release_kind::unknown);
}

TEST_P(Holds, ThatARequestHasClaimedAreReleasedByItsDecision) {
  const auto request = placed("2027-04-01", "2027-05-01");
  const auto booking = claim(request);
  EXPECT_EQ(record(request).request_id, booking.id);
  const auto before = position_of(session());
  EXPECT_EQ(release(request).result, release_kind::claimed);
  EXPECT_FALSE(record(request).ended_at);
  EXPECT_EQ(position_of(session()), before);
  auto decision = refuse(booking);
  decision.ends_hold = true;
  node_->decide({decision});
  EXPECT_TRUE(record(request).ended_at);
  EXPECT_EQ(release(request).result, release_kind::ended);
}

TEST_P(Holds, ExpireAtTheirTime) {
  const auto first = placed("2027-04-01", "2027-05-01");
  auto later = hold_of("2027-05-01", "2027-06-01");
  later.unit_id = unit_id(2);
  later.expires_at += minutes{1};
  place(later);
  const auto before = position_of(session());
  auto expired = expire(first.expires_at - milliseconds{1});
  EXPECT_EQ(expired.count, 0U);
  EXPECT_EQ(expired.point.position, 0);
  EXPECT_EQ(position_of(session()), before);
  expired = expire(first.expires_at);
  EXPECT_EQ(expired.count, 1U);
  EXPECT_EQ(expired.point, store::newest_point(session()));
  expect_hold_change_after(before);
  EXPECT_EQ(record(first).ended_at, first.expires_at);
  EXPECT_FALSE(record(later).ended_at);
  EXPECT_EQ(release(first).result, release_kind::ended);
  EXPECT_EQ(expire(first.expires_at).count, 0U) << "it ends once";
}

TEST_P(Holds, ExpireTogether) {
  std::vector<store::hold> holds{hold_of("2027-04-01", "2027-05-01"), hold_of("2027-05-01", "2027-06-01"),
                                 hold_of("2027-06-01", "2027-07-01"), hold_of("2027-07-01", "2027-08-01")};
  for (std::size_t i = 0; i < holds.size(); ++i) holds[i].expires_at += milliseconds{i};
  holds[1].unit_id = unit_id(2);
  holds[2].unit_id = unit_id(3);
  for (std::size_t i = 0; i < holds.size(); ++i) place(holds[i], i == 2 ? other_account : scope);
  const auto before = position_of(session());
  EXPECT_EQ(expire(moment("2027-01-01T00:00:00Z"), 3).count, 3U);
  const auto entries = store::entries_after(session(), before, 10);
  ASSERT_THAT(entries, SizeIs(1));
  EXPECT_THAT(entries[0].change.accounts, ::testing::UnorderedElementsAre(account_id(1), account_id(2)));
  EXPECT_THAT(entries[0].change.units, ::testing::UnorderedElementsAre(unit_id(1), unit_id(2), unit_id(3)));
  EXPECT_FALSE(record(holds[3]).ended_at) << "the one that expired last waits for the next call";
  EXPECT_EQ(expire(moment("2027-01-01T00:00:00Z"), 3).count, 1U);
}

TEST_P(Holds, ThatARequestHasClaimedDoNotExpire) {
  const auto request = placed("2027-04-01", "2027-05-01");
  claim(request);
  EXPECT_EQ(expire(moment("2028-01-01T00:00:00Z")).count, 0U);
  EXPECT_FALSE(record(request).ended_at);
}

TEST_P(Holds, AreForgottenAfter30Days) {
  auto first = hold_of("2027-04-01", "2027-05-01"), second = hold_of("2027-05-01", "2027-06-01"),
       third = hold_of("2027-06-01", "2027-07-01");
  second.expires_at = first.expires_at + days{30};
  third.expires_at = second.expires_at + milliseconds{1};
  for (const auto& each : {first, second, third}) place(each);
  expire(first.expires_at);
  expire(second.expires_at);
  EXPECT_EQ(place(first).result, kind::repeated);
  expire(third.expires_at);
  EXPECT_FALSE(store::find_hold(session(), platform, first.id));
  EXPECT_TRUE(store::find_hold(session(), platform, second.id));
  const auto before = position_of(session());
  const auto expired = expire(third.expires_at + days{31});
  EXPECT_EQ(count_rows(session(), "holds"), 0) << "also if none expires";
  EXPECT_EQ(expired.count, 0U);
  EXPECT_EQ(expired.point.position, 0);
  EXPECT_EQ(position_of(session()), before);
  EXPECT_EQ(place(first).result, kind::created);
}

TEST_P(Holds, AreLiveBlocks) {
  auto request = hold_of("2027-04-01", "2027-04-10");
  request.last_night = day("2027-04-11");
  place(request);
  book("2027-05-01", "2027-06-01");
  const std::vector ids{unit_id(1)};
  const auto live_blocks = [&] { return live_unit(session(), unit_id(1)).second.blocks; };
  const auto blocks = live_blocks();
  ASSERT_THAT(blocks, SizeIs(2));
  EXPECT_EQ(blocks[0].id, request.block_id);
  EXPECT_EQ(blocks[0].nights, (domain::nights{day("2027-04-01"), day("2027-04-11")}));
  EXPECT_EQ(blocks[0].source, domain::block_source::hold);
  EXPECT_EQ(blocks[0].created_at, request.created_at);
  EXPECT_EQ(blocks[1].source, domain::block_source::booking);
  const auto holds = store::holds_of(session(), ids);
  ASSERT_THAT(holds, SizeIs(1));
  EXPECT_EQ(holds[0].block(), blocks[0]) << "memory may read it either way";
  EXPECT_THAT(store::live_units_of(session(), ids).at(0).blocks, IsEmpty()) << "like bookings";
  claim(request);
  EXPECT_EQ(live_blocks(), blocks) << "until the request is decided";
  EXPECT_EQ(store::holds_of(session(), ids).at(0).block(), blocks[0]);
  end_holds(session());
  EXPECT_THAT(live_blocks(), ElementsAre(blocks[1]));
  EXPECT_THAT(store::holds_of(session(), ids), IsEmpty());
}

TEST_P(Holds, AreRemovedWithTheirUnit) {
  const auto request = placed("2027-04-01", "2027-05-01");
  auto& units = file_.accounts[0].properties[0].units;
  units.erase(units.begin());
  import();
  EXPECT_FALSE(store::find_hold(session(), platform, request.id));
  EXPECT_EQ(release(request).result, release_kind::unknown);
}

TEST_P(Holds, RequireTheLease) {
  const auto request = placed("2027-04-01", "2027-05-01");
  ++node_->lease.epoch;
  EXPECT_THROW(place("2027-05-01", "2027-06-01"), store::lease_lost);
  EXPECT_THROW(release(request), store::lease_lost);
  EXPECT_THROW(expire(request.expires_at), store::lease_lost);
  EXPECT_FALSE(record(request).ended_at);
  EXPECT_EQ(count_rows(session(), "holds"), 1);
}

/// Only PostgreSQL has concurrent writers.
class ConcurrentHolds : public hold_scene {
protected:
  /// Runs the function while the script's transaction is open, which is committed once the function waits.
  template <typename Run>
  auto run_during(const std::string& script, Run run) {
    store::transaction txn(other_, store::transaction::purpose::write);
    other_.internals().script("rival", script);
    auto result = std::async(std::launch::async, run);
    EXPECT_TRUE(eventually([&] {
      return count_rows(observer_, "pg_stat_activity where wait_event_type = 'Lock'"
                                   " and datname = current_database()") > 0;
    }));
    txn.commit();
    return result.get();
  }

  static std::string claim_of(const store::hold& hold) {
    return "update holds set request_id = '" + domain::to_string(fresh_id()) + "' where id = '" + hold.id +
           "'";
  }

  store::session other_ = store().open(), observer_ = store().open();
};
ROOST_ON_POSTGRESQL(ConcurrentHolds);

TEST_P(ConcurrentHolds, DoNotExpireWhileARequestClaimsThem) {
  const auto request = placed("2027-04-01", "2027-05-01"), other = placed("2027-05-01", "2027-06-01");
  store::transaction claiming(other_, store::transaction::purpose::write);
  other_.internals().script("claim", claim_of(request));
  EXPECT_EQ(expire(request.expires_at).count, 1U);
  EXPECT_TRUE(record(other).ended_at);
  claiming.commit();
  EXPECT_EQ(expire(request.expires_at).count, 0U);
  EXPECT_FALSE(record(request).ended_at);
}

TEST_P(ConcurrentHolds, AreNotReleasedIfARequestClaimsThemMeanwhile) {
  const auto request = placed("2027-04-01", "2027-05-01");
  const auto outcome = run_during(claim_of(request), [&] { return release(request); });
  EXPECT_EQ(outcome.result, release_kind::claimed);
  EXPECT_FALSE(record(request).ended_at);
}

TEST_P(ConcurrentHolds, AreTakenIfAnotherOneIsPlacedMeanwhile) {
  const auto first = placed("2027-04-01", "2027-05-01");
  release(first);
  const auto outcome = run_during("update holds set ended_at = null where id = '" + first.id + "'",
                                  [&] { return place("2027-04-20", "2027-05-20"); });
  EXPECT_EQ(outcome.result, kind::taken);
  EXPECT_THAT(outcome.taken, ElementsAre(domain::nights{day("2027-04-20"), day("2027-04-30")}));
}

} // namespace roost::testing::holds_test
