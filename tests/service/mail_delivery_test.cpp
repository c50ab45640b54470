#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/store_rows.hpp"
#include "support/decoded_message.hpp"
#include "support/smtp_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// The landlord's mail about a refusal, through an SMTP server.
namespace roost::testing::mail_delivery_test {
using support::smtp_behaviour;
using support::smtp_server;

ROOST_FOR_EACH_STORE(MailDelivery);

/// A server whose mail goes to that SMTP server, and a refused booking.
struct refusal {
  refusal(store_kind kind, const smtp_server& to) : place(kind) {
    place.set("mail.transport", "\"smtp://127.0.0.1:" + std::to_string(to.port()) + "\"");
    place.set("mail.from", "\"roost@landlords.example\"");
    place.import(portfolio_of(1));
    server.emplace(place);
    server->partner_of("marketplace-a").post("/bookings", booking("u1", 30, 30));
    server->wait_for_log({" booking_refused "});
  }

  workplace place;
  std::optional<running_roost> server;
};

TEST_P(MailDelivery, GoesToTheServerThatIsConfigured) {
  const smtp_server server;
  refusal refused(GetParam(), server);
  refused.server->wait_for_log({" mail_sent "});
  ASSERT_EQ(server.mails().size(), 1U);
  EXPECT_EQ(server.mails()[0].sender, "roost@landlords.example");
  EXPECT_EQ(server.mails()[0].recipient, "ana@casaverde.example");
  EXPECT_THAT(mail::decode(server.mails()[0].content).subject,
              ::testing::StartsWith("Booking refused: Room 1, Madrid"));
}

TEST_P(MailDelivery, WaitsForItsNextAttemptWhenTheServerAsksForPatience) {
  const smtp_server server({.behaviour = smtp_behaviour::defer_recipient});
  refusal refused(GetParam(), server);
  EXPECT_THAT(refused.server->wait_for_log({" mail_failed "}),
              ::testing::ContainsRegex(" reason=deferred attempts=1 next_attempt=[0-9-]{10}T"));
  EXPECT_TRUE(eventually([&] {
    return store_rows(refused.place.store().open(),
                      "select recipient, cast(attempts as text), last_error from outgoing_mail"
                      " where next_attempt_at is not null and sent_at is null",
                      3) == std::vector<std::string>{"ana@casaverde.example|1|deferred"};
  }));
}

} // namespace roost::testing::mail_delivery_test
