#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/transaction.hpp"
#include "store/engine/property_creations.hpp"
#include "store/messages/messages.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/sample_portfolio.hpp"
#include "store/support/stored_rows.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>

namespace roost::testing::property_creations_test {
domain::room_request room(std::string id) {
  domain::room_request request;
  request.id = id;
  request.internal_name = "P1 " + id;
  request.rent_fixed = true;
  request.rent = {650'00};
  return request;
}

/// Properties that the booking engine creates in the sample portfolio's first account.
class PropertyCreations : public on_each_store {
protected:
  void SetUp() override { node.emplace(session()); }

  store::property_creation creation(std::vector<domain::room_request> rooms) {
    store::property_creation result;
    result.platform = "booking-engine";
    result.request.id = "P1";
    result.request.address = "Rua 1";
    result.request.rooms = std::move(rooms);
    auto owner = sample_portfolio().accounts[0].details;
    owner.payment_terms.monthly_due_day = 5;
    result.owner = std::make_shared<const domain::account>(owner);
    result.property_id = fresh_id();
    for (std::size_t i = 0; i < result.request.rooms.size(); ++i) result.unit_ids.push_back(fresh_id());
    result.now = moment("2026-11-21T09:30:00.000Z");
    result.messages_for_refusal = [](const store::property_creation& creation,
                                     const domain::room_refusal& refused) {
      const auto name = domain::internal_name_of(creation.request, creation.request.rooms[refused.room]);
      store::landlord_messages messages;
      messages.notification = {fresh_id(), creation.owner->id, "unit_not_created", name, "Why", {},
                               {},         creation.now};
      messages.mails = {{fresh_id(), "user1@landlord.example", name, "text", "<p>text</p>", creation.now}};
      return messages;
    };
    return result;
  }

  store::creation_outcome create(const store::property_creation& creation) {
    return store::create_properties(session(), node->lease, std::span{&creation, 1}).front();
  }

  std::int64_t count(const char* table) { return count_rows(session(), table); }

  void expect_nothing_written() {
    EXPECT_EQ(count("properties"), 1);
    EXPECT_EQ(count("units"), 2);
    EXPECT_EQ(count("notifications"), 0);
    EXPECT_EQ(store::newest_point(session()), node->basis.followed);
  }

  std::optional<writer> node;
};
ROOST_ON_EACH_STORE(PropertyCreations);

TEST_P(PropertyCreations, WriteThePropertyAndItsUnitsWithTheirLinks) {
  auto requested = creation({room("1"), room("2")});
  requested.request.only_deposit_at_move_in = true;
  requested.request.part_month = domain::part_month::fortnightly;
  requested.request.cleaning_fee = {45'00};
  requested.request.security_deposit = {600'00};
  const auto outcome = create(requested);
  EXPECT_FALSE(outcome.created.refused);
  ASSERT_EQ(outcome.created.units.size(), 2U);
  const auto [property, unit] = live_unit(session(), requested.unit_ids[1]);
  EXPECT_EQ(property.id, requested.property_id);
  EXPECT_EQ(property.terms.contract_type, "Traditional rental");
  EXPECT_EQ(property.terms.payment_terms->check_in, std::vector{domain::due_item::deposit});
  EXPECT_EQ(property.terms.payment_terms->monthly_due_day, 5);
  EXPECT_EQ(property.terms.part_month, domain::part_month::fortnightly);
  EXPECT_EQ(property.terms.cleaning_fee.value, domain::money{45'00});
  EXPECT_EQ(unit.terms.internal_name, "P1 2");
  EXPECT_EQ(unit.terms.rent.amount, domain::money{650'00});
  EXPECT_EQ(domain::deposit_for_one(unit.terms), domain::money{600'00});
  EXPECT_EQ(unit.terms.created_at, requested.now);
  EXPECT_EQ(unit.links, (std::vector<domain::link>{{"booking-engine", "P1_2", {}}}));
  EXPECT_EQ(outcome.created.units[1].external_id, "P1_2");
  EXPECT_EQ(outcome.created.units[1].terms.id, requested.unit_ids[1]);
}

TEST_P(PropertyCreations, AppendAnAccountChangeForARunningServer) {
  const auto before = position_of(session());
  const auto outcome = create(creation({room("1")}));
  const auto entries = store::entries_after(session(), before, 10);
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].at, outcome.change);
  EXPECT_EQ(entries[0].change.kind, store::change_kind::account);
  EXPECT_EQ(entries[0].change.accounts, std::vector{account_id(1)});
  EXPECT_EQ(entries[0].change.subjects, std::vector{outcome.created.property->id});
}

TEST_P(PropertyCreations, InvalidateNoDecisionAboutExistingUnits) {
  const auto before = position_of(session());
  create(creation({room("1")}));
  create(creation({room("2"), room("2")})); // the second one is refused
  create(creation({}));
  EXPECT_TRUE(store::accounts_changed_since(session(), before, std::vector{account_id(1)}).empty());
}

TEST_P(PropertyCreations, SeeEarlierOnesOfTheirGroup) {
  const auto before = position_of(session());
  const std::vector creations{creation({room("1")}), creation({room("2")}), creation({room("1")})};
  const auto outcomes = store::create_properties(session(), node->lease, creations);
  ASSERT_EQ(outcomes.size(), 3U);
  EXPECT_EQ(outcomes[0].change.position, before + 1);
  EXPECT_EQ(outcomes[1].created.property->id, outcomes[0].created.property->id);
  EXPECT_FALSE(outcomes[1].created.refused);
  EXPECT_EQ(outcomes[2].created.refused->reason, domain::room_problem::id_taken);
  EXPECT_EQ(outcomes[2].change, store::newest_point(session()));
  EXPECT_EQ(position_of(session()), before + 3);
  EXPECT_EQ(count("properties"), 2);
  EXPECT_EQ(count("units"), 4);
}

TEST_P(PropertyCreations, WithoutRoomsCreateOnlyTheProperty) {
  const auto outcome = create(creation({}));
  EXPECT_TRUE(outcome.created.property);
  EXPECT_TRUE(outcome.created.units.empty());
  EXPECT_EQ(count("properties"), 2);
}

TEST_P(PropertyCreations, KeepRoomsBeforeARefusedOneAndNotifyTheLandlord) {
  auto taken = room("2");
  taken.internal_name = "Room 1"; // in use in the sample portfolio
  const auto requested = creation({room("1"), taken, room("3")});
  const auto outcome = create(requested);
  ASSERT_TRUE(outcome.created.refused);
  EXPECT_EQ(outcome.created.refused->room, 1U);
  EXPECT_EQ(outcome.created.refused->reason, domain::room_problem::name_taken);
  ASSERT_EQ(outcome.created.units.size(), 1U);
  EXPECT_NO_THROW(live_unit(session(), requested.unit_ids[0]));
  EXPECT_EQ(count("units"), 3);
  EXPECT_EQ(count("notifications"), 1);
  const auto mails = store::due_mails(session(), requested.now, 10);
  ASSERT_EQ(mails.size(), 1U);
  EXPECT_EQ(mails[0].mail.subject, "Room 1");
}

TEST_P(PropertyCreations, KeepThePropertyIfTheFirstRoomIsRefused) {
  auto varying = room("1");
  varying.rent_fixed = false;
  const auto outcome = create(creation({varying}));
  EXPECT_EQ(outcome.created.refused->reason, domain::room_problem::rent_not_fixed);
  EXPECT_EQ(count("properties"), 2);
  EXPECT_EQ(count("units"), 2);
}

TEST_P(PropertyCreations, AddUnitsToTheExistingPropertyWithTheSameId) {
  const auto first = create(creation({room("1")}));
  auto again = creation({room("2")});
  again.request.address = "Elsewhere";
  const auto second = create(again);
  EXPECT_EQ(second.created.property->id, first.created.property->id);
  EXPECT_EQ(second.created.property->internal_name, "Rua 1");
  EXPECT_EQ(second.created.property->contract_type, "Traditional rental");
  EXPECT_EQ(second.created.property->payment_terms, first.created.property->payment_terms);
  EXPECT_EQ(second.created.property->created_at, first.created.property->created_at);
  EXPECT_EQ(count("properties"), 2);
  EXPECT_EQ(live_unit(session(), again.unit_ids[0]).first.id, first.created.property->id);
}

TEST_P(PropertyCreations, CreateANewPropertyIfTheExistingOneIsArchivedOrAnotherPlatforms) {
  const auto first = create(creation({}));
  session().internals().write({"archive", "update properties set archived = true where origin_id = 'P1'"});
  const auto second = create(creation({}));
  EXPECT_NE(second.created.property->id, first.created.property->id);
  auto other = creation({});
  other.platform = "another-engine";
  EXPECT_NE(create(other).created.property->id, second.created.property->id);
}

TEST_P(PropertyCreations, RefuseAnIdThatIsAlreadyLinkedAndNotifyTheLandlord) {
  create(creation({room("1")}));
  auto renamed = room("1");
  renamed.internal_name = "Another";
  const auto requested = creation({room("2"), renamed, room("3")});
  const auto outcome = create(requested);
  ASSERT_TRUE(outcome.created.refused);
  EXPECT_EQ(outcome.created.refused->room, 1U);
  EXPECT_EQ(outcome.created.refused->reason, domain::room_problem::id_taken);
  EXPECT_NO_THROW(live_unit(session(), requested.unit_ids[0]));
  EXPECT_EQ(count("units"), 4);
  EXPECT_EQ(count("properties"), 2);
  EXPECT_EQ(count("notifications"), 1);
  EXPECT_EQ(store::due_mails(session(), requested.now, 10).size(), 1U);
}

TEST_P(PropertyCreations, MayLinkAnIdThatAnotherPlatformUses) {
  create(creation({room("1")}));
  auto other = creation({room("1")});
  other.platform = "another-engine";
  other.request.rooms[0].internal_name = "Another";
  EXPECT_FALSE(create(other).created.refused);
}

TEST_P(PropertyCreations, AcceptIdsWithAnyCharacters) {
  auto requested = creation({room("1/2 %\"\\{},'é\n")});
  requested.request.id = "100%/{}";
  const auto outcome = create(requested);
  EXPECT_EQ(live_unit(session(), requested.unit_ids[0]).second.links[0].external_id,
            outcome.created.units[0].external_id);
  const auto again = create(requested).created.refused;
  ASSERT_TRUE(again);
  EXPECT_EQ(again->reason, domain::room_problem::id_taken);
}

TEST_P(PropertyCreations, RequireTheLease) {
  auto other = store().open();
  store::release(session(), node->lease);
  take_lease(other, "node-b");
  EXPECT_THROW(create(creation({room("1")})), store::lease_lost);
  expect_nothing_written();
}

TEST_P(PropertyCreations, WriteNothingIfAUnitCannotBeWritten) {
  auto requested = creation({room("1"), room("2")});
  requested.unit_ids[1] = unit_id(1); // already exists
  EXPECT_THROW(create(requested), store::constraint_violated);
  expect_nothing_written();
}

TEST_P(PropertyCreations, WriteNothingIfBuildingTheMessagesFails) {
  auto varying = room("2");
  varying.rent_fixed = false;
  auto requested = creation({room("1"), varying});
  requested.messages_for_refusal = [](const auto&, const auto&) -> store::landlord_messages {
    throw std::runtime_error("no text");
  };
  EXPECT_THROW(create(requested), std::runtime_error);
  expect_nothing_written();
}

/// Only PostgreSQL has concurrent writers.
class PropertyCreationsWithAnotherWriter : public PropertyCreations {};
ROOST_ON_POSTGRESQL(PropertyCreationsWithAnotherWriter);

TEST_P(PropertyCreationsWithAnotherWriter, DoNotWaitForAnotherWriterOfTheAccount) {
  auto other = store().open();
  store::transaction import(other, store::transaction::purpose::write);
  other.internals().write({"touch", "update accounts set company_name = 'Another'"});
  EXPECT_TRUE(create(creation({room("1")})).locked);
  expect_nothing_written();
}

TEST_P(PropertyCreations, CreateTenThousandRoomsInOneRequest) {
  std::vector<domain::room_request> rooms;
  for (int i = 0; i < 10'000; ++i) rooms.push_back(room(std::to_string(i)));
  const auto outcome = create(creation(std::move(rooms)));
  EXPECT_EQ(outcome.created.units.size(), 10'000U);
  EXPECT_EQ(count("links where platform = 'booking-engine'"), 10'000);
}

// Later imports

TEST_P(PropertyCreations, SurviveAnImportThatOmitsThem) {
  const auto requested = creation({room("1")});
  create(requested);
  const auto result = import_sample(session(), sample_portfolio());
  EXPECT_TRUE(result.problems.empty());
  EXPECT_EQ(units_that_are(result.summary, store::import_action::removed), 0U);
  const auto [property, unit] = live_unit(session(), requested.unit_ids[0]);
  EXPECT_EQ(unit.links, (std::vector<domain::link>{{"booking-engine", "P1_1", {}}}));
  EXPECT_EQ(unit.terms.updated_at, requested.now);
  EXPECT_FALSE(property.terms.archived);
}

TEST_P(PropertyCreations, KeepTheirTermsInAnImportThatNamesThem) {
  const auto requested = creation({room("1")});
  create(requested);
  auto file = sample_portfolio();
  auto& named = file.accounts[0].properties.emplace_back();
  named.details.id = requested.property_id;
  named.details.internal_name = "Renamed";
  EXPECT_TRUE(import_sample(session(), file).problems.empty());
  const auto property = live_unit(session(), requested.unit_ids[0]).first;
  EXPECT_EQ(property.terms.contract_type, "Traditional rental");
  EXPECT_TRUE(property.terms.payment_terms);
  EXPECT_EQ(create(creation({})).created.property->id, requested.property_id);
}

TEST_P(PropertyCreations, ReserveTheirNamesAndIdsInAnImport) {
  create(creation({room("1")}));
  auto file = sample_portfolio();
  auto& unit = file.accounts[0].properties[0].units[1];
  unit.terms.internal_name = "P1 1";
  unit.links.push_back({"booking-engine", "P1_1", {}});
  const auto problem = " is in use by a unit that a platform created";
  EXPECT_THAT(import_sample(session(), file).problems,
              ::testing::ElementsAre(std::string("/accounts/0/properties/0/units/1/internalName:") + problem,
                                     std::string("/accounts/0/properties/0/units/1/links/1:") + problem));
  unit.terms.internal_name = "Room 2";
  unit.links.back().external_id = "P1_2";
  EXPECT_TRUE(import_sample(session(), file).problems.empty());
}

TEST_P(PropertyCreations, ReleaseTheirNamesIfAnImportRenamesThem) {
  const auto requested = creation({room("1")});
  create(requested);
  auto file = sample_portfolio();
  file.accounts[0].properties[0].units[1].terms.internal_name = "P1 1";
  auto& named = file.accounts[0].properties.emplace_back();
  named.details.id = requested.property_id;
  named.details.internal_name = "Rua 1";
  auto& unit = named.units.emplace_back(full_unit(77));
  unit.terms.id = requested.unit_ids[0];
  unit.terms.internal_name = "Room 2";
  unit.links = {{"booking-engine", "P1_1", {}}};
  EXPECT_TRUE(import_sample(session(), file).problems.empty());
  EXPECT_EQ(live_unit(session(), unit_id(2)).second.terms.internal_name, "P1 1");
  EXPECT_EQ(live_unit(session(), requested.unit_ids[0]).second.terms.internal_name, "Room 2");
}

} // namespace roost::testing::property_creations_test
