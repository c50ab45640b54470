#include "store/database/error.hpp"
#include "store/messages/outbox.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

namespace roost::testing::outbox_test {
class Outbox : public on_each_store {
protected:
  /// A mail that became due at half a minute past ten.
  domain::outgoing_mail queue_one() {
    node = std::make_unique<writer>(session());
    const auto request = sample_request(1);
    node->insert({request});
    const auto decision = refuse(request);
    node->decide({decision});
    return decision.mails[0];
  }

  void record(const store::mail_attempt& attempt) {
    store::record_attempts(session(), node->lease, std::span(&attempt, 1));
  }

  std::vector<store::due_mail> due_at(const char* now) {
    return store::due_mails(session(), moment(now), 10);
  }

  std::unique_ptr<writer> node;
};
ROOST_ON_EACH_STORE(Outbox);

TEST_P(Outbox, HoldsAMailFromItsDecisionUntilItIsSent) {
  const auto mail = queue_one();
  EXPECT_TRUE(due_at("2026-11-20T10:00:29.999Z").empty());
  const auto due = due_at("2026-11-20T10:00:30.000Z");
  ASSERT_EQ(due.size(), 1u);
  EXPECT_EQ(due[0].mail.id, mail.id);
  EXPECT_EQ(due[0].mail.to, mail.to);
  EXPECT_EQ(due[0].mail.subject, mail.subject);
  EXPECT_EQ(due[0].mail.text, mail.text);
  EXPECT_EQ(due[0].mail.html, mail.html);
  EXPECT_EQ(due[0].mail.created_at, mail.created_at);
  EXPECT_EQ(due[0].attempts, 0);
  record({.id = mail.id, .sent_at = moment("2026-11-20T10:00:31.000Z")});
  EXPECT_TRUE(due_at("2030-01-01T00:00:00Z").empty());
  EXPECT_EQ(store::pending_mail_count(session()), 0);
}

TEST_P(Outbox, TriesAFailedMailAgainWhenItIsTime) {
  const auto mail = queue_one();
  const store::mail_attempt failed{.id = mail.id,
                                   .sent_at = {},
                                   .failed_attempts = 1,
                                   .error_class = "connection_refused",
                                   .next_attempt_at = moment("2026-11-20T10:05:00.000Z")};
  record(failed);
  record(failed); // as after a commit that nobody answered for
  EXPECT_TRUE(due_at("2026-11-20T10:04:59.999Z").empty());
  const auto due = due_at("2026-11-20T10:05:00.000Z");
  ASSERT_EQ(due.size(), 1u);
  EXPECT_EQ(due[0].attempts, 1);
  EXPECT_EQ(store::pending_mail_count(session()), 1);
}

TEST_P(Outbox, GivesUpAMailWithoutANextAttempt) {
  const auto mail = queue_one();
  record({.id = mail.id, .error_class = "rejected"});
  EXPECT_TRUE(due_at("2030-01-01T00:00:00Z").empty());
  EXPECT_EQ(store::pending_mail_count(session()), 0);
}

TEST_P(Outbox, IsTheWritersAlone) {
  const auto mail = queue_one();
  store::release(session(), node->lease);
  EXPECT_THROW(record({.id = mail.id, .sent_at = mail.created_at}), store::lease_lost);
  EXPECT_EQ(store::pending_mail_count(session()), 1);
}

} // namespace roost::testing::outbox_test
