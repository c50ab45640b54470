#include "store/bookings/bookings.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/engine/linked_units.hpp"
#include "store/office/office_scene.hpp"
#include "store/support/cancelled_stays.hpp"
#include "support/random_cases.hpp"

#include <gmock/gmock.h>

#include <map>

/// Reads and writes of the office.
namespace roost::testing::blocks_test {
using domain::int_between;
using store::office_result;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class OfficeBlocks : public office_scene {};
ROOST_ON_EACH_STORE(OfficeBlocks);

TEST_P(OfficeBlocks, AreStoredWithTheirNote) {
  const auto created = create("2027-03-10", nullptr);
  ASSERT_EQ(created.result, office_result::created);
  EXPECT_EQ(created.block.block.nights.last, domain::no_end);
  EXPECT_THAT(blocks(), ElementsAre(created.block));
  EXPECT_EQ(store::find_block(session(), scope, unit_id(1), created.block.block.id), created.block);
  EXPECT_EQ(created.point, store::newest_point(session()));
}

TEST_P(OfficeBlocks, AreListedByNightAndPage) {
  std::vector<domain::uuid> ids;
  for (const auto* night : {"2027-05-01", "2027-03-01", "2027-04-01", "2027-03-01"})
    ids.push_back(create(night, night).block.block.id);
  const auto first = store::list_blocks(session(), scope, unit_id(1), {}, 3).value();
  ASSERT_THAT(first.items, SizeIs(3));
  EXPECT_TRUE(first.has_more);
  EXPECT_EQ(first.total, 4);
  EXPECT_EQ(first.items[0].block.id, std::min(ids[1], ids[3]));
  EXPECT_EQ(first.items[2].block.id, ids[2]);
  const store::block_place place{first.items[2].block.nights.first, first.items[2].block.id};
  const auto second = store::list_blocks(session(), scope, unit_id(1), place, 3).value();
  ASSERT_THAT(second.items, SizeIs(1));
  EXPECT_EQ(second.items[0].block.id, ids[0]);
  EXPECT_FALSE(second.has_more);
}

TEST_P(OfficeBlocks, LeaveATraceOfEachWrite) {
  const auto id = create("2027-03-10", "2027-03-12").block.block.id;
  move(id, "2027-03-11", "2027-03-12");
  erase(id);
  const auto entries = store::changelog_of(session(), unit_id(1));
  ASSERT_THAT(entries, SizeIs(3));
  EXPECT_EQ(entries[0].changed_by, "ana@landlord.example");
  EXPECT_THAT(entries[2].changes, ElementsAre(domain::field_change{"from", "null", R"("2027-03-10")"},
                                              domain::field_change{"to", "null", R"("2027-03-12")"},
                                              domain::field_change{"note", "null", R"("Paint")"}));
  EXPECT_THAT(entries[1].changes,
              ElementsAre(domain::field_change{"from", R"("2027-03-10")", R"("2027-03-11")"}));
  EXPECT_THAT(entries[0].changes, SizeIs(3));
  EXPECT_THAT(store::list_audit(session(), 10), SizeIs(3));
}

TEST_P(OfficeBlocks, CannotCoverBookedNights) {
  const auto booking = book("2027-03-05", "2027-03-10");
  const auto before = store::newest_point(session());
  const auto refused = create("2027-03-01", "2027-03-06");
  EXPECT_EQ(refused.result, office_result::booked);
  EXPECT_THAT(refused.booked,
              ElementsAre(store::booking_overlap{booking, {day("2027-03-05"), day("2027-03-06")}}));
  EXPECT_THAT(blocks(), IsEmpty());
  EXPECT_EQ(store::newest_point(session()), before) << "nothing was written";
  EXPECT_EQ(create("2027-03-10", nullptr).result, office_result::created)
      << "the day of the check-out is free";
}

TEST_P(OfficeBlocks, MayCoverOtherBlocksAndCancelledStays) {
  const auto booking = book("2027-03-05", "2027-03-10");
  cancel_stay(session(), booking);
  EXPECT_EQ(create("2027-03-01", "2027-03-06").result, office_result::created);
  EXPECT_EQ(create("2027-03-06", "2027-03-20").result, office_result::created);
}

TEST_P(OfficeBlocks, MayCoverNightsOfPreparation) {
  const auto booking = book("2027-03-05", "2027-03-10");
  session().internals().script("prepare", "update bookings set last_night = '2027-03-12' where id = '" +
                                              domain::to_string(booking) + "'");
  EXPECT_EQ(create("2027-03-10", "2027-03-20").result, office_result::created);
}

TEST_P(OfficeBlocks, CanBeCreatedAgainByTheSameRequest) {
  auto request = creation("2027-03-10", "2027-03-12");
  request.request_hash = "first";
  const auto created = create(request);
  const auto again = create(request);
  EXPECT_EQ(again.result, office_result::repeated);
  EXPECT_EQ(again.block, created.block);
  EXPECT_THAT(blocks(), SizeIs(1));
  request.request_hash = "other";
  EXPECT_EQ(create(request).result, office_result::other_request);
}

TEST_P(OfficeBlocks, CanBeCreatedAgainAfterTheyWereDeleted) {
  auto request = creation("2027-03-10", "2027-03-12");
  request.request_hash = "first";
  create(request);
  EXPECT_EQ(erase(request.id).result, office_result::deleted);
  request.request_hash = "other";
  EXPECT_EQ(create(request).result, office_result::created);
}

TEST_P(OfficeBlocks, CannotTakeAnIdOfAnotherAccount) {
  auto request = creation("2027-03-10", "2027-03-12");
  request.request_hash = "first";
  ASSERT_EQ(create(request).result, office_result::created);
  scope = {account_id(2), {}};
  request.unit_id = unit_id(3);
  EXPECT_EQ(create(request).result, office_result::other_request);
}

TEST_P(OfficeBlocks, OfAnotherAccountAreUnknown) {
  const auto id = create("2027-03-10", "2027-03-12").block.block.id;
  scope = {account_id(2), {}};
  EXPECT_EQ(store::list_blocks(session(), scope, unit_id(1), {}, 10), std::nullopt);
  EXPECT_EQ(store::find_block(session(), scope, unit_id(1), id), std::nullopt);
  EXPECT_EQ(create("2027-04-10", "2027-04-12").result, office_result::not_found);
  EXPECT_EQ(move(id, "2027-03-11", "2027-03-12").result, office_result::not_found);
  EXPECT_EQ(erase(id).result, office_result::not_found);
}

TEST_P(OfficeBlocks, OfAnotherOwnersPropertyAreUnknown) {
  const auto id = create("2027-03-10", "2027-03-12").block.block.id;
  const auto owner = fresh_id();
  scope.owner_id = owner;
  EXPECT_EQ(store::find_block(session(), scope, unit_id(1), id), std::nullopt);
  file_.accounts[0].properties[0].details.owner_id = owner;
  import();
  EXPECT_TRUE(store::find_block(session(), scope, unit_id(1), id));
}

TEST_P(OfficeBlocks, ChangeOnlyInTheStateThatTheClientHasSeen) {
  const auto id = create("2027-03-10", "2027-03-12").block.block.id;
  const auto apply = [](store::office_block& block) {
    block.block.note = "Roof";
    return std::string{};
  };
  const auto outdated = change(id, apply, never);
  EXPECT_EQ(outdated.result, office_result::outdated);
  EXPECT_EQ(outdated.last.by, "ana@landlord.example");
  EXPECT_EQ(outdated.last.at, outdated.block.block.updated_at);
  EXPECT_EQ(change(id, apply, nullptr).result, office_result::unconditional);
  EXPECT_EQ(erase(id, never).result, office_result::outdated);
  EXPECT_EQ(blocks()[0].block.note, "Paint");
  EXPECT_EQ(change(id, apply).result, office_result::changed);
  EXPECT_EQ(blocks()[0].block.note, "Roof");
}

TEST_P(OfficeBlocks, ThatDoNotChangeLeaveNoTrace) {
  const auto id = create("2027-03-10", "2027-03-12").block.block.id;
  const auto before = store::newest_point(session());
  EXPECT_EQ(move(id, "2027-03-10", "2027-03-12").result, office_result::unchanged);
  EXPECT_EQ(store::newest_point(session()), before);
}

TEST_P(OfficeBlocks, StayAsTheyAreIfTheirValuesAreRefused) {
  const auto id = create("2027-03-10", "2027-03-12").block.block.id;
  const auto refused = change(id, [](store::office_block&) { return std::string("no"); });
  EXPECT_EQ(refused.result, office_result::refused);
  EXPECT_EQ(refused.problem, "no");
}

TEST_P(OfficeBlocks, DoNotGrowOverBookings) {
  const auto booking = book("2027-03-05", "2027-03-10");
  const auto id = create("2027-03-10", "2027-03-12").block.block.id;
  const auto refused = move(id, "2027-03-09", "2027-03-12");
  EXPECT_EQ(refused.result, office_result::booked);
  EXPECT_THAT(refused.booked,
              ElementsAre(store::booking_overlap{booking, {day("2027-03-09"), day("2027-03-09")}}));
  EXPECT_EQ(move(id, "2027-03-11", "2027-03-20").result, office_result::changed);
}

TEST_P(OfficeBlocks, ThatCoverBookingsSinceTheirImportCanChange) {
  book("2027-03-05", "2027-03-10");
  const auto block = imported("2027-03-01", "2027-03-31");
  EXPECT_EQ(move(block.block.id, "2027-02-01", "2027-03-31").result, office_result::changed);
  book("2027-04-02", "2027-04-10");
  EXPECT_EQ(move(block.block.id, "2027-02-01", "2027-04-05").result, office_result::booked);
}

TEST_P(OfficeBlocks, AreNotRefusedWithoutAReason) {
  std::mt19937 random{7};
  const auto begin = day("2027-01-01");
  const auto some_nights = [&] {
    const auto first = begin + domain::days{int_between(random, 0, 120)};
    return domain::nights{first, first + domain::days{int_between(random, 0, 9)}};
  };
  std::vector<domain::nights> stays;
  std::map<domain::uuid, domain::nights> blocked;
  const auto overlaps_any = [](const auto& all, const domain::nights& nights) {
    return std::ranges::any_of(all, [&](const auto& each) { return domain::overlap(each, nights); });
  };
  for (int step = 0; step < 150 && !HasFailure(); ++step) {
    const auto nights = some_nights();
    const auto text = domain::to_string(nights.first) + " to " + domain::to_string(nights.last);
    SCOPED_TRACE(text);
    const auto action = int_between(random, 0, 3);
    if (action == 0) {
      std::vector<domain::nights> taken = stays;
      for (const auto& [id, each] : blocked) taken.push_back(each);
      if (overlaps_any(taken, nights)) continue; // the subject of other tests
      book(domain::to_string(nights.first).c_str(), domain::to_string(nights.last + domain::days{1}).c_str());
      stays.push_back(nights);
    } else if (action == 1 || blocked.empty()) {
      store::block_creation request{unit_id(1), fresh_id(), nights, "", {}};
      const auto expected = overlaps_any(stays, nights) ? office_result::booked : office_result::created;
      ASSERT_EQ(create(request).result, expected);
      if (expected == office_result::created) blocked[request.id] = nights;
    } else {
      const auto picked =
          std::next(blocked.begin(), int_between(random, 0, static_cast<int>(blocked.size()) - 1));
      if (action == 2) {
        ASSERT_EQ(erase(picked->first).result, office_result::deleted);
        blocked.erase(picked);
        continue;
      }
      if (picked->second == nights) continue;
      const auto expected = overlaps_any(stays, nights) ? office_result::booked : office_result::changed;
      ASSERT_EQ(
          move(picked->first, domain::to_string(nights.first).c_str(), domain::to_string(nights.last).c_str())
              .result,
          expected);
      if (expected == office_result::changed) picked->second = nights;
    }
  }
  EXPECT_GT(stays.size(), 3U);
  EXPECT_THAT(blocks(), SizeIs(blocked.size()));
}

TEST_P(OfficeBlocks, RequireTheLease) {
  const auto held = node_->lease;
  session().internals().script("expire", "update writer_lease set epoch = epoch + 1");
  EXPECT_THROW(create("2027-03-10", "2027-03-12"), store::lease_lost);
}

/// Only PostgreSQL has concurrent writers.
class ConcurrentOfficeBlocks : public office_scene {};
ROOST_ON_POSTGRESQL(ConcurrentOfficeBlocks);

TEST_P(ConcurrentOfficeBlocks, AreRefusedByTheDatabaseIfANightWasBookedMeanwhile) {
  store::transaction blocking(session(), store::transaction::purpose::write);
  session().internals().script("block",
                               "insert into blocks (id, unit_id, first_night, source, host, created_at,"
                               " updated_at, by_office) values ('" +
                                   domain::to_string(fresh_id()) + "', '" + domain::to_string(unit_id(1)) +
                                   "', '2027-03-01', 'manual', '', now(), now(), true)");
  auto request = sample_request(900);
  request.check_in = day("2027-03-05");
  request.check_out = day("2027-03-10");
  auto other = store().open();
  store::insert_requests(other, node_->lease, std::vector{store::submission(request)});
  store::record_decisions(other, node_->lease, node_->basis,
                          store::decision_rows{std::vector{accept(request, unit_id(1))}});
  EXPECT_THROW(blocking.commit(), store::constraint_violated);
}

TEST_P(ConcurrentOfficeBlocks, WaitForNoTransactionThatHoldsTheirUnit) {
  auto other = store().open();
  store::transaction holding(other, store::transaction::purpose::write);
  other.internals().script("hold", "select 1 from units where id = '" + domain::to_string(unit_id(1)) +
                                       "' for no key update");
  EXPECT_THROW(create("2027-03-10", "2027-03-12"), store::unavailable);
}

} // namespace roost::testing::blocks_test
