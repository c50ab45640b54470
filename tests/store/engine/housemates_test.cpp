#include "store/engine/linked_units.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

namespace roost::testing::housemates_test {
/// Bookings at the sample portfolio's first property, whose units are `ext-1` and `ext-2` on marketplace-a.
class Housemates : public on_each_store {
protected:
  void SetUp() override {
    node.emplace(session());
    import_sample(session(), sample_portfolio(2));
    node->follow();
  }

  void book(unsigned long number, unsigned long unit, const char* check_in, const char* check_out) {
    auto request = sample_request(number);
    request.check_in = day(check_in);
    request.check_out = day(check_out);
    if (number == 1) {
      request.tenant.last_name = "Lindqvist";
      request.tenant.nationality = "SE";
    }
    node->insert({request});
    node->decide({accept(request, unit_id(unit))});
  }

  std::optional<std::vector<domain::housemate>> at(unsigned long unit,
                                                   const char* platform = "marketplace-a") {
    const auto linked_as = "ext-" + std::to_string(unit);
    return store::housemates_of(session(), {unit_id(unit), platform, linked_as, linked_as});
  }

  void advance_to(const char* today) { store::advance_stays(session(), node->lease, day(today)); }

  std::optional<writer> node;
};
ROOST_ON_EACH_STORE(Housemates);

TEST_P(Housemates, AreTheCheckedInTenantsOfTheWholeProperty) {
  book(1, 1, "2027-01-10", "2027-02-10");
  book(2, 2, "2027-01-05", "2027-03-01");
  book(3, 1, "2027-02-10", "2027-03-01"); // not yet checked in
  book(4, 2, "2026-12-01", "2027-01-04"); // checked out
  advance_to("2027-01-20");
  const auto residents = at(1);
  ASSERT_TRUE(residents);
  ASSERT_EQ(residents->size(), 2U);
  EXPECT_EQ((*residents)[0].first_name, "Eva");
  EXPECT_EQ((*residents)[0].move_in, day("2027-01-05"));
  EXPECT_EQ((*residents)[0].last_name, std::nullopt);
  EXPECT_EQ((*residents)[1].last_name, "Lindqvist");
  EXPECT_EQ((*residents)[1].nationality, "SE");
  EXPECT_EQ((*residents)[1].move_in, day("2027-01-10"));
  EXPECT_EQ((*residents)[1].move_out, day("2027-02-10"));
  EXPECT_EQ(at(2)->size(), 2U);
}

TEST_P(Housemates, ExcludeOtherPropertiesAndOtherDates) {
  book(1, 1, "2027-01-10", "2027-02-10");
  EXPECT_TRUE(at(1)->empty());
  advance_to("2027-01-10");
  EXPECT_EQ(at(1)->size(), 1U);
  EXPECT_TRUE(at(3)->empty());
  advance_to("2027-02-10");
  EXPECT_TRUE(at(1)->empty());
}

TEST_P(Housemates, AreHiddenUnderTheIdOfARoomThatIsLinkedItself) {
  const auto at_room = [&] {
    return store::housemates_of(session(), {unit_id(1), "marketplace-a", "ext-1", "ext-1_7"});
  };
  EXPECT_TRUE(at_room());
  auto file = sample_portfolio(2);
  file.accounts[0].properties[0].units[1].links = {{"marketplace-a", "ext-1_7", {}}};
  import_sample(session(), file);
  EXPECT_FALSE(at_room());
}

TEST_P(Housemates, AreHiddenForUnitsThatThePlatformCannotSee) {
  EXPECT_FALSE(at(1, "marketplace-b"));
  EXPECT_FALSE(store::housemates_of(session(), {unit_id(1), "marketplace-a", "ext-2", "ext-2"}));
  EXPECT_FALSE(store::housemates_of(session(), {unit_id(99), "marketplace-a", "ext-99", "ext-99"}));
  auto file = sample_portfolio(2);
  file.accounts[0].properties[0].units[0].excluded_from = {"marketplace-a"};
  file.accounts[0].properties[0].units[1].terms.archived = true;
  file.accounts[1].properties[0].details.archived = true;
  import_sample(session(), file);
  EXPECT_FALSE(at(1));
  EXPECT_FALSE(at(2));
  EXPECT_FALSE(at(3));
}

} // namespace roost::testing::housemates_test
