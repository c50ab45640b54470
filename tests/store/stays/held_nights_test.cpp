#include "store/office/calendar_window.hpp"
#include "store/office/stay_setup.hpp"
#include "store/portfolio/held_nights.hpp"
#include "store/stays/hold_scene.hpp"

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <vector>

/// What the office reads and writes on nights that a platform holds.
namespace roost::testing::held_nights_test {
using domain::refusal;
using store::office_result;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class HeldNightsInTheOffice : public hold_scene {
protected:
  std::vector<store::office_block> blocks() {
    return store::list_blocks(session(), scope, unit_id(1), {}, 100).value().items;
  }

  store::block_outcome move(const domain::uuid& id, const char* first, const char* last) {
    const auto apply = [&](store::office_block& block) {
      block.block.nights = {day(first), last != nullptr ? day(last) : domain::no_end};
      return std::string{};
    };
    const auto always = [](const store::office_block&) { return true; };
    return store::change_block(session(), node_->lease, scope, {unit_id(1), id, always, apply, {}}, author());
  }

  std::vector<store::held_nights> holds_among(const char* first, const char* last) {
    const std::vector ids{unit_id(1), unit_id(2)};
    return store::holds_among(session(), ids, {day(first), day(last)});
  }

  void expect_refused_because_held(const store::booking_outcome& outcome) {
    EXPECT_EQ(outcome.result, office_result::booked);
    EXPECT_EQ(outcome.refused, refusal::held_nights);
    EXPECT_THAT(outcome.taken, ElementsAre(held));
  }

  const domain::nights held{day("2027-04-10"), day("2027-04-12")};
};
ROOST_ON_EACH_STORE(HeldNightsInTheOffice);

TEST_P(HeldNightsInTheOffice, CannotBeBlocked) {
  const auto request = placed("2027-04-10", "2027-04-13");
  const auto before = position_of(session());
  const auto refused = block("2027-04-01", "2027-04-10");
  EXPECT_EQ(refused.result, office_result::conflicting);
  EXPECT_THAT(refused.problem, HasSubstr("marketplace-a holds nights"));
  EXPECT_THAT(refused.problem, HasSubstr("from 2027-04-10 to 2027-04-13"));
  EXPECT_EQ(refused.point.position, 0);
  EXPECT_THAT(blocks(), IsEmpty());
  EXPECT_EQ(position_of(session()), before) << "nothing was written";
  EXPECT_EQ(block("2027-04-01", "2027-04-09").result, office_result::created);
  EXPECT_EQ(block("2027-04-13", "2027-04-20").result, office_result::created);
  release(request);
  EXPECT_EQ(block("2027-04-01", "2027-04-10").result, office_result::created);
}

TEST_P(HeldNightsInTheOffice, CannotBeCoveredByALongerBlock) {
  placed("2027-04-10", "2027-04-13");
  const auto id = block("2027-04-01", "2027-04-05").block.block.id;
  EXPECT_EQ(move(id, "2027-04-01", "2027-04-10").result, office_result::conflicting);
  EXPECT_EQ(move(id, "2027-04-12", "2027-04-20").result, office_result::conflicting);
  EXPECT_EQ(move(id, "2027-04-01", nullptr).result, office_result::conflicting);
  EXPECT_EQ(blocks().at(0).block.nights, (domain::nights{day("2027-04-01"), day("2027-04-05")}));
  EXPECT_EQ(move(id, "2027-04-01", "2027-04-09").result, office_result::changed);
  EXPECT_EQ(move(id, "2027-04-13", nullptr).result, office_result::changed);
}

TEST_P(HeldNightsInTheOffice, LeaveABlockThatAnImportHasPutOnThem) {
  placed("2027-04-10", "2027-04-13");
  placed("2027-05-10", "2027-05-13");
  file_.accounts[0].properties[0].units[0].blocks = {{.nights = {day("2027-04-01"), day("2027-04-30")}}};
  import();
  const auto id = blocks().at(0).block.id;
  EXPECT_EQ(move(id, "2027-04-01", "2027-05-05").result, office_result::changed);
  EXPECT_EQ(move(id, "2027-04-01", "2027-05-10").result, office_result::conflicting);
  EXPECT_EQ(move(id, "2027-04-05", "2027-04-20").result, office_result::changed);
}

TEST_P(HeldNightsInTheOffice, CannotBeBookedByHand) {
  const auto request = placed("2027-04-10", "2027-04-13");
  expect_refused_because_held(book_by_hand("2027-04-01", "2027-05-01"));
  EXPECT_EQ(count_rows(session(), "bookings"), 0);
  claim(request);
  expect_refused_because_held(book_by_hand("2027-04-01", "2027-05-01"));
  block("2027-04-20", "2027-04-20");
  const auto taken = book_by_hand("2027-04-01", "2027-05-01");
  EXPECT_EQ(taken.refused, refusal::overlapping_nights);
  EXPECT_THAT(taken.taken, ElementsAre(held, domain::nights{day("2027-04-20"), day("2027-04-20")}));
  EXPECT_EQ(book_by_hand("2027-04-13", "2027-04-20").result, office_result::created);
}

TEST_P(HeldNightsInTheOffice, CannotBeGainedByAChangeOfAStay) {
  placed("2027-04-10", "2027-04-13");
  const auto id = book("2027-04-01", "2027-04-08");
  expect_refused_because_held(change_by_hand(id, "2027-04-01", "2027-04-20"));
  EXPECT_EQ(change_by_hand(id, "2027-04-01", "2027-04-10").result, office_result::changed);
  put(id, "2027-04-05", "2027-04-20");
  const auto decision = refused(id);
  EXPECT_EQ(decision.refusal, refusal::held_nights);
  EXPECT_THAT(decision.taken_nights, ElementsAre(held));
}

TEST_P(HeldNightsInTheOffice, AreTakenInQuotes) {
  placed("2027-04-10", "2027-04-13");
  const domain::requested_stay stay{day("2027-04-01"), day("2027-05-01"), 1, {}, day("2026-11-21")};
  const auto quote = store::quote_stay(session(), scope, unit_id(1), nullptr, stay).value();
  EXPECT_THAT(quote.decision.refusals, ElementsAre(refusal::held_nights));
  EXPECT_THAT(quote.decision.taken, ElementsAre(held));
}

TEST_P(HeldNightsInTheOffice, AreReadByUnitAndNights) {
  auto prepared = hold_of("2027-05-01", "2027-05-10");
  prepared.last_night = day("2027-05-12");
  place(prepared);
  const auto first = placed("2027-04-10", "2027-04-13");
  release(placed("2027-06-01", "2027-07-01"));
  const auto all = holds_among("2027-01-01", "2027-12-31");
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0].block_id, first.block_id);
  EXPECT_EQ(all[0].unit_id, unit_id(1));
  EXPECT_EQ(all[0].platform, platform);
  EXPECT_EQ(all[0].expires_at, first.expires_at);
  EXPECT_EQ(all[1].check_in, prepared.check_in);
  EXPECT_EQ(all[1].check_out, prepared.check_out);
  EXPECT_EQ(all[1].last_night, prepared.last_night);
  EXPECT_THAT(holds_among("2027-04-13", "2027-04-30"), IsEmpty());
  EXPECT_THAT(holds_among("2027-04-12", "2027-05-01"), SizeIs(2));
  EXPECT_THAT(holds_among("2027-05-12", "2027-05-20"), SizeIs(1)) << "a night of preparation";
  claim(first);
  EXPECT_EQ(holds_among("2027-04-12", "2027-04-12").at(0).expires_at, std::nullopt);
}

TEST_P(HeldNightsInTheOffice, AreInTheCalendar) {
  const auto request = placed("2027-04-10", "2027-04-13");
  const auto holds_of = [&](const char* first, const char* last) {
    std::vector<domain::uuid> holds;
    store::calendar_filter filter;
    filter.window = {day(first), day(last)};
    for (const auto& unit : store::list_calendar(session(), scope, filter, {}, 100).items)
      for (const auto& each : unit.holds) {
        EXPECT_EQ(unit.id, unit_id(1));
        holds.push_back(each.block_id);
      }
    return holds;
  };
  EXPECT_THAT(holds_of("2027-04-12", "2027-04-30"), ElementsAre(request.block_id));
  EXPECT_THAT(holds_of("2027-04-13", "2027-04-30"), IsEmpty());
  release(request);
  EXPECT_THAT(holds_of("2027-04-01", "2027-04-30"), IsEmpty());
}

} // namespace roost::testing::held_nights_test
