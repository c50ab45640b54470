#include "store/engine/linked_units.hpp"
#include "store/office/history.hpp"
#include "store/office/office_scene.hpp"

#include <gmock/gmock.h>

#include <span>

namespace roost::testing::history_test {
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class OfficeHistory : public office_scene {
protected:
  using page = store::office_page<store::unit_change>;

  std::optional<page> changes(const std::optional<std::int64_t>& before = {}, std::size_t limit = 10) {
    return store::list_unit_changes(session(), scope, unit_id(1), before, limit, store::with_total::yes);
  }

  /// Sets the rent as a platform.
  void edit_rent(std::int64_t cents) {
    store::unit_edit request;
    request.unit = {unit_id(1), "marketplace-a", "ext-1", "ext-1"};
    request.entry_id = fresh_id();
    request.now = moment("2026-11-21T08:00:00.000Z");
    request.edit.rent = {cents};
    ASSERT_TRUE(store::edit_units(session(), node_->lease, std::span{&request, 1}).front().changed);
  }

  std::vector<store::audit_entry> audit() {
    return store::list_account_audit(session(), {account_id(1)}, {}, 10, store::with_total::yes).items;
  }
};
ROOST_ON_EACH_STORE(OfficeHistory);

TEST_P(OfficeHistory, OfAUnitHasEditsOfPlatformsAndBlocksNewestFirst) {
  edit_rent(700'00);
  const auto created = create("2027-03-01", "2027-03-10");
  const auto id = created.block.block.id;
  const auto listed = changes().value();
  ASSERT_THAT(listed.items, SizeIs(2));
  EXPECT_EQ(listed.total, 2);
  EXPECT_FALSE(listed.has_more);
  EXPECT_EQ(listed.items[0].subject_id, id);
  EXPECT_EQ(listed.items[0].by, "ana@landlord.example");
  EXPECT_EQ(listed.items[0].edit, created.point.position);
  EXPECT_THAT(listed.items[0].changes, ElementsAre(domain::field_change{"from", "null", R"("2027-03-01")"},
                                                   domain::field_change{"to", "null", R"("2027-03-10")"},
                                                   domain::field_change{"note", "null", R"("Paint")"}));
  EXPECT_EQ(listed.items[1].subject_id, unit_id(1));
  EXPECT_EQ(listed.items[1].by, "marketplace-a");
  EXPECT_EQ(listed.items[1].at, moment("2026-11-21T08:00:00.000Z"));
  EXPECT_THAT(listed.items[1].changes, ElementsAre(domain::field_change{"rent", "650", "700"}));
}

TEST_P(OfficeHistory, OfAUnitIsReadPageByPage) {
  for (const int cents : {700'00, 710'00, 720'00}) edit_rent(cents);
  const auto all = changes().value().items;
  const auto first = changes({}, 2).value();
  EXPECT_TRUE(first.has_more);
  EXPECT_EQ(first.total, 3);
  ASSERT_THAT(first.items, SizeIs(2));
  EXPECT_EQ(first.items[1].id, all[1].id);
  edit_rent(730'00);
  const auto second = changes(first.items.back().edit, 2).value();
  EXPECT_FALSE(second.has_more);
  ASSERT_THAT(second.items, SizeIs(1)) << "later changes move nothing";
  EXPECT_EQ(second.items[0].id, all[2].id);
  EXPECT_THAT(changes(second.items.back().edit)->items, IsEmpty());
}

TEST_P(OfficeHistory, OfAUnitOfOthersDoesNotExist) {
  edit_rent(700'00);
  EXPECT_TRUE(changes());
  scope.account_id = account_id(2);
  EXPECT_FALSE(changes());
  scope.account_id = account_id(1);
  scope.owner_id = fresh_id();
  EXPECT_FALSE(changes());
  file_.accounts[0].properties[0].details.owner_id = scope.owner_id;
  import();
  EXPECT_TRUE(changes());
}

TEST_P(OfficeHistory, OfTheAccountHasWritesOfTheOffice) {
  const auto created = create("2027-03-01", "2027-03-10");
  ASSERT_THAT(audit(), SizeIs(1));
  EXPECT_EQ(audit()[0].actor, "user ana@landlord.example");
  EXPECT_EQ(audit()[0].account_id, account_id(1));
  erase(created.block.block.id);
  EXPECT_THAT(audit(), SizeIs(2));
  EXPECT_THAT(store::list_account_audit(session(), {account_id(2)}, {}, 10, store::with_total::yes).items,
              IsEmpty());
}

TEST_P(OfficeHistory, OfTheAccountSaysWhetherEntriesFollow) {
  for (const auto* day : {"2027-03-01", "2027-03-02", "2027-03-03"}) create(day, day);
  const auto first = store::list_account_audit(session(), {account_id(1)}, {}, 2, store::with_total::yes);
  ASSERT_THAT(first.items, SizeIs(2));
  EXPECT_TRUE(first.has_more);
  EXPECT_EQ(first.total, 3);
  const auto& last = first.items.back();
  const auto second = store::list_account_audit(
      session(), {account_id(1)}, store::audit_place{last.made_at, last.id}, 1, store::with_total::no);
  EXPECT_THAT(second.items, SizeIs(1));
  EXPECT_FALSE(second.has_more);
}

} // namespace roost::testing::history_test
