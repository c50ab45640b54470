#include "actors/support/booking_world.hpp"
#include "store/database/transaction.hpp"
#include "store/messages/messages.hpp"
#include "store/support/rejecting_trigger.hpp"

#include <gtest/gtest.h>

/// Mails about which the database rejects a record.
namespace roost::testing::rejected_mail_test {
using lane = actors::storage_pool::lane;

constexpr const char* ana = "ana@landlord.example";
constexpr const char* eva = "eva@landlord.example"; ///< the database rejects records about her mails
constexpr const char* delivery_columns = "possible_deliveries";
constexpr const char* outcome_columns = "sent_at, attempts";

class RejectedMail : public booking_world {
protected:
  void reject(const std::string& columns, const std::string& sqlstate = "P0001") {
    reject_changes(session(), "outgoing_mail", columns, "new.recipient = '" + std::string(eva) + "'",
                   sqlstate);
  }
  void accept() { accept_changes(session(), "outgoing_mail"); }

  /// Puts mails that are due into the outbox.
  void put(unsigned first, unsigned count, const char* recipient) {
    store::message_rows rows;
    for (unsigned i = 0; i < count; ++i)
      rows.add({.id = numbered_id(0x310000 + first + i), .to = recipient, .created_at = now() - 1h});
    store::transaction txn(session(), store::transaction::purpose::write);
    store::insert(session(), rows);
    txn.commit();
  }

  /// Puts a mail to Eva between six to Ana, so that the mailer reads them together.
  void put_seven() {
    const busy_lane busy(storage->at(lane::reads_and_mail));
    put(1, 3, ana);
    put(4, 1, eva);
    put(5, 3, ana);
  }

  std::size_t recorded_as_sent() {
    return store::list_mails(session(), {.state = store::mail_state::sent}, 100).size();
  }

  bool are_recorded_as_sent(std::size_t count) {
    return eventually([&] { return recorded_as_sent() == count; });
  }

  unsigned long failures(const std::string& kind) { return jobs(kind, "failed"); }

  bool fails_again(const std::string& kind, unsigned long times = 1) {
    const auto before = failures(kind);
    return eventually([&] { return failures(kind) >= before + times; });
  }
};
ROOST_ON_EACH_STORE(RejectedMail);

TEST_P(RejectedMail, DelaysNoOthersIfItsDeliveryCannotBeRecorded) {
  reject(delivery_columns);
  put(1, 1, eva);
  ASSERT_TRUE(fails_again("begin_deliveries"));
  put(2, 3, ana);
  EXPECT_TRUE(are_recorded_as_sent(3));
  EXPECT_TRUE(fails_again("begin_deliveries")) << "it is retried";
  EXPECT_EQ(mails->count_to(eva), 0U);
  accept();
  EXPECT_TRUE(are_recorded_as_sent(4));
  EXPECT_EQ(mails->count(), 4U) << "each was sent once";
}

TEST_P(RejectedMail, DelaysNoOthersOfItsBatchIfItsDeliveryCannotBeRecorded) {
  mails->together = true;
  reject(delivery_columns);
  put_seven();
  EXPECT_TRUE(are_recorded_as_sent(6));
  EXPECT_EQ(mails->count_to(eva), 0U);
  accept();
  EXPECT_TRUE(are_recorded_as_sent(7));
  EXPECT_EQ(mails->count(), 7U) << "each was sent once";
}

TEST_P(RejectedMail, DelaysNoOthersIfItsOutcomeCannotBeRecorded) {
  mails->together = true;
  reject(outcome_columns);
  put_seven();
  EXPECT_TRUE(are_recorded_as_sent(6));
  put(8, 1, ana);
  EXPECT_TRUE(are_recorded_as_sent(7)) << "later mails are sent, too";
  EXPECT_TRUE(fails_again("record_attempts")) << "the outcome is retried";
  accept();
  EXPECT_TRUE(are_recorded_as_sent(8));
  EXPECT_EQ(mails->count(), 8U) << "each was sent once";
}

TEST_P(RejectedMail, DelaysNoOthersHoweverManyThereAre) {
  constexpr unsigned many = 250; // more than the mailer reads together
  reject(delivery_columns);
  put(1, many, eva);
  put(many + 1, 1, ana);
  EXPECT_TRUE(are_recorded_as_sent(1));
  EXPECT_EQ(mails->count_to(eva), 0U);
}

/// A trigger of SQLite cannot raise the error of a full disk.
class MailOnAFullDisk : public RejectedMail {};
ROOST_ON_POSTGRESQL(MailOnAFullDisk);

TEST_P(MailOnAFullDisk, WaitsUntilOutcomesCanBeRecorded) {
  constexpr const char* disk_full = "53100";
  reject(outcome_columns, disk_full);
  put(1, 1, eva);
  ASSERT_TRUE(fails_again("record_attempts"));
  put(2, 1, ana);
  ASSERT_TRUE(fails_again("record_attempts", 5));
  EXPECT_EQ(mails->count(), 1U);
  accept();
  EXPECT_TRUE(are_recorded_as_sent(2));
  EXPECT_EQ(mails->count(), 2U);
}

} // namespace roost::testing::rejected_mail_test
