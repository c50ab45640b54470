#include "actors/inventory/calendar_scene.hpp"

#include <algorithm>
#include <array>
#include <vector>

/// The states of a stay that the office moves, in any order of arrival.
namespace roost::actors::changed_stays_test {
using testing::day;
using testing::numbered_id;

enum state { booked, moved, moved_again, cancelled };

struct nights_of_state {
  const char *first, *last;
};
constexpr std::array nights{nights_of_state{"2027-02-01", "2027-02-28"},
                            nights_of_state{"2027-03-01", "2027-03-31"},
                            nights_of_state{"2027-04-01", "2027-04-30"}};
constexpr const char* day_after_all = "2027-05-01";

/// What the calendar knows about the stay before the states arrive.
enum class start {
  nothing,
  held, ///< its decision is being written; then the queue sends the first state
  created_booked,
  created_moved,
  created_moved_again, ///< by a read of the store that was later than all messages
};
constexpr std::array starts{start::nothing, start::held, start::created_booked, start::created_moved,
                            start::created_moved_again};

/// How rows of the store arrive.
enum class way { alone, with_the_unit };

class ChangedStays : public testing::calendar_scene {
protected:
  static constexpr int stay_number = 7;

  static domain::block stay_in(state at) {
    domain::block stay{numbered_id(3000 + stay_number), {day(nights.at(at).first), day(nights.at(at).last)}};
    stay.source = domain::block_source::booking;
    stay.revision = at;
    return stay;
  }

  void begin(start from) {
    switch (from) {
    case start::nothing:
      return create({});
    case start::held:
      create({});
      EXPECT_FALSE(reserve_nights(nights[booked].first, nights[moved].first, stay_number).refused);
      return;
    case start::created_booked:
      return create({stay_in(booked)});
    case start::created_moved:
      return create({stay_in(moved)});
    case start::created_moved_again:
      return create({stay_in(moved_again)});
    }
  }

  void send(state at, start from, way by) {
    if (at == cancelled)
      settle(stay_number, hold_outcome::cancelled);
    else if (at == booked && from == start::held)
      settle(stay_number, hold_outcome::booked);
    else if (by == way::alone)
      caf::anon_send(calendar, learn_stay{stay_in(at)});
    else
      caf::anon_send(calendar, update_unit{setup(), {stay_in(at)}});
  }

  /// Expects that the stay has the nights of this state, and no others.
  void expect_nights(state expected) {
    const auto json = listing();
    for (const auto each : {booked, moved, moved_again})
      EXPECT_EQ(json.find(nights.at(each).last) != std::string::npos, each == expected)
          << "the nights of state " << each;
    const auto refused = reserve_nights(nights[booked].first, day_after_all, 8).refused;
    EXPECT_EQ(refused.has_value(), expected != cancelled);
  }

  /// Lets these states arrive in each order, from each start, and in each way. `repeated` arrives again
  /// at the end.
  void expect_in_each_order(std::vector<state> states, std::optional<state> repeated, state expected) {
    for (const auto from : starts)
      for (const auto by : {way::alone, way::with_the_unit}) {
        std::ranges::sort(states);
        do {
          std::string order = "start " + std::to_string(static_cast<int>(from)) + ", way " +
                              std::to_string(static_cast<int>(by)) + ", order";
          for (const auto each : states) order += ' ' + std::to_string(each);
          SCOPED_TRACE(order);
          begin(from);
          for (const auto each : states) send(each, from, by);
          if (repeated) send(*repeated, from, by);
          expect_nights(expected);
        } while (std::ranges::next_permutation(states).found);
      }
  }
};

TEST_F(ChangedStays, HaveTheNightsOfTheirLastChangeInEachOrder) {
  expect_in_each_order({booked, moved, moved_again}, std::nullopt, moved_again);
}

/// A cancellation has no revision. A row that was read before it may arrive after it, but the follower, which
/// sends such rows, reads the cancellations afterwards and sends them again.
TEST_F(ChangedStays, HaveNoNightsOnceTheyAreCancelledInEachOrder) {
  expect_in_each_order({booked, moved, moved_again, cancelled}, cancelled, cancelled);
}

/// The follower lets the unit forget the stay before the unit learns that the stay has returned. The queue
/// may settle the decision at any time.
TEST_F(ChangedStays, ReturnToAUnitWheneverTheirDecisionIsSettled) {
  for (const auto by : {way::alone, way::with_the_unit})
    for (std::size_t position = 0; position <= 2; ++position) {
      SCOPED_TRACE(position);
      std::vector<state> states{cancelled, moved_again};
      states.insert(states.begin() + static_cast<std::ptrdiff_t>(position), booked);
      begin(start::held);
      for (const auto each : states) send(each, start::held, by);
      expect_nights(moved_again);
    }
}

/// A calendar that is created again starts with the revision of the store, so it ignores what was read
/// before.
TEST_F(ChangedStays, AreNotSetBackInACalendarThatIsCreatedAgain) {
  for (const auto by : {way::alone, way::with_the_unit})
    for (const auto outdated : {booked, moved}) {
      begin(start::created_moved_again);
      send(outdated, start::created_moved_again, by);
      expect_nights(moved_again);
    }
}

} // namespace roost::actors::changed_stays_test
