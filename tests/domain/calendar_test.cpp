#include "domain/calendar.hpp"
#include "support/random_cases.hpp"
#include "support/values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace roost::domain::calendar_test {
block held(date first, date last) {
  block result;
  result.nights = {first, last};
  return result;
}

block held_from(date first) { return held(first, no_end); }

calendar calendar_of(std::vector<block> blocks) { return calendar{std::move(blocks)}; }

TEST(BookedNights, EndTheNightBeforeCheckOut) {
  EXPECT_EQ(text_of(booked_nights("2027-03-01"_date, "2027-04-01"_date, 0)), "2027-03-01..2027-03-31");
}

TEST(BookedNights, HoldThePreparationDaysToo) {
  EXPECT_EQ(text_of(booked_nights("2027-03-01"_date, "2027-04-01"_date, 1)), "2027-03-01..2027-04-01");
  EXPECT_EQ(text_of(booked_nights("2027-03-01"_date, "2027-04-01"_date, 3)), "2027-03-01..2027-04-03");
}

TEST(BookedNights, NeverHaveNoEnd) {
  EXPECT_LT(booked_nights("9999-01-01"_date, "9999-12-31"_date, 30).last, no_end);
}

bool march_is_free_for(date check_in, date check_out) {
  return calendar_of({held("2027-03-01"_date, "2027-03-31"_date)}).is_free(stay_nights(check_in, check_out));
}

TEST(PartsWithoutStays, AreTheNightsThatNoStayHas) {
  std::mt19937 chance(11);
  const auto pick = [&](int lowest, int highest) {
    return std::uniform_int_distribution(lowest, highest)(chance);
  };
  const auto start = "2027-03-01"_date;
  for (int round = 0; round < 500; ++round) {
    const nights whole{start + days{pick(0, 10)}, start + days{pick(10, 25)}};
    std::vector<nights> stays;
    for (int i = pick(0, 4); i > 0; --i) {
      const auto first = start + days{pick(0, 30)};
      stays.push_back({first, first + days{pick(0, 6)}});
    }
    const auto parts = parts_without(whole, stays);
    for (auto night = start; night < start + days{40}; night += days{1}) {
      const auto has_night = [&](const nights& each) { return overlap(each, {night, night}); };
      const bool is_expected = has_night(whole) && std::ranges::none_of(stays, has_night);
      EXPECT_EQ(std::ranges::count_if(parts, has_night), is_expected ? 1 : 0);
    }
  }
}

TEST(PartsWithoutStays, MayHaveNoEnd) {
  const auto parts = parts_without({"2027-03-01"_date, no_end}, {{"2027-03-05"_date, "2027-03-06"_date}});
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(text_of(parts[0]), "2027-03-01..2027-03-04");
  EXPECT_EQ(parts[1].last, no_end);
}

claimed_nights stay(unsigned char id, date first, date last) {
  claimed_nights claim{{}, {first, last}, std::nullopt, {}};
  claim.id.data[15] = id;
  return claim;
}

claimed_nights blocked(unsigned char id, date first, date last, block_source source,
                       std::string_view host = {}) {
  auto claim = stay(id, first, last);
  claim.source = source;
  claim.host = host;
  return claim;
}

TEST(Conflicts, AreNightsOfAStayThatABlockCovers) {
  const auto found = conflicts_among({blocked(2, "2027-03-10"_date, no_end, block_source::manual),
                                      stay(1, "2027-03-01"_date, "2027-03-31"_date)});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(text_of(found[0].nights), "2027-03-10..2027-03-31");
  EXPECT_EQ(found[0].first.data[15], 1);
  EXPECT_EQ(found[0].second.data[15], 2);
}

TEST(Conflicts, AreNightsThatCalendarsOfDifferentHostsBlock) {
  const auto first = blocked(1, "2027-03-01"_date, "2027-03-10"_date, block_source::channel, "one");
  const auto conflicts_with = [&](block_source source, std::string_view host) {
    return !conflicts_among({first, blocked(2, "2027-03-05"_date, "2027-03-20"_date, source, host)}).empty();
  };
  EXPECT_TRUE(conflicts_with(block_source::channel, "two"));
  EXPECT_FALSE(conflicts_with(block_source::channel, "one"));
  EXPECT_FALSE(conflicts_with(block_source::manual, ""));
}

TEST(Conflicts, AreAllPairsThatShareANight) {
  std::mt19937 chance(7);
  const auto pick = [&](int lowest, int highest) {
    return std::uniform_int_distribution(lowest, highest)(chance);
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<claimed_nights> claims;
    for (int i = 0; i < 8; ++i) {
      const auto first = "2027-03-01"_date + days{pick(0, 40)};
      claims.push_back(stay(static_cast<unsigned char>(i), first, first + days{pick(0, 10)}));
    }
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < claims.size(); ++i)
      for (std::size_t j = i + 1; j < claims.size(); ++j)
        pairs += overlap(claims[i].nights, claims[j].nights);
    const auto found = conflicts_among(claims);
    EXPECT_EQ(found.size(), pairs);
    for (const auto& each : found) {
      EXPECT_TRUE(overlap(claims[each.first.data[15]].nights, each.nights));
      EXPECT_TRUE(overlap(claims[each.second.data[15]].nights, each.nights));
    }
  }
}

TEST(Calendar, LetsAStayStartTheDayAfterABlocksLastNight) {
  EXPECT_TRUE(march_is_free_for("2027-04-01"_date, "2027-05-01"_date));
  EXPECT_FALSE(march_is_free_for("2027-03-31"_date, "2027-05-01"_date));
}

TEST(Calendar, LetsAStayEndOnABlocksFirstNight) {
  EXPECT_TRUE(march_is_free_for("2027-02-01"_date, "2027-03-01"_date));
  EXPECT_FALSE(march_is_free_for("2027-02-01"_date, "2027-03-02"_date));
}

TEST(Calendar, RejectsAStayInsideOrAroundABlock) {
  EXPECT_FALSE(march_is_free_for("2027-03-10"_date, "2027-03-11"_date));
  EXPECT_FALSE(march_is_free_for("2027-02-01"_date, "2027-05-01"_date));
}

TEST(Calendar, AgreesWithALinearScan) {
  std::mt19937 chance(15);
  const auto pick = [&](int lowest, int highest) {
    return std::uniform_int_distribution<int>(lowest, highest)(chance);
  };
  const auto start = "2027-01-01"_date;
  for (int round = 0; round < 2'000; ++round) {
    std::vector<block> blocks;
    for (int i = pick(0, 8); i > 0; --i) {
      const auto first = start + days{pick(0, 60)};
      blocks.push_back(pick(0, 19) == 0 ? held_from(first) : held(first, first + days{pick(0, 12)}));
      blocks.back().id.data[0] = static_cast<std::uint8_t>(i);
    }
    auto tested = calendar_of(blocks);
    if (!blocks.empty() && pick(0, 1) == 0) {
      tested.remove(blocks.back().id);
      blocks.pop_back();
    }
    blocks.push_back(held(start + days{pick(0, 60)}, start + days{60 + pick(0, 12)}));
    tested.add(blocks.back());
    const auto first = start + days{pick(0, 80)};
    const nights stay{first, first + days{pick(0, 9)}};
    const bool taken =
        std::ranges::any_of(blocks, [&](const block& each) { return overlap(each.nights, stay); });
    ASSERT_EQ(tested.is_free(stay), !taken) << "round " << round;
  }
}

TEST(Calendar, IsFreeWithoutBlocks) {
  EXPECT_TRUE(calendar{}.is_free({"2027-03-01"_date, "9999-12-30"_date}));
}

TEST(Calendar, HoldsEveryNightOfABlockWithoutEnd) {
  const auto closed = calendar_of({held_from("2027-06-01"_date)});
  EXPECT_TRUE(closed.is_free(stay_nights("2027-05-01"_date, "2027-06-01"_date)));
  EXPECT_FALSE(closed.is_free(stay_nights("2027-05-01"_date, "2027-06-02"_date)));
  EXPECT_FALSE(closed.is_free(stay_nights("2199-01-01"_date, "2199-01-02"_date)));
}

TEST(Calendar, FindsALongBlockBeforeShortOnes) {
  const auto nested =
      calendar_of({held("2027-03-10"_date, "2027-03-11"_date), held("2027-01-01"_date, "2027-12-31"_date),
                   held("2027-02-01"_date, "2027-02-02"_date)});
  EXPECT_FALSE(nested.is_free({"2027-11-01"_date, "2027-11-01"_date}));
}

TEST(Calendar, IsOrderedByFirstNight) {
  auto of_two =
      calendar_of({held("2027-05-01"_date, "2027-05-10"_date), held("2027-01-01"_date, "2027-01-10"_date)});
  of_two.add(held("2027-03-01"_date, "2027-03-10"_date));
  of_two.add(held("2026-03-01"_date, "2026-03-10"_date));
  std::vector<std::string> firsts;
  for (const auto& block : of_two.blocks()) firsts.push_back(to_string(block.nights.first));
  EXPECT_EQ(firsts, (std::vector<std::string>{"2026-03-01", "2027-01-01", "2027-03-01", "2027-05-01"}));
}

TEST(Calendar, IsOrderedByIdIfBlocksStartTogether) {
  auto later = held("2027-01-01"_date, "2027-01-02"_date),
       earlier = held("2027-01-01"_date, "2027-01-10"_date);
  later.id = parse_uuid("c4a760a8-dbcf-41e6-9d3a-2f1a4b5c6d7e").value();
  earlier.id = parse_uuid("01a1fb89-cc01-7000-af18-6ec80ff8e534").value();
  auto grown = calendar_of({later});
  grown.add(earlier);
  for (const auto& result : {grown, calendar_of({later, earlier}), calendar_of({earlier, later})})
    EXPECT_EQ(result.blocks().front().id, earlier.id);
}

TEST(Calendar, ReleasesTheNightsOfARemovedBlock) {
  auto march = held("2027-03-01"_date, "2027-03-31"_date);
  march.id = parse_uuid("c4a760a8-dbcf-41e6-9d3a-2f1a4b5c6d7e").value();
  const auto stay = stay_nights("2027-03-10"_date, "2027-03-12"_date);
  calendar one;
  one.add(march);
  EXPECT_FALSE(one.is_free(stay));
  EXPECT_TRUE(one.remove(march.id));
  EXPECT_TRUE(one.is_free(stay));
  EXPECT_FALSE(one.remove(march.id));
}

std::string first_free(std::vector<block> blocks, date start, int months) {
  return text_of(calendar_of(std::move(blocks)).available_from(start, months));
}

TEST(AvailableFrom, IsTheStartIfNothingIsBlocked) {
  EXPECT_EQ(first_free({}, "2027-01-15"_date, 6), "2027-01-15");
  EXPECT_EQ(first_free({held("2026-01-01"_date, "2027-01-14"_date)}, "2027-01-15"_date, 6), "2027-01-15");
}

TEST(AvailableFrom, IsTheStartWhenTheMonthsJustFitBeforeTheNextBlock) {
  EXPECT_EQ(first_free({held("2027-02-15"_date, "2027-03-31"_date)}, "2027-01-15"_date, 1), "2027-01-15");
  EXPECT_EQ(first_free({held("2027-02-14"_date, "2027-03-31"_date)}, "2027-01-15"_date, 1), "2027-04-01");
}

TEST(AvailableFrom, TakesAMonthThatEndsOnItsClampedDay) {
  EXPECT_EQ(first_free({held("2027-02-28"_date, "2027-03-31"_date)}, "2027-01-31"_date, 1), "2027-01-31");
}

TEST(AvailableFrom, IsTheDayAfterTheBlockThatHoldsTheStart) {
  EXPECT_EQ(first_free({held("2027-01-01"_date, "2027-01-15"_date)}, "2027-01-15"_date, 0), "2027-01-16");
}

TEST(AvailableFrom, SkipsGapsThatAreTooShort) {
  const std::vector<block> blocks{held("2027-01-10"_date, "2027-01-31"_date),
                                  held("2027-02-20"_date, "2027-02-28"_date),
                                  held("2027-05-01"_date, "2027-05-31"_date)};
  EXPECT_EQ(first_free(blocks, "2027-01-01"_date, 0), "2027-01-01");
  EXPECT_EQ(first_free(blocks, "2027-01-12"_date, 0), "2027-02-01");
  EXPECT_EQ(first_free(blocks, "2027-01-01"_date, 1), "2027-03-01");
  EXPECT_EQ(first_free(blocks, "2027-01-01"_date, 2), "2027-03-01");
  EXPECT_EQ(first_free(blocks, "2027-01-01"_date, 3), "2027-06-01");
}

TEST(AvailableFrom, NeedsOneNightWhenThereIsNoMinimum) {
  EXPECT_EQ(first_free({held("2027-01-16"_date, "2027-03-31"_date)}, "2027-01-15"_date, 0), "2027-01-15");
}

TEST(AvailableFrom, IsNotTheDayAfterABlockInsideALongerOne) {
  EXPECT_EQ(
      first_free({held("2027-01-01"_date, "2027-03-31"_date), held("2027-01-05"_date, "2027-01-10"_date)},
                 "2027-01-07"_date, 0),
      "2027-04-01");
}

TEST(AvailableFrom, IsNulloptIfABlockWithoutEndComesFirst) {
  EXPECT_EQ(first_free({held_from("2026-05-01"_date)}, "2027-01-15"_date, 0), "none");
  EXPECT_EQ(first_free({held_from("2027-02-14"_date)}, "2027-01-15"_date, 1), "none");
}

TEST(AvailableFrom, FitsBeforeABlockWithoutEnd) {
  EXPECT_EQ(first_free({held_from("2027-02-15"_date)}, "2027-01-15"_date, 1), "2027-01-15");
  EXPECT_EQ(first_free({held("2027-01-10"_date, "2027-01-31"_date), held_from("2027-03-01"_date)},
                       "2027-01-15"_date, 1),
            "2027-02-01");
}

/// A reference calendar of two and a half years that stores every night separately.
class sold_nights {
public:
  static constexpr int count = 900;

  explicit sold_nights(const std::vector<block>& blocks) : sold_(count, false) {
    for (const auto& block : blocks)
      for (int i = 0; i < count; ++i)
        if (block.nights.first <= night(i) && night(i) <= block.nights.last) sold_[at(i)] = true;
  }

  static date night(int index) { return "2027-01-01"_date + days{index}; }

  bool is_free(date check_in, date check_out) const {
    for (auto i = (check_in - night(0)).count(); i < (check_out - night(0)).count(); ++i)
      if (sold_.at(static_cast<std::size_t>(i))) return false;
    return true;
  }

  std::optional<date> available_from(date start, int months) const {
    for (date day = start; day < night(count - 200); day += days{1})
      if (is_free(day, months > 0 ? add_months(day, months) : day + days{1})) return day;
    return std::nullopt;
  }

private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  std::vector<bool> sold_;
};

/// Returns up to nine blocks in about the first 500 nights; occasionally one of them has no end.
std::vector<block> random_blocks(std::mt19937& random) {
  std::vector<block> blocks;
  for (auto left = between(random, 0, 9); left > 0; --left) {
    const date first = sold_nights::night(int_between(random, 0, 500));
    const bool open = between(random, 0, 19) == 0;
    blocks.push_back(held(first, open ? no_end : first + days{int_between(random, 0, 60)}));
  }
  return blocks;
}

TEST(AvailableFrom, AgreesWithTryingEveryDay) {
  for_random_cases(3'000, [](std::mt19937& random) {
    const auto blocks = random_blocks(random);
    const date start = sold_nights::night(int_between(random, 0, 500));
    const int months = int_between(random, 0, 5);
    EXPECT_EQ(first_free(blocks, start, months), text_of(sold_nights{blocks}.available_from(start, months)))
        << text_of(start) << ", " << months << " months";
  });
}

TEST(Calendar, IsFreeExactlyWhenNoNightIsSold) {
  for_random_cases(3'000, [](std::mt19937& random) {
    const auto blocks = random_blocks(random);
    const auto calendar = calendar_of(blocks);
    const sold_nights sold{blocks};
    for (int tries = 0; tries < 20; ++tries) {
      const date check_in = sold_nights::night(int_between(random, 0, 600));
      const date check_out = check_in + days{int_between(random, 1, 90)};
      EXPECT_EQ(calendar.is_free(stay_nights(check_in, check_out)), sold.is_free(check_in, check_out))
          << text_of(stay_nights(check_in, check_out));
    }
  });
}

TEST(Calendar, NeverSellsANightTwice) {
  for_random_cases(2'000, [](std::mt19937& random) {
    calendar taken;
    std::vector<bool> slept(sold_nights::count, false);
    for (int tries = 0; tries < 30; ++tries) {
      const int first = int_between(random, 0, 300), length = int_between(random, 1, 40);
      const auto stay = stay_nights(sold_nights::night(first), sold_nights::night(first + length));
      if (!taken.is_free(stay)) continue;
      taken.add(held(stay.first, stay.last + days{int_between(random, 0, 3)}));
      for (int i = first; i < first + length; ++i) {
        EXPECT_FALSE(slept[static_cast<std::size_t>(i)]) << text_of(sold_nights::night(i));
        slept[static_cast<std::size_t>(i)] = true;
      }
    }
  });
}

} // namespace roost::domain::calendar_test
