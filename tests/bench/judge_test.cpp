#include "bench/contention/judge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

namespace roost::contention::judge_test {
namespace {

constexpr domain::date first_day = domain::date{std::chrono::year{2040} / 1 / 1};

/// Nights are counted from the first day; moments are plain numbers.
operation made(std::uint64_t number, std::uint32_t unit, int in, int out, std::int64_t invoked,
               std::int64_t returned, outcome result) {
  operation each;
  each.wanted = {number, unit, first_day + domain::days{in}, first_day + domain::days{out}};
  each.intended = each.invoked = invoked;
  each.returned = returned;
  each.result = result;
  return each;
}

stored_stay stored(const operation& of) {
  return {of.wanted.number, of.wanted.unit, of.wanted.check_in, of.wanted.check_out};
}

/// What a store holds that did as it said.
std::vector<stored_stay> store_of(const history& all) {
  std::vector<stored_stay> found;
  for (const auto& each : all)
    if (each.result == outcome::booked) found.push_back(stored(each));
  return found;
}

TEST(Judge, AcceptsAHistoryInWhichEachGetsWhatTheCalendarAllows) {
  const history all{made(0, 1, 0, 3, 0, 10, outcome::booked), made(1, 1, 2, 5, 11, 20, outcome::refused),
                    made(2, 1, 3, 5, 12, 18, outcome::booked), made(3, 2, 2, 5, 12, 18, outcome::booked)};
  const auto judged = judge(all, store_of(all));
  EXPECT_TRUE(judged.is_right());
  EXPECT_EQ(judged.booked, 3u);
  EXPECT_EQ(judged.refused, 1u);
  EXPECT_FALSE(judged.shortest);
}

TEST(Judge, AcceptsStaysThatOnlyTouch) {
  const history all{made(0, 1, 0, 3, 0, 10, outcome::booked), made(1, 1, 3, 6, 0, 10, outcome::booked)};
  EXPECT_TRUE(judge(all, store_of(all)).is_right());
}

TEST(Judge, FindsADoubleBookingAndShowsTheTwoThatShareTheNights) {
  const history all{made(0, 1, 0, 3, 0, 10, outcome::booked), made(1, 1, 9, 12, 3, 9, outcome::booked),
                    made(2, 1, 2, 5, 5, 12, outcome::booked), made(3, 2, 0, 9, 0, 9, outcome::booked)};
  const auto judged = judge(all, store_of(all));
  EXPECT_EQ(judged.double_bookings, 1u);
  EXPECT_FALSE(judged.is_right());
  ASSERT_TRUE(judged.shortest);
  EXPECT_EQ(judged.shortest->kind, fault_kind::double_booking);
  EXPECT_EQ(judged.shortest->unit, 1u);
  ASSERT_EQ(judged.shortest->shown.size(), 2u);
  EXPECT_EQ(judged.shortest->shown[0].wanted.number, 0u);
  EXPECT_EQ(judged.shortest->shown[1].wanted.number, 2u);
}

TEST(Judge, FindsADoubleBookingBehindAShorterStayWithinTheFirst) {
  const history all{made(0, 1, 0, 20, 0, 10, outcome::booked), made(1, 1, 1, 2, 0, 10, outcome::booked),
                    made(2, 1, 15, 16, 0, 10, outcome::booked)};
  EXPECT_EQ(judge(all, store_of(all)).double_bookings, 2u);
}

TEST(Judge, FindsABookingThatTheStoreHasLost) {
  const history all{made(0, 1, 0, 3, 0, 10, outcome::booked)};
  const auto judged = judge(all, {});
  EXPECT_EQ(judged.lost, 1u);
  EXPECT_EQ(judged.shortest->kind, fault_kind::lost);
}

TEST(Judge, FindsAStayThatWasRefusedAndIsStored) {
  const history all{made(0, 1, 0, 3, 0, 10, outcome::booked), made(1, 1, 2, 4, 0, 10, outcome::refused)};
  auto kept = store_of(all);
  kept.push_back(stored(all[1]));
  EXPECT_EQ(judge(all, kept).not_asked_for, 1u);
}

TEST(Judge, FindsAStayThatIsStoredTwiceOrOtherwiseThanAskedFor) {
  const history all{made(0, 1, 0, 3, 0, 10, outcome::booked)};
  EXPECT_EQ(judge(all, {stored(all[0]), stored(all[0])}).not_asked_for, 1u);
  auto other = stored(all[0]);
  other.check_out += domain::days{1};
  EXPECT_EQ(judge(all, {other}).not_asked_for, 1u);
  other = stored(all[0]);
  other.unit = 2;
  EXPECT_EQ(judge(all, {other}).not_asked_for, 1u);
  other = stored(all[0]);
  other.number = 7;
  EXPECT_EQ(judge(all, {stored(all[0]), other}).not_asked_for, 1u);
}

TEST(Judge, FindsARefusalBeforeAnybodyWantedTheNights) {
  const history all{made(0, 1, 0, 3, 0, 10, outcome::refused), made(1, 1, 0, 3, 11, 20, outcome::booked)};
  const auto judged = judge(all, store_of(all));
  EXPECT_EQ(judged.groundless_refusals, 1u);
  EXPECT_EQ(judged.shortest->kind, fault_kind::groundless_refusal);
  EXPECT_EQ(judged.shortest->shown.size(), 2u);
}

TEST(Judge, AcceptsARefusalWhoseGroundWasBookedMeanwhile) {
  const history all{made(0, 1, 0, 3, 0, 10, outcome::refused), made(1, 1, 0, 3, 9, 20, outcome::booked)};
  EXPECT_TRUE(judge(all, store_of(all)).is_right());
}

TEST(Judge, FindsARefusalForNightsOfAnotherUnit) {
  const history all{made(0, 1, 0, 3, 0, 5, outcome::booked), made(1, 2, 0, 3, 6, 10, outcome::refused)};
  EXPECT_EQ(judge(all, store_of(all)).groundless_refusals, 1u);
}

TEST(Judge, TakesAnUnknownOneAsTheStoreHasIt) {
  const history all{made(0, 1, 0, 3, 0, 10, outcome::unknown), made(1, 1, 2, 4, 20, 30, outcome::refused)};
  const auto kept = judge(all, {stored(all[0])});
  EXPECT_TRUE(kept.is_right());
  EXPECT_EQ(kept.unknown_booked, 1u);
  EXPECT_EQ(judge(all, {}).groundless_refusals, 1u);
}

TEST(Judge, FindsARequestThatWasGivenUpAndIsStored) {
  const history all{made(0, 1, 0, 3, 0, 10, outcome::failed)};
  EXPECT_TRUE(judge(all, {}).is_right());
  EXPECT_EQ(judge(all, {stored(all[0])}).not_asked_for, 1u);
}

/// Tries every order that the moments allow on a calendar: the definition of linearizability itself.
bool has_legal_order(const history& all) {
  std::vector<bool> done(all.size());
  std::vector<const operation*> booked;
  const std::function<bool(std::size_t)> search = [&](std::size_t left) {
    if (left == 0) return true;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (done[i]) continue;
      const bool is_next = std::ranges::none_of(all, [&](const operation& other) {
        return !done[static_cast<std::size_t>(&other - all.data())] && other.returned < all[i].invoked;
      });
      const bool free = std::ranges::none_of(booked, [&](const operation* other) {
        return other->wanted.unit == all[i].wanted.unit && other->wanted.check_in < all[i].wanted.check_out &&
               all[i].wanted.check_in < other->wanted.check_out;
      });
      if (!is_next || free != (all[i].result == outcome::booked)) continue;
      done[i] = true;
      if (free) booked.push_back(&all[i]);
      if (search(left - 1)) return true;
      if (free) booked.pop_back();
      done[i] = false;
    }
    return false;
  };
  return search(all.size());
}

TEST(Judge, SaysOfThousandsOfSmallHistoriesWhatASearchOfAllOrdersSays) {
  std::mt19937 chance(7);
  const auto pick = [&](int lowest, int highest) {
    return std::uniform_int_distribution<int>(lowest, highest)(chance);
  };
  int right = 0, wrong = 0;
  for (int round = 0; round < 20'000; ++round) {
    history all;
    const int count = pick(1, 6);
    for (int i = 0; i < count; ++i) {
      const int in = pick(0, 5), invoked = pick(0, 20);
      all.push_back(made(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(pick(0, 1)), in,
                         in + pick(1, 3), invoked, invoked + pick(1, 10),
                         pick(0, 1) == 0 ? outcome::booked : outcome::refused));
    }
    // Moments that are equal do not order two operations; the search and the judge agree on that.
    const bool legal = has_legal_order(all);
    ASSERT_EQ(judge(all, store_of(all)).is_right(), legal) << "round " << round;
    ++(legal ? right : wrong);
  }
  EXPECT_GT(right, 500);
  EXPECT_GT(wrong, 500);
}

} // namespace
} // namespace roost::contention::judge_test
