#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/workplace.hpp"
#include "store/database/connection.hpp"
#include "support/decoded_message.hpp"
#include "support/smtp_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Mails to the landlord about refusals, sent through an SMTP server.
namespace roost::testing::mail_delivery_test {
using support::smtp_behavior;
using support::smtp_server;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

ROOST_FOR_EACH_STORE(MailDelivery);

/// A server that mails through that SMTP server and has refused bookings.
struct refusal_fixture {
  refusal_fixture(store_kind kind, const smtp_server& mail_server, const std::string& refusals = "each",
                  unsigned count = 1)
      : place(kind) {
    place.set("mail.transport", "\"smtp://127.0.0.1:" + std::to_string(mail_server.port()) + "\"");
    place.set("mail.from", "\"roost@landlords.example\"");
    place.set("mail.refusals", '"' + refusals + '"');
    place.set("mail.keep", "\"1h\"");
    place.import(portfolio_of(count));
    server.emplace(place);
    const auto platform = server->partner_of("marketplace-a");
    for (unsigned unit = 1; unit <= count; ++unit)
      platform.post("/bookings", booking("u" + std::to_string(unit), 30, 30));
    for (unsigned unit = 1; unit <= count; ++unit)
      server->wait_for_event("booking_refused", {{"external_id", "u" + std::to_string(unit)}});
  }

  std::vector<std::string> outbox(const std::string& columns, int count) {
    return store_rows(place.store().open(), "select " + columns + " from outgoing_mail order by created_at",
                      count);
  }

  void change_outbox(const std::string& sql) {
    auto session = place.store().open();
    session.internals().script("outbox", sql);
  }

  workplace place;
  std::optional<running_roost> server;
};

TEST_P(MailDelivery, UsesTheConfiguredServer) {
  const smtp_server server;
  refusal_fixture fixture(GetParam(), server);
  fixture.server->wait_for_event("mail_sent");
  ASSERT_EQ(server.mails().size(), 1U);
  EXPECT_EQ(server.mails()[0].sender, "roost@landlords.example");
  EXPECT_EQ(server.mails()[0].recipient, "ana@casaverde.example");
  EXPECT_THAT(mail::decode(server.mails()[0].content).subject,
              ::testing::StartsWith("Booking refused: Room 1, Madrid"));
}

TEST_P(MailDelivery, RetriesLaterWhenTheServerDefers) {
  const smtp_server server({.behavior = smtp_behavior::defer_recipient});
  refusal_fixture fixture(GetParam(), server);
  const auto failure = fixture.server->wait_for_event("mail_failed");
  EXPECT_EQ(failure.at("reason"), "deferred");
  EXPECT_EQ(failure.at("attempts"), "1");
  EXPECT_THAT(failure.at("next_attempt"), ::testing::MatchesRegex("[0-9-]{10}T.*"));
  EXPECT_TRUE(eventually([&] {
    return store_rows(fixture.place.store().open(),
                      "select recipient, cast(attempts as text), last_error from outgoing_mail"
                      " where next_attempt_at is not null and sent_at is null",
                      3) == std::vector<std::string>{"ana@casaverde.example|1|deferred"};
  }));
}

TEST_P(MailDelivery, CombinesTheRefusalsOfAnHour) {
  const smtp_server server;
  refusal_fixture fixture(GetParam(), server, "hourly", 2);
  EXPECT_EQ(fixture.outbox("gathered_for", 1), std::vector<std::string>(2, "Casa Verde Rentals"));
  EXPECT_EQ(fixture.server->metric("roost_outbox_pending"), 0) << "they are being gathered";
  EXPECT_TRUE(server.mails().empty());
  fixture.change_outbox("update outgoing_mail set next_attempt_at = '2020-01-01T00:00:00.000Z'"
                        " where subject like 'Room 1%'"); // as after an hour
  fixture.server->wait_for_event("mail_sent", {{"gathered", "2"}});
  ASSERT_EQ(server.mails().size(), 1U);
  const auto mail = mail::decode(server.mails()[0].content);
  EXPECT_EQ(mail.subject, "2 bookings refused");
  EXPECT_THAT(mail.parts.at("text/plain; charset=utf-8"),
              AllOf(::testing::StartsWith("Hello Casa Verde Rentals,\n\nwe could not accept 2 bookings."),
                    HasSubstr("\nRoom 1, Madrid: Eva Lindqvist, from "),
                    HasSubstr("\nRoom 2, Madrid: Eva Lindqvist, from ")));
  EXPECT_TRUE(eventually([&] {
    return fixture.outbox("cast(sent_at is not null as text)", 1) == fixture.outbox("cast(1 = 1 as text)", 1);
  }));
}

TEST_P(MailDelivery, CountsCombinedRefusalsBetweenAttempts) {
  const smtp_server server({.behavior = smtp_behavior::defer_recipient});
  refusal_fixture fixture(GetParam(), server, "hourly", 2);
  fixture.change_outbox("update outgoing_mail set next_attempt_at = '2020-01-01T00:00:00.000Z'");
  fixture.server->wait_for_event("mail_failed", {{"reason", "deferred"}});
  EXPECT_TRUE(eventually(
      [&] { return fixture.outbox("cast(attempts as text)", 1) == std::vector<std::string>(2, "1"); }));
  const auto poll_count = [&] {
    return fixture.server->metric(R"(roost_store_jobs_total{kind="due_mails",outcome="done"})").value_or(0);
  };
  const auto before = poll_count();
  ASSERT_TRUE(eventually([&] { return poll_count() > before + 1; }));
  EXPECT_EQ(fixture.server->metric("roost_outbox_pending"), 2) << "between the attempts";
}

TEST_P(MailDelivery, CountsAbandonedMailsAndLogsNoAddress) {
  const smtp_server server({.behavior = smtp_behavior::reject_recipient,
                            .rejection = "550 5.1.1 <ana@casaverde.example>: no such user"});
  refusal_fixture fixture(GetParam(), server);
  const auto failure = fixture.server->wait_for_event("mail_failed");
  EXPECT_EQ(failure.at("reason"), "rejected_recipient");
  EXPECT_EQ(failure.at("attempts"), "1");
  EXPECT_EQ(failure.at("next_attempt"), "never");
  EXPECT_EQ(fixture.server->metric(R"(roost_mails_total{outcome="given_up"})"), 1);
  EXPECT_EQ(fixture.server->metric(R"(roost_mails_total{outcome="failed"})"), 1);
  EXPECT_TRUE(eventually([&] {
    return fixture.outbox("cast(given_up_at is not null as text)", 1) ==
           fixture.outbox("cast(1 = 1 as text)", 1);
  }));
  EXPECT_TRUE(eventually([&] { return fixture.server->metric("roost_outbox_pending") == 0; }));
  EXPECT_THAT(fixture.server->log(), AllOf(Not(HasSubstr("ana@casaverde")), Not(HasSubstr("no such user"))));
}

TEST_P(MailDelivery, DeletesMailsAfterTheirRetentionPeriod) {
  const smtp_server server;
  refusal_fixture fixture(GetParam(), server, "each", 2);
  EXPECT_TRUE(eventually([&] { return fixture.server->events("mail_sent").size() == 2; })); // and recorded
  ASSERT_EQ(fixture.server->stop(), 0);
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  fixture.change_outbox(
      "update outgoing_mail set created_at = '2020-01-01T00:00:00.000Z';"
      "update outgoing_mail set sent_at = '2020-01-04T00:00:00.000Z' where subject like '%Room 1,%';"
      "update outgoing_mail set sent_at = null, given_up_at = '" +
      domain::to_string(now) + "' where subject like '%Room 2,%'");
  running_roost again(fixture.place);
  EXPECT_EQ(again.wait_for_event("mails_deleted").at("mails"), "1");
  EXPECT_EQ(fixture.outbox("substr(subject, 1, 23)", 1), std::vector<std::string>{"Booking refused: Room 2"})
      << "it was abandoned just now";
}

} // namespace roost::testing::mail_delivery_test
