#include "actors/bookings/queue_watch.hpp"
#include "actors/support/booking_world.hpp"

#include <gtest/gtest.h>

/// Requests about which this process knows too little for a final decision.
namespace roost::testing::undecidable_requests_test {
using domain::request_state;

class UndecidableRequests : public booking_world {
protected:
  static domain::booking_request of_platform(const std::string& platform, unsigned number,
                                             unsigned unit = 1) {
    auto booking = request(number, unit, "2027-02-01", "2027-03-01");
    booking.platform = platform;
    return booking;
  }

  actors::queue_watch_setup watch_setup() {
    return {storage->at(actors::storage_pool::lane::reads_and_mail),
            held,
            sample_platforms(),
            &directory,
            [] { return now() + 40s; },
            &registry};
  }

  /// Ends a whole run of the queue that began after the call.
  void end_whole_run() {
    for (int i = 0; i < 2; ++i) run_to_end(); // the first one may have begun earlier
  }
};
ROOST_ON_EACH_STORE(UndecidableRequests);

TEST_P(UndecidableRequests, StayNewForAnUnconfiguredPlatformWhileOthersAreDecided) {
  auto unknown_unit = of_platform("gone", 2, 999), repeat = of_platform("gone", 3);
  repeat.reference = request(2, 1, "2027-02-01", "2027-03-01").reference;
  const std::vector unknown{of_platform("gone", 1), unknown_unit, repeat};
  const std::vector known{request(4, 2, "2027-02-01", "2027-03-01")};
  enqueue(unknown);
  enqueue(known);
  decide(known);
  end_whole_run();
  for (const auto& each : unknown) EXPECT_EQ(state_of(each), request_state::pending);
  EXPECT_EQ(state_of(known[0]), request_state::success);
  EXPECT_EQ(mails->count(), 0U);
}

TEST_P(UndecidableRequests, DoNotHideLaterOnesWhenTheyFillAGroup) {
  std::vector<domain::booking_request> unknown;
  for (unsigned i = 1; i <= 1'001; ++i) unknown.push_back(of_platform("gone", i));
  const std::vector known{request(5'000, 1, "2027-02-01", "2027-03-01")};
  enqueue(unknown);
  enqueue(known);
  decide(known);
  EXPECT_EQ(state_of(known[0]), request_state::success);
  EXPECT_EQ(store::requests_by_state(session()).pending, 1'001);
}

TEST_P(UndecidableRequests, AreThoseOfUnknownPlatformsAndOfSingleLandlordsWithoutAnAccount) {
  auto platforms = std::make_shared<std::vector<domain::platform>>(*sample_platforms());
  const auto known = directory.get();
  const auto is_decidable = [&](const char* name) { return actors::is_decidable(*known, platforms, name); };
  EXPECT_TRUE(is_decidable("marketplace-a"));
  EXPECT_TRUE(is_decidable("landlord-one"));
  EXPECT_FALSE(is_decidable("gone"));
  EXPECT_FALSE(is_decidable(""));
  platforms->at(2).account.reset();
  EXPECT_FALSE(is_decidable("landlord-one"));
  platforms->at(2).account = numbered_id(77); // was never imported
  EXPECT_FALSE(is_decidable("landlord-one"));
}

TEST_P(UndecidableRequests, AreCountedForMetricsAndReadiness) {
  enqueue({of_platform("gone", 1), of_platform("gone", 2), of_platform("room-sharing", 3)});
  const auto setup = watch_setup();
  const auto watch = actors::spawn_queue_watch(rt, setup);
  const auto age = [&](const std::string& platform) {
    return metric("roost_queue_oldest_request_seconds{platform=\"" + platform + "\"}");
  };
  ASSERT_TRUE(eventually([&] { return metric("roost_queue_unconfigured_requests") == 2; }));
  EXPECT_EQ(metric("roost_queue_requests{state=\"New\"}"), 3U);
  EXPECT_EQ(age("gone"), 40U);
  EXPECT_EQ(age("room-sharing"), 40U);
  EXPECT_EQ(age("marketplace-a"), 0U);
  ASSERT_TRUE(eventually([&] { return setup.undecidable->get() != nullptr; }));
  EXPECT_EQ(actors::describe(*setup.undecidable->get()),
            "gone is not configured here; waiting: 2 requests, the oldest since 2026-11-20T09:00:00.000Z");
  held->give_up(); // as on a standby
  ASSERT_TRUE(eventually([&] { return age("gone") == 0; }));
  EXPECT_EQ(metric("roost_queue_unconfigured_requests"), 0U);
  EXPECT_EQ(setup.undecidable->get()->size(), 1U) << "a standby warns, too";
  caf::anon_send_exit(watch, caf::exit_reason::user_shutdown);
}

TEST_P(UndecidableRequests, GetOlderDespiteAClockThatWasAhead) {
  auto later = of_platform("gone", 2);
  later.received_at -= std::chrono::days{1} - std::chrono::milliseconds{1}; // the clock was corrected
  enqueue({of_platform("gone", 1), later});
  auto setup = watch_setup();
  setup.now = [now = setup.now] { return now() - std::chrono::days{1}; };
  const auto watch = actors::spawn_queue_watch(rt, setup);
  ASSERT_TRUE(
      eventually([&] { return metric("roost_queue_oldest_request_seconds{platform=\"gone\"}") >= 1; }));
  caf::anon_send_exit(watch, caf::exit_reason::user_shutdown);
}

TEST_P(UndecidableRequests, AreNotCountedForMetricsOnHold) {
  enqueue({of_platform("gone", 1), of_platform("room-sharing", 2)});
  auto setup = watch_setup();
  setup.on_hold = true;
  const auto watch = actors::spawn_queue_watch(rt, setup);
  ASSERT_TRUE(eventually([&] { return setup.undecidable->get() != nullptr; }));
  EXPECT_EQ(setup.undecidable->get()->size(), 1U);
  EXPECT_EQ(metric("roost_queue_requests{state=\"New\"}"), 0U);
  EXPECT_EQ(metric("roost_queue_unconfigured_requests"), 0U);
  EXPECT_EQ(metric("roost_queue_oldest_request_seconds{platform=\"room-sharing\"}"), 0U);
  caf::anon_send_exit(watch, caf::exit_reason::user_shutdown);
}

TEST_P(UndecidableRequests, DistinguishAMissingAccountFromAnUnknownPlatform) {
  enqueue({of_platform("landlord-one", 1)});
  auto platforms = std::make_shared<std::vector<domain::platform>>(*sample_platforms());
  platforms->at(2).account = numbered_id(77); // was never imported
  auto setup = watch_setup();
  setup.platforms = platforms;
  const auto watch = actors::spawn_queue_watch(rt, setup);
  ASSERT_TRUE(eventually([&] { return setup.undecidable->get() != nullptr; }));
  EXPECT_EQ(actors::describe(*setup.undecidable->get()),
            "landlord-one has no imported account here; waiting: 1 request, the oldest since "
            "2026-11-20T09:00:00.000Z");
  caf::anon_send_exit(watch, caf::exit_reason::user_shutdown);
}

/// The follower polls the store only on request.
class RequestsAheadOfMemory : public UndecidableRequests {
protected:
  RequestsAheadOfMemory() { follower_interval = 1h; }

  /// Returns once memory holds everything that is in the store now.
  void poll() {
    caf::scoped_actor self{rt.system()};
    self->request(follower, 10s, actors::show_change{store::newest_point(session()), nullptr})
        .receive([](const actors::change_shown&) {}, [](const caf::error&) { ADD_FAILURE(); });
  }

  /// Links another unit, without memory.
  void link_in_store_only(unsigned unit) {
    auto file = sample();
    add_unit(file.accounts[0], sample_unit(unit));
    import(file);
  }
};
ROOST_ON_EACH_STORE(RequestsAheadOfMemory);

TEST_P(RequestsAheadOfMemory, StayNewUntilMemoryKnowsWhetherTheirUnitIsLinked) {
  poll();
  link_in_store_only(units + 1);
  const std::vector requests{request(1, units + 1, "2027-02-01", "2027-03-01"),
                             request(2, 999, "2027-02-01", "2027-03-01")};
  enqueue(requests);
  end_whole_run();
  EXPECT_EQ(state_of(requests[0]), request_state::pending);
  EXPECT_EQ(state_of(requests[1]), request_state::pending);
  poll();
  decide(requests);
  EXPECT_EQ(state_of(requests[0]), request_state::success);
  EXPECT_EQ(state_of(requests[1]), request_state::failed);
}

/// Later changes of the portfolio cannot concern a request that arrived before them.
TEST_P(RequestsAheadOfMemory, WaitForNoLaterChange) {
  poll();
  link_in_store_only(units + 1);
  const std::vector requests{request(1, 999, "2027-02-01", "2027-03-01")};
  enqueue(requests);
  end_whole_run();
  EXPECT_EQ(state_of(requests[0]), request_state::pending);
  poll();
  link_in_store_only(units + 2);
  decide(requests);
  EXPECT_EQ(state_of(requests[0]), request_state::failed);
}

} // namespace roost::testing::undecidable_requests_test
