#include "store/credentials/credentials.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

#include <algorithm>

namespace roost::testing::credentials_test {
ROOST_FOR_EACH_STORE(Credentials);

const auto later = moment("2026-12-01T00:00:00Z");

store::partner_token token(unsigned long n, const char* platform) {
  return {numbered_id(30, n), platform, moment("2026-11-20T09:00:00Z"), moment("2027-11-20T09:00:00Z"), {}};
}

TEST_P(Credentials, PartnerTokensAreLiveUntilTheyEndOrExpire) {
  const auto issued = store::partner_tokens::insert(session(), token(1, "marketplace-a"));
  EXPECT_EQ(issued, store::newest_point(session()));
  const auto live_at = [&](const char* now) {
    return store::partner_tokens::live(session(), moment(now)).size();
  };
  EXPECT_EQ(live_at("2026-12-01T00:00:00Z"), 1u);
  EXPECT_EQ(live_at("2027-11-20T09:00:00Z"), 0u);
  const auto ended = store::partner_tokens::end(session(), token(1, "").id, moment("2026-11-21T00:00:00Z"));
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->position, issued.position + 1);
  EXPECT_EQ(live_at("2026-12-01T00:00:00Z"), 0u);
  EXPECT_FALSE(store::partner_tokens::end(session(), token(1, "").id, moment("2026-11-22T00:00:00Z")));
  EXPECT_EQ(store::partner_tokens::all(session()).at(0).ended_at, moment("2026-11-21T00:00:00Z"));
}

TEST_P(Credentials, ApiKeysEndForGoodWhenTheirUserIsDeactivatedRemovedOrMoved) {
  const auto portfolio = sample_portfolio(2);
  auto deactivated = portfolio, removed = portfolio;
  const auto user = portfolio.accounts[0].users[0].details.id;
  deactivated.accounts[0].users[0].details.deactivated = true;
  removed.accounts[0].users.clear();
  import_sample(session(), portfolio);
  unsigned number = 0;
  const auto issue = [&] {
    const store::stored_key key{numbered_id(31, ++number), "hash " + std::to_string(number), "last",
                                moment("2026-11-20T09:00:00Z")};
    store::api_keys::insert(session(), {key, user, {}});
  };
  for (const auto& changed : {deactivated, removed}) {
    issue();
    import_sample(session(), portfolio);
    EXPECT_EQ(store::api_keys::live(session(), later).size(), 1u) << "a later one, of an unchanged user";
    import_sample(session(), changed);
    import_sample(session(), portfolio);
    EXPECT_TRUE(store::api_keys::live(session(), later).empty()) << number;
  }
  issue();
  session().internals().script("move_user", "update users set account_id = '" +
                                                domain::to_string(account_id(2)) + "' where id = '" +
                                                domain::to_string(user) + "'");
  EXPECT_TRUE(store::api_keys::live(session(), later).empty());
}

TEST_P(Credentials, AReplacementEndsOnlyItsPlatformsOtherTokens) {
  store::partner_tokens::insert(session(), token(1, "marketplace-a"));
  store::partner_tokens::insert(session(), token(2, "marketplace-b"));
  store::replace_partner_tokens(session(), token(3, "marketplace-a"));
  std::vector<domain::uuid> live;
  for (const auto& each : store::partner_tokens::live(session(), moment("2026-12-01T00:00:00Z")))
    live.push_back(each.id);
  std::ranges::sort(live);
  EXPECT_EQ(live, (std::vector<domain::uuid>{token(2, "").id, token(3, "").id}));
}

TEST_P(Credentials, AreListedNewestFirst) {
  auto older = token(1, "marketplace-a"), newer = token(2, "marketplace-b");
  newer.issued_at += std::chrono::hours{1};
  store::partner_tokens::insert(session(), newer);
  store::partner_tokens::insert(session(), older);
  for (const auto& listed :
       {store::partner_tokens::all(session()), store::partner_tokens::live(session(), later)}) {
    ASSERT_EQ(listed.size(), 2u);
    EXPECT_EQ(listed[0].id, newer.id);
    EXPECT_EQ(listed[1].id, older.id);
    EXPECT_EQ(listed[0].platform, "marketplace-b");
    EXPECT_EQ(listed[0].issued_at, newer.issued_at);
    EXPECT_EQ(listed[0].expires_at, newer.expires_at);
  }
}

TEST_P(Credentials, DoNotChangeTheStreamIfRejected) {
  const auto before = position_of(session());
  EXPECT_FALSE(store::webhook_keys::end(session(), numbered_id(32, 1), later));
  store::partner_tokens::insert(session(), token(1, "marketplace-a"));
  EXPECT_THROW(store::partner_tokens::insert(session(), token(1, "marketplace-b")),
               store::constraint_violated);
  EXPECT_THROW(store::replace_partner_tokens(session(), token(1, "marketplace-a")),
               store::constraint_violated);
  EXPECT_EQ(position_of(session()), before + 1);
  EXPECT_EQ(store::partner_tokens::live(session(), later).size(), 1u);
}

TEST_P(Credentials, AccountKeysRequireAnExistingAccount) {
  const store::account_key key{{numbered_id(31, 1), "hash", "last", moment("2026-11-20T09:00:00Z")},
                               account_id(1)};
  EXPECT_THROW(store::account_keys::insert(session(), key), store::constraint_violated);
  import_sample(session(), sample_portfolio());
  store::account_keys::insert(session(), key);
  ASSERT_EQ(store::account_keys::live(session(), later).size(), 1u);
  EXPECT_EQ(store::account_keys::live(session(), later)[0].hash, "hash");
  EXPECT_EQ(store::account_keys::live(session(), later)[0].account_id, account_id(1));
  EXPECT_TRUE(store::account_keys::end(session(), key.id, moment("2026-11-21T00:00:00Z")));
  EXPECT_TRUE(store::account_keys::live(session(), later).empty());
  EXPECT_EQ(store::account_keys::all(session()).size(), 1u);
}

TEST_P(Credentials, WebhookKeysAreUniqueByHash) {
  store::webhook_key key{numbered_id(32, 1), "hash", "last", moment("2026-11-20T09:00:00Z"), {}};
  store::webhook_keys::insert(session(), key);
  key.id = numbered_id(32, 2);
  EXPECT_THROW(store::webhook_keys::insert(session(), key), store::constraint_violated);
  EXPECT_TRUE(store::webhook_keys::end(session(), numbered_id(32, 1), moment("2026-11-21T00:00:00Z")));
  EXPECT_TRUE(store::webhook_keys::live(session(), later).empty());
  EXPECT_EQ(store::webhook_keys::all(session()).size(), 1u);
}

TEST_P(Credentials, UsageKeysAreNotWebhookKeys) {
  const store::usage_key key{numbered_id(33, 1), "hash", "last", moment("2026-11-20T09:00:00Z"), {}};
  store::usage_keys::insert(session(), key);
  EXPECT_TRUE(store::webhook_keys::all(session()).empty());
  ASSERT_EQ(store::usage_keys::live(session(), later).size(), 1u);
  EXPECT_EQ(store::usage_keys::live(session(), later)[0].hash, "hash");
  EXPECT_FALSE(store::webhook_keys::end(session(), key.id, later));
  EXPECT_TRUE(store::usage_keys::end(session(), key.id, later));
  EXPECT_TRUE(store::usage_keys::live(session(), later).empty());
}

TEST_P(Credentials, AreWrittenInTheTransactionOfTheirCaller) {
  const store::usage_key key{{numbered_id(33, 1), "hash", "last", moment("2026-11-20T09:00:00Z"), {}}};
  const auto before = position_of(session());
  {
    store::transaction txn(session(), store::transaction::purpose::write);
    store::usage_keys::add_row(session(), key);
    EXPECT_TRUE(store::usage_keys::end_row(session(), key.id, later));
    EXPECT_FALSE(store::usage_keys::end_row(session(), key.id, later)) << "it has ended";
  }
  EXPECT_TRUE(store::usage_keys::all(session()).empty()) << "not committed";
  EXPECT_EQ(position_of(session()), before) << "the caller appends the change";
}

TEST_P(Credentials, OfAllFamiliesShareTheirIds) {
  store::partner_tokens::insert(session(), token(1, "marketplace-a"));
  store::usage_keys::insert(session(), {{numbered_id(33, 1), "hash", "last", later, {}}});
  store::usage_keys::end(session(), numbered_id(33, 1), later);
  EXPECT_TRUE(store::is_credential_id(session(), token(1, "").id));
  EXPECT_TRUE(store::is_credential_id(session(), numbered_id(33, 1))) << "also an ended one";
  EXPECT_FALSE(store::is_credential_id(session(), numbered_id(33, 2)));
}

ROOST_FOR_EACH_STORE(CredentialUses);
using uses = std::vector<domain::credential_use>;

const auto nine = moment("2026-11-20T09:00:00Z"), ten = moment("2026-11-20T10:00:00Z");

TEST_P(CredentialUses, AreKeptForEachCredential) {
  const auto held = take_lease(session());
  EXPECT_TRUE(store::last_uses(session()).empty());
  store::note_uses(session(), held, uses{{numbered_id(30, 1), nine}, {numbered_id(30, 2), nine}});
  store::note_uses(session(), held, uses{{numbered_id(30, 2), ten}, {numbered_id(30, 3), ten}});
  const auto last = store::last_uses(session());
  ASSERT_EQ(last.size(), 3U);
  EXPECT_EQ(last.at(numbered_id(30, 1)), nine);
  EXPECT_EQ(last.at(numbered_id(30, 2)), ten);
  EXPECT_EQ(last.at(numbered_id(30, 3)), ten);
}

TEST_P(CredentialUses, AreWrittenByTheLeaseHolderOnly) {
  const auto held = take_lease(session());
  const store::lease lost{held.node, held.epoch - 1};
  EXPECT_THROW(store::note_uses(session(), lost, uses{{numbered_id(30, 1), nine}}), store::lease_lost);
  EXPECT_TRUE(store::last_uses(session()).empty());
}

TEST_P(CredentialUses, DoNotChangeTheStream) {
  const auto held = take_lease(session());
  const auto before = position_of(session());
  store::note_uses(session(), held, uses{{numbered_id(30, 1), nine}});
  EXPECT_EQ(position_of(session()), before);
}

ROOST_FOR_EACH_STORE(SigningKeys);

TEST_P(SigningKeys, AreBoundByTheFirstProcess) {
  EXPECT_FALSE(store::signing_keys_of(session()));
  store::bind_signing_keys(session(), "first");
  EXPECT_EQ(store::signing_keys_of(session()), "first");
  EXPECT_NO_THROW(store::bind_signing_keys(session(), "first"));
  EXPECT_NO_THROW(store::check_signing_keys(session(), "first"));
}

TEST_P(SigningKeys, AreNotBoundByACheck) {
  EXPECT_NO_THROW(store::check_signing_keys(session(), "first"));
  EXPECT_FALSE(store::signing_keys_of(session()));
}

TEST_P(SigningKeys, AreRejectedIfTheStoreHasOthers) {
  store::bind_signing_keys(session(), "first");
  EXPECT_THROW(store::check_signing_keys(session(), "second"), store::other_signing_keys);
  EXPECT_THROW(store::bind_signing_keys(session(), "second"), store::other_signing_keys);
  EXPECT_EQ(store::signing_keys_of(session()), "first");
}

TEST_P(SigningKeys, CanBeReplaced) {
  store::bind_signing_keys(session(), "first");
  store::adopt_signing_keys(session(), "second");
  EXPECT_NO_THROW(store::check_signing_keys(session(), "second"));
  EXPECT_THROW(store::check_signing_keys(session(), "first"), store::other_signing_keys);
}

} // namespace roost::testing::credentials_test
