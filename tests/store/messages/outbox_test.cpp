#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/messages/messages.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

#include <algorithm>

namespace roost::testing::outbox_test {
class Outbox : public on_each_store {
protected:
  /// Queues a mail that was written 30 s past ten.
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

  void give_up(const domain::uuid& id, const char* at) {
    record({.ids = {id},
            .given_up_at = moment(at),
            .failed_attempts = 3,
            .possible_deliveries = 2,
            .error_class = "refused"});
  }

  bool begin(const store::due_mail& mail) {
    const auto* const one = &mail;
    return store::begin_deliveries(session(), node->lease, std::span(&one, 1));
  }

  std::vector<store::due_mail> due_at(const char* now) {
    return store::due_mails(session(), moment(now), 10);
  }

  std::unique_ptr<writer> node;
};
ROOST_ON_EACH_STORE(Outbox);

TEST_P(Outbox, HoldsAMailUntilItIsSent) {
  const auto mail = queue_one();
  const auto due = due_at("2026-11-20T10:00:30.000Z");
  ASSERT_EQ(due.size(), 1u);
  EXPECT_EQ(due[0].mail.id, mail.id);
  EXPECT_EQ(due[0].mail.to, mail.to);
  EXPECT_EQ(due[0].mail.subject, mail.subject);
  EXPECT_EQ(due[0].mail.text, mail.text);
  EXPECT_EQ(due[0].mail.html, mail.html);
  EXPECT_EQ(due[0].mail.created_at, mail.created_at);
  EXPECT_EQ(due[0].attempts, 0);
  record({.ids = {mail.id}, .sent_at = moment("2026-11-20T10:00:31.000Z")});
  EXPECT_TRUE(due_at("2030-01-01T00:00:00Z").empty());
  EXPECT_EQ(store::pending_mail_count(session(), moment("2030-01-01T00:00:00Z")), 0);
}

TEST_P(Outbox, RetriesAFailedMailWhenItIsDue) {
  const auto mail = queue_one();
  const store::mail_attempt failed{.ids = {mail.id},
                                   .next_attempt_at = moment("2026-11-20T10:05:00.000Z"),
                                   .failed_attempts = 1,
                                   .error_class = "connection_refused"};
  record(failed);
  record(failed); // as after a commit in doubt
  EXPECT_TRUE(due_at("2026-11-20T10:04:59.999Z").empty());
  const auto due = due_at("2026-11-20T10:05:00.000Z");
  ASSERT_EQ(due.size(), 1u);
  EXPECT_EQ(due[0].attempts, 1);
  EXPECT_EQ(store::pending_mail_count(session(), moment("2030-01-01T00:00:00Z")), 1);
}

TEST_P(Outbox, ReturnsMailsThatAWrongClockPostponed) {
  const auto mail = queue_one();
  ASSERT_EQ(due_at("2026-11-19T10:00:00Z").size(), 1U) << "queued while the clock was a day ahead";
  EXPECT_EQ(due_at("2026-11-20T10:00:29.999Z").size(), 1U) << "the first attempt waits for nothing";
  record({.ids = {mail.id},
          .next_attempt_at = moment("2026-11-21T10:00:00Z"),
          .failed_attempts = 1,
          .error_class = "unreachable"});
  EXPECT_EQ(due_at("2026-11-20T10:00:00Z").size(), 1U);
  EXPECT_EQ(due_at("2026-11-21T08:58:59.999Z").size(), 1U);
  EXPECT_TRUE(due_at("2026-11-21T08:59:00Z").empty())
      << "a mail may wait for an hour, and clocks may differ by a minute";
  EXPECT_EQ(due_at("2026-11-21T10:00:00Z").size(), 1U);
}

TEST_P(Outbox, RemembersThatAMailMayHaveBeenDelivered) {
  queue_one();
  const auto first = due_at("2026-11-20T10:01:00Z").at(0);
  EXPECT_EQ(first.possible_deliveries, 0);
  EXPECT_TRUE(begin(first));
  const auto second = due_at("2026-11-20T10:01:00Z").at(0);
  EXPECT_EQ(second.possible_deliveries, 1);
  EXPECT_TRUE(begin(second));
  EXPECT_EQ(due_at("2026-11-20T10:01:00Z").at(0).possible_deliveries, 2);
}

TEST_P(Outbox, BeginsNoDeliveryOfAMailThatHasChanged) {
  const auto mail = queue_one();
  const auto due = due_at("2026-11-20T10:01:00Z").at(0);
  EXPECT_TRUE(begin(due));
  EXPECT_FALSE(begin(due)) << "another server has begun to send it";
  record({.ids = {mail.id}, .sent_at = moment("2026-11-20T10:01:00Z")});
  auto latest = due;
  latest.possible_deliveries = 1;
  EXPECT_FALSE(begin(latest)) << "it was sent";
}

TEST_P(Outbox, ForgetsDeliveriesThatFailed) {
  const auto mail = queue_one();
  ASSERT_TRUE(begin(due_at("2026-11-20T10:01:00Z").at(0)));
  record({.ids = {mail.id},
          .next_attempt_at = moment("2026-11-20T10:05:00Z"),
          .failed_attempts = 1,
          .possible_deliveries = 0,
          .error_class = "refused"});
  EXPECT_EQ(due_at("2026-11-20T10:05:00Z").at(0).possible_deliveries, 0);
}

TEST_P(Outbox, GivesUpAMailWithoutANextAttempt) {
  const auto mail = queue_one();
  give_up(mail.id, "2026-11-20T10:01:00Z");
  EXPECT_TRUE(due_at("2030-01-01T00:00:00Z").empty());
  EXPECT_EQ(store::pending_mail_count(session(), moment("2030-01-01T00:00:00Z")), 0);
}

TEST_P(Outbox, RequiresTheLease) {
  const auto mail = queue_one();
  store::release(session(), node->lease);
  EXPECT_THROW(record({.ids = {mail.id}, .sent_at = mail.created_at}), store::lease_lost);
  EXPECT_THROW(begin(due_at("2026-11-20T10:01:00Z").at(0)), store::lease_lost);
  EXPECT_EQ(store::pending_mail_count(session(), moment("2030-01-01T00:00:00Z")), 1);
}

/// Mails about refusals of one company, to two recipients.
class GroupedMails : public Outbox {
protected:
  void SetUp() override {
    node = std::make_unique<writer>(session());
    put(1, "ana@landlord.example", "2026-11-20T10:00:00Z");
    put(2, "ana@landlord.example", "2026-11-20T10:40:00Z");
    put(3, "eva@landlord.example", "2026-11-20T10:30:00Z");
  }

  void put(unsigned first, const char* to, const char* at, unsigned count = 1) {
    store::message_rows rows;
    for (unsigned i = 0; i < count; ++i) {
      domain::outgoing_mail mail;
      mail.id = numbered_id(60, first + i);
      mail.to = to;
      mail.subject = "Room " + std::to_string(first + i);
      mail.text = "text";
      mail.created_at = moment(at) + std::chrono::milliseconds{i};
      mail.gathered_for = "Casa Verde";
      rows.add(mail);
    }
    store::insert(session(), rows);
  }

  void put_single(unsigned number, const char* to, const char* at) {
    store::message_rows rows;
    rows.add({.id = numbered_id(61, number), .to = to, .created_at = moment(at)});
    store::insert(session(), rows);
  }

  std::int64_t pending_at(const char* now) { return store::pending_mail_count(session(), moment(now)); }

  std::vector<std::string> recipients_due_at(const char* now) {
    std::vector<std::string> recipients;
    for (const auto& each : due_at(now)) recipients.push_back(each.mail.to);
    return recipients;
  }
};
ROOST_ON_EACH_STORE(GroupedMails);

TEST_P(GroupedMails, WaitAnHourForMoreMailsToTheSameRecipient) {
  EXPECT_TRUE(due_at("2026-11-20T10:59:59Z").empty());
  EXPECT_EQ(pending_at("2026-11-20T10:59:59Z"), 0);
  const auto due = due_at("2026-11-20T11:00:00Z");
  ASSERT_EQ(due.size(), 1U);
  EXPECT_EQ(pending_at("2026-11-20T11:00:00Z"), 1);
  EXPECT_EQ(due[0].ids, (std::vector{numbered_id(60, 1), numbered_id(60, 2)})) << "the later one joins it";
  EXPECT_EQ(due[0].mail.id, numbered_id(60, 1));
  ASSERT_EQ(due[0].parts.size(), 2U);
  EXPECT_EQ(due[0].parts[1].subject, "Room 2");
  EXPECT_EQ(due_at("2026-11-20T12:00:00Z").size(), 2U) << "one for each recipient";
}

TEST_P(GroupedMails, AreDueIfAWrongClockPostponedThem) {
  put(4, "ida@landlord.example", "2026-11-20T11:00:00Z"); // while the clock was ahead; due at 12:00
  EXPECT_EQ(recipients_due_at("2026-11-20T10:58:59.999Z"), std::vector<std::string>{"ida@landlord.example"});
  EXPECT_TRUE(recipients_due_at("2026-11-20T10:59:00Z").empty());
}

TEST_P(GroupedMails, AreSentOnce) {
  record({.ids = due_at("2026-11-20T11:00:00Z").at(0).ids, .sent_at = moment("2026-11-20T11:00:00Z")});
  EXPECT_EQ(recipients_due_at("2026-11-20T12:00:00Z"), std::vector<std::string>{"eva@landlord.example"});
}

TEST_P(GroupedMails, ArePendingAfterAFailedAttempt) {
  record({.ids = due_at("2026-11-20T11:00:00Z").at(0).ids,
          .next_attempt_at = moment("2026-11-20T11:10:00Z"),
          .failed_attempts = 1,
          .error_class = "unreachable"});
  EXPECT_TRUE(due_at("2026-11-20T11:09:59Z").empty());
  EXPECT_EQ(pending_at("2026-11-20T11:09:59Z"), 2) << "the two of the group, not the other recipient's";
  const auto due = due_at("2026-11-20T11:10:00Z");
  ASSERT_EQ(due.size(), 1U);
  EXPECT_EQ(due[0].attempts, 1);
  EXPECT_EQ(due[0].ids.size(), 2U);
}

TEST_P(GroupedMails, AreSentSeparatelyIfQueuedAfterAnAttempt) {
  record({.ids = due_at("2026-11-20T11:00:00Z").at(0).ids,
          .next_attempt_at = moment("2026-11-20T12:30:00Z"),
          .failed_attempts = 5,
          .error_class = "unreachable"});
  put(4, "ana@landlord.example", "2026-11-20T11:09:00Z");
  EXPECT_EQ(pending_at("2026-11-20T11:09:59Z"), 2) << "the new one is not due yet";
  EXPECT_EQ(recipients_due_at("2026-11-20T12:08:59Z"), std::vector<std::string>{"eva@landlord.example"});
  const auto due = due_at("2026-11-20T12:30:00Z");
  ASSERT_EQ(due.size(), 3U);
  EXPECT_EQ(due[1].ids, std::vector{numbered_id(60, 4)});
  EXPECT_EQ(due[1].attempts, 0) << "attempts are counted for each email";
  EXPECT_EQ(due[2].ids, (std::vector{numbered_id(60, 1), numbered_id(60, 2)}));
  EXPECT_EQ(due[2].attempts, 5);
}

TEST_P(GroupedMails, AreSentSeparatelyIfQueuedDuringADelivery) {
  const auto first = due_at("2026-11-20T11:00:00Z").at(0);
  ASSERT_TRUE(begin(first));
  put(4, "ana@landlord.example", "2026-11-20T10:30:00Z");
  const auto due = due_at("2026-11-20T11:00:00Z"); // as after a crash
  ASSERT_EQ(due.size(), 1U);
  EXPECT_EQ(due[0].ids, first.ids) << "the same email is sent again";
  EXPECT_EQ(due[0].possible_deliveries, 1);
}

TEST_P(GroupedMails, AreOneMailHoweverMany) {
  constexpr unsigned many = 2'500;
  put(10, "ida@landlord.example", "2026-11-20T09:00:00Z", many);
  const auto due = due_at("2026-11-20T10:00:00Z"); // the fixture's mails, which are later, follow
  EXPECT_EQ(std::ranges::count(due, "ida@landlord.example", [](const auto& each) { return each.mail.to; }),
            1);
  ASSERT_EQ(due.at(0).mail.to, "ida@landlord.example");
  EXPECT_EQ(due[0].ids.size(), many);
  ASSERT_EQ(due[0].parts.size(), store::max_parts);
  EXPECT_EQ(due[0].parts.front().subject, "Room 10");
  EXPECT_EQ(due[0].parts.back().subject, "Room 209") << "the oldest are included";
  record({.ids = due[0].ids, .sent_at = moment("2026-11-20T10:00:00Z")});
  EXPECT_TRUE(due_at("2026-11-20T10:59:59Z").empty());
}

TEST_P(GroupedMails, DoNotDelayOtherRecipients) {
  put(10, "ida@landlord.example", "2026-11-20T09:00:00Z", 50); // more than the limit of one read
  put_single(1, "uma@landlord.example", "2026-11-20T10:30:00Z");
  EXPECT_EQ(
      recipients_due_at("2026-11-20T11:00:00Z"),
      (std::vector<std::string>{"ida@landlord.example", "uma@landlord.example", "ana@landlord.example"}))
      << "those due longest first";
}

TEST_P(GroupedMails, WaitBehindMailsThatAreDueLonger) {
  for (unsigned i = 1; i <= 10; ++i) put_single(i, "uma@landlord.example", "2026-11-20T10:30:00Z");
  const auto first = due_at("2026-11-20T11:00:00Z"); // the limit of one read
  ASSERT_EQ(first.size(), 10U);
  for (const auto& each : first) {
    EXPECT_EQ(each.mail.to, "uma@landlord.example");
    record({.ids = each.ids, .sent_at = moment("2026-11-20T11:00:00Z")});
  }
  EXPECT_EQ(recipients_due_at("2026-11-20T11:00:00Z"), std::vector<std::string>{"ana@landlord.example"});
}

TEST_P(GroupedMails, AreNotRecordedAsSentIfQueuedDuringADelivery) {
  const auto due = due_at("2026-11-20T11:00:00Z");
  put(4, "ana@landlord.example", "2026-11-20T10:20:00Z"); // its transaction committed late
  record({.ids = due.at(0).ids, .sent_at = moment("2026-11-20T11:00:00Z")});
  const auto next =
      store::list_mails(session(), {.state = store::mail_state::waiting, .to = {"ana@landlord.example"}}, 10);
  ASSERT_EQ(next.size(), 1U);
  EXPECT_EQ(next[0].mail.id, numbered_id(60, 4));
}

TEST_P(GroupedMails, AreSentSeparatelyForEachCompany) {
  session().internals().script(
      "other_company", "update outgoing_mail set gathered_for = 'Casa Azul' where subject = 'Room 2'");
  const auto due = due_at("2026-11-20T12:00:00Z");
  ASSERT_EQ(due.size(), 3U);
  for (const auto& each : due) EXPECT_EQ(each.ids.size(), 1U);
}

class OldMails : public Outbox {
protected:
  std::vector<store::mail_record> listed(const store::mail_filter& filter = {}) {
    return store::list_mails(session(), filter, 10);
  }

  std::int64_t delete_before(const char* time) {
    return store::delete_old_mails(session(), node->lease, moment(time), 10);
  }
};
ROOST_ON_EACH_STORE(OldMails);

TEST_P(OldMails, AreDeletedByTheTimeTheyWereSent) {
  const auto mail = queue_one();
  EXPECT_EQ(delete_before("2030-01-01T00:00:00Z"), 0) << "it is waiting";
  record({.ids = {mail.id}, .sent_at = moment("2026-11-23T10:00:00Z")});
  EXPECT_EQ(delete_before("2026-11-23T10:00:00Z"), 0) << "it is three days old but was sent just now";
  EXPECT_EQ(delete_before("2026-11-23T10:00:00.001Z"), 1);
  EXPECT_TRUE(listed().empty());
}

TEST_P(OldMails, AreDeletedByTheTimeTheyWereGivenUp) {
  const auto mail = queue_one();
  give_up(mail.id, "2026-11-23T10:00:00Z");
  EXPECT_EQ(delete_before("2026-11-23T10:00:00Z"), 0);
  EXPECT_EQ(listed({.state = store::mail_state::given_up}).at(0).given_up_at, moment("2026-11-23T10:00:00Z"));
  EXPECT_EQ(delete_before("2026-11-23T10:00:00.001Z"), 1);
  EXPECT_TRUE(listed().empty());
}

TEST_P(OldMails, AreKeptAfterTheNewOutcomeOfARetry) {
  const auto mail = queue_one();
  give_up(mail.id, "2026-11-23T10:00:00Z");
  EXPECT_EQ(store::retry_mails(session(), mail.id, moment("2027-02-01T00:00:00Z")), 1);
  EXPECT_EQ(listed().at(0).given_up_at, std::nullopt);
  EXPECT_EQ(delete_before("2027-02-01T00:00:00Z"), 0) << "it is waiting";
  give_up(mail.id, "2027-02-01T00:01:00Z");
  EXPECT_EQ(delete_before("2027-02-01T00:00:00Z"), 0);
  store::retry_mails(session(), std::nullopt, moment("2027-02-02T00:00:00Z"));
  record({.ids = {mail.id}, .sent_at = moment("2027-02-02T00:01:00Z")});
  EXPECT_EQ(delete_before("2027-02-02T00:00:00Z"), 0);
  EXPECT_EQ(listed().size(), 1U);
}

TEST_P(OldMails, AreDeletedUpToALimit) {
  store::message_rows rows;
  std::vector<domain::uuid> ids;
  node = std::make_unique<writer>(session());
  for (unsigned i = 1; i <= 15; ++i)
    rows.add({.id = ids.emplace_back(numbered_id(61, i)), .to = "ana@landlord.example"});
  store::insert(session(), rows);
  record({.ids = ids, .sent_at = moment("2026-11-23T10:00:00Z")});
  EXPECT_EQ(delete_before("2030-01-01T00:00:00Z"), 10);
  EXPECT_EQ(delete_before("2030-01-01T00:00:00Z"), 5);
}

TEST_P(OldMails, AreListedByStateAndRecipient) {
  const auto mail = queue_one();
  EXPECT_EQ(listed({.state = store::mail_state::waiting}).size(), 1U);
  EXPECT_EQ(listed({.to = {mail.to}}).size(), 1U);
  EXPECT_TRUE(listed({.to = {"nobody@landlord.example"}}).empty());
  give_up(mail.id, "2026-11-20T10:01:00Z");
  const auto given_up = listed({.state = store::mail_state::given_up, .id = mail.id});
  ASSERT_EQ(given_up.size(), 1U);
  EXPECT_EQ(given_up[0].last_error, "refused");
  EXPECT_EQ(given_up[0].attempts, 3);
  EXPECT_TRUE(listed({.state = store::mail_state::sent}).empty());
}

TEST_P(OldMails, AreFoundByRecipientInAnyLetterCase) {
  store::message_rows rows;
  unsigned number = 0;
  for (const auto* to : {"ana@landlord.example", "Ana@Landlord.example", "müller@straße.example"})
    rows.add({.id = numbered_id(61, ++number), .to = to});
  store::insert(session(), rows);
  const auto like = [this](const char* address) {
    auto recipients = store::recipients_like(session(), address);
    std::ranges::sort(recipients);
    return recipients;
  };
  EXPECT_EQ(like("ANA@landlord.example"),
            (std::vector<std::string>{"Ana@Landlord.example", "ana@landlord.example"}));
  EXPECT_EQ(like("MÜLLER@STRASSE.example").size(), 1U);
  EXPECT_TRUE(like("nobody@landlord.example").empty());
  EXPECT_EQ(listed({.to = like("ANA@landlord.example")}).size(), 2U);
}

TEST_P(OldMails, CanBeRetriedIfTheyWereGivenUp) {
  const auto mail = queue_one();
  const auto now = moment("2026-11-21T00:00:00Z");
  EXPECT_EQ(store::retry_mails(session(), std::nullopt, now), 0) << "none was given up";
  give_up(mail.id, "2026-11-20T10:01:00Z");
  EXPECT_EQ(store::retry_mails(session(), std::nullopt, now), 1);
  EXPECT_EQ(due_at("2026-11-21T00:00:00Z").at(0).possible_deliveries, 0);
  ASSERT_TRUE(begin(due_at("2026-11-21T00:00:00Z").at(0)));
  EXPECT_EQ(store::retry_mails(session(), mail.id, now), 1);
  EXPECT_EQ(due_at("2026-11-21T00:00:00Z").at(0).possible_deliveries, 1) << "it may be on its way";
  record({.ids = {mail.id}, .sent_at = now});
  EXPECT_EQ(store::retry_mails(session(), mail.id, now), 0) << "it is sent";
}

} // namespace roost::testing::outbox_test
