#include "store/office/booking_scene.hpp"
#include "store/office/history.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

/// What owners learn of bookings of other owners.
namespace roost::testing::owners_bookings_test {
using store::office_result;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const auto first_owner = numbered_id(50, 1), second_owner = numbered_id(50, 2);
const store::office_scope of_first_owner{account_id(1), first_owner},
    of_second_owner{account_id(1), second_owner};

std::string quoted(const domain::uuid& id) { return '"' + domain::to_string(id) + '"'; }
std::string quoted(domain::date day) { return '"' + domain::to_string(day) + '"'; }

/// An account with a unit of each of two owners.
class BookingsOfOwners : public booking_scene {
protected:
  void SetUp() override {
    booking_scene::SetUp();
    auto& properties = file_.accounts[0].properties;
    auto other = properties[0];
    other.details.id = property_id(11);
    other.details.internal_name = "Calle Menor";
    other.units = {properties[0].units[1]};
    properties[0].units.pop_back();
    properties.push_back(other);
    give_to(first_owner, second_owner);
  }

  void give_to(const std::optional<domain::uuid>& first, const std::optional<domain::uuid>& second) {
    file_.accounts[0].properties[0].details.owner_id = first;
    file_.accounts[0].properties[1].details.owner_id = second;
    import();
  }

  /// The members of a booking that differ; those of a missing one are null.
  static std::vector<domain::field_change> changes_of(const store::booking_record* before,
                                                      const store::booking_record& after) {
    const auto &now = after.booking, *earlier = before != nullptr ? &before->booking : nullptr;
    std::vector<domain::field_change> changes;
    const auto add = [&](const char* name, const std::string& from, const std::string& to) {
      if (from != to) changes.push_back({name, from, to});
    };
    add("unitId", earlier != nullptr ? quoted(earlier->unit_id) : "null", quoted(now.unit_id));
    add("checkInDate", earlier != nullptr ? quoted(earlier->check_in) : "null", quoted(now.check_in));
    return changes;
  }

  /// Books the first unit, and moves the stay to later dates in the second one.
  void book_and_move() {
    auto request = stay_on_other_dates(book_by_hand("2027-04-01", "2027-05-01").booking.booking.id,
                                       "2027-04-15", "2027-05-15");
    request.unit_id = request.expected->unit_id = unit_id(2);
    request.describe = changes_of;
    const auto moved = store::change_booking(session(), node_->lease, scope, request, author());
    ASSERT_EQ(moved.result, office_result::changed) << moved.problem;
  }

  std::vector<domain::field_change> newest_changes(const store::office_scope& of, const domain::uuid& unit) {
    return store::list_unit_changes(session(), of, unit, {}, 1, store::with_total::no)
        .value()
        .items.at(0)
        .changes;
  }

  /// Returns the units whose owners see the notifications of this kind.
  std::vector<std::optional<domain::uuid>> units_of(const std::string& kind) {
    std::vector<std::optional<domain::uuid>> units;
    for (const auto& each : store::list_notifications(session(), account_id(1), 100))
      if (each.kind == kind) units.push_back(each.unit_id);
    return units;
  }

  /// Books as a user of this scope, for a guest with these details.
  store::booking_record booked(const store::office_scope& of, unsigned long unit, const char* email,
                               const char* fiscal_id, const char* check_in, const char* check_out) {
    auto request = stay_by_hand(check_in, check_out);
    request.unit_id = unit_id(unit);
    request.tenant.email = email;
    request.tenant.fiscal_id = fiscal_id;
    auto made = store::create_booking(session(), node_->lease, of, request, author());
    EXPECT_EQ(made.result, office_result::created) << made.problem;
    return made.booking;
  }
};
ROOST_ON_EACH_STORE(BookingsOfOwners);

TEST_P(BookingsOfOwners, ShowEachOwnerOneSideOfAMove) {
  book_and_move();
  EXPECT_THAT(newest_changes(of_first_owner, unit_id(1)),
              ElementsAre(domain::field_change{"unitId", quoted(unit_id(1)), "null"},
                          domain::field_change{"checkInDate", R"("2027-04-01")", "null"}));
  EXPECT_THAT(newest_changes(of_second_owner, unit_id(2)),
              ElementsAre(domain::field_change{"unitId", "null", quoted(unit_id(2))},
                          domain::field_change{"checkInDate", "null", R"("2027-04-15")"}));
  EXPECT_THAT(store::list_audit(session(), 1).at(0).detail,
              AllOf(HasSubstr("unitId: " + quoted(unit_id(1)) + " to " + quoted(unit_id(2))),
                    HasSubstr(R"(checkInDate: "2027-04-01" to "2027-04-15")")))
      << "staff read both sides in the audit log";
}

TEST_P(BookingsOfOwners, ShowAnOwnerOfOneUnitOneSideOfAMove) {
  give_to(first_owner, {});
  book_and_move();
  EXPECT_EQ(newest_changes(of_first_owner, unit_id(1)).at(0).after, "null");
  EXPECT_EQ(newest_changes(scope, unit_id(2)).at(0).before, "null");
}

TEST_P(BookingsOfOwners, ShowTheWholeMoveBetweenUnitsOfOneOwnerOrOfNone) {
  const domain::field_change whole{"unitId", quoted(unit_id(1)), quoted(unit_id(2))};
  for (const auto& owner : {std::optional(first_owner), std::optional<domain::uuid>()}) {
    give_to(owner, owner);
    book_and_move();
    for (const auto unit : {unit_id(1), unit_id(2)})
      EXPECT_EQ(newest_changes({account_id(1), owner}, unit).at(0), whole);
    ASSERT_EQ(cancel(list().items.at(0).booking.id).result, office_result::changed) << "frees the nights";
  }
}

TEST_P(BookingsOfOwners, NotifyEachOwnerOfWhatHappensInTheirUnits) {
  book_and_move();
  ASSERT_EQ(cancel(list().items.at(0).booking.id).result, office_result::changed);
  EXPECT_THAT(units_of("booking_created"), ElementsAre(unit_id(1))) << "also after the move";
  EXPECT_THAT(units_of("booking_changed"), ElementsAre(std::nullopt)) << "it describes the stays of both";
  EXPECT_THAT(units_of("booking_cancelled"), ElementsAre(unit_id(2)));
}

TEST_P(BookingsOfOwners, NotifyTheOwnerOfBothUnitsOfAMove) {
  give_to(first_owner, first_owner);
  book_and_move();
  EXPECT_THAT(units_of("booking_changed"), ElementsAre(unit_id(2)));
}

TEST_P(BookingsOfOwners, FindTheTenantsWhomTheOwnerSees) {
  const auto known = booked(scope, 1, "eva@guests.example", "X-1", "2027-04-01", "2027-05-01");
  const auto by_fiscal_id =
      booked(of_second_owner, 2, "guess@owner.example", "X-1", "2027-04-01", "2027-05-01");
  const auto by_email = booked(of_second_owner, 2, "EVA@guests.example", "", "2027-05-01", "2027-06-01");
  for (const auto& guessed : {by_fiscal_id, by_email})
    EXPECT_NE(guessed.tenant.id, known.tenant.id) << "only stayed with another owner";
  EXPECT_EQ(by_fiscal_id.tenant.details.email, "guess@owner.example");

  EXPECT_EQ(booked(of_second_owner, 2, "eva@guests.example", "", "2027-06-01", "2027-07-01").tenant.id,
            by_email.tenant.id)
      << "has stayed with this owner";
  EXPECT_EQ(booked(of_first_owner, 1, "other@guests.example", "X-1", "2027-05-01", "2027-06-01").tenant.id,
            known.tenant.id);
  EXPECT_EQ(booked(scope, 2, "eva@guests.example", "", "2027-07-01", "2027-08-01").tenant.id, known.tenant.id)
      << "staff find the tenants of all owners";
}

} // namespace roost::testing::owners_bookings_test
