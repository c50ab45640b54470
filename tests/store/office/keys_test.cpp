#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/office/keys.hpp"
#include "store/office/office_scene.hpp"

#include <gmock/gmock.h>

namespace roost::testing::office_keys_test {
using store::office_api_key, store::office_engine_key, store::office_result;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const auto later = moment("2026-12-01T00:00:00Z");

class KeysOfTheOffice : public office_scene {
protected:
  static store::stored_key stored_key(const domain::uuid& id, const std::string& name) {
    return {id, "hash of " + domain::to_string(id), "wxyz", {}, {}, name};
  }

  store::office_outcome<office_engine_key> issue(const std::string& name, const domain::uuid& id = fresh_id(),
                                                 const std::string& request_hash = "request") {
    const office_engine_key key{{stored_key(id, name), {}}, {}};
    auto by = author();
    by.audit.subject = domain::to_string(id);
    return store::issue_engine_key(session(), node_->lease, scope, {key, request_hash, {}}, by);
  }

  store::office_outcome<office_api_key> issue_for(const domain::uuid& user,
                                                  const domain::uuid& id = fresh_id()) {
    const office_api_key key{{stored_key(id, "CRM"), user, "https://tools.example"}, {}, {}};
    return store::issue_api_key(session(), node_->lease, scope, {key, "request", {}}, author());
  }

  store::office_outcome<office_engine_key> revoke(const domain::uuid& id, bool is_current = true) {
    return store::revoke_engine_key(session(), node_->lease, scope,
                                    {id, [=](const office_engine_key&) { return is_current; }}, author());
  }

  store::office_outcome<office_api_key> revoke_api_key(const domain::uuid& id) {
    return store::revoke_api_key(session(), node_->lease, scope,
                                 {id, [](const office_api_key&) { return true; }}, author());
  }

  std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const auto& each : store::list_engine_keys(session(), scope, {}, 100).items)
      names.push_back(each.key.label);
    return names;
  }
};
ROOST_ON_EACH_STORE(KeysOfTheOffice);

TEST_P(KeysOfTheOffice, AreTheKeysOfTheCommands) {
  const auto issued = issue("Channel manager");
  ASSERT_EQ(issued.result, office_result::created);
  const auto live = store::account_keys::live(session(), later);
  ASSERT_THAT(live, SizeIs(1));
  EXPECT_EQ(live[0].hash, "hash of " + domain::to_string(issued.resource.key.id));
  EXPECT_EQ(live[0].account_id, account_id(1));
  EXPECT_EQ(live[0].label, "Channel manager");
  EXPECT_EQ(live[0].created_at, issued.resource.key.created_at);
  store::account_keys::insert(session(),
                              {{fresh_id(), "hash", "abcd", later, {}, "By a command"}, account_id(1)});
  EXPECT_THAT(names(), ElementsAre("By a command", "Channel manager"));
}

TEST_P(KeysOfTheOffice, AreReadWithoutTheirHashAndWithTheirLastUse) {
  const auto id = issue("Engine").resource.key.id;
  EXPECT_FALSE(store::list_engine_keys(session(), scope, {}, 10).items.at(0).last_used_at);
  const std::vector<domain::credential_use> uses{{id, later}};
  store::note_uses(session(), node_->lease, uses);
  const auto key = store::list_engine_keys(session(), scope, {}, 10).items.at(0);
  EXPECT_EQ(key.last_used_at, later);
  EXPECT_EQ(key.key.last4, "wxyz");
  EXPECT_EQ(key.key.hash, "");
}

TEST_P(KeysOfTheOffice, ChangeTheCredentialsOfServersAndAreAudited) {
  const auto before = store::newest_point(session());
  const auto issued = issue("Engine");
  const auto revoked = revoke(issued.resource.key.id);
  ASSERT_EQ(revoked.result, office_result::deleted);
  EXPECT_EQ(revoked.point.position, before.position + 2);
  for (const auto& each : store::entries_after(session(), before.position, 10)) {
    EXPECT_EQ(each.change.kind, store::change_kind::credentials);
    EXPECT_THAT(each.change.accounts, IsEmpty());
    EXPECT_THAT(each.change.subjects, IsEmpty()) << "servers read all keys again";
  }
  EXPECT_THAT(store::list_audit(session(), 10), SizeIs(2));
}

TEST_P(KeysOfTheOffice, EndForGoodWhenTheyAreRevoked) {
  const auto id = issue("Engine").resource.key.id;
  ASSERT_EQ(revoke(id).result, office_result::deleted);
  EXPECT_THAT(store::account_keys::live(session(), later), IsEmpty());
  EXPECT_THAT(store::account_keys::all(session()), SizeIs(1)) << "the commands still list it";
  EXPECT_THAT(names(), IsEmpty());
  EXPECT_EQ(revoke(id).result, office_result::not_found);
  EXPECT_EQ(issue("Engine", id).result, office_result::other_request) << "the id names a revoked key";
}

TEST_P(KeysOfTheOffice, AreIssuedOnceForARepeatedRequest) {
  const auto id = fresh_id();
  const auto issued = issue("Engine", id);
  const auto repeated = issue("Engine", id);
  EXPECT_EQ(repeated.result, office_result::repeated);
  EXPECT_EQ(repeated.resource.key.created_at, issued.resource.key.created_at);
  EXPECT_EQ(issue("Other", id, "another request").result, office_result::other_request);
  EXPECT_EQ(issue_for(user_id(1), id).result, office_result::other_request) << "of another family";
  EXPECT_THAT(names(), ElementsAre("Engine"));
}

TEST_P(KeysOfTheOffice, AreRevokedInTheStateThatTheClientHasRead) {
  const auto issued = issue("Engine");
  const auto outdated = revoke(issued.resource.key.id, false);
  EXPECT_EQ(outdated.result, office_result::outdated);
  EXPECT_EQ(outdated.last.by, "ana@landlord.example") << "who issued it";
  EXPECT_THAT(names(), ElementsAre("Engine"));
}

TEST_P(KeysOfTheOffice, ActForActiveUsersOfTheAccount) {
  const auto issued = issue_for(user_id(1));
  ASSERT_EQ(issued.result, office_result::created);
  EXPECT_EQ(issued.resource.user, "user1@landlord.example");
  EXPECT_EQ(issued.resource.key.resource, "https://tools.example");
  EXPECT_EQ(store::api_keys::live(session(), later).at(0).user_id, user_id(1));
  const auto refused = issue_for(user_id(2));
  EXPECT_EQ(refused.result, office_result::refused) << "of another account";
  EXPECT_EQ(refused.problem, "userId must be an active user of the account");
  EXPECT_EQ(issue_for(fresh_id()).result, office_result::refused);
  file_.accounts[0].users[0].details.deactivated = true;
  import();
  EXPECT_EQ(issue_for(user_id(1)).result, office_result::refused) << "deactivated";
  EXPECT_THAT(store::list_api_keys(session(), scope, {}, 10).items, IsEmpty())
      << "the deactivation has ended the key";
}

TEST_P(KeysOfTheOffice, OfOtherAccountsAreUnknown) {
  const auto engine_key = issue("Engine").resource.key.id, api_key = issue_for(user_id(1)).resource.key.id;
  scope.account_id = account_id(2);
  EXPECT_THAT(names(), IsEmpty());
  EXPECT_EQ(store::list_api_keys(session(), scope, {}, 10).total, 0);
  EXPECT_EQ(revoke(engine_key).result, office_result::not_found);
  EXPECT_EQ(revoke_api_key(api_key).result, office_result::not_found);
  EXPECT_EQ(issue("Engine", engine_key).result, office_result::other_request);
  scope.account_id = account_id(1);
  EXPECT_EQ(revoke_api_key(api_key).result, office_result::deleted);
}

TEST_P(KeysOfTheOffice, AreListedByNameInPages) {
  for (const auto* name : {"beta", "Alpha", "Gamma"}) issue(name);
  const auto first = store::list_engine_keys(session(), scope, {}, 2);
  EXPECT_EQ(first.total, 3);
  EXPECT_TRUE(first.has_more);
  ASSERT_THAT(first.items, SizeIs(2));
  EXPECT_EQ(first.items[0].key.label, "Alpha");
  const auto rest = store::list_engine_keys(session(), scope, place_of(first.items[1]), 2);
  ASSERT_THAT(rest.items, SizeIs(1));
  EXPECT_EQ(rest.items[0].key.label, "Gamma");
  EXPECT_FALSE(rest.has_more);
}

/// Only PostgreSQL has concurrent writers.
class ConcurrentKeysOfTheOffice : public KeysOfTheOffice {};
ROOST_ON_POSTGRESQL(ConcurrentKeysOfTheOffice);

TEST_P(ConcurrentKeysOfTheOffice, WaitForNoTransactionThatHoldsWhatTheyNeed) {
  const auto id = issue("Engine").resource.key.id;
  for (const std::string table : {"account_keys", "users"}) {
    auto other = store().open();
    store::transaction holding(other, store::transaction::purpose::write);
    other.internals().script("hold", "select 1 from " + table + " for update");
    if (table == "users") {
      EXPECT_THROW(issue_for(user_id(1)), store::unavailable);
    } else {
      EXPECT_THROW(revoke(id), store::unavailable);
    }
  }
}

} // namespace roost::testing::office_keys_test
