#include "actors/support/booking_world.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
#include "store/messages/messages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace roost::testing::mailer_test {
class Mailer : public booking_world {
protected:
  /// Causes a mail to the landlord about a refused request.
  void enqueue_mail() {
    const auto first = request(1, 1, "2027-02-01", "2027-03-01");
    const auto second = request(2, 1, "2027-02-01", "2027-03-01");
    enqueue({first, second});
    decide({first, second});
  }

  unsigned long outbox_reads() { return jobs("due_mails", "done"); }

  /// Makes the store refuse changes of these columns, like a full disk or another client's lock.
  void refuse_changes_of(const std::string& columns) {
    const auto event = "before update of " + columns + " on outgoing_mail ";
    session().internals().script(
        "refuse", GetParam() == store_kind::sqlite
                      ? "create trigger refused " + event + "begin select raise(abort, 'refused'); end"
                      : "create function refused() returns trigger language plpgsql as $$"
                        " begin raise exception 'refused'; end $$;"
                        " create trigger refused " +
                            event + "for each row execute function refused()");
  }
  void refuse_attempts() { refuse_changes_of("possible_deliveries"); }
  void refuse_outcomes() { refuse_changes_of("sent_at, attempts"); }

  void accept_records() {
    session().internals().script("accept", GetParam() == store_kind::sqlite
                                               ? "drop trigger refused"
                                               : "drop trigger refused on outgoing_mail");
  }

  /// Puts a mail that is due into the outbox.
  void put_one(unsigned number, const std::string& recipient) {
    store::message_rows rows;
    rows.add({.id = numbered_id(0x310000 + number), .to = recipient, .created_at = now() - 1h});
    store::transaction txn(session(), store::transaction::purpose::write);
    store::insert(session(), rows);
    txn.commit();
  }

  void wait_for_reads() {
    const auto reads = outbox_reads();
    ASSERT_TRUE(eventually([&] { return outbox_reads() > reads + 2; }));
  }

  std::vector<store::mail_record> given_up() {
    return store::list_mails(session(), {.state = store::mail_state::given_up}, 10);
  }

  unsigned long records(const std::string& outcome) { return jobs("record_attempts", outcome); }

  unsigned long attempts(const std::string& outcome) {
    return metric(R"(roost_mails_total{outcome=")" + outcome + R"("})");
  }
};

ROOST_ON_EACH_STORE(Mailer);

TEST_P(Mailer, SendsEachMailOfTheOutboxOnce) {
  enqueue_mail();
  ASSERT_TRUE(eventually([&] { return mails->count() == 1; }));
  const auto reads = outbox_reads();
  ASSERT_TRUE(eventually([&] { return outbox_reads() > reads + 2; }));
  EXPECT_EQ(mails->count(), 1U);
}

TEST_P(Mailer, SendsAMailTwiceAtMostIfItsDeliveryIsNotConfirmed) {
  mails->losing = true;
  enqueue_mail();
  ASSERT_TRUE(eventually([&] { return records("done") == 1; }));
  EXPECT_EQ(attempts("failed"), 1U);
  EXPECT_TRUE(given_up().empty());
  days_passed = domain::days{1};
  ASSERT_TRUE(eventually([&] { return given_up().size() == 1; }));
  EXPECT_EQ(given_up()[0].last_error, "unconfirmed");
  days_passed = domain::days{2};
  wait_for_reads();
  EXPECT_EQ(mails->count(), 2U);
}

TEST_P(Mailer, ForgetsAnUnconfirmedDeliveryOnceItIsConfirmed) {
  mails->losing = true;
  enqueue_mail();
  ASSERT_TRUE(eventually([&] { return records("done") == 1; }));
  mails->losing = false;
  days_passed = domain::days{1};
  ASSERT_TRUE(eventually([&] { return records("done") == 2; }));
  EXPECT_EQ(attempts("sent"), 1U);
  EXPECT_EQ(mails->count(), 2U);
}

TEST_P(Mailer, RetriesFailuresThatDeliveredNothingMoreThanTwice) {
  mails->failing = true;
  put_one(1, "ana@landlord.example");
  for (unsigned long failure = 1; failure <= 5; ++failure) {
    ASSERT_TRUE(eventually([&] { return records("done") == failure; }));
    days_passed = domain::days{failure};
  }
  EXPECT_TRUE(given_up().empty());
  mails->failing = false;
  days_passed = domain::days{10};
  EXPECT_TRUE(eventually([&] { return mails->count() == 1; }));
}

TEST_P(Mailer, SendsNoMailWhoseAttemptCannotBeRecorded) {
  refuse_attempts();
  enqueue_mail();
  constexpr unsigned long tries = 5;
  ASSERT_TRUE(eventually([&] { return jobs("begin_deliveries", "failed") >= tries; }));
  EXPECT_EQ(mails->count(), 0U);
  EXPECT_EQ(attempts("failed"), 0U) << "the mail server is not to blame";
  accept_records();
  ASSERT_TRUE(eventually([&] { return mails->count() == 1; }));
}

TEST_P(Mailer, DoesNotResendAMailWhileItsOutcomeCannotBeRecorded) {
  refuse_outcomes();
  enqueue_mail();
  constexpr unsigned long tries = 5;
  ASSERT_TRUE(eventually([&] { return records("failed") >= tries; }));
  for (int i = 0; i < 3; ++i) caf::anon_send(mailer, actors::send_due_mail{}); // as new decisions would
  ASSERT_TRUE(eventually([&] { return records("failed") >= 2 * tries; }));
  EXPECT_EQ(mails->count(), 1U);
  accept_records();
  ASSERT_TRUE(eventually([&] { return records("done") == 1; }));
  wait_for_reads();
  EXPECT_EQ(mails->count(), 1U);
}

TEST_P(Mailer, SendsAMailTwiceAtMostHoweverOftenItIsRestartedWithoutARecordOfTheOutcome) {
  refuse_outcomes();
  enqueue_mail();
  for (int starts = 1; starts <= 5; ++starts) {
    const auto failures = records("failed");
    ASSERT_TRUE(eventually([&] { return records("failed") > failures; }));
    EXPECT_EQ(mails->count(), static_cast<std::size_t>(std::min(starts, 2)));
    crash();
  }
  accept_records();
  ASSERT_TRUE(eventually([&] { return given_up().size() == 1; }));
  EXPECT_EQ(given_up()[0].last_error, "unconfirmed");
  EXPECT_EQ(mails->count(), 2U);
}

TEST_P(Mailer, RepeatsADeliveryThatReplacesItselfHoweverOftenItIsRestarted) {
  mails->repeatable = true;
  refuse_outcomes();
  enqueue_mail();
  constexpr std::size_t restarts = 4;
  for (std::size_t starts = 1; starts <= restarts; ++starts) {
    const auto failures = records("failed");
    ASSERT_TRUE(eventually([&] { return records("failed") > failures; }));
    EXPECT_EQ(mails->count(), starts);
    crash();
  }
  accept_records();
  ASSERT_TRUE(eventually([&] { return records("done") == 1; }));
  EXPECT_EQ(mails->count(), restarts + 1);
  EXPECT_TRUE(given_up().empty());
}

TEST_P(Mailer, LetsOtherMailsPassSlowDeliveries) {
  constexpr unsigned slow = 10;
  for (unsigned i = 1; i <= slow; ++i) {
    const auto recipient = "slow" + std::to_string(i) + "@landlord.example";
    {
      const std::lock_guard lock{mails->mutex};
      mails->slow.insert(recipient);
    }
    put_one(i, recipient);
  }
  ASSERT_TRUE(eventually([&] { return mails->count() == slow; }));
  for (unsigned i = 1; i <= 5; ++i) put_one(100 + i, "ana@landlord.example");
  EXPECT_TRUE(
      eventually([&] { return records("done") > 0 && mails->count_to("ana@landlord.example") == 5; }));
  {
    const std::lock_guard lock{mails->mutex};
    mails->slow.clear();
  }
  EXPECT_TRUE(eventually([&] { return attempts("sent") == slow + 5; }));
  wait_for_reads();
  EXPECT_EQ(mails->count(), slow + 5) << "each was sent once";
}

TEST_P(Mailer, SendsMailsOneAfterTheOtherWhileDeliveriesAreFast) {
  constexpr unsigned many = 300;
  for (unsigned i = 1; i <= many; ++i) put_one(i, "ana@landlord.example");
  ASSERT_TRUE(eventually([&] { return attempts("sent") == many; }));
  EXPECT_EQ(mails->count(), many);
}

TEST_P(Mailer, RecordsDeliveriesInProgressBeforeItStops) {
  {
    const std::lock_guard lock{mails->mutex};
    mails->slow.insert("ana@landlord.example");
  }
  put_one(1, "ana@landlord.example");
  ASSERT_TRUE(eventually([&] { return mails->count() == 1; }));
  caf::scoped_actor self{rt.system()};
  const auto stopping = self->request(mailer, 10s, actors::stop_mailer{});
  {
    const std::lock_guard lock{mails->mutex};
    mails->slow.clear();
  }
  auto response = stopping;
  std::move(response).receive([] {}, [](const caf::error&) { ADD_FAILURE(); });
  EXPECT_EQ(store::list_mails(session(), {.state = store::mail_state::sent}, 10).size(), 1U);
}

TEST_P(Mailer, RetriesToRecordAttemptsOncePerInterval) {
  constexpr auto interval = 20ms; // of this world's mailer
  constexpr unsigned intervals = 20;
  refuse_outcomes();
  enqueue_mail();
  ASSERT_TRUE(eventually([&] { return records("failed") >= 1; }));
  const auto before = records("failed");
  const auto started = std::chrono::steady_clock::now();
  while (records("failed") < before + intervals) caf::anon_send(mailer, actors::send_due_mail{});
  EXPECT_GE(std::chrono::steady_clock::now() - started, interval * (intervals / 2));
}

TEST_P(Mailer, PollsOncePerIntervalHoweverManyMessagesArrive) {
  constexpr int messages = 30;
  constexpr auto interval = 20ms; // of this world's mailer
  constexpr unsigned intervals = 20;
  for (int i = 0; i < messages; ++i) caf::anon_send(mailer, actors::send_due_mail{});
  const auto before = outbox_reads();
  const auto started = std::chrono::steady_clock::now();
  ASSERT_TRUE(eventually([&] { return outbox_reads() >= before + messages + intervals; }));
  EXPECT_GE(std::chrono::steady_clock::now() - started, interval * (intervals / 2));
}

/// Refusals of an account that are due, because their hour is over.
class GatheredRefusals : public Mailer {
protected:
  void put(unsigned first, unsigned count, const char* recipient) {
    store::message_rows rows;
    for (unsigned i = 0; i < count; ++i) {
      domain::outgoing_mail mail;
      mail.id = numbered_id(0x300000 + first + i);
      mail.to = recipient;
      mail.subject = "Room " + std::to_string(i + 1);
      mail.text = "text";
      mail.created_at = now() - 2h + std::chrono::milliseconds{i};
      mail.gathered_for = "Casa Verde";
      rows.add(mail);
    }
    store::transaction txn(session(), store::transaction::purpose::write);
    store::insert(session(), rows);
    txn.commit();
  }

  std::vector<domain::outgoing_mail> sent() {
    const std::lock_guard lock{mails->mutex};
    return mails->sent;
  }
};
ROOST_ON_EACH_STORE(GatheredRefusals);

TEST_P(GatheredRefusals, AreSentInOneMailHoweverMany) {
  constexpr unsigned many = 2'500;
  put(1, many, "ana@landlord.example");
  put(many + 1, 1, "eva@landlord.example");
  ASSERT_TRUE(eventually([&] { return attempts("sent") >= 2; }));
  const auto reads = outbox_reads();
  ASSERT_TRUE(eventually([&] { return outbox_reads() > reads + 2; }));
  auto mails = sent();
  std::ranges::sort(mails, std::greater{}, &domain::outgoing_mail::subject); // the large one may be slower
  ASSERT_EQ(mails.size(), 2U);
  EXPECT_EQ(mails[0].subject, "2500 bookings refused");
  EXPECT_NE(mails[0].text.find("\nRoom 200: text\nFurther refusals: 2300;"), std::string::npos)
      << mails[0].text;
  EXPECT_EQ(mails[1].subject, "1 booking refused");
  EXPECT_EQ(metric("roost_outbox_pending"), 0U);
}

TEST_P(GatheredRefusals, FailAndAreSentTogether) {
  mails->failing = true;
  put(1, 3, "ana@landlord.example");
  ASSERT_TRUE(eventually([&] { return records("done") == 1; }));
  const auto reads = outbox_reads();
  ASSERT_TRUE(eventually([&] { return outbox_reads() > reads + 2; }));
  EXPECT_EQ(metric("roost_outbox_pending"), 3U) << "between the attempts";
  mails->failing = false;
  days_passed = domain::days{1};
  ASSERT_TRUE(eventually([&] { return attempts("sent") == 1; }));
  EXPECT_EQ(sent().at(0).subject, "3 bookings refused");
  EXPECT_TRUE(eventually([&] { return metric("roost_outbox_pending") == 0; }));
}

TEST_P(GatheredRefusals, AreGivenUpWithoutNewOnes) {
  mails->failing = true;
  put(1, 3, "ana@landlord.example");
  ASSERT_TRUE(eventually([&] { return records("done") == 1; }));
  session().internals().script("tried_often", "update outgoing_mail set attempts = 1000");
  put(4, 2, "ana@landlord.example");
  days_passed = domain::days{1};
  ASSERT_TRUE(eventually([&] { return given_up().size() == 3; }));
  mails->failing = false;
  days_passed = domain::days{2};
  ASSERT_TRUE(eventually([&] { return attempts("sent") == 1; }));
  EXPECT_EQ(sent().at(0).subject, "2 bookings refused") << "only the new ones";
}

TEST_P(GatheredRefusals, AreRefusedWithoutNewOnes) {
  {
    const std::lock_guard lock{mails->mutex};
    mails->refused.insert("ana@landlord.example");
  }
  put(1, 3, "ana@landlord.example");
  ASSERT_TRUE(eventually([&] { return given_up().size() == 3; }));
  {
    const std::lock_guard lock{mails->mutex};
    mails->refused.clear();
  }
  put(4, 2, "ana@landlord.example");
  ASSERT_TRUE(eventually([&] { return attempts("sent") == 1; }));
  EXPECT_EQ(sent().at(0).subject, "2 bookings refused");
}

TEST_P(GatheredRefusals, AreGivenUpTogetherAndCountedOnce) {
  mails->failing = true;
  put(1, 3, "ana@landlord.example");
  ASSERT_TRUE(eventually([&] { return records("done") == 1; }));
  EXPECT_EQ(attempts("given_up"), 0U);
  session().internals().script("tried_often", "update outgoing_mail set attempts = 1000");
  days_passed = domain::days{1};
  EXPECT_TRUE(eventually([&] { return given_up().size() == 3; }));
  EXPECT_EQ(attempts("given_up"), 1U);
  EXPECT_TRUE(eventually([&] { return metric("roost_outbox_pending") == 0; }));
}

} // namespace roost::testing::mailer_test
