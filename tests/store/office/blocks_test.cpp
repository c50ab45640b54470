#include "store/bookings/bookings.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/engine/linked_units.hpp"
#include "store/office/blocks.hpp"
#include "store/support/sample_booking.hpp"
#include "support/random_cases.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>

#include <map>

namespace roost::testing::blocks_test {
using domain::int_between;
using store::office_result;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// The office of the first account, which has no imported blocks unless a test adds one.
class OfficeBlocks : public on_each_store {
protected:
  void SetUp() override {
    file_ = sample_portfolio(2);
    for (auto& account : file_.accounts)
      for (auto& unit : account.properties[0].units) unit.blocks.clear();
    node_.emplace(session());
    import();
  }

  void import() {
    import_sample(session(), file_);
    node_->follow();
  }

  /// Imports, and sets back what the office has changed.
  void import_over_the_office() {
    auto context = context_at("2026-11-22T09:30:00.000Z");
    context.overwrite_office = true;
    const auto result = store::import_portfolio(session(), file_, context);
    ASSERT_FALSE(result.refused_by_office);
    node_->follow();
  }

  /// Imports a block of the first unit, and returns it as it is stored.
  store::office_block imported(const char* first, const char* last) {
    file_.accounts[0].properties[0].units[0].blocks = {{.nights = {day(first), day(last)}}};
    import();
    return blocks().at(0);
  }

  static store::block_creation creation(const char* first, const char* last, domain::uuid id = fresh_id()) {
    return {unit_id(1), id, {day(first), last != nullptr ? day(last) : domain::no_end}, "Paint", {}};
  }

  store::office_author author() {
    const auto now = moment("2026-11-21T09:00:00.000Z") + std::chrono::minutes{++minutes_};
    return {"ana@landlord.example", now, {fresh_id(), now, "user ana@landlord.example", "block", "", ""}};
  }

  store::block_outcome create(const store::block_creation& request) {
    return store::create_block(session(), node_->lease, scope, request, author());
  }
  store::block_outcome create(const char* first, const char* last) { return create(creation(first, last)); }

  store::block_outcome change(const domain::uuid& id,
                              const std::function<std::string(store::office_block&)>& apply,
                              const store::block_condition& is_current = always) {
    return store::change_block(session(), node_->lease, scope, {unit_id(1), id, is_current, apply, {}},
                               author());
  }
  store::block_outcome move(const domain::uuid& id, const char* first, const char* last) {
    return change(id, [=](store::office_block& block) {
      block.block.nights = {day(first), day(last)};
      return std::string{};
    });
  }

  store::block_outcome erase(const domain::uuid& id, const store::block_condition& is_current = always) {
    return store::delete_block(session(), node_->lease, scope, {unit_id(1), id, is_current}, author());
  }

  std::vector<store::office_block> blocks() {
    return store::list_blocks(session(), scope, unit_id(1), {}, 1'000).value().items;
  }

  /// Books the first unit.
  domain::uuid book(const char* check_in, const char* check_out) {
    auto request = sample_request(++number_);
    request.check_in = day(check_in);
    request.check_out = day(check_out);
    node_->insert({request});
    const auto decision = accept(request, unit_id(1));
    node_->decide({decision});
    return decision.booking->id;
  }

  static bool always(const store::office_block&) { return true; }
  static bool never(const store::office_block&) { return false; }

  store::office_scope scope{account_id(1), {}};
  domain::portfolio file_;
  std::optional<writer> node_;

private:
  int minutes_ = 0;
  unsigned long number_ = 0;
};
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
  store::cancel_for_landlords(session(), std::vector{booking});
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

TEST_P(OfficeBlocks, SurviveImports) {
  const auto created = create("2027-03-10", "2027-03-12");
  import();
  EXPECT_THAT(blocks(), ElementsAre(created.block));
}

TEST_P(OfficeBlocks, KeepAUnitThatAFileOmits) {
  create("2027-03-10", "2027-03-12");
  auto& units = file_.accounts[0].properties[0].units;
  units.erase(units.begin());
  import();
  EXPECT_THAT(blocks(), SizeIs(1));
  EXPECT_TRUE(live_unit(session(), unit_id(1)).second.terms.archived);
}

TEST_P(OfficeBlocks, ThatWereDeletedDoNotComeBackByAnImport) {
  const auto block = imported("2027-03-01", "2027-03-31");
  ASSERT_EQ(erase(block.block.id).result, office_result::deleted);
  import();
  EXPECT_THAT(blocks(), IsEmpty());
  import();
  EXPECT_THAT(blocks(), IsEmpty()) << "every later import knows it, too";
}

TEST_P(OfficeBlocks, ThatWereDeletedComeBackByAnOverwritingImport) {
  const auto block = imported("2027-03-01", "2027-03-31");
  erase(block.block.id);
  import_over_the_office();
  ASSERT_THAT(blocks(), SizeIs(1));
  EXPECT_EQ(blocks()[0].block.nights, block.block.nights);
  EXPECT_FALSE(blocks()[0].by_office);
  import();
  EXPECT_THAT(blocks(), SizeIs(1));
}

TEST_P(OfficeBlocks, ThatWereCreatedAndDeletedDoNotComeBackByAnOldExport) {
  const auto created = create("2027-03-10", "2027-03-12");
  auto exported = created.block.block;
  erase(exported.id);
  file_.accounts[0].properties[0].units[0].blocks = {exported};
  import();
  EXPECT_THAT(blocks(), IsEmpty());
  exported.id = {};
  file_.accounts[0].properties[0].units[0].blocks = {exported};
  import();
  EXPECT_THAT(blocks(), SizeIs(1)) << "another block for the same nights";
}

TEST_P(OfficeBlocks, ThatChangedSinceTheirImportRefuseTheOldState) {
  const auto block = imported("2027-03-01", "2027-03-31");
  ASSERT_EQ(move(block.block.id, "2027-03-05", "2027-03-31").result, office_result::changed);
  const auto refused = import_sample(session(), file_);
  ASSERT_TRUE(refused.refused_by_office);
  EXPECT_EQ(refused.refused_by_office->text(store::import_action::changed), "1 block");
  EXPECT_EQ(blocks()[0].block.nights.first, day("2027-03-05"));
  file_.accounts[0].properties[0].units[0].blocks[0].id = block.block.id;
  EXPECT_TRUE(import_sample(session(), file_).refused_by_office) << "also if the file names it";
}

TEST_P(OfficeBlocks, ThatChangedAreSetBackByAnOverwritingImport) {
  const auto block = imported("2027-03-01", "2027-03-31");
  move(block.block.id, "2027-03-05", "2027-03-31");
  import_over_the_office();
  ASSERT_THAT(blocks(), SizeIs(1));
  EXPECT_EQ(blocks()[0].block.id, block.block.id);
  EXPECT_EQ(blocks()[0].block.nights, block.block.nights);
  EXPECT_FALSE(import_sample(session(), file_).refused_by_office) << "it is imported now";
}

TEST_P(OfficeBlocks, CreatedByTheOfficeStayInAnOverwritingImport) {
  const auto created = create("2027-03-10", "2027-03-12");
  import_over_the_office();
  EXPECT_THAT(blocks(), ElementsAre(created.block));
}

TEST_P(OfficeBlocks, CreatedByTheOfficeAreNotChangedByAFile) {
  const auto created = create("2027-03-10", "2027-03-12");
  auto other = created.block.block;
  other.nights.last = day("2027-03-20");
  file_.accounts[0].properties[0].units[0].blocks = {other};
  import_over_the_office();
  EXPECT_THAT(blocks(), ElementsAre(created.block)) << "named by its id";
  other = created.block.block;
  other.id = {};
  other.note = "Roof";
  file_.accounts[0].properties[0].units[0].blocks = {other};
  import_over_the_office();
  EXPECT_THAT(blocks(), ElementsAre(created.block)) << "the same nights with another note";
}

TEST_P(OfficeBlocks, ThatWereShortenedAreSetBackAlsoOverBookings) {
  const auto block = imported("2027-03-01", "2027-03-31");
  ASSERT_EQ(move(block.block.id, "2027-03-01", "2027-03-10").result, office_result::changed);
  book("2027-03-15", "2027-03-20");
  import_over_the_office();
  ASSERT_THAT(blocks(), SizeIs(1));
  EXPECT_EQ(blocks()[0].block.nights, block.block.nights) << "like any other imported block";
}

TEST_P(OfficeBlocks, ThatWereDeletedCanBeAddedAgainOnceAFileHasOmittedThem) {
  const auto block = imported("2027-03-01", "2027-03-31");
  erase(block.block.id);
  auto& in_file = file_.accounts[0].properties[0].units[0].blocks;
  const auto removed = std::exchange(in_file, {});
  import();
  in_file = removed;
  import();
  EXPECT_THAT(blocks(), SizeIs(1));
}

TEST_P(OfficeBlocks, AreRecognizedInAnyOrderOfTheFile) {
  const auto block = imported("2027-03-01", "2027-03-31");
  ASSERT_EQ(move(block.block.id, "2027-03-05", "2027-03-31").result, office_result::changed);
  auto& in_file = file_.accounts[0].properties[0].units[0].blocks;
  in_file.push_back({.nights = {day("2027-03-05"), day("2027-03-31")}});
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(import_sample(session(), file_).refused_by_office);
    std::ranges::reverse(in_file);
  }
}

TEST_P(OfficeBlocks, ThatAreExportedCanBeImportedAgain) {
  const auto created = create("2027-03-10", "2027-03-12");
  file_.accounts[0].properties[0].units[0].blocks = {created.block.block};
  import();
  EXPECT_THAT(blocks(), ElementsAre(created.block));
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
class ConcurrentOfficeBlocks : public OfficeBlocks {};
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
  store::insert_requests(other, node_->lease, std::vector{request});
  store::record_decisions(other, node_->lease, node_->basis,
                          store::decision_rows{std::vector{accept(request, unit_id(1))}});
  EXPECT_THROW(blocking.commit(), store::constraint_violated);
}

TEST_P(ConcurrentOfficeBlocks, LetAnImportReadThemAgainIfTheyChangeDuringIt) {
  auto other = store().open();
  int reads = 0;
  auto context = context_at("2026-11-22T09:30:00.000Z");
  context.progress = [&](std::size_t, std::size_t) {
    if (++reads > 1) return;
    const auto outcome =
        store::create_block(other, node_->lease, scope, creation("2027-03-10", "2027-03-12"), author());
    EXPECT_EQ(outcome.result, office_result::created);
  };
  file_.accounts[0].properties[0].units[0].blocks = {{.nights = {day("2027-05-01"), day("2027-05-31")}}};
  EXPECT_FALSE(store::import_portfolio(session(), file_, context).refused_by_office);
  EXPECT_EQ(reads, 2);
  EXPECT_THAT(blocks(), SizeIs(2));
}

TEST_P(ConcurrentOfficeBlocks, DoNotChangeWhileAnImportDeletesThem) {
  const auto block = imported("2027-03-01", "2027-03-31");
  auto other = store().open();
  store::transaction importing(other, store::transaction::purpose::write);
  other.internals().script("erase",
                           "delete from blocks where id = '" + domain::to_string(block.block.id) + "'");
  EXPECT_THROW(move(block.block.id, "2027-03-05", "2027-03-31"), store::unavailable);
  EXPECT_THROW(erase(block.block.id), store::unavailable);
  importing.commit();
  EXPECT_EQ(move(block.block.id, "2027-03-05", "2027-03-31").result, office_result::not_found);
}

TEST_P(ConcurrentOfficeBlocks, WaitForNoTransactionThatHoldsTheirUnit) {
  auto other = store().open();
  store::transaction holding(other, store::transaction::purpose::write);
  other.internals().script("hold", "select 1 from units where id = '" + domain::to_string(unit_id(1)) +
                                       "' for no key update");
  EXPECT_THROW(create("2027-03-10", "2027-03-12"), store::unavailable);
}

} // namespace roost::testing::blocks_test
