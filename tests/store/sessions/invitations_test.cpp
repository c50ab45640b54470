#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
#include "store/sessions/passwords.hpp"
#include "store/support/sign_in_scene.hpp"

#include <gmock/gmock.h>

namespace roost::testing::invitations_test {
using namespace std::chrono_literals;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Invitations of a user, who has no password yet.
class Invitations : public sign_in_scene {
protected:
  void SetUp() override {
    sign_in_scene::SetUp();
    change_user("password_hash = null");
  }

  store::reset_request link(const std::string& token) {
    return {next_id(), token, [this](const auto& to) { return mail(to, token_subject); }, noon};
  }

  void invite(const std::string& token = "token") {
    store::transaction txn(session(), store::transaction::purpose::write);
    store::send_invitation(session(), user.id, link(token), noon + 24h, limits);
    txn.commit();
  }

  const std::string token_subject = "invitation";
};
ROOST_ON_EACH_STORE(Invitations);

TEST_P(Invitations, AreValidUntilTheirOwnTime) {
  invite();
  EXPECT_TRUE(store::user_of_reset(session(), "token", noon + 24h - 1ms));
  EXPECT_FALSE(store::user_of_reset(session(), "token", noon + 24h));
}

TEST_P(Invitations, AreNotSentToUsersWhoCanSignInOrMustNot) {
  for (const std::string assignment :
       {"password_hash = 'hash'", "identity_issuer = 'a', identity_subject = 'b'", "deactivated = true"}) {
    change_user(assignment);
    invite(assignment);
    EXPECT_THAT(mails(), IsEmpty()) << assignment;
    change_user("password_hash = null, identity_issuer = null, identity_subject = null, deactivated = false");
  }
  invite();
  EXPECT_THAT(mails(), SizeIs(1));
}

TEST_P(Invitations, CountAmongTheLinksOfFifteenMinutes) {
  for (int i = 0; i < 7; ++i) invite("token " + std::to_string(i));
  store::send_reset(session(), lease, user.email, link("reset"), limits);
  EXPECT_THAT(mails(), SizeIs(limits.codes_per_15m));
}

/// Only PostgreSQL has concurrent writers.
class ConcurrentInvitations : public Invitations {};
ROOST_ON_POSTGRESQL(ConcurrentInvitations);

TEST_P(ConcurrentInvitations, AreNotMailedToAnAddressThatIsBeingChanged) {
  auto other = store().open();
  store::transaction changing(other, store::transaction::purpose::write);
  other.internals().script("change", "update users set email = 'x@y.example', folded_email = 'x@y.example'");
  session().internals().script("limit", "set lock_timeout = '50ms'");
  EXPECT_THROW(store::send_reset(session(), lease, user.email, link("reset"), limits), store::unavailable)
      << "it waits for the change";
  changing.commit();
  store::send_reset(session(), lease, user.email, link("reset"), limits);
  EXPECT_THAT(mails(), IsEmpty());
}

} // namespace roost::testing::invitations_test
