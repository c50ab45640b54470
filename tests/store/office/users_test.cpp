#include "store/database/connection.hpp"
#include "store/office/office_scene.hpp"
#include "store/office/users.hpp"
#include "store/sessions/passwords.hpp"
#include "store/sessions/users.hpp"

#include <gmock/gmock.h>

namespace roost::testing::users_test {
using domain::portfolio_user;
using store::office_result;
using store::office_state;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class UsersOfTheOffice : public office_scene {
protected:
  static portfolio_user user(unsigned long number, const std::string& role = "Manager") {
    portfolio_user created;
    created.details.id = user_id(number);
    created.details.email = "user" + std::to_string(number) + "@landlord.example";
    created.details.first_name = "Zoë";
    created.details.role = role;
    return created;
  }

  store::office_outcome<portfolio_user> create(const portfolio_user& user) {
    return store::create_user(session(), node_->lease, scope, {user, "hash", {}}, author());
  }

  store::office_outcome<portfolio_user> change(const domain::uuid& id,
                                               const std::function<void(domain::user&)>& edit) {
    store::office_change<portfolio_user> request{id, is_current, [&](portfolio_user& stored) {
                                                   edit(stored.details);
                                                   return store::office_edit{{}, {{"user", "1", "2"}}};
                                                 }};
    request.rule = store::user_rule(rules);
    return store::change_user(session(), node_->lease, scope, request, author());
  }

  store::office_outcome<portfolio_user> erase(const domain::uuid& id) {
    return store::delete_user(session(), node_->lease, scope, {id, is_current, store::user_rule(rules)},
                              author());
  }

  std::vector<std::string> listed(const store::user_filter& filter) {
    std::vector<std::string> emails;
    for (const auto& each : store::list_users(session(), scope, filter, {}, 10).items)
      emails.push_back(each.details.email);
    return emails;
  }

  std::vector<office_state> marks() {
    std::vector<office_state> states;
    for (const auto& each : store::marks_of(session(), std::vector{account_id(1)}))
      if (each.part == store::office_part::user) states.push_back(each.state);
    return states;
  }

  static bool is_current(const portfolio_user&) { return true; }

  store::user_rules rules{{"Super Admin"}, [](const auto&, const auto*) { return true; }};
};
ROOST_ON_EACH_STORE(UsersOfTheOffice);

TEST_P(UsersOfTheOffice, AreCreatedWithoutAPasswordAndStayThroughImports) {
  const auto created = create(user(77));
  ASSERT_EQ(created.result, office_result::created);
  EXPECT_EQ(created.resource.details.email, "user77@landlord.example");
  EXPECT_EQ(create(user(77)).result, office_result::repeated);
  EXPECT_THAT(marks(), ElementsAre(office_state::created));
  import();
  EXPECT_EQ(store::find_user(session(), scope, user_id(77)), created.resource);
  EXPECT_EQ(store::find_user(session(), user_id(77))->password_hash, std::nullopt);
}

TEST_P(UsersOfTheOffice, KeepTheirPasswordWhenTheyChange) {
  session().internals().script("password", "update users set password_hash = 'hash'");
  const auto changed = change(user_id(1), [](domain::user& user) { user.last_name = "Robledo"; });
  ASSERT_EQ(changed.result, office_result::changed);
  EXPECT_EQ(store::find_user(session(), user_id(1))->password_hash, "hash");
  EXPECT_THAT(marks(), ElementsAre(office_state::changed));
}

TEST_P(UsersOfTheOffice, ChooseALanguageThatImportsKeep) {
  store::office_change<portfolio_user> request{user_id(1), is_current, [](portfolio_user& stored) {
                                                 stored.details.language = domain::language::es;
                                                 return store::office_edit{{}, {{"preferences", "1", "2"}}};
                                               }};
  auto by = author();
  by.audit.subject = domain::to_string(user_id(1));
  const auto chosen = store::change_preferences(session(), node_->lease, scope, request, by);
  ASSERT_EQ(chosen.result, office_result::changed);
  EXPECT_THAT(marks(), IsEmpty()) << "no import conflicts with it";
  request.is_current = [](const auto&) { return false; };
  const auto outdated = store::change_preferences(session(), node_->lease, scope, request, author());
  EXPECT_EQ(outdated.result, office_result::outdated);
  EXPECT_EQ(outdated.last.by, "ana@landlord.example") << "as the audit log says";
  EXPECT_EQ(outdated.last.at, by.audit.made_at);
  file_.accounts[0].users[0].details.first_name = "Anna"; // with the language en
  import();
  const auto stored = store::find_user(session(), scope, user_id(1)).value();
  EXPECT_EQ(stored.details.first_name, "Anna");
  EXPECT_EQ(stored.details.language, domain::language::es);
}

TEST_P(UsersOfTheOffice, DoNotShareAnAddressInAnySpelling) {
  auto other = user(77);
  other.details.email = "USER2@landlord.example";
  const auto refused = create(other);
  EXPECT_EQ(refused.result, office_result::conflicting) << "it is that of a user of another account";
  EXPECT_EQ(refused.problem, "email is already used by another user");
  EXPECT_EQ(change(user_id(1), [](domain::user& user) { user.email = "user2@landlord.example"; }).result,
            office_result::conflicting);
  EXPECT_EQ(change(user_id(1), [](domain::user& user) { user.email = "USER1@landlord.example"; }).result,
            office_result::changed)
      << "it is the user's own";
}

TEST_P(UsersOfTheOffice, LoseTheirLinksWithTheirAddress) {
  create(user(77));
  const auto now = moment("2026-11-21T09:00:00.000Z");
  store::reset_request link{fresh_id(), "token", {}, now};
  link.mail = [&](const store::sign_in_user& user) {
    domain::outgoing_mail mail;
    mail.id = fresh_id();
    mail.created_at = now;
    mail.to = user.email;
    mail.subject = "Link";
    return mail;
  };
  {
    store::transaction txn(session(), store::transaction::purpose::write);
    store::send_invitation(session(), user_id(77), link, now + std::chrono::hours{1}, {.codes_per_15m = 1});
    txn.commit();
  }
  change(user_id(77), [](domain::user& user) { user.first_name = "Eva"; });
  EXPECT_TRUE(store::user_of_reset(session(), "token", now));
  change(user_id(77), [](domain::user& user) { user.email = "eva@landlord.example"; });
  EXPECT_FALSE(store::user_of_reset(session(), "token", now)) << "the former address has it";
}

TEST_P(UsersOfTheOffice, EndTheirSessionsWhenTheyAreDeactivatedDeletedOrGetAnotherRole) {
  const auto epoch = [&] { return store::find_user(session(), user_id(77))->epoch; };
  create(user(77));
  change(user_id(77), [](domain::user& user) { user.first_name = "Eva"; });
  EXPECT_EQ(epoch(), 0);
  change(user_id(77), [](domain::user& user) { user.role = "Agent"; });
  EXPECT_EQ(epoch(), 1);
  change(user_id(77), [](domain::user& user) { user.deactivated = true; });
  EXPECT_EQ(epoch(), 2);
  change(user_id(77), [](domain::user& user) { user.deactivated = false; });
  EXPECT_EQ(epoch(), 2) << "earlier sessions do not come back";
  ASSERT_EQ(erase(user_id(77)).result, office_result::deleted);
  ASSERT_EQ(create(user(77)).result, office_result::created) << "the id is free again";
  EXPECT_EQ(epoch(), 3);
}

TEST_P(UsersOfTheOffice, KeepOneWhoManagesThem) {
  create(user(77, "Super Admin"));
  ASSERT_EQ(change(user_id(1), [](domain::user& user) { user.role = "Agent"; }).result,
            office_result::changed);
  const std::vector<std::function<void(domain::user&)>> edits{
      [](domain::user& user) { user.role = "Manager"; }, [](domain::user& user) { user.deactivated = true; }};
  for (const auto& edit : edits) {
    const auto refused = change(user_id(77), edit);
    EXPECT_EQ(refused.result, office_result::conflicting);
    EXPECT_EQ(refused.problem,
              "This is the last active user who can manage users. Give another user such a role first");
  }
  EXPECT_EQ(erase(user_id(77)).result, office_result::conflicting);
  EXPECT_EQ(change(user_id(77), [](domain::user& user) { user.first_name = "Eva"; }).result,
            office_result::changed);
  auto deactivated = user(78, "Super Admin");
  deactivated.details.deactivated = true;
  create(deactivated);
  EXPECT_EQ(erase(user_id(77)).result, office_result::conflicting) << "the other one is deactivated";
  create(user(79, "Super Admin"));
  EXPECT_EQ(erase(user_id(77)).result, office_result::deleted);
}

TEST_P(UsersOfTheOffice, ChangeOnlyAsTheirAuthorMay) {
  std::vector<std::string> asked;
  rules.is_permitted = [&](const domain::user& before, const domain::user* after) {
    asked.push_back(before.first_name + " to " + (after != nullptr ? after->first_name : "nothing"));
    return false;
  };
  create(user(77));
  const auto before = store::find_user(session(), scope, user_id(77));
  EXPECT_EQ(change(user_id(77), [](domain::user& user) { user.first_name = "Eva"; }).result,
            office_result::forbidden);
  EXPECT_EQ(erase(user_id(77)).result, office_result::forbidden);
  EXPECT_THAT(asked, ElementsAre("Zoë to Eva", "Zoë to nothing"));
  EXPECT_EQ(store::find_user(session(), scope, user_id(77)), before);
}

TEST_P(UsersOfTheOffice, AreListedByAddressAndFoundByName) {
  create(user(77));
  auto deactivated = user(78);
  deactivated.details.deactivated = true;
  create(deactivated);
  EXPECT_THAT(listed({}),
              ElementsAre("user1@landlord.example", "user77@landlord.example", "user78@landlord.example"));
  EXPECT_THAT(listed({{}, "Manager", "zoe"}),
              ElementsAre("user77@landlord.example", "user78@landlord.example"));
  EXPECT_THAT(listed({true, {}, {}}), ElementsAre("user78@landlord.example"));
  EXPECT_THAT(listed({false, "Manager", {}}), ElementsAre("user77@landlord.example"));
}

TEST_P(UsersOfTheOffice, OfAnotherAccountAreUnknown) {
  EXPECT_EQ(store::find_user(session(), scope, user_id(2)), std::nullopt);
  EXPECT_EQ(change(user_id(2), [](domain::user&) {}).result, office_result::not_found);
  EXPECT_EQ(erase(user_id(2)).result, office_result::not_found);
  EXPECT_EQ(create(user(2)).result, office_result::other_request);
  EXPECT_THAT(marks(), IsEmpty());
}

/// Only PostgreSQL has concurrent writers.
class ConcurrentUsersOfTheOffice : public UsersOfTheOffice {};
ROOST_ON_POSTGRESQL(ConcurrentUsersOfTheOffice);

TEST_P(ConcurrentUsersOfTheOffice, ChangeOneAfterTheOther) {
  create(user(77));
  auto other = store().open();
  store::transaction holding(other, store::transaction::purpose::write);
  other.internals().script("hold", "select 1 from accounts for no key update");
  EXPECT_THROW(change(user_id(77), [](domain::user& user) { user.role = "Agent"; }), store::unavailable)
      << "another user may be demoting the only other one who manages users";
  EXPECT_EQ(create(user(78)).result, office_result::created);
}

} // namespace roost::testing::users_test
