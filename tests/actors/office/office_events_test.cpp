#include "actors/office/office_events.hpp"
#include "actors/support/booking_world.hpp"

#include <gmock/gmock.h>

namespace roost::testing::office_events_test {
using store::change_kind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class OfficeEventStreams : public booking_world {
protected:
  void SetUp() override {
    booking_world::SetUp();
    setup.storage = storage->at(actors::storage_pool::side_lane::office);
    setup.lease = held;
    setup.followed = followed;
    setup.interval = 5ms;
    setup.max_wait = 20s;
    spawn();
  }

  void TearDown() override {
    end_events();
    booking_world::TearDown();
  }

  void spawn() { events = actors::spawn_office_events(rt, setup); }
  void end_events() {
    caf::anon_send_exit(events, caf::exit_reason::user_shutdown);
    events = nullptr;
  }

  /// Starts to wait for events after this point.
  auto await(const store::stream_point& after, const domain::uuid& account = numbered_id(1)) {
    return self->request(events, 30s, actors::await_events{{account, {}}, after, followed->generation()});
  }

  template <typename Handle>
  std::optional<actors::awaited_events> result_of(Handle pending) {
    std::optional<actors::awaited_events> result;
    pending.receive([&](actors::awaited_events& response) { result = std::move(response); },
                    [&](const caf::error& reason) { error = actors::storage_error_of(reason); });
    return result;
  }

  /// Records a change of a unit, as another process would.
  store::stream_point change_unit(unsigned unit) {
    return store::record_change(session(),
                                {change_kind::unit, {numbered_id(1)}, {numbered_id(0x10000 + unit)}, {}});
  }

  actors::office_events_setup setup;
  actors::office_events events;
  caf::scoped_actor self{rt.system()};
  std::optional<actors::storage_error> error;
};
ROOST_ON_EACH_STORE(OfficeEventStreams);

TEST_P(OfficeEventStreams, GetAnEventOnceReadsShowItsChange) {
  auto pending = await(followed->point());
  const std::vector stays{request(1, 1, "2027-02-01", "2027-05-01")};
  enqueue(stays);
  decide(stays);
  const auto awaited = result_of(std::move(pending)).value();
  EXPECT_FALSE(awaited.is_gap);
  ASSERT_THAT(awaited.events, SizeIs(1));
  EXPECT_EQ(awaited.events[0].kind, change_kind::calendar);
  EXPECT_THAT(awaited.events[0].ids, SizeIs(2));
  EXPECT_LE(awaited.end.position, followed->point().position);
  EXPECT_TRUE(shows_as_taken(1, "2027-04-30"));
}

TEST_P(OfficeEventStreams, GetEventsThatHappenedBetweenTwoWaits) {
  const auto before = followed->point();
  std::vector<std::int64_t> positions;
  for (unsigned unit = 1; unit <= 3; ++unit) positions.push_back(change_unit(unit).position);
  std::vector<std::int64_t> seen;
  auto at = before;
  while (at.position < positions.back()) {
    const auto awaited = result_of(await(at)).value();
    for (const auto& each : awaited.events) seen.push_back(each.position);
    at = awaited.end;
  }
  EXPECT_EQ(seen, positions);
}

TEST_P(OfficeEventStreams, CatchUpFromAnEarlierPointWithoutDelayingOthers) {
  const auto before = followed->point();
  const auto first = change_unit(1);
  ASSERT_EQ(result_of(await(before))->end, first);
  auto waiting = await(first);
  EXPECT_THAT(result_of(await(before))->events, SizeIs(1)) << "again";
  const auto second = change_unit(2);
  const auto awaited = result_of(std::move(waiting)).value();
  ASSERT_THAT(awaited.events, SizeIs(1));
  EXPECT_EQ(awaited.events[0].position, second.position);
}

TEST_P(OfficeEventStreams, GetNothingAboutOtherAccounts) {
  setup.max_wait = 100ms;
  end_events();
  spawn();
  const auto before = followed->point();
  const auto changed = change_unit(1);
  auto at = before;
  while (at.position < changed.position) {
    const auto awaited = result_of(await(at, numbered_id(2))).value();
    EXPECT_THAT(awaited.events, IsEmpty());
    at = awaited.end;
  }
}

TEST_P(OfficeEventStreams, GetAnEmptyResponseAfterAWhile) {
  setup.max_wait = 30ms;
  end_events();
  spawn();
  const auto before = followed->point();
  const auto awaited = result_of(await(before)).value();
  EXPECT_THAT(awaited.events, IsEmpty());
  EXPECT_EQ(awaited.end, before);
}

TEST_P(OfficeEventStreams, LearnThatEventsMayBeMissing) {
  auto elsewhere = followed->point();
  elsewhere.id = security::random_uuid();
  auto pending = await(elsewhere);
  const auto changed = change_unit(1);
  const auto awaited = result_of(std::move(pending)).value();
  EXPECT_TRUE(awaited.is_gap);
  EXPECT_EQ(awaited.end, changed);
}

TEST_P(OfficeEventStreams, LearnThatMemoryWasLoadedAgain) {
  auto pending = await(followed->point());
  followed->forget();
  EXPECT_TRUE(result_of(std::move(pending))->is_gap);
}

TEST_P(OfficeEventStreams, ForgetTheEventsOfAnotherHistory) {
  setup.max_wait = 100ms;
  end_events();
  spawn();
  const auto before = followed->point();
  for (unsigned unit = 1; unit <= 2; ++unit) change_unit(unit);
  ASSERT_TRUE(eventually([&] { return followed->point().position == before.position + 2; }));
  ASSERT_FALSE(result_of(await(before))->events.empty());
  followed->forget();
  followed->reach(before); // as after a restore
  const auto awaited = result_of(await(before)).value();
  EXPECT_THAT(awaited.events, IsEmpty());
  EXPECT_EQ(awaited.end, before);
}

TEST_P(OfficeEventStreams, KeepALimitedNumberOfEvents) {
  setup.max_kept = 2;
  end_events();
  spawn();
  const auto before = followed->point();
  for (unsigned unit = 1; unit <= 5; ++unit) change_unit(unit);
  ASSERT_TRUE(eventually([&] { return followed->point().position == before.position + 5; }));
  const auto awaited = result_of(await(before)).value();
  std::vector<std::int64_t> seen;
  for (const auto& each : awaited.events) seen.push_back(each.position - before.position);
  EXPECT_THAT(seen, ElementsAre(1, 2, 3, 4, 5)) << "what was read at once is passed on at once";
}

TEST_P(OfficeEventStreams, EndWithTheLease) {
  auto pending = await(followed->point());
  held->give_up();
  EXPECT_EQ(result_of(std::move(pending)), std::nullopt);
  EXPECT_EQ(error, actors::storage_error::unavailable);
  EXPECT_EQ(result_of(await(followed->point())), std::nullopt);
}

TEST_P(OfficeEventStreams, EndWithTheService) {
  auto pending = await(followed->point());
  caf::anon_send(events, actors::end_events{});
  EXPECT_EQ(result_of(std::move(pending)), std::nullopt);
  EXPECT_EQ(result_of(await(followed->point())), std::nullopt);
}

} // namespace roost::testing::office_events_test
