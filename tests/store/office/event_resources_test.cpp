#include "store/bookings/bookings.hpp"
#include "store/bookings/erasure.hpp"
#include "store/database/connection.hpp"
#include "store/office/account.hpp"
#include "store/office/ai.hpp"
#include "store/office/bookings.hpp"
#include "store/office/calendar_import_scene.hpp"
#include "store/office/events.hpp"
#include "store/office/properties.hpp"
#include "store/office/unit_table.hpp"
#include "store/office/units.hpp"
#include "store/office/users.hpp"
#include "store/support/cancelled_stays.hpp"

#include <gmock/gmock.h>

#include <limits>

/// What the events of writes name, and which owners see it.
namespace roost::testing::event_resources_test {
using domain::portfolio_property;
using domain::portfolio_unit;
using domain::portfolio_user;
using store::change_kind;
using store::office_result;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

using ids = std::vector<domain::uuid>;

/// The first account has a property of one owner with the units 1 and 2, and one of another owner without
/// units.
class ResourcesInEvents : public calendar_import_scene {
protected:
  void SetUp() override {
    calendar_import_scene::SetUp();
    auto& properties = file_.accounts[0].properties;
    properties[0].details.owner_id = owner;
    auto& second = properties.emplace_back(properties[0]);
    second.details.id = property_id(9);
    second.details.internal_name = "Another house";
    second.details.owner_id = other_owner;
    second.units.clear();
    import();
    before_ = newest();
  }

  store::stream_point newest() { return store::newest_point(session()); }

  void forget_events() { before_ = newest(); }

  /// Returns the only event since the set-up or the last call.
  store::office_event event() {
    const auto events =
        store::events_after(session(), before_, std::numeric_limits<std::int64_t>::max(), 1'000)
            .value()
            .events;
    EXPECT_THAT(events, SizeIs(1));
    const auto since = std::exchange(before_, newest());
    // Decisions made before, which memory based on the former state, are made again.
    const ids accounts{account_id(1)};
    const auto changed = store::accounts_changed_since(session(), since.position, accounts);
    if (!events.empty() && events[0].kind == change_kind::account) {
      EXPECT_EQ(changed, accounts);
    }
    return events.empty() ? store::office_event{} : events[0];
  }

  static ids seen(const store::office_event& event, std::optional<domain::uuid> by = {}) {
    return store::ids_in(event, {account_id(1), by});
  }

  template <typename Resource>
  static bool is_current(const Resource&) {
    return true;
  }

  template <typename Resource, typename Edit>
  static store::office_change<Resource> change_of(const domain::uuid& id, Edit edit) {
    return {id, is_current<Resource>, [edit](Resource& stored) {
              edit(stored);
              return store::office_edit{{}, {{"name", "1", "2"}}};
            }};
  }

  portfolio_property create_property() {
    portfolio_property created;
    created.details.id = fresh_id();
    created.details.internal_name = "New house";
    created.details.owner_id = owner;
    auto& unit = created.units.emplace_back();
    unit.terms.id = fresh_id();
    unit.terms.property_id = created.details.id;
    unit.terms.internal_name = "New room";
    EXPECT_EQ(store::create_property(session(), node_->lease, scope, {created, {}, {}}, author()).result,
              office_result::created);
    return created;
  }

  void change_property(const domain::uuid& id, const std::function<void(domain::property&)>& edit) {
    const auto request = change_of<portfolio_property>(id, [&](auto& stored) { edit(stored.details); });
    EXPECT_EQ(store::change_property(session(), node_->lease, scope, request, author()).result,
              office_result::changed);
  }

  template <typename Outcome>
  static void expect_changed(const Outcome& outcome) {
    EXPECT_EQ(outcome.result, office_result::changed);
  }

  const domain::uuid owner = fresh_id(), other_owner = fresh_id();

private:
  store::stream_point before_;
};
ROOST_ON_EACH_STORE(ResourcesInEvents);

TEST_P(ResourcesInEvents, NameACreatedPropertyWithItsUnits) {
  const auto created = create_property();
  const auto event = this->event();
  EXPECT_EQ(event.kind, change_kind::account);
  EXPECT_THAT(seen(event), UnorderedElementsAre(created.details.id, created.units[0].terms.id));
  EXPECT_THAT(seen(event, owner), SizeIs(2));
  EXPECT_THAT(seen(event, other_owner), IsEmpty());
}

TEST_P(ResourcesInEvents, NameAChangedProperty) {
  change_property(property_id(1), [](auto& property) { property.internal_name = "Renamed"; });
  auto event = this->event();
  EXPECT_EQ(event.kind, change_kind::unit);
  EXPECT_THAT(seen(event), UnorderedElementsAre(property_id(1), unit_id(1), unit_id(2)));
  EXPECT_THAT(seen(event, owner), SizeIs(3));
  EXPECT_THAT(seen(event, other_owner), IsEmpty());
  change_property(property_id(9), [](auto& property) { property.internal_name = "Without units"; });
  event = this->event();
  EXPECT_EQ(event.kind, change_kind::account);
  EXPECT_THAT(seen(event), ElementsAre(property_id(9)));
  EXPECT_THAT(seen(event, owner), IsEmpty());
  EXPECT_THAT(seen(event, other_owner), ElementsAre(property_id(9)));
}

TEST_P(ResourcesInEvents, ShowAMovedPropertyToItsFormerOwnerToo) {
  change_property(property_id(1), [this](auto& property) { property.owner_id = other_owner; });
  const auto event = this->event();
  for (const auto& viewer : {std::optional<domain::uuid>{}, std::optional{owner}, std::optional{other_owner}})
    EXPECT_THAT(seen(event, viewer), UnorderedElementsAre(property_id(1), unit_id(1), unit_id(2)));
  EXPECT_THAT(seen(event, fresh_id()), IsEmpty());
}

TEST_P(ResourcesInEvents, ShowAMovedUnitToItsFormerOwnerToo) {
  const auto move = [](portfolio_unit& unit) { unit.terms.property_id = property_id(9); };
  expect_changed(store::change_unit(session(), node_->lease, scope,
                                    change_of<portfolio_unit>(unit_id(1), move), author()));
  auto event = this->event();
  EXPECT_EQ(event.kind, change_kind::unit);
  for (const auto& viewer : {std::optional<domain::uuid>{}, std::optional{owner}, std::optional{other_owner}})
    EXPECT_THAT(seen(event, viewer), ElementsAre(unit_id(1)));

  store::unit_table table;
  table.ids = {unit_id(1), unit_id(2)};
  table.apply = [&](std::size_t i, portfolio_unit& unit, bool) {
    if (i == 1) move(unit);
    unit.terms.capacity = 7;
    return store::unit_row_edit{{}, {{"unit", "1", "2"}}};
  };
  table.is_current = [](std::size_t, const portfolio_unit&) { return true; };
  expect_changed(store::write_unit_table(session(), node_->lease, scope, table, author(), fresh_id));
  event = this->event();
  EXPECT_THAT(seen(event), UnorderedElementsAre(unit_id(1), unit_id(2)));
  EXPECT_THAT(seen(event, owner), ElementsAre(unit_id(2))) << "which has left its property";
  EXPECT_THAT(seen(event, other_owner), UnorderedElementsAre(unit_id(1), unit_id(2)));
}

TEST_P(ResourcesInEvents, NameWhatWasDeleted) {
  ASSERT_EQ(
      store::delete_unit(session(), node_->lease, scope, {unit_id(2), is_current<portfolio_unit>}, author())
          .result,
      office_result::deleted);
  auto event = this->event();
  EXPECT_THAT(seen(event), ElementsAre(unit_id(2)));
  EXPECT_THAT(seen(event, owner), ElementsAre(unit_id(2)));
  EXPECT_THAT(seen(event, other_owner), IsEmpty());
  ASSERT_EQ(store::delete_property(session(), node_->lease, scope,
                                   {property_id(1), is_current<portfolio_property>}, author())
                .result,
            office_result::deleted);
  event = this->event();
  EXPECT_THAT(seen(event), UnorderedElementsAre(property_id(1), unit_id(1)));
  EXPECT_THAT(seen(event, owner), SizeIs(2));
  EXPECT_THAT(seen(event, other_owner), IsEmpty());
}

TEST_P(ResourcesInEvents, NameUsersAndSettingsWithoutShowingThemToOwners) {
  const auto expect_only = [this](const domain::uuid& id) {
    const auto event = this->event();
    EXPECT_EQ(event.kind, change_kind::account);
    EXPECT_THAT(seen(event), ElementsAre(id));
    EXPECT_THAT(seen(event, owner), IsEmpty());
  };
  portfolio_user user;
  user.details.id = user_id(77);
  user.details.email = "user77@landlord.example";
  user.details.role = "Manager";
  auto& db = session();
  ASSERT_EQ(store::create_user(db, node_->lease, scope, {user, {}, {}}, author()).result,
            office_result::created);
  expect_only(user_id(77));
  const auto rename = [](portfolio_user& stored) { stored.details.first_name = "Zoë"; };
  expect_changed(
      store::change_user(db, node_->lease, scope, change_of<portfolio_user>(user_id(77), rename), author()));
  expect_only(user_id(77));
  const auto speak = [](portfolio_user& stored) { stored.details.language = domain::language::es; };
  expect_changed(store::change_preferences(db, node_->lease, scope,
                                           change_of<portfolio_user>(user_id(77), speak), author()));
  expect_only(user_id(77));
  ASSERT_EQ(
      store::delete_user(db, node_->lease, scope, {user_id(77), is_current<portfolio_user>}, author()).result,
      office_result::deleted);
  expect_only(user_id(77));
  const auto call = [](store::office_account& stored) { stored.settings.company_name = "Casa Azul"; };
  expect_changed(store::change_account(db, node_->lease, scope,
                                       change_of<store::office_account>(account_id(1), call), author()));
  expect_only(account_id(1));
  const auto card = [](store::office_card& stored) {
    stored.card.integration_email = "other@landlord.example";
  };
  expect_changed(store::write_card(db, node_->lease, scope, "marketplace-a",
                                   change_of<store::office_card>(account_id(1), card), author()));
  expect_only(account_id(1));
  const auto open = [](store::office_ai& stored) { stored.settings.areas["team"] = "edit"; };
  expect_changed(store::change_office_ai(db, node_->lease, scope,
                                         change_of<store::office_ai>(account_id(1), open), author(),
                                         day("2026-11-01")));
  expect_only(account_id(1));
}

// One commit with several entries

TEST_P(ResourcesInEvents, AreOfOneEventIfAnImportedEventTakesTheNightsOfACancelledStay) {
  const auto booking = book("2027-03-03", "2027-03-06");
  read(host_one.id, "2027-03-01", "2027-03-31");
  ASSERT_THAT(blocked(), SizeIs(2));
  forget_events();
  const auto stored = newest().position;
  cancel_stay(session(), booking);
  EXPECT_THAT(blocked(), SizeIs(1));
  EXPECT_EQ(newest().position, stored + 2) << "blocks and the booking have an entry each";
  const auto event = this->event();
  EXPECT_EQ(event.kind, change_kind::calendar);
  EXPECT_EQ(event.position, newest().position) << "memory shows both by then";
  EXPECT_THAT(seen(event, owner), UnorderedElementsAre(booking, unit_id(1)));
}

TEST_P(ResourcesInEvents, AreOfOneEventIfAnImportedEventTakesTheNightsThatAStayLeaves) {
  const auto booking = book("2027-03-03", "2027-03-06");
  read(host_one.id, "2027-03-01", "2027-03-31");
  forget_events();
  store::booking_change change{booking, is_current<store::booking_record>};
  change.check_in = day("2027-03-04");
  change.expected = store::unit_nights{unit_id(1), {day("2027-03-04"), day("2027-03-05")}};
  change.describe = [](const auto*, const auto&) { return std::vector<domain::field_change>{}; };
  change.notice = [](const auto*, const store::booking_record& after, auto) {
    return domain::notification{fresh_id(), after.booking.account_id, "k", "t",
                                "b",        after.booking.id,         {},  after.booking.created_at};
  };
  const auto changed = store::change_booking(session(), node_->lease, {account_id(1), {}}, change, author());
  ASSERT_EQ(changed.result, office_result::changed) << changed.problem;
  EXPECT_EQ(store::entries_after(session(), changed.point.position - 2, 2).at(0).change.units,
            ids{unit_id(1)});
  const auto event = this->event();
  EXPECT_EQ(event.kind, change_kind::calendar);
  EXPECT_EQ(event.position, changed.point.position);
  EXPECT_THAT(seen(event, owner), UnorderedElementsAre(booking, unit_id(1)));
}

TEST_P(ResourcesInEvents, AreOfOneEventIfAGuestIsErased) {
  auto request = sample_request(77);
  request.check_in = day("2027-04-01");
  request.check_out = day("2027-05-01");
  node_->insert({request});
  node_->decide({accept(request, unit_id(1))});
  forget_events();
  const auto guest = store::find_guest(session(), request.tenant.email, day("2027-06-01"));
  ASSERT_EQ(store::erase_guest(session(), guest, day("2027-06-01")).tenants, 1);
  EXPECT_THAT(seen(event(), owner), ElementsAre(account_id(1)));
}

} // namespace roost::testing::event_resources_test
