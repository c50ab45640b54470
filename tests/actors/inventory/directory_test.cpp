#include "actors/inventory/directory.hpp"
#include "support/sample_portfolio.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace roost::actors::directory_test {
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::numbered_id;

constexpr std::size_t marketplace = 0, engine = 1, single_landlord = 2;

using unit_links = std::vector<platform_link>;

/// Returns an account with these Integration Emails by platform, and units with these links, created one
/// after the other.
std::shared_ptr<const directory_account> landlord(unsigned number, const std::vector<unit_links>& units,
                                                  const std::map<std::string, std::string>& emails = {}) {
  auto settings = std::make_shared<domain::account>(testing::sample_account(number).details);
  for (const auto& [platform, email] : emails)
    settings->cards.push_back({.platform = platform, .integration_email = email});
  auto account = std::make_shared<directory_account>();
  account->id = settings->id;
  account->settings = settings;
  for (const auto& links : units) {
    auto setup = std::make_shared<unit_setup>();
    setup->terms.id = numbered_id(static_cast<unsigned>(number * 100 + account->units.size()));
    setup->links = links;
    setup->property = std::make_shared<const domain::property_terms>();
    setup->terms.created_at = domain::timestamp{std::chrono::seconds{account->units.size() * 10 + number}};
    account->units.push_back({{}, account.get(), setup});
  }
  return account;
}

directory known(const directory::accounts& accounts) { return {1, testing::sample_platforms(), accounts}; }

domain::uuid id_of(const directory_unit& unit) { return unit.id(); }
domain::uuid id_of(const directory_account& account) { return account.id; }

template <typename Range>
std::vector<domain::uuid> ids(const Range& accounts_or_units) {
  std::vector<domain::uuid> all;
  for (const auto* each : accounts_or_units) all.push_back(id_of(*each));
  return all;
}

using unit_change = std::function<void(unit_setup&)>;

/// Returns a copy of the account with one unit changed.
std::shared_ptr<const directory_account> with(const std::shared_ptr<const directory_account>& account,
                                              std::size_t unit, const unit_change& change) {
  auto changed = std::make_shared<directory_account>(*account);
  for (auto& each : changed->units) each.owner = changed.get();
  auto setup = std::make_shared<unit_setup>(*changed->units.at(unit).setup);
  change(*setup);
  changed->units[unit].setup = setup;
  return changed;
}

/// All ways to withhold a unit from the platforms.
const std::vector<unit_change> ways_to_withhold{
    [](unit_setup& setup) { setup.terms.archived = true; },
    [](unit_setup& setup) {
      auto property = *setup.property;
      property.archived = true;
      setup.property = std::make_shared<const domain::property_terms>(property);
    },
    [](unit_setup& setup) { setup.excluded_from.set(marketplace).set(engine).set(single_landlord); }};

TEST(LandlordKeys, FindTheirAccount) {
  const auto all = known({landlord(1, {}), landlord(2, {})});
  EXPECT_THAT(ids(all.accounts_for(marketplace, "landlord-2")), ElementsAre(numbered_id(2)));
  EXPECT_THAT(all.accounts_for(marketplace, "Landlord-2"), IsEmpty());
  EXPECT_THAT(all.accounts_for(marketplace, "landlord-3"), IsEmpty());
  EXPECT_THAT(all.accounts_for(marketplace, ""), IsEmpty());
}

TEST(LandlordKeys, MayBeTheIntegrationEmailOfThePlatformsCardInAnyLetterCase) {
  const auto all = known({landlord(1, {}, {{"marketplace-a", "Feeds@House.example"}}),
                          landlord(2, {}, {{"booking-engine", "feeds@house.example"}})});
  EXPECT_THAT(ids(all.accounts_for(marketplace, "feeds@HOUSE.example")), ElementsAre(numbered_id(1)));
  EXPECT_THAT(ids(all.accounts_for(engine, "feeds@house.example")), ElementsAre(numbered_id(2)));
  EXPECT_THAT(all.accounts_for(marketplace, "other@house.example"), IsEmpty());
}

TEST(LandlordKeys, MayBeAnIntegrationEmailOfAnyScript) {
  const auto all = known({landlord(1, {}, {{"marketplace-a", "Größe@Дом.example"}})});
  EXPECT_THAT(ids(all.accounts_for(marketplace, "GRÖSSE@дОМ.example")), ElementsAre(numbered_id(1)));
  EXPECT_THAT(all.accounts_for(marketplace, "grosse@дом.example"), IsEmpty());
}

TEST(LandlordKeys, MayBeAnIntegrationEmailInAnySpelling) {
  const auto composed = known({landlord(1, {}, {{"marketplace-a", "jos\u00e9@münchen.example"}})});
  const auto decomposed = known({landlord(1, {}, {{"marketplace-a", "jose\u0301@xn--mnchen-3ya.example"}})});
  for (const auto* all : {&composed, &decomposed})
    for (const auto* key : {"jos\u00e9@münchen.example", "jose\u0301@mu\u0308nchen.example",
                            "JOS\u00c9@xn--mnchen-3ya.example"})
      EXPECT_THAT(ids(all->accounts_for(marketplace, key)), ElementsAre(numbered_id(1))) << key;
}

TEST(LandlordKeys, FindAllAccountsThatShareAnEmail) {
  const std::map<std::string, std::string> shared{{"marketplace-a", "feeds@house.example"}};
  const auto all = known({landlord(3, {}, shared), landlord(1, {}, shared), landlord(2, {})});
  EXPECT_THAT(ids(all.accounts_for(marketplace, "feeds@house.example")),
              ElementsAre(numbered_id(1), numbered_id(3)));
}

TEST(LandlordKeys, TakePrecedenceOverEmails) {
  const auto all = known({landlord(1, {}), landlord(2, {}, {{"marketplace-a", "landlord-1"}})});
  EXPECT_THAT(ids(all.accounts_for(marketplace, "landlord-1")), ElementsAre(numbered_id(1)));
}

TEST(ExportAddresses, AreTheUnitsIdUntilTheyAreRenewed) {
  const auto first = landlord(1, {{}, {}});
  const auto before = known({first});
  EXPECT_EQ(before.find_exported(numbered_id(100))->id(), numbered_id(100));
  EXPECT_EQ(before.find_exported(numbered_id(7)), nullptr);

  const auto renewed = with(first, 0, [](unit_setup& setup) { setup.terms.export_address = numbered_id(7); });
  const auto after = before.with(2, {renewed});
  EXPECT_EQ(after.find_exported(numbered_id(7))->id(), numbered_id(100));
  EXPECT_EQ(after.find_exported(numbered_id(100)), nullptr) << "the old address";
  EXPECT_EQ(after.find_unit(numbered_id(100))->id(), numbered_id(100));
  EXPECT_EQ(after.find_exported(numbered_id(101))->id(), numbered_id(101));

  const auto again = with(renewed, 0, [](unit_setup& setup) { setup.terms.export_address = numbered_id(8); });
  const auto last = after.with(3, {again});
  EXPECT_EQ(last.find_exported(numbered_id(7)), nullptr);
  EXPECT_EQ(last.find_exported(numbered_id(8))->id(), numbered_id(100));
}

TEST(UnitIds, AreTheLinkedIdOtherwiseTheUuid) {
  const auto all = known({landlord(1, {{{marketplace, "a1"}, {engine, "5_2"}}, {{engine, "5"}}})});
  const auto& linked = *all.find_unit(numbered_id(100));
  const auto& other = *all.find_unit(numbered_id(101));
  EXPECT_TRUE(all.is_named(linked, marketplace, "a1"));
  EXPECT_FALSE(all.is_named(linked, marketplace, "A1"));
  EXPECT_FALSE(all.is_named(linked, marketplace, domain::to_string(linked.id())));
  EXPECT_FALSE(all.is_named(linked, marketplace, "5_2"));
  EXPECT_TRUE(all.is_named(other, marketplace, domain::to_string(other.id())));
  EXPECT_FALSE(all.is_named(other, marketplace, domain::to_string(linked.id())));
  EXPECT_FALSE(all.is_named(other, marketplace, ""));
}

TEST(UnitIds, IncludeThoseOfTheRoomsForAWholeProperty) {
  const auto all = known({landlord(1, {{{engine, "5"}, {marketplace, "5"}}, {{engine, "6_1"}}})});
  const auto& whole = *all.find_unit(numbered_id(100));
  const auto& room = *all.find_unit(numbered_id(101));
  EXPECT_TRUE(all.is_named(whole, engine, "5"));
  EXPECT_TRUE(all.is_named(whole, engine, "5_7"));
  EXPECT_FALSE(all.is_named(whole, engine, "55_7"));
  EXPECT_FALSE(all.is_named(whole, marketplace, "5_7")); // only marketplace D and the engine do
  EXPECT_TRUE(all.is_named(room, engine, "6_1"));
  EXPECT_FALSE(all.is_named(room, engine, "6"));
  EXPECT_FALSE(all.is_named(room, engine, "6_2"));
}

TEST(UnitIds, ExcludeThoseOfLinkedRoomsForAWholeProperty) {
  const auto whole = landlord(1, {{{engine, "12"}}});
  const auto room = landlord(2, {{{engine, "12_7"}}});
  for (const auto& rooms : {room, with(room, 0, ways_to_withhold[0]), with(room, 0, ways_to_withhold[2])}) {
    const auto all = known({whole, rooms});
    EXPECT_FALSE(all.is_named(*all.find_unit(numbered_id(100)), engine, "12_7"));
    EXPECT_TRUE(all.is_named(*all.find_unit(numbered_id(100)), engine, "12_8"));
    EXPECT_TRUE(all.is_named(*all.find_unit(numbered_id(200)), engine, "12_7"));
  }
}

TEST(UnitIds, AreFoundAmongSomeAccounts) {
  const auto all = known({landlord(1, {{{marketplace, "shared"}}, {}}),
                          landlord(2, {{{marketplace, "shared"}}, {{marketplace, "own"}}})});
  const auto first = all.accounts_for(marketplace, "landlord-1");
  const auto second = all.accounts_for(marketplace, "landlord-2");
  EXPECT_EQ(all.find_of(first, marketplace, "shared")->id(), numbered_id(100));
  EXPECT_EQ(all.find_of(second, marketplace, "shared")->id(), numbered_id(200));
  EXPECT_EQ(all.find(marketplace, "shared")->id(), numbered_id(100)); // created first
  EXPECT_EQ(all.find_of(second, marketplace, "own")->id(), numbered_id(201));
  EXPECT_EQ(all.find_of(first, marketplace, "own"), nullptr);
  EXPECT_EQ(all.find_of(first, marketplace, domain::to_string(numbered_id(101)))->id(), numbered_id(101));
  EXPECT_EQ(all.find_of(second, marketplace, domain::to_string(numbered_id(101))), nullptr);
  EXPECT_EQ(all.find_of({}, marketplace, "shared"), nullptr);
}

TEST(UnitIds, MatchExactlyAndThenNotTheWholeProperty) {
  const auto all = known({landlord(1, {{{engine, "12"}}, {{engine, "12_7"}}}),
                          landlord(2, {{{engine, "12"}}}), landlord(3, {{{engine, "12_7"}}})});
  EXPECT_THAT(ids(all.find_all(engine, "12_7")), ElementsAre(numbered_id(300), numbered_id(101)));
  EXPECT_THAT(ids(all.find_all_ever(engine, "12_7")),
              ElementsAre(numbered_id(300), numbered_id(101), numbered_id(100), numbered_id(200)));
  EXPECT_EQ(all.find(engine, "12_7")->id(), numbered_id(300));
  EXPECT_THAT(ids(all.find_all(engine, "12_8")), ElementsAre(numbered_id(100), numbered_id(200)));
  const auto first_of = [&](const std::vector<const char*>& keys) {
    std::vector<const directory_account*> accounts;
    for (const auto* key : keys) accounts.push_back(all.accounts_for(engine, key).front());
    return all.find_of(accounts, engine, "12_7");
  };
  EXPECT_EQ(first_of({"landlord-1"})->id(), numbered_id(101));
  EXPECT_EQ(first_of({"landlord-2"}), nullptr);
  EXPECT_EQ(first_of({"landlord-2", "landlord-1"})->id(), numbered_id(101)); // among both accounts
}

TEST(WithheldUnits, ComeAfterOthers) {
  const auto withheld = landlord(1, {{{marketplace, "771"}}});
  const auto live = landlord(2, {{{marketplace, "771"}}});
  const auto later = landlord(3, {{{marketplace, "771"}}});
  for (const auto& withhold : ways_to_withhold) {
    const auto all = known({with(withheld, 0, withhold), live});
    EXPECT_EQ(all.find(marketplace, "771")->id(), numbered_id(200));
    EXPECT_FALSE(all.is_shared(marketplace, "771"));
    EXPECT_THAT(ids(all.find_all(marketplace, "771")), ElementsAre(numbered_id(200), numbered_id(100)));
    const auto three = known({later, with(withheld, 0, withhold), live});
    EXPECT_TRUE(three.is_shared(marketplace, "771"));
    EXPECT_THAT(ids(three.find_all(marketplace, "771")),
                ElementsAre(numbered_id(200), numbered_id(300), numbered_id(100)));
    const auto none = known({with(live, 0, withhold), with(withheld, 0, withhold), with(later, 0, withhold)});
    EXPECT_FALSE(none.is_shared(marketplace, "771"));
    EXPECT_THAT(ids(none.find_all(marketplace, "771")),
                ElementsAre(numbered_id(100), numbered_id(200), numbered_id(300)));
  }
}

TEST(WithheldUnits, AreOnlyWithheldFromThePlatformThatExcludesThem) {
  const auto both = [](unsigned number) {
    return landlord(number, {{{marketplace, "771"}, {engine, "771"}}});
  };
  const auto all =
      known({with(both(1), 0, [](unit_setup& setup) { setup.excluded_from.set(engine); }), both(2)});
  EXPECT_EQ(all.find(marketplace, "771")->id(), numbered_id(100));
  EXPECT_TRUE(all.is_shared(marketplace, "771"));
  EXPECT_EQ(all.find(engine, "771")->id(), numbered_id(200));
  EXPECT_FALSE(all.is_shared(engine, "771"));
}

TEST(WithheldUnits, KeepTheirIdFromTheWholeProperty) {
  for (const auto& withhold : ways_to_withhold) {
    const auto all = known({with(landlord(1, {{{engine, "12_7"}}, {{engine, "12"}}}), 0, withhold)});
    EXPECT_THAT(ids(all.find_all(engine, "12_7")), ElementsAre(numbered_id(100)));
    EXPECT_EQ(all.find_of(all.accounts_for(engine, "landlord-1"), engine, "12_7")->id(), numbered_id(100));
    const auto elsewhere =
        known({with(landlord(1, {{{engine, "12_7"}}}), 0, withhold), landlord(2, {{{engine, "12"}}})});
    EXPECT_EQ(elsewhere.find(engine, "12_7")->id(), numbered_id(100));
    EXPECT_EQ(elsewhere.find_of(elsewhere.accounts_for(engine, "landlord-2"), engine, "12_7"), nullptr);
  }
}

TEST(WithheldUnits, AreFoundAmongTheirAccounts) {
  const auto all = known({with(landlord(1, {{{marketplace, "771"}}}), 0, ways_to_withhold[0]),
                          landlord(2, {{{marketplace, "771"}}})});
  EXPECT_EQ(all.find_of(all.accounts_for(marketplace, "landlord-1"), marketplace, "771")->id(),
            numbered_id(100));
}

TEST(SingleLandlords, FindTheirOwnUnitUnderASharedId) {
  const auto all =
      known({landlord(2, {{}, {{single_landlord, "5"}}}), landlord(1, {{}, {}, {{single_landlord, "5"}}})});
  EXPECT_EQ(all.find_on(single_landlord, "5")->id(), numbered_id(102));
  EXPECT_EQ(all.find_on(single_landlord, domain::to_string(numbered_id(100)))->id(), numbered_id(100));
  EXPECT_EQ(all.find_on(single_landlord, domain::to_string(numbered_id(200))), nullptr);
  EXPECT_EQ(all.find_on(single_landlord, "6"), nullptr);
  EXPECT_EQ(known({landlord(2, {{{single_landlord, "5"}}})}).find_on(single_landlord, "5"), nullptr);
}

TEST(Accounts, AreFoundByTheirId) {
  const auto all = known({landlord(7, {}), landlord(2, {}), landlord(5, {})});
  for (const unsigned number : {2U, 5U, 7U}) {
    ASSERT_TRUE(all.find_account(numbered_id(number))) << number;
    EXPECT_EQ(all.find_account(numbered_id(number))->id, numbered_id(number));
  }
  for (const unsigned number : {1U, 4U, 8U}) EXPECT_EQ(all.find_account(numbered_id(number)), nullptr);
  EXPECT_EQ(known({}).find_account(numbered_id(1)), nullptr);
}

TEST(UnitsOnAPlatform, AreSortedByCreation) {
  const auto all = known(
      {landlord(2, {{{marketplace, "c"}}, {{marketplace, "d"}}}), landlord(1, {{{marketplace, "b"}}, {}})});
  directory::candidates order;
  all.units_on(marketplace).for_each([&](const directory_unit* unit) { order.push_back(unit); });
  EXPECT_THAT(ids(order), ElementsAre(numbered_id(100), numbered_id(200), numbered_id(201)));
  EXPECT_EQ(all.units_on(2).size(), 2U); // every unit of landlord-one's account
  EXPECT_EQ(all.unit_count(), 4U);
}

/// Returns the results of all look-ups as text.
std::vector<std::string> results_of(const directory& all, const std::vector<std::string>& external_ids,
                                    const std::vector<std::string>& keys) {
  std::vector<std::string> results{std::to_string(all.unit_count())};
  const auto add = [&](const std::string& title, const auto& units) {
    results.push_back(title);
    for (const auto* unit : units)
      results.push_back(domain::to_string(unit->id()) + domain::to_string(unit->owner->id));
  };
  for (std::size_t platform = 0; platform < testing::sample_platforms()->size(); ++platform) {
    directory::candidates listed;
    all.units_on(platform).for_each([&](const directory_unit* unit) { listed.push_back(unit); });
    add("list", listed);
    for (std::size_t i = 0; i < listed.size(); ++i) EXPECT_EQ(all.units_on(platform)[i], listed[i]);
    for (const auto& id : external_ids) {
      add(id, all.find_all(platform, id));
      add("on", all.find_all_on(platform, id));
      results.push_back(all.is_shared(platform, id) ? "shared" : "alone");
    }
    for (const auto& key : keys) {
      results.push_back(key);
      for (const auto* account : all.accounts_for(platform, key))
        results.push_back(domain::to_string(account->id));
    }
  }
  return results;
}

class changing_portfolio {
public:
  explicit changing_portfolio(unsigned seed) : random_(seed) {
    for (int i = 0; i < 12; ++i) external_ids_.push_back(std::to_string(i));
    for (int i = 0; i < 6; ++i) external_ids_.push_back(std::to_string(i) + "_" + std::to_string(i % 3));
    for (unsigned i = 0; i < 8; ++i) keys_.push_back("landlord-" + std::to_string(i));
    keys_.insert(keys_.end(), {"one@house.example", "two@house.example"});
  }

  /// Adds or changes a few accounts, and returns them.
  directory::accounts change() {
    directory::accounts changed;
    for (const std::size_t count = 1 + pick(3); changed.size() < count;) {
      const auto number = static_cast<unsigned>(1 + pick(max_accounts));
      auto account = random_account(number);
      if (std::ranges::find(changed, account->id, [](const auto& each) { return each->id; }) != changed.end())
        continue;
      known_[number] = account;
      changed.push_back(std::move(account));
    }
    return changed;
  }

  directory::accounts now() const {
    directory::accounts all;
    for (const auto& [number, account] : known_) all.push_back(account);
    return all;
  }

  const std::vector<std::string>& external_ids() const { return external_ids_; }
  const std::vector<std::string>& keys() const { return keys_; }
  std::size_t pick(std::size_t below) {
    return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_);
  }

private:
  static constexpr std::size_t max_accounts = 30, max_units = 150;

  std::shared_ptr<const directory_account> random_account(unsigned number) {
    auto settings = std::make_shared<domain::account>(testing::sample_account(number).details);
    settings->landlord_key = keys_[pick(8)]; // not necessarily unique
    for (const auto& platform : *platforms_)
      if (pick(3) == 0)
        settings->cards.push_back({.platform = platform.name, .integration_email = keys_[8 + pick(2)]});
    auto account = std::make_shared<directory_account>();
    account->id = settings->id;
    account->settings = settings;
    const auto count = pick(4) == 0 ? 0 : pick(max_units); // it may have no units
    account->units.reserve(count);
    for (unsigned i = 0; i < max_units && account->units.size() < count; ++i)
      if (pick(3) != 0) account->units.push_back(unit(*account, number * 1000 + i));
    return account;
  }

  directory_unit unit(const directory_account& owner, unsigned number) {
    auto setup = std::make_shared<unit_setup>();
    setup->terms.id = numbered_id(number);
    setup->terms.archived = pick(5) == 0;
    setup->property = std::make_shared<const domain::property_terms>();
    for (std::size_t platform = 0; platform < platforms_->size(); ++platform) {
      if (pick(2) == 0)
        setup->links.push_back({platform, pick(2) == 0 ? external_ids_[pick(external_ids_.size())]
                                                       : "x" + std::to_string(number)});
      if (pick(6) == 0) setup->excluded_from.set(platform);
    }
    setup->terms.created_at = domain::timestamp{std::chrono::seconds{number * 7919 % 101}};
    return {{}, &owner, setup};
  }

  const platform_list platforms_ = testing::sample_platforms();
  std::mt19937 random_;
  std::vector<std::string> external_ids_, keys_;
  std::map<unsigned, std::shared_ptr<const directory_account>> known_;
};

TEST(ChangedDirectories, EqualNewlyBuiltOnes) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    changing_portfolio portfolio(seed);
    auto all = known({});
    for (int step = 0; step < 40; ++step) {
      const auto before = all;
      const auto results_before = results_of(before, portfolio.external_ids(), portfolio.keys());
      all = all.with(step, portfolio.change());
      ASSERT_EQ(results_of(all, portfolio.external_ids(), portfolio.keys()),
                results_of(known(portfolio.now()), portfolio.external_ids(), portfolio.keys()))
          << "seed " << seed << ", step " << step;
      ASSERT_EQ(results_of(before, portfolio.external_ids(), portfolio.keys()), results_before)
          << "the original was changed";
    }
    for (const auto& account : portfolio.now()) {
      EXPECT_EQ(all.find_account(account->id), account.get());
      for (const auto& unit : account->units) EXPECT_EQ(all.find_unit(unit.id()), &unit);
    }
  }
}

TEST(ChangedDirectories, ReleaseReplacedAccounts) {
  auto first = landlord(1, {{{marketplace, "a"}}, {{engine, "b"}}}, {{"marketplace-a", "one@house.example"}});
  const std::weak_ptr<const directory_account> watched = first;
  auto all = known({first, landlord(2, {{{marketplace, "a"}}})});
  first.reset();
  EXPECT_FALSE(watched.expired());
  all = all.with(2, {landlord(1, {{{marketplace, "c"}}})});
  EXPECT_TRUE(watched.expired());
  EXPECT_EQ(all.version(), 2);
  EXPECT_EQ(all.find(marketplace, "a")->id(), numbered_id(200));
  EXPECT_EQ(all.find(marketplace, "c")->id(), numbered_id(100));
  EXPECT_EQ(all.find_unit(numbered_id(101)), nullptr);
  EXPECT_EQ(all.find(engine, "b"), nullptr);
  EXPECT_THAT(all.accounts_for(marketplace, "one@house.example"), IsEmpty());
}

TEST(ChangedDirectories, GrowFromOneAccountToMany) {
  auto all = known({});
  directory::accounts accounts;
  for (unsigned number = 1; number <= 1500; ++number) {
    accounts.push_back(landlord(number, {{{marketplace, "m" + std::to_string(number)}}, {{engine, "e"}}}));
    all = all.with(number, {accounts.back()});
  }
  ASSERT_EQ(all.unit_count(), 3000U);
  for (unsigned number = 1; number <= 1500; ++number) {
    ASSERT_EQ(all.find(marketplace, "m" + std::to_string(number))->owner, accounts[number - 1].get());
    ASSERT_EQ(all.find_account(numbered_id(number)), accounts[number - 1].get());
  }
  const auto rebuilt = known(accounts);
  EXPECT_EQ(all.find_all(engine, "e"), rebuilt.find_all(engine, "e"));
  for (std::size_t i = 0; i < 1500; ++i) ASSERT_EQ(all.units_on(engine)[i], rebuilt.units_on(engine)[i]);
}

} // namespace roost::actors::directory_test
