#include "store/bookings/bookings.hpp"
#include "store/portfolio/overlaps.hpp"
#include "store/support/cancelled_stays.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>

#include <optional>
#include <string>

/// Blocks that an import sets on nights of stays.
namespace roost::testing::overlaps_test {
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::size_t no_limit = 1'000;
constexpr const char* later = "2026-11-21T09:30:00.000Z";

/// The first unit has a stay from 2027-04-01 to 2027-05-01, and the file no blocks.
class OverlapsOfBlocks : public on_each_store {
protected:
  void SetUp() override {
    for (auto& unit : units()) unit.blocks.clear();
    writer desk(session());
    const auto request = sample_request(1);
    const auto decision = accept(request, unit_id(1));
    booking = decision.booking->id;
    desk.insert({request});
    desk.decide({decision});
  }

  std::vector<domain::portfolio_unit>& units() { return file.accounts[0].properties[0].units; }

  /// Sets the block of a unit in the file.
  void block(const char* first, const char* last, const domain::uuid& id = {}, std::size_t unit = 0) {
    auto& blocks = units().at(unit).blocks;
    blocks.assign(1, {.id = id, .nights = {day(first), last != nullptr ? day(last) : domain::no_end}});
  }

  void import() {
    ASSERT_THAT(store::import_portfolio(session(), file, context_at(later)).problems, IsEmpty());
  }

  /// Returns overlaps as the unit's name and the first night of the block.
  static std::vector<std::string> texts(const store::block_overlaps& overlaps) {
    std::vector<std::string> lines;
    for (const auto& each : overlaps.items)
      lines.push_back(each.unit_name + ' ' + domain::to_string(each.block.first));
    EXPECT_EQ(overlaps.total, lines.size());
    return lines;
  }

  std::vector<std::string> stored(const char* today = "2027-04-15") {
    return texts(store::stored_overlaps(session(), day(today), no_limit));
  }

  store::block_overlaps plan(std::size_t limit = no_limit, const char* today = "2026-11-21") {
    store::block_overlaps overlaps;
    const auto problems =
        store::plan_import(session(), file, context_at(later), [&](const store::planned_account& each) {
          overlaps = store::planned_overlaps(session(), each, day(today), limit);
        });
    EXPECT_THAT(problems, IsEmpty());
    return overlaps;
  }
  std::vector<std::string> planned() { return texts(plan()); }

  domain::portfolio file = sample_portfolio();
  domain::uuid booking{};
};
ROOST_ON_EACH_STORE(OverlapsOfBlocks);

TEST_P(OverlapsOfBlocks, AreThoseOfNightsFromTodayOn) {
  block("2027-04-30", nullptr);
  import();
  const auto overlaps = store::stored_overlaps(session(), day("2027-04-30"), no_limit);
  ASSERT_THAT(texts(overlaps), ElementsAre("Room 1 2027-04-30"));
  const auto& overlap = overlaps.items[0];
  EXPECT_EQ(overlap.unit_id, unit_id(1));
  EXPECT_FALSE(overlap.block_id.is_nil());
  EXPECT_EQ(overlap.block.last, domain::no_end);
  EXPECT_EQ(overlap.booking_id, booking);
  EXPECT_EQ(overlap.check_in, day("2027-04-01"));
  EXPECT_EQ(overlap.check_out, day("2027-05-01"));
  EXPECT_THAT(stored("2027-05-01"), IsEmpty()) << "the stay has ended";
  block("2027-04-01", "2027-04-14");
  import();
  EXPECT_THAT(stored("2027-04-14"), ElementsAre("Room 1 2027-04-01"));
  EXPECT_THAT(stored("2027-04-15"), IsEmpty()) << "the block has ended";
}

TEST_P(OverlapsOfBlocks, AreNeitherOfOtherNightsNorOfCancelledStays) {
  block("2027-05-01", "2027-05-31");
  import();
  EXPECT_THAT(stored(), IsEmpty()) << "the guest leaves on the day on which the block begins";
  block("2027-03-01", "2027-03-31");
  import();
  EXPECT_THAT(stored("2027-03-01"), IsEmpty());
  block("2027-04-01", "2027-04-30", {}, 1);
  units()[0].blocks.clear();
  import();
  EXPECT_THAT(stored(), IsEmpty()) << "of another unit";
  block("2027-04-01", "2027-04-30");
  import();
  EXPECT_THAT(stored(), ElementsAre("Room 1 2027-04-01"));
  cancel_stay(session(), booking);
  EXPECT_THAT(stored(), IsEmpty());
}

TEST_P(OverlapsOfBlocks, AreCountedBeyondALimit) {
  for (const auto* first : {"2027-04-02", "2027-04-12", "2027-04-22"})
    units()[0].blocks.push_back({.nights = {day(first), day(first) + domain::days{3}}});
  EXPECT_EQ(plan(2).items.size(), 2U);
  EXPECT_EQ(plan(2).total, 3U);
  import();
  const auto two = store::stored_overlaps(session(), day("2027-04-01"), 2);
  EXPECT_EQ(two.items.size(), 2U);
  EXPECT_EQ(two.items[0].block.first, day("2027-04-02"));
  EXPECT_EQ(two.total, 3U);
}

TEST_P(OverlapsOfBlocks, ArePlannedForBlocksThatAnImportAddsOrKeeps) {
  EXPECT_THAT(planned(), IsEmpty());
  block("2027-04-10", "2027-04-20");
  const auto added = plan();
  ASSERT_THAT(texts(added), ElementsAre("Room 1 2027-04-10"));
  EXPECT_TRUE(added.items[0].block_id.is_nil());
  EXPECT_EQ(added.items[0].booking_id, booking);
  EXPECT_THAT(stored(), IsEmpty()) << "a plan writes nothing";
  import();
  const auto kept = plan();
  ASSERT_THAT(texts(kept), ElementsAre("Room 1 2027-04-10")) << "once";
  EXPECT_FALSE(kept.items[0].block_id.is_nil());
  EXPECT_THAT(texts(plan(no_limit, "2027-04-21")), IsEmpty()) << "the block has ended";
  units()[0].terms.internal_name = "Room 9";
  EXPECT_THAT(planned(), ElementsAre("Room 1 2027-04-10")) << "with the stored name";
}

TEST_P(OverlapsOfBlocks, AreNotPlannedForBlocksThatAnImportRemovesOrShortens) {
  const auto id = fresh_id();
  block("2027-04-10", "2027-05-20", id);
  import();
  EXPECT_THAT(planned(), ElementsAre("Room 1 2027-04-10"));
  block("2027-05-01", "2027-05-20", id);
  EXPECT_THAT(planned(), IsEmpty());
  block("2027-04-11", "2027-05-20", id);
  EXPECT_THAT(planned(), ElementsAre("Room 1 2027-04-11"));
  units()[0].blocks.clear();
  EXPECT_THAT(planned(), IsEmpty());
  block("2027-04-10", "2027-05-20", id, 1);
  EXPECT_THAT(planned(), IsEmpty()) << "it moves to a free unit";
}

} // namespace roost::testing::overlaps_test
