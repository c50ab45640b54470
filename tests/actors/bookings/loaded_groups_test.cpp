#include "actors/bookings/decision_group.hpp"
#include "actors/support/booking_world.hpp"
#include "store/bookings/stay_changes.hpp"
#include "store/support/sample_stay_change.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

/// Which requests and which change the queue reads.
namespace roost::testing::loaded_groups_test {
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class LoadedGroups : public booking_world {
protected:
  static constexpr std::int64_t after_all = std::numeric_limits<std::int64_t>::max();

  domain::booking_request submit(unsigned number) {
    auto submitted = request(number, number, "2027-02-01", "2027-03-01");
    enqueue({submitted});
    return submitted;
  }

  store::stay_change change(const domain::booking_request& booking, const std::string& id = "one") {
    auto change = sample_stay_change(booking.platform, *booking.reference, id, "2027-02-10", "2027-03-10");
    EXPECT_EQ(store::put_stay_change(session(), lease, change, day("2026-11-20")).result,
              store::stay_change_receipt::kind::created);
    return change;
  }

  actors::next_group load(const actors::group_limits& limits) {
    return actors::load_group(session(), *followed, directory, sample_platforms(), limits);
  }

  static std::vector<domain::uuid> ids_of(const actors::next_group& group) {
    std::vector<domain::uuid> ids;
    for (const auto& each : group.requests) ids.push_back(each.pending->request.id);
    return ids;
  }
};
ROOST_ON_EACH_STORE(LoadedGroups);

TEST_P(LoadedGroups, EndBeforeTheRequestsThatArrivedAfterTheFirstChange) {
  const auto first = submit(1), second = submit(2);
  const auto put = change(first);
  const auto later = submit(3);
  const auto group = load({0, 10});
  EXPECT_THAT(ids_of(group), ElementsAre(first.id, second.id));
  EXPECT_EQ(group.change->change.id, put.id);
}

/// A request may be committed after others with greater numbers, or after the queue has read the requests.
TEST_P(LoadedGroups, HaveRequestsThatBecameVisibleLateBeforeAChange) {
  const auto late = submit(1);
  change(late);
  const auto group = load({after_all, 10});
  EXPECT_THAT(ids_of(group), ElementsAre(late.id));
}

TEST_P(LoadedGroups, HaveNoRequestsThatTheQueueLeavesOut) {
  const auto left_out = submit(1), late = submit(2);
  const auto put = change(late);
  EXPECT_THAT(ids_of(load({after_all, 10, {}, {left_out.id}})), ElementsAre(late.id));
  const auto group = load({after_all, 10, {}, {left_out.id, late.id}});
  EXPECT_THAT(ids_of(group), IsEmpty());
  EXPECT_EQ(group.change->change.id, put.id);
}

TEST_P(LoadedGroups, ReadAtMostSoManyRequestsThatBecameVisibleLate) {
  const auto first = submit(1), second = submit(2);
  change(second);
  EXPECT_THAT(ids_of(load({after_all, 1})), ElementsAre(first.id));
}

TEST_P(LoadedGroups, PassOverChangesOfBookingsThatWait) {
  const auto waiting = submit(1), other = submit(2);
  change(waiting);
  const auto put = change(other);
  actors::postponed_changes postponed;
  postponed.await_booking(*load({0, 10}).change);
  EXPECT_EQ(load({0, 10, postponed}).change->change.reference, put.reference);
  postponed.skip(*load({0, 10, postponed}).change);
  EXPECT_FALSE(load({0, 10, postponed}).change);
  postponed.start_over();
  EXPECT_EQ(load({0, 10, postponed}).change->change.reference, *waiting.reference)
      << "its request is read again";
  postponed.begin_run();
  change(waiting, "two");
  postponed.skip(*load({0, 10, postponed}).change);
  EXPECT_EQ(load({0, 10, postponed}).change->change.reference, put.reference)
      << "a later change of the booking waits, too";
}

} // namespace roost::testing::loaded_groups_test
