#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/office/office_scene.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <utility>

/// Imports of blocks that the office creates, changes and deletes.
namespace roost::testing::imports_of_blocks_test {
using store::office_result;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ImportsOfBlocks : public office_scene {};
ROOST_ON_EACH_STORE(ImportsOfBlocks);

TEST_P(ImportsOfBlocks, KeepWhatTheOfficeCreated) {
  const auto created = create("2027-03-10", "2027-03-12");
  import();
  EXPECT_THAT(blocks(), ElementsAre(created.block));
}

TEST_P(ImportsOfBlocks, KeepAUnitInWhichTheOfficeCreatedABlock) {
  create("2027-03-10", "2027-03-12");
  auto& units = file_.accounts[0].properties[0].units;
  units.erase(units.begin());
  import();
  EXPECT_THAT(blocks(), SizeIs(1));
  EXPECT_TRUE(live_unit(session(), unit_id(1)).second.terms.archived);
}

TEST_P(ImportsOfBlocks, DoNotBringBackWhatTheOfficeDeleted) {
  const auto block = imported("2027-03-01", "2027-03-31");
  ASSERT_EQ(erase(block.block.id).result, office_result::deleted);
  import();
  EXPECT_THAT(blocks(), IsEmpty());
  import();
  EXPECT_THAT(blocks(), IsEmpty()) << "every later import knows it, too";
}

TEST_P(ImportsOfBlocks, ThatOverwriteBringBackWhatTheOfficeDeleted) {
  const auto block = imported("2027-03-01", "2027-03-31");
  erase(block.block.id);
  import_over_the_office();
  ASSERT_THAT(blocks(), SizeIs(1));
  EXPECT_EQ(blocks()[0].block.nights, block.block.nights);
  EXPECT_FALSE(blocks()[0].by_office);
  import();
  EXPECT_THAT(blocks(), SizeIs(1));
}

TEST_P(ImportsOfBlocks, OfAnOldExportDoNotBringBackWhatTheOfficeCreatedAndDeleted) {
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

TEST_P(ImportsOfBlocks, AreRefusedIfTheyWouldSetBackWhatTheOfficeChanged) {
  const auto block = imported("2027-03-01", "2027-03-31");
  ASSERT_EQ(move(block.block.id, "2027-03-05", "2027-03-31").result, office_result::changed);
  const auto refused = import_sample(session(), file_);
  ASSERT_TRUE(refused.refused_by_office);
  EXPECT_EQ(refused.refused_by_office->text(store::import_action::changed), "1 block");
  EXPECT_EQ(blocks()[0].block.nights.first, day("2027-03-05"));
  file_.accounts[0].properties[0].units[0].blocks[0].id = block.block.id;
  EXPECT_TRUE(import_sample(session(), file_).refused_by_office) << "also if the file names it";
}

TEST_P(ImportsOfBlocks, ThatOverwriteSetBackWhatTheOfficeChanged) {
  const auto block = imported("2027-03-01", "2027-03-31");
  move(block.block.id, "2027-03-05", "2027-03-31");
  import_over_the_office();
  ASSERT_THAT(blocks(), SizeIs(1));
  EXPECT_EQ(blocks()[0].block.id, block.block.id);
  EXPECT_EQ(blocks()[0].block.nights, block.block.nights);
  EXPECT_FALSE(import_sample(session(), file_).refused_by_office) << "it is imported now";
}

TEST_P(ImportsOfBlocks, ThatOverwriteKeepWhatTheOfficeCreated) {
  const auto created = create("2027-03-10", "2027-03-12");
  import_over_the_office();
  EXPECT_THAT(blocks(), ElementsAre(created.block));
}

TEST_P(ImportsOfBlocks, DoNotChangeWhatTheOfficeCreated) {
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

TEST_P(ImportsOfBlocks, ThatOverwriteSetBackShortenedBlocksEvenOverBookings) {
  const auto block = imported("2027-03-01", "2027-03-31");
  ASSERT_EQ(move(block.block.id, "2027-03-01", "2027-03-10").result, office_result::changed);
  book("2027-03-15", "2027-03-20");
  import_over_the_office();
  ASSERT_THAT(blocks(), SizeIs(1));
  EXPECT_EQ(blocks()[0].block.nights, block.block.nights) << "like any other imported block";
}

TEST_P(ImportsOfBlocks, AddADeletedBlockAgainOnceAFileHasOmittedIt) {
  const auto block = imported("2027-03-01", "2027-03-31");
  erase(block.block.id);
  auto& in_file = file_.accounts[0].properties[0].units[0].blocks;
  const auto removed = std::exchange(in_file, {});
  import();
  in_file = removed;
  import();
  EXPECT_THAT(blocks(), SizeIs(1));
}

TEST_P(ImportsOfBlocks, RecognizeBlocksInAnyOrder) {
  const auto block = imported("2027-03-01", "2027-03-31");
  ASSERT_EQ(move(block.block.id, "2027-03-05", "2027-03-31").result, office_result::changed);
  auto& in_file = file_.accounts[0].properties[0].units[0].blocks;
  in_file.push_back({.nights = {day("2027-03-05"), day("2027-03-31")}});
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(import_sample(session(), file_).refused_by_office);
    std::ranges::reverse(in_file);
  }
}

TEST_P(ImportsOfBlocks, AcceptWhatWasExported) {
  const auto created = create("2027-03-10", "2027-03-12");
  file_.accounts[0].properties[0].units[0].blocks = {created.block.block};
  import();
  EXPECT_THAT(blocks(), ElementsAre(created.block));
}

/// Only PostgreSQL has concurrent writers.
class ConcurrentImportsOfBlocks : public office_scene {};
ROOST_ON_POSTGRESQL(ConcurrentImportsOfBlocks);

TEST_P(ConcurrentImportsOfBlocks, ReadBlocksAgainThatTheOfficeChangesMeanwhile) {
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

TEST_P(ConcurrentImportsOfBlocks, KeepTheOfficeFromChangingBlocksThatTheyDelete) {
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

} // namespace roost::testing::imports_of_blocks_test
