#include "domain/date.hpp"
#include "service/support/fault_fixture.hpp"
#include "service/support/portfolio.hpp"
#include "store/database/connection.hpp"
#include "support/smtp_server.hpp"

/// A mail server that is unreachable or does not respond: the outbox keeps the mail, and bookings continue.
namespace roost::testing::mail_test {
using namespace std::chrono_literals;
using support::smtp_behavior;
using support::smtp_server;

struct outbox_row {
  int attempts = 0;
  std::optional<domain::timestamp> next_attempt, sent;
  std::optional<std::string> last_error;
};

class MailFault : public ::testing::TestWithParam<store_kind> {
protected:
  /// Starts a server that sends mail to that port, and books a stay from day 10 to day 20.
  void start_with_mail_port(std::uint16_t port) {
    place_.emplace(GetParam());
    place_->set("mail.transport", "\"smtp://127.0.0.1:" + std::to_string(port) + "\"");
    place_->import(portfolio_of(1));
    server_.emplace(*place_);
    platform_.emplace(server_->partner_of("marketplace-a"));
    ASSERT_EQ(platform_->post("/bookings", booking("u1", 10, 20)).status, 201U);
    ASSERT_TRUE(wait_for_decisions("Success", 1));
  }

  /// Submits an overlapping stay, whose refusal the landlord receives by mail.
  void submit_refused_booking() {
    ASSERT_EQ(platform_->post("/bookings", booking("u1", 15, 25)).status, 201U);
    ASSERT_TRUE(wait_for_decisions("Failed", ++refused_));
  }

  bool wait_for_decisions(const std::string& state, int count) {
    auto session = place_->store().open();
    const store::selection total{"test_total", "select {columns} from request_totals where state = :state",
                                 store::named<int>("total")};
    return eventually([&] { return session.internals().read_one(total, {{"state", state}}) == count; });
  }

  std::vector<outbox_row> outbox() {
    auto session = place_->store().open();
    return session.internals().read_all(
        store::selection{"test_outbox", "select {columns} from outgoing_mail order by created_at",
                         store::columns(store::column("attempts", &outbox_row::attempts),
                                        store::column("next_attempt_at", &outbox_row::next_attempt),
                                        store::column("sent_at", &outbox_row::sent),
                                        store::column("last_error", &outbox_row::last_error))});
  }

  /// Waits until the first attempt for the first mail has failed, and returns the reason.
  std::string failure_of_first_attempt() {
    EXPECT_TRUE(eventually([this] { return outbox().at(0).attempts == 1; }, 15s));
    return outbox().at(0).last_error.value_or("");
  }

  /// Makes the next attempt due, instead of waiting for half a minute.
  void make_retry_due() {
    auto session = place_->store().open();
    session.internals().script("make_due",
                               "update outgoing_mail set next_attempt_at = '2020-01-01T00:00:00.000Z'"
                               " where next_attempt_at is not null");
  }

  bool all_sent() {
    return eventually([this] {
      return std::ranges::all_of(outbox(), [](const auto& mail) { return mail.sent.has_value(); });
    });
  }

  std::optional<workplace> place_;
  std::optional<running_roost> server_;
  std::optional<partner> platform_;
  int refused_ = 0;
};
ROOST_ON_EACH_STORE(MailFault);

TEST_P(MailFault, KeepsMailUntilTheServerIsReachable) {
  const auto port = smtp_server().port(); // the port of a server that has ended
  start_with_mail_port(port);
  submit_refused_booking();
  EXPECT_EQ(failure_of_first_attempt(), "unreachable");
  const auto pending = outbox().at(0);
  ASSERT_TRUE(pending.next_attempt);
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  EXPECT_GT(*pending.next_attempt, now + 15s);
  EXPECT_LE(*pending.next_attempt, now + 30s);
  EXPECT_TRUE(server_->is_ready());
  EXPECT_EQ(platform_->post("/bookings", booking("u1", 100, 110)).status, 201U);
  EXPECT_TRUE(wait_for_decisions("Success", 2));

  const smtp_server mail({.port = port});
  make_retry_due();
  EXPECT_TRUE(all_sent());
  EXPECT_EQ(server_->stop(), 0);
  ASSERT_EQ(mail.mails().size(), 1U);
  EXPECT_EQ(mail.mails()[0].recipient, "ana@casaverde.example");
}

TEST_P(MailFault, SurvivesARestart) {
  const auto port = smtp_server().port();
  start_with_mail_port(port);
  submit_refused_booking();
  EXPECT_EQ(failure_of_first_attempt(), "unreachable");
  server_->stop();
  make_retry_due();
  const smtp_server mail({.port = port});
  running_roost again(*place_);
  EXPECT_TRUE(all_sent());
  EXPECT_EQ(again.stop(), 0);
  EXPECT_EQ(mail.mails().size(), 1U);
}

TEST_P(MailFault, DelaysOnlyMailWhenTheServerIsUnresponsive) {
  smtp_server mail({.behavior = smtp_behavior::never_respond});
  start_with_mail_port(mail.port());
  submit_refused_booking();
  for (int booked = 1; booked <= 5; ++booked) {
    EXPECT_EQ(platform_->post("/bookings", booking("u1", booked * 100, booked * 100 + 10)).status, 201U);
    EXPECT_TRUE(wait_for_decisions("Success", 1 + booked));
  }
  EXPECT_EQ(outbox().at(0).attempts, 0); // the mailer still waits for the greeting
  EXPECT_EQ(failure_of_first_attempt(), "timeout");
  mail.set_behavior(smtp_behavior::accept);
  make_retry_due();
  EXPECT_TRUE(all_sent());
  EXPECT_EQ(mail.mails().size(), 1U);
}

TEST_P(MailFault, CausesFewCopiesDespiteKillsWhenTheServerConfirmsNothing) {
  const smtp_server mail({.behavior = smtp_behavior::never_confirm});
  start_with_mail_port(mail.port());
  submit_refused_booking();
  for (std::size_t copies = 1; copies <= 2; ++copies) {
    ASSERT_TRUE(eventually([&] { return mail.mails().size() == copies; }, 15s));
    server_->kill();
    server_.emplace(*place_);
  }
  ASSERT_TRUE(eventually([this] { return !outbox().at(0).next_attempt; }, 15s))
      << "the mailer gives the mail up";
  EXPECT_FALSE(outbox().at(0).sent);
  EXPECT_EQ(outbox().at(0).last_error, "unconfirmed");
  EXPECT_EQ(server_->stop(), 0);
  EXPECT_EQ(mail.mails().size(), 2U);
}

TEST_P(MailFault, DelaysNoOtherMailWhenAConfirmationIsSlow) {
  const smtp_server mail({.confirmation_delay = 4s});
  start_with_mail_port(mail.port());
  for (int i = 0; i < 3; ++i) submit_refused_booking();
  EXPECT_TRUE(eventually([&] { return mail.mails().size() == 3; }, 15s));
  EXPECT_TRUE(std::ranges::none_of(outbox(), [](const auto& each) { return each.sent.has_value(); }))
      << "none is confirmed yet";
  EXPECT_TRUE(all_sent());
  EXPECT_EQ(mail.mails().size(), 3U);
}

TEST_P(MailFault, DoesNotDelayShutdownWhenTheServerIsUnresponsive) {
  const smtp_server mail({.behavior = smtp_behavior::never_respond});
  start_with_mail_port(mail.port());
  submit_refused_booking();
  const auto stopped_at = std::chrono::steady_clock::now();
  EXPECT_EQ(server_->stop(), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - stopped_at, 8s);
  EXPECT_FALSE(outbox().at(0).sent);
  EXPECT_TRUE(outbox().at(0).next_attempt);
}

} // namespace roost::testing::mail_test
