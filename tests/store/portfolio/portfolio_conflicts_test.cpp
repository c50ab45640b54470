#include "store/database/error.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/sample_portfolio.hpp"
#include "support/store.hpp"

namespace roost::testing::portfolio_conflicts_test {
constexpr const char* first_time = "2026-11-20T09:30:00.000Z";
constexpr const char* later = "2026-11-21T09:30:00.000Z";

/// Imports that must not write anything.
class PortfolioConflicts : public on_each_store {
protected:
  store::import_result import(const char* now = first_time) { return import_sample(session(), file, now); }

  domain::portfolio file = sample_portfolio();
};
ROOST_ON_EACH_STORE(PortfolioConflicts);

TEST_P(PortfolioConflicts, RejectsValuesOfOtherAccounts) {
  import();
  domain::portfolio other;
  other.accounts.push_back(sample_account(2, 1, 1)); // the first account's unit
  auto& account = other.accounts[0];
  account.details.landlord_key = "landlord-1";
  account.users[0].details.email = "USER1@landlord.example";
  account.properties[0].details.id = property_id(1);
  const auto before = position_of(session());
  const auto result = import_sample(session(), other, later);
  EXPECT_EQ(result.problems, (std::vector<std::string>{
                                 "/accounts/0/landlordKey: is in use by another account",
                                 "/accounts/0/users/0/email: is in use by another account",
                                 "/accounts/0/properties/0/id: is in use elsewhere in the store",
                                 "/accounts/0/properties/0/units/0/id: is in use elsewhere in the store"}));
  EXPECT_EQ(position_of(session()), before);
  EXPECT_EQ(live_accounts(session()).size(), 1u);
}

TEST_P(PortfolioConflicts, RejectsTheExportAddressOfAnotherAccountsUnit) {
  file.accounts[0].properties[0].units[0].terms.export_address = numbered_id(9, 77);
  import();
  domain::portfolio other;
  other.accounts.push_back(sample_account(2, 1, 101));
  auto& address = other.accounts[0].properties[0].units[0].terms.export_address;
  for (const auto& taken : {numbered_id(9, 77), unit_id(2)}) {
    address = taken;
    EXPECT_EQ(import_sample(session(), other, later).problems,
              (std::vector<std::string>{
                  "/accounts/0/properties/0/units/0/exportAddress: is the export address of another unit in "
                  "the store"}));
  }
  address = unit_id(1); // free since that unit has another one
  EXPECT_TRUE(import_sample(session(), other, later).problems.empty());
}

TEST_P(PortfolioConflicts, RejectsAnotherAccountsAddressInAnyLetterCaseAndScript) {
  file.accounts[0].users[0].details.email = "müller@straße.example";
  import();
  domain::portfolio other;
  other.accounts.push_back(sample_account(2, 1, 101));
  auto& email = other.accounts[0].users[0].details.email;
  email = "MÜLLER@strasse.example";
  EXPECT_EQ(import_sample(session(), other, later).problems,
            (std::vector<std::string>{"/accounts/0/users/0/email: is in use by another account"}));
  email = "muller@strasse.example";
  EXPECT_TRUE(import_sample(session(), other, later).problems.empty());
  file.accounts[0].users[0].details.email = "MÜLLER@STRASSE.example"; // of the same user
  EXPECT_TRUE(import(later).problems.empty());
}

TEST_P(PortfolioConflicts, RejectsTheIdOfABookingForABlock) {
  writer node(session());
  const auto request = sample_request(1);
  node.insert({request});
  const auto decision = accept(request, unit_id(1));
  node.decide({decision});
  file.accounts[0].properties[0].units[0].blocks = {
      {.id = decision.booking->id, .nights = {day("2027-03-01"), day("2027-03-31")}}};
  EXPECT_EQ(import(later).problems,
            (std::vector<std::string>{
                "/accounts/0/properties/0/units/0/blocks/0/id: is in use elsewhere in the store"}));
}

TEST_P(PortfolioConflicts, WritesNothingWhenTheDatabaseRejectsARow) {
  import();
  const auto before = position_of(session());
  file.accounts[0].properties[0].units[0].terms.capacity = 5;
  file.accounts[0].properties[0].units[1].terms.capacity = 0;
  EXPECT_THROW(import(later), store::constraint_violated);
  EXPECT_EQ(position_of(session()), before);
  EXPECT_EQ(live_unit(session(), unit_id(1)).second.terms.capacity, 1);
}

TEST_P(PortfolioConflicts, ViolatesEveryUniqueConstraintOfTheSchema) {
  const auto is_rejected = [&](auto change) {
    file = sample_portfolio(2, 2);
    change(file);
    try {
      import();
    } catch (const store::constraint_violated&) {
      return live_accounts(session()).empty();
    }
    return false;
  };
  EXPECT_TRUE(is_rejected([](auto& f) { f.accounts[1].details.landlord_key = "landlord-1"; }));
  EXPECT_TRUE(is_rejected([](auto& f) { f.accounts[1].users[0].details.email = "USER1@landlord.example"; }));
  EXPECT_TRUE(is_rejected([](auto& f) {
    f.accounts[0].users[0].details.email = "é@landlord.example";
    f.accounts[1].users[0].details.email = "É@landlord.example";
  }));
  EXPECT_TRUE(is_rejected([](auto& f) { f.accounts[1].details.id = f.accounts[0].details.id; }));
  EXPECT_TRUE(is_rejected([](auto& f) { f.accounts[0].properties[0].units[1].terms.id = unit_id(1); }));
  EXPECT_TRUE(
      is_rejected([](auto& f) { f.accounts[0].properties[0].units[1].terms.internal_name = "Room 1"; }));
  EXPECT_TRUE(
      is_rejected([](auto& f) { f.accounts[0].properties[0].units[1].links[0].external_id = "ext-1"; }));
  EXPECT_TRUE(is_rejected([](auto& f) {
    auto& links = f.accounts[0].properties[0].units[0].links;
    links.push_back({"marketplace-a", "second", {}});
  }));
  // External ids only need to be unique within an account.
  file = sample_portfolio(2, 2);
  file.accounts[1].properties[0].units[0].links[0].external_id = "ext-1";
  EXPECT_TRUE(import().problems.empty());
}

} // namespace roost::testing::portfolio_conflicts_test
