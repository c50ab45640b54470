#include "store/calendars/unit_calendars.hpp"
#include "store/database/error.hpp"
#include "store/database/transaction.hpp"
#include "store/office/calendars.hpp"
#include "store/office/race_scene.hpp"

#include <gmock/gmock.h>

#include <future>
#include <optional>
#include <vector>

/// Moves of bookings, decisions, manual bookings and readings of calendars that want the same nights at the
/// same time.
namespace roost::testing::stay_races_test {
using domain::nights;
using store::office_result;
using ::testing::ElementsAre;

/// Writes again while the store is busy, as a client does.
template <typename Write>
auto until_available(Write write) {
  constexpr int max_attempts = 20;
  for (int attempt = 1;; ++attempt) {
    try {
      return write();
    } catch (const store::unavailable&) {
      if (attempt == max_attempts) throw;
    }
  }
}

class StayRaces : public race_scene {
protected:
  void SetUp() override {
    race_scene::SetUp();
    moved_ = book_by_hand("2027-02-01", "2027-03-01").booking.booking.id;
    request_.check_in = day("2027-04-01");
    request_.check_out = day("2027-05-01");
    node_->insert({request_});
  }

  void TearDown() override {
    EXPECT_EQ(count_rows(session(), "bookings a join bookings b on a.unit_id = b.unit_id and a.id < b.id"
                                    " and a.check_in < b.check_out and b.check_in < a.check_out"
                                    " where a.status <> 'cancelled' and b.status <> 'cancelled'"),
              0);
    EXPECT_EQ(count_rows(session(), "bookings a join blocks b on a.unit_id = b.unit_id"
                                    " and a.check_in <= b.last_night and b.first_night < a.check_out"
                                    " where a.status <> 'cancelled'"),
              0);
  }

  static store::booking_change move_of(const domain::uuid& id, const char* check_in, const char* check_out) {
    auto request = stay_on_other_dates(id, check_in, check_out);
    request.unit_id = unit_id(1);
    return request;
  }

  /// Runs `meanwhile` after the move has written its rows, before it is committed.
  template <typename Action>
  static void run_meanwhile(store::booking_change& move, Action meanwhile) {
    move.notice = [meanwhile](const auto* before, const auto& after, auto warnings) {
      meanwhile();
      return notice_of_kind("booking_changed")(before, after, warnings);
    };
  }

  store::booking_outcome change(store::session& db, const store::booking_change& request) {
    return store::change_booking(db, node_->lease, scope, request, author());
  }

  std::future<store::booking_outcome> move_elsewhere(const store::booking_change& request) {
    return std::async(std::launch::async, [this, request, by = author()] {
      return until_available([&] { return store::change_booking(other_, node_->lease, scope, request, by); });
    });
  }

  store::recorded_decisions decide(store::session& db) {
    return store::record_decisions(db, node_->lease, node_->basis,
                                   store::decision_rows{std::vector{accept(request_, unit_id(1))}});
  }

  domain::request_state state() { return store::find_request(session(), request_.id)->state; }

  nights nights_of(const domain::uuid& id) {
    const auto booking = store::find_booking(session(), id)->booking;
    EXPECT_EQ(booking.unit_id, unit_id(1));
    return domain::stay_nights(booking.check_in, booking.check_out);
  }

  void expect_not_moved(const store::booking_outcome& refused, const nights& taken) {
    EXPECT_EQ(refused.result, office_result::booked);
    EXPECT_EQ(refused.refused, domain::refusal::overlapping_nights);
    EXPECT_THAT(refused.taken, ElementsAre(taken));
    EXPECT_EQ(nights_of(moved_), nights_between("2027-02-01", "2027-02-28"));
  }

  static nights nights_between(const char* first, const char* last) { return {day(first), day(last)}; }

  // A calendar of the first unit

  store::calendar_reading reading_of_june() {
    store::office_calendar created;
    created.id = fresh_id();
    created.name = "Host one";
    created.host = "host-one";
    created.url = "https://host.example/calendar.ics";
    auto of_unit = scope;
    of_unit.unit_id = unit_id(1);
    EXPECT_EQ(store::create_calendar(session(), node_->lease, of_unit, {created, {}, {}}, author()).result,
              office_result::created);
    store::calendar_reading read;
    read.id = created.id;
    read.unit_id = unit_id(1);
    read.account_id = account_id(1);
    read.result = store::calendar_result::version;
    read.events = {nights_between("2027-06-01", "2027-06-10")};
    read.now = moment("2026-11-22T09:00:00.000Z");
    read.today = day("2026-11-22");
    read.next_fetch = moment("2026-11-22T09:05:00.000Z");
    return read;
  }

  /// Stores a reading as the office's writer does.
  store::calendar_reading_outcome store_reading(store::session& db, const store::calendar_reading& read) {
    const store::calendar_notices notices{[this](const store::calendar_conflict& conflict) {
                                            conflicts_.push_back(conflict.nights);
                                            return notice_of_conflict();
                                          },
                                          {}};
    return until_available([&] {
      return store::with_retries([&] {
        conflicts_.clear();
        return store::store_reading(db, node_->lease, read, notices);
      });
    });
  }

  static domain::notification notice_of_conflict() {
    return {
        fresh_id(), account_id(1), "calendar_conflict", "t", "b", {}, {}, moment("2026-11-22T09:00:00.000Z")};
  }

  std::vector<nights> blocked() {
    std::vector<nights> all;
    for (const auto& each : blocks()) all.push_back(each.block.nights);
    return all;
  }

  domain::uuid moved_{};
  std::vector<nights> conflicts_; ///< of the last reading
  domain::booking_request request_ = sample_request(500);
  store::session third_ = store().open();
};
ROOST_ON_POSTGRESQL(StayRaces);

// Decisions

TEST_P(StayRaces, LetAMoveLoseToADecisionThatIsWrittenFirst) {
  std::future<store::recorded_decisions> decided;
  std::future<store::booking_outcome> moved;
  {
    store::transaction holding(third_, store::transaction::purpose::write);
    store::lock_stream(third_);
    decided = std::async(std::launch::async, [&] { return decide(session()); });
    wait_until_waiting(1); // for its position: the booking is written
    moved = move_elsewhere(move_of(moved_, "2027-04-10", "2027-05-10"));
    wait_until_waiting(2); // for the booking of the decision
  }
  EXPECT_TRUE(decided.get().change);
  expect_not_moved(moved.get(), nights_between("2027-04-10", "2027-04-30"));
  EXPECT_EQ(state(), domain::request_state::success);
}

TEST_P(StayRaces, RejectADecisionThatIsWrittenAfterAMove) {
  std::future<store::recorded_decisions> decided;
  auto move = move_of(moved_, "2027-04-10", "2027-05-10");
  run_meanwhile(move, [&] {
    decided = std::async(std::launch::async, [&] { return decide(other_); });
    wait_until_waiting(1);
  });
  ASSERT_EQ(change(session(), move).result, office_result::changed);
  EXPECT_THROW(decided.get(), store::constraint_violated); // the queue makes it again
  EXPECT_EQ(nights_of(moved_), nights_between("2027-04-10", "2027-05-09"));
  EXPECT_EQ(state(), domain::request_state::pending);
  node_->decide({refuse(request_)});
  EXPECT_EQ(state(), domain::request_state::failed);
}

TEST_P(StayRaces, HaveOneWinnerIfADecisionLocksTheStream) {
  std::future<store::booking_outcome> moved;
  bool is_decided = true;
  try {
    store::record_locked_decisions(session(), node_->lease, [&](std::int64_t newest) {
      moved = move_elsewhere(move_of(moved_, "2027-04-10", "2027-05-10"));
      wait_until_waiting(1); // for its position
      auto basis = node_->basis;
      basis.followed = store::newest_point(session());
      EXPECT_EQ(basis.followed.position, newest);
      return std::optional(store::decided_group{
          basis, std::make_shared<const store::decision_rows>(std::vector{accept(request_, unit_id(1))})});
    });
  } catch (const store::unavailable&) { // each waits for the other
    is_decided = false;
  }
  const auto outcome = moved.get();
  EXPECT_EQ(outcome.result == office_result::changed, !is_decided);
  EXPECT_EQ(state() == domain::request_state::success, is_decided);
  if (is_decided) expect_not_moved(outcome, nights_between("2027-04-10", "2027-04-30"));
}

// Other moves

TEST_P(StayRaces, LetTheSecondMoveIntoTheSameNightsTryAgain) {
  const auto second = book_by_hand("2027-07-01", "2027-08-01").booking.booking.id;
  auto move = move_of(second, "2027-06-10", "2027-07-10");
  const auto into_same_nights = move_of(moved_, "2027-06-01", "2027-06-20");
  run_meanwhile(move, [&] { EXPECT_THROW(change(other_, into_same_nights), store::unavailable); });
  ASSERT_EQ(change(session(), move).result, office_result::changed);
  expect_not_moved(change(other_, into_same_nights), nights_between("2027-06-10", "2027-06-19"));
  EXPECT_EQ(nights_of(second), nights_between("2027-06-10", "2027-07-09"));
}

TEST_P(StayRaces, FreeTheNightsThatAMoveLeavesOnceItIsCommitted) {
  const auto second = book_by_hand("2027-07-01", "2027-08-01").booking.booking.id;
  auto move = move_of(second, "2027-09-01", "2027-10-01");
  const auto into_left_nights = move_of(moved_, "2027-07-01", "2027-08-01");
  run_meanwhile(move, [&] { EXPECT_THROW(change(other_, into_left_nights), store::unavailable); });
  ASSERT_EQ(change(session(), move).result, office_result::changed);
  ASSERT_EQ(change(other_, into_left_nights).result, office_result::changed);
  EXPECT_EQ(nights_of(moved_), nights_between("2027-07-01", "2027-07-31"));
}

// Readings of calendars

TEST_P(StayRaces, LetABookingByHandSeeAReadingThatCameBetween) {
  const auto read = reading_of_june();
  auto request = stay_by_hand("2027-06-05", "2027-06-20");
  bool is_read = false;
  request.notice = [&](const auto* before, const auto& after, auto warnings) {
    if (!is_read) is_read = store_reading(other_, read).is_changed;
    return notice_of_kind("booking_created")(before, after, warnings);
  };
  const auto refused = book_by_hand(request);
  EXPECT_TRUE(is_read);
  EXPECT_EQ(refused.result, office_result::booked);
  EXPECT_THAT(refused.taken, ElementsAre(nights_between("2027-06-05", "2027-06-10")));
  EXPECT_THAT(blocked(), ElementsAre(nights_between("2027-06-01", "2027-06-10")));
}

TEST_P(StayRaces, LetAReadingSeeABookingThatCameBetween) {
  const auto read = reading_of_june();
  std::future<store::calendar_reading_outcome> stored;
  {
    store::transaction rival(session(), store::transaction::purpose::write);
    insert_rival();
    store::lock_stream(session());
    stored = std::async(std::launch::async, [&] { return store_reading(other_, read); });
    wait_until_waiting(1); // for its position: it has written its blocks
    rival.commit();
  }
  EXPECT_TRUE(stored.get().is_changed);
  EXPECT_THAT(blocked(), ElementsAre(nights_between("2027-06-01", "2027-06-04")));
  EXPECT_THAT(conflicts_, ElementsAre(nights_between("2027-06-01", "2027-06-10")));
}

} // namespace roost::testing::stay_races_test
