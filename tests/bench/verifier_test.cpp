#include "bench/contention/verifier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

namespace roost::contention::verifier_test {
namespace {

constexpr domain::date first_day = domain::date_of(std::chrono::year{2040} / 1 / 1);

/// Counts nights from the first day; times are plain numbers.
operation op(std::uint64_t number, std::uint32_t unit, int in, int out, std::int64_t invoked,
             std::int64_t returned, outcome result) {
  operation each;
  each.request = {number, unit, first_day + domain::days{in}, first_day + domain::days{out}};
  each.intended = each.invoked = invoked;
  each.returned = returned;
  each.result = result;
  return each;
}

stored_stay stored(const operation& operation) {
  return {operation.request.number, operation.request.unit, operation.request.check_in,
          operation.request.check_out};
}

/// Returns the stays of a store that matches the outcomes of the history.
std::vector<stored_stay> store_of(const history& all) {
  std::vector<stored_stay> stays;
  for (const auto& each : all)
    if (each.result == outcome::booked) stays.push_back(stored(each));
  return stays;
}

TEST(Verifier, AcceptsAHistoryThatTheCalendarAllows) {
  const history all{op(0, 1, 0, 3, 0, 10, outcome::booked), op(1, 1, 2, 5, 11, 20, outcome::refused),
                    op(2, 1, 3, 5, 12, 18, outcome::booked), op(3, 2, 2, 5, 12, 18, outcome::booked)};
  const auto result = verify(all, store_of(all));
  EXPECT_TRUE(result.is_correct());
  EXPECT_EQ(result.booked, 3u);
  EXPECT_EQ(result.refused, 1u);
  EXPECT_FALSE(result.shortest);
}

TEST(Verifier, AcceptsAdjacentStays) {
  const history all{op(0, 1, 0, 3, 0, 10, outcome::booked), op(1, 1, 3, 6, 0, 10, outcome::booked)};
  EXPECT_TRUE(verify(all, store_of(all)).is_correct());
}

TEST(Verifier, FindsADoubleBookingAndReportsBothOperations) {
  const history all{op(0, 1, 0, 3, 0, 10, outcome::booked), op(1, 1, 9, 12, 3, 9, outcome::booked),
                    op(2, 1, 2, 5, 5, 12, outcome::booked), op(3, 2, 0, 9, 0, 9, outcome::booked)};
  const auto result = verify(all, store_of(all));
  EXPECT_EQ(result.double_bookings, 1u);
  EXPECT_FALSE(result.is_correct());
  ASSERT_TRUE(result.shortest);
  EXPECT_EQ(result.shortest->kind, violation_kind::double_booking);
  EXPECT_EQ(result.shortest->unit, 1u);
  ASSERT_EQ(result.shortest->operations.size(), 2u);
  EXPECT_EQ(result.shortest->operations[0].request.number, 0u);
  EXPECT_EQ(result.shortest->operations[1].request.number, 2u);
}

TEST(Verifier, FindsADoubleBookingAfterAShorterStayWithinTheFirst) {
  const history all{op(0, 1, 0, 20, 0, 10, outcome::booked), op(1, 1, 1, 2, 0, 10, outcome::booked),
                    op(2, 1, 15, 16, 0, 10, outcome::booked)};
  EXPECT_EQ(verify(all, store_of(all)).double_bookings, 2u);
}

TEST(Verifier, FindsABookingMissingFromTheStore) {
  const history all{op(0, 1, 0, 3, 0, 10, outcome::booked)};
  const auto result = verify(all, {});
  EXPECT_EQ(result.lost, 1u);
  EXPECT_EQ(result.shortest->kind, violation_kind::lost);
}

TEST(Verifier, FindsAStoredStayThatWasRefused) {
  const history all{op(0, 1, 0, 3, 0, 10, outcome::booked), op(1, 1, 2, 4, 0, 10, outcome::refused)};
  auto stored_stays = store_of(all);
  stored_stays.push_back(stored(all[1]));
  EXPECT_EQ(verify(all, stored_stays).unexpected, 1u);
}

TEST(Verifier, FindsAStayStoredTwiceOrDifferentlyOrNeverRequested) {
  const history all{op(0, 1, 0, 3, 0, 10, outcome::booked)};
  EXPECT_EQ(verify(all, {stored(all[0]), stored(all[0])}).unexpected, 1u);
  auto other = stored(all[0]);
  other.check_out += domain::days{1};
  EXPECT_EQ(verify(all, {other}).unexpected, 1u);
  other = stored(all[0]);
  other.unit = 2;
  EXPECT_EQ(verify(all, {other}).unexpected, 1u);
  other = stored(all[0]);
  other.number = 7;
  EXPECT_EQ(verify(all, {stored(all[0]), other}).unexpected, 1u);
}

TEST(Verifier, FindsARefusalBeforeAnyRequestForTheNights) {
  const history all{op(0, 1, 0, 3, 0, 10, outcome::refused), op(1, 1, 0, 3, 11, 20, outcome::booked)};
  const auto result = verify(all, store_of(all));
  EXPECT_EQ(result.groundless_refusals, 1u);
  EXPECT_EQ(result.shortest->kind, violation_kind::groundless_refusal);
  EXPECT_EQ(result.shortest->operations.size(), 2u);
}

TEST(Verifier, AcceptsARefusalJustifiedByAConcurrentBooking) {
  const history all{op(0, 1, 0, 3, 0, 10, outcome::refused), op(1, 1, 0, 3, 9, 20, outcome::booked)};
  EXPECT_TRUE(verify(all, store_of(all)).is_correct());
}

TEST(Verifier, FindsARefusalJustifiedOnlyByAnotherUnit) {
  const history all{op(0, 1, 0, 3, 0, 5, outcome::booked), op(1, 2, 0, 3, 6, 10, outcome::refused)};
  EXPECT_EQ(verify(all, store_of(all)).groundless_refusals, 1u);
}

TEST(Verifier, ResolvesUnknownOutcomesByTheStore) {
  const history all{op(0, 1, 0, 3, 0, 10, outcome::unknown), op(1, 1, 2, 4, 20, 30, outcome::refused)};
  const auto result = verify(all, {stored(all[0])});
  EXPECT_TRUE(result.is_correct());
  EXPECT_EQ(result.unknown_booked, 1u);
  EXPECT_EQ(verify(all, {}).groundless_refusals, 1u);
}

TEST(Verifier, FindsAStoredStayThatWasGivenUp) {
  const history all{op(0, 1, 0, 3, 0, 10, outcome::failed)};
  EXPECT_TRUE(verify(all, {}).is_correct());
  EXPECT_EQ(verify(all, {stored(all[0])}).unexpected, 1u);
}

/// Tries every order that the times allow on a calendar, which is the definition of linearizability.
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
        return other->request.unit == all[i].request.unit &&
               other->request.check_in < all[i].request.check_out &&
               all[i].request.check_in < other->request.check_out;
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

TEST(Verifier, AgreesWithASearchOfAllOrdersOnThousandsOfSmallHistories) {
  std::mt19937 random(7);
  const auto pick = [&](int min, int max) { return std::uniform_int_distribution<int>(min, max)(random); };
  int correct = 0, incorrect = 0;
  for (int round = 0; round < 20'000; ++round) {
    history all;
    const int count = pick(1, 6);
    for (int i = 0; i < count; ++i) {
      const int in = pick(0, 5), invoked = pick(0, 20);
      all.push_back(op(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(pick(0, 1)), in,
                       in + pick(1, 3), invoked, invoked + pick(1, 10),
                       pick(0, 1) == 0 ? outcome::booked : outcome::refused));
    }
    // Equal times do not order two operations, neither in the search nor in the verifier.
    const bool legal = has_legal_order(all);
    ASSERT_EQ(verify(all, store_of(all)).is_correct(), legal) << "round " << round;
    ++(legal ? correct : incorrect);
  }
  EXPECT_GT(correct, 500);
  EXPECT_GT(incorrect, 500);
}

} // namespace
} // namespace roost::contention::verifier_test
