#include "store/database/error.hpp"
#include "store/messages/messages.hpp"
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
  EXPECT_EQ(store::pending_mail_count(session(), moment("2030-01-01T00:00:00Z")), 0);
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
  EXPECT_EQ(store::pending_mail_count(session(), moment("2030-01-01T00:00:00Z")), 1);
}

TEST_P(Outbox, GivesUpAMailWithoutANextAttempt) {
  const auto mail = queue_one();
  record({.id = mail.id, .error_class = "rejected"});
  EXPECT_TRUE(due_at("2030-01-01T00:00:00Z").empty());
  EXPECT_EQ(store::pending_mail_count(session(), moment("2030-01-01T00:00:00Z")), 0);
}

TEST_P(Outbox, IsTheWritersAlone) {
  const auto mail = queue_one();
  store::release(session(), node->lease);
  EXPECT_THROW(record({.id = mail.id, .sent_at = mail.created_at}), store::lease_lost);
  EXPECT_EQ(store::pending_mail_count(session(), moment("2030-01-01T00:00:00Z")), 1);
}

/// Refusals of one company to two recipients.
class GatheredMails : public Outbox {
protected:
  void SetUp() override {
    node = std::make_unique<writer>(session());
    put(1, "ana@landlord.example", "2026-11-20T10:00:00Z");
    put(2, "ana@landlord.example", "2026-11-20T10:40:00Z");
    put(3, "eva@landlord.example", "2026-11-20T10:30:00Z");
  }

  void put(unsigned number, const char* to, const char* at) {
    domain::outgoing_mail mail;
    mail.id = numbered_id(60, number);
    mail.to = to;
    mail.subject = "Room " + std::to_string(number);
    mail.text = "text";
    mail.created_at = moment(at);
    mail.gathered_for = "Casa Verde";
    store::message_rows rows;
    rows.add(mail);
    store::insert(session(), rows);
  }

  std::int64_t pending_at(const char* now) { return store::pending_mail_count(session(), moment(now)); }
};
ROOST_ON_EACH_STORE(GatheredMails);

TEST_P(GatheredMails, WaitAnHourForOthersToTheSameRecipient) {
  EXPECT_TRUE(due_at("2026-11-20T10:59:59Z").empty());
  EXPECT_EQ(pending_at("2026-11-20T10:59:59Z"), 0);
  const auto due = due_at("2026-11-20T11:00:00Z");
  ASSERT_EQ(due.size(), 1U);
  EXPECT_EQ(pending_at("2026-11-20T11:00:00Z"), 1);
  ASSERT_EQ(due[0].gathered.size(), 2U) << "the later one goes with it";
  EXPECT_EQ(due[0].mail.id, numbered_id(60, 1));
  EXPECT_EQ(due[0].gathered[1].id, numbered_id(60, 2));
  EXPECT_EQ(due_at("2026-11-20T12:00:00Z").size(), 2U) << "one for each recipient";
}

TEST_P(GatheredMails, AreSentOnce) {
  record({.id = numbered_id(60, 1), .sent_at = moment("2026-11-20T11:00:00Z")});
  record({.id = numbered_id(60, 2), .sent_at = moment("2026-11-20T11:00:00Z")});
  const auto due = due_at("2026-11-20T12:00:00Z");
  ASSERT_EQ(due.size(), 1U);
  EXPECT_EQ(due[0].mail.to, "eva@landlord.example");
}

class OldMails : public Outbox {
protected:
  std::vector<store::mail_record> listed(const store::mail_filter& wanted = {}) {
    return store::list_mails(session(), wanted, 10);
  }
};
ROOST_ON_EACH_STORE(OldMails);

TEST_P(OldMails, AreDeletedOnlyWhenTheyAreOver) {
  const auto mail = queue_one();
  const auto later = moment("2030-01-01T00:00:00Z");
  EXPECT_EQ(store::forget_mails(session(), node->lease, later, 10), 0) << "it waits still";
  record({.id = mail.id, .sent_at = mail.created_at});
  EXPECT_EQ(store::forget_mails(session(), node->lease, mail.created_at, 10), 0) << "it is not older";
  EXPECT_EQ(store::forget_mails(session(), node->lease, later, 10), 1);
  EXPECT_TRUE(listed().empty());
}

TEST_P(OldMails, AreListedByStateAndRecipient) {
  const auto mail = queue_one();
  EXPECT_EQ(listed({.state = store::mail_state::waiting}).size(), 1U);
  EXPECT_EQ(listed({.to = mail.to}).size(), 1U);
  EXPECT_TRUE(listed({.to = "nobody@landlord.example"}).empty());
  record({.id = mail.id, .failed_attempts = 3, .error_class = "refused"});
  const auto given_up = listed({.state = store::mail_state::given_up, .id = mail.id});
  ASSERT_EQ(given_up.size(), 1U);
  EXPECT_EQ(given_up[0].last_error, "refused");
  EXPECT_EQ(given_up[0].attempts, 3);
  EXPECT_TRUE(listed({.state = store::mail_state::sent}).empty());
}

TEST_P(OldMails, ThatWereGivenUpCanBeTriedAgain) {
  const auto mail = queue_one();
  const auto now = moment("2026-11-21T00:00:00Z");
  EXPECT_EQ(store::retry_mails(session(), std::nullopt, now), 0) << "none was given up";
  record({.id = mail.id, .failed_attempts = 3, .error_class = "refused"});
  EXPECT_EQ(store::retry_mails(session(), std::nullopt, now), 1);
  EXPECT_EQ(due_at("2026-11-21T00:00:00Z").size(), 1U);
  record({.id = mail.id, .sent_at = now});
  EXPECT_EQ(store::retry_mails(session(), mail.id, now), 0) << "it is sent";
}

} // namespace roost::testing::outbox_test
