#include "store/database/connection.hpp"
#include "store/portfolio/office_import_scene.hpp"

#include <gmock/gmock.h>

#include <utility>

/// Imports of accounts, cards, users, links and exclusions that the office creates, changes and deletes.
namespace roost::testing::office_overlay_details_test {
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ImportsOfDetailsOfTheOffice : public office_import_scene {
protected:
  /// Returns the first unit's links as `platform external-id`.
  std::vector<std::string> links() {
    std::vector<std::string> all;
    for (const auto& link : unit_in(stored(), 1).links) all.push_back(link.platform + ' ' + link.external_id);
    return all;
  }

  std::vector<std::string> exclusions() { return unit_in(stored(), 1).excluded_from; }

  std::vector<std::string> emails() {
    std::vector<std::string> all;
    for (const auto& user : stored().users) all.push_back(user.details.email);
    return all;
  }

  static domain::portfolio_user user(unsigned long number) {
    domain::portfolio_user user;
    user.details.id = user_id(number);
    user.details.email = "user" + std::to_string(number) + "@landlord.example";
    user.details.role = "Admin";
    user.details.password_hash = "hash";
    user.keeps_password = false;
    return user;
  }

  static store::office_mark link_mark(state state, const std::string& platform = "marketplace-a") {
    return mark_of(part::link, unit_id(1), state, platform);
  }
  static store::office_mark exclusion_mark(state state) {
    return mark_of(part::exclusion, unit_id(1), state, "marketplace-b");
  }
  static store::office_mark card_mark(state state, const std::string& platform) {
    return mark_of(part::card, account_id(1), state, platform);
  }

  void create_link() {
    office(
        [](auto& account) {
          account.properties[0].units[0].links.push_back({"marketplace-b", "new", {}});
        },
        {link_mark(state::created, "marketplace-b")});
  }
  void change_link() {
    office([](auto& account) { account.properties[0].units[0].links[0].external_id = "other"; },
           {link_mark(state::changed)});
  }
  void delete_link() {
    office([](auto& account) { account.properties[0].units[0].links.clear(); }, {link_mark(state::deleted)});
  }

  void create_exclusion() {
    office([](auto& account) { account.properties[0].units[0].excluded_from = {"marketplace-b"}; },
           {exclusion_mark(state::created)});
  }
  void delete_exclusion() {
    units()[0].excluded_from = {"marketplace-b"};
    import();
    office([](auto& account) { account.properties[0].units[0].excluded_from.clear(); },
           {exclusion_mark(state::deleted)});
  }
};
ROOST_ON_EACH_STORE(ImportsOfDetailsOfTheOffice);

// Links

TEST_P(ImportsOfDetailsOfTheOffice, KeepALinkThatTheOfficeCreated) {
  create_link();
  EXPECT_FALSE(import_strictly().refused);
  EXPECT_THAT(links(), ElementsAre("marketplace-a ext-1", "marketplace-b new"));
  import_over_the_office();
  EXPECT_THAT(links(), SizeIs(2));
}

TEST_P(ImportsOfDetailsOfTheOffice, AreRefusedIfTheyWouldChangeACreatedLink) {
  create_link();
  units()[0].links.push_back({"marketplace-b", "new", {}});
  EXPECT_EQ(refused_changes(), "") << "the same values";
  units()[0].links[1].url = "https://marketplace-b.example/new";
  EXPECT_EQ(refused_changes(), "1 link");
  import_over_the_office();
  EXPECT_EQ(unit_in(stored(), 1).links, units()[0].links);
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(ImportsOfDetailsOfTheOffice, SetBackAChangedLinkOnlyWithPermission) {
  change_link();
  EXPECT_EQ(refused_changes(), "1 link");
  EXPECT_THAT(links(), ElementsAre("marketplace-a other"));
  import_over_the_office();
  EXPECT_THAT(links(), ElementsAre("marketplace-a ext-1"));
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(ImportsOfDetailsOfTheOffice, RemoveAChangedLinkThatTheFileOmits) {
  change_link();
  units()[0].links.clear();
  EXPECT_TRUE(import_strictly().refused);
  EXPECT_EQ(refused_changes(), "");
  EXPECT_THAT(links(), IsEmpty());
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(ImportsOfDetailsOfTheOffice, DoNotBringBackADeletedLink) {
  delete_link();
  EXPECT_EQ(refused_changes(), "");
  EXPECT_THAT(links(), IsEmpty());
  EXPECT_THAT(unit_in(stored(), 2).links, SizeIs(1));
  import_over_the_office();
  EXPECT_THAT(links(), ElementsAre("marketplace-a ext-1"));
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(ImportsOfDetailsOfTheOffice, AddADeletedLinkAgainOnceAFileHasOmittedIt) {
  delete_link();
  const auto omitted = std::exchange(units()[0].links, {});
  import();
  units()[0].links = omitted;
  import();
  EXPECT_THAT(links(), ElementsAre("marketplace-a ext-1"));
}

TEST_P(ImportsOfDetailsOfTheOffice, KeepALinkThatTheOfficeMovedToAnotherUnit) {
  office(
      [](auto& account) {
        auto& units = account.properties[0].units;
        units[1].links = std::exchange(units[0].links, {});
      },
      {link_mark(state::deleted), mark_of(part::link, unit_id(2), state::created, "marketplace-a")});
  units()[1].links.clear();
  EXPECT_EQ(refused_changes(), "");
  EXPECT_THAT(links(), IsEmpty());
  EXPECT_EQ(unit_in(stored(), 2).links, units()[0].links);
}

TEST_P(ImportsOfDetailsOfTheOffice, RemoveLinksAndExclusionsWithTheirUnit) {
  office(
      [](auto& account) {
        account.properties[0].units[0].links.push_back({"marketplace-b", "new", {}});
        account.properties[0].units[0].excluded_from = {"marketplace-b"};
      },
      {link_mark(state::created, "marketplace-b"), link_mark(state::changed),
       exclusion_mark(state::created)});
  const auto unit = units()[0];
  units().erase(units().begin());
  EXPECT_EQ(refused_changes(), "");
  EXPECT_THAT(stored().properties[0].units, SizeIs(1));
  units().push_back(unit);
  EXPECT_EQ(refused_changes(), "");
  EXPECT_THAT(links(), ElementsAre("marketplace-a ext-1"));
  EXPECT_THAT(exclusions(), IsEmpty());
  EXPECT_THAT(marks(), IsEmpty());
}

// Exclusions

TEST_P(ImportsOfDetailsOfTheOffice, KeepAnExclusionThatTheOfficeCreated) {
  create_exclusion();
  EXPECT_FALSE(import_strictly().refused);
  EXPECT_THAT(exclusions(), ElementsAre("marketplace-b"));
  import_over_the_office();
  EXPECT_THAT(exclusions(), ElementsAre("marketplace-b"));
  units()[0].excluded_from = {"marketplace-b"};
  EXPECT_EQ(refused_changes(), "");
}

TEST_P(ImportsOfDetailsOfTheOffice, DoNotBringBackADeletedExclusion) {
  delete_exclusion();
  EXPECT_EQ(refused_changes(), "");
  EXPECT_THAT(exclusions(), IsEmpty());
  import_over_the_office();
  EXPECT_THAT(exclusions(), ElementsAre("marketplace-b"));
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(ImportsOfDetailsOfTheOffice, AddADeletedExclusionAgainOnceAFileHasOmittedIt) {
  delete_exclusion();
  units()[0].excluded_from.clear();
  import();
  units()[0].excluded_from = {"marketplace-b"};
  import();
  EXPECT_THAT(exclusions(), ElementsAre("marketplace-b"));
}

// Cards and accounts

TEST_P(ImportsOfDetailsOfTheOffice, RespectCards) {
  office(
      [](auto& account) {
        account.details.cards = {{"marketplace-b", {}, {}, 30}};
      },
      {card_mark(state::deleted, "marketplace-a"), card_mark(state::created, "marketplace-b")});
  const std::vector<domain::platform_card> of_office{{"marketplace-b", {}, {}, 30}};
  EXPECT_FALSE(import_strictly().refused);
  EXPECT_EQ(stored().details.cards, of_office);
  account().details.cards.push_back({"marketplace-b", {}, {}, 60});
  EXPECT_EQ(refused_changes(), "1 platform card");
  EXPECT_EQ(stored().details.cards, of_office);
  import_over_the_office();
  EXPECT_EQ(stored().details.cards, account().details.cards);
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(ImportsOfDetailsOfTheOffice, SetBackAChangedCardOnlyWithPermission) {
  office([](auto& account) { account.details.cards[0].markup.value = 700; },
         {card_mark(state::changed, "marketplace-a")});
  EXPECT_EQ(refused_changes(), "1 platform card");
  import_over_the_office();
  EXPECT_EQ(stored().details.cards, account().details.cards);
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(ImportsOfDetailsOfTheOffice, RemoveAChangedCardThatTheFileOmits) {
  write_as_office(session(), {card_mark(state::changed, "marketplace-a")});
  account().details.cards.clear();
  EXPECT_TRUE(import_strictly().refused);
  EXPECT_EQ(refused_changes(), "");
  EXPECT_THAT(stored().details.cards, IsEmpty());
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(ImportsOfDetailsOfTheOffice, SetBackAChangedAccountOnlyWithPermission) {
  office([](auto& account) { account.details.check_in_time = "16:00"; },
         {mark_of(part::account, account_id(1), state::changed)});
  EXPECT_EQ(refused_changes(), "1 account");
  EXPECT_EQ(stored().details.check_in_time, "16:00");
  import_over_the_office();
  EXPECT_EQ(stored().details.check_in_time, "15:00");
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(ImportsOfDetailsOfTheOffice, AcceptAChangedAccountWithItsValuesAndOtherCards) {
  write_as_office(session(), {mark_of(part::account, account_id(1), state::changed)});
  account().details.cards[0].markup.value = 900;
  EXPECT_EQ(refused_changes(), "");
  EXPECT_EQ(stored().details.cards, account().details.cards);
  EXPECT_THAT(marks(), IsEmpty()) << "the file has the same values";
  write_as_office(session(), {mark_of(part::account, account_id(1), state::changed)});
  account().details.landlord_key = "other";
  EXPECT_EQ(refused_changes(), "1 account");
}

// Users

TEST_P(ImportsOfDetailsOfTheOffice, KeepAUserThatTheOfficeCreated) {
  office([](auto& account) { account.users.push_back(user(77)); },
         {mark_of(part::user, user_id(77), state::created)});
  const auto before = portfolio_rows(session());
  EXPECT_FALSE(import_strictly().refused);
  import_over_the_office();
  EXPECT_EQ(portfolio_rows(session()), before) << "with its password";
  EXPECT_THAT(emails(), ElementsAre("user1@landlord.example", "user77@landlord.example"));
  account().users.push_back(user(77));
  account().users[1].details.role = "Owner";
  EXPECT_EQ(refused_changes(), "1 user");
  import_over_the_office();
  EXPECT_EQ(stored().users[1].details.role, "Owner");
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(ImportsOfDetailsOfTheOffice, SetBackAChangedUserOnlyWithPermission) {
  office([](auto& account) { account.users[0].details.email = "other@landlord.example"; },
         {mark_of(part::user, user_id(1), state::changed)});
  EXPECT_EQ(refused_changes(), "1 user");
  EXPECT_THAT(emails(), ElementsAre("other@landlord.example"));
  import_over_the_office();
  EXPECT_THAT(emails(), ElementsAre("user1@landlord.example"));
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(ImportsOfDetailsOfTheOffice, KeepTheLanguageThatAUserHasChosen) {
  session().internals().script("choose", "update users set language = 'es'");
  write_as_office(session(), {mark_of(part::user, user_id(1), state::changed)});
  ASSERT_EQ(account().users[0].details.language, domain::language::en);
  EXPECT_EQ(refused_changes(), "") << "the file differs only in what imports do not set";
  EXPECT_EQ(stored().users[0].details.language, domain::language::es);
  EXPECT_THAT(marks(), IsEmpty()) << "the file agrees";
}

TEST_P(ImportsOfDetailsOfTheOffice, SetThePasswordOfAChangedUser) {
  write_as_office(session(), {mark_of(part::user, user_id(1), state::changed)});
  account().users[0].details.password_hash = "hash";
  account().users[0].keeps_password = false;
  EXPECT_EQ(refused_changes(), "");
  EXPECT_EQ(stored().users[0].details.password_hash, "hash");
}

TEST_P(ImportsOfDetailsOfTheOffice, RemoveAChangedUserThatTheFileOmits) {
  write_as_office(session(), {mark_of(part::user, user_id(1), state::changed)});
  account().users.clear();
  EXPECT_TRUE(import_strictly().refused);
  EXPECT_EQ(refused_changes(), "");
  EXPECT_THAT(stored().users, IsEmpty());
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(ImportsOfDetailsOfTheOffice, DoNotBringBackADeletedUser) {
  office([](auto& account) { account.users.clear(); }, {mark_of(part::user, user_id(1), state::deleted)});
  EXPECT_EQ(refused_changes(), "");
  EXPECT_THAT(stored().users, IsEmpty());
  const auto omitted = std::exchange(account().users, {});
  import();
  EXPECT_THAT(marks(), IsEmpty());
  account().users = omitted;
  import();
  EXPECT_THAT(stored().users, SizeIs(1));
}

TEST_P(ImportsOfDetailsOfTheOffice, BringBackADeletedUserWithPermission) {
  office([](auto& account) { account.users.clear(); }, {mark_of(part::user, user_id(1), state::deleted)});
  import_over_the_office();
  EXPECT_THAT(stored().users, SizeIs(1));
  EXPECT_THAT(marks(), IsEmpty());
}

} // namespace roost::testing::office_overlay_details_test
