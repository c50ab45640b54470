#include "mail/sample_mail.hpp"
#include "mail/transport.hpp"
#include "support/decoded_message.hpp"
#include "support/eventually.hpp"
#include "support/smtp_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace roost::mail::smtp_transport_test {
using support::smtp_behavior;
using options = support::smtp_server_options;
using namespace std::chrono_literals;

// base64 of "\0no-reply\0secret"
constexpr const char* right_credentials = "AG5vLXJlcGx5AHNlY3JldA==";

smtp_server at(const support::smtp_server& server) { return {.host = "127.0.0.1", .port = server.port()}; }

smtp_server with_password(smtp_server server, std::string password) {
  server.user = "no-reply";
  server.password = std::move(password);
  return server;
}

std::optional<send_failed> failure_of(transport& transport, const domain::outgoing_mail& mail) {
  try {
    send_unrecorded(transport, mail);
  } catch (const send_failed& failed) {
    return failed;
  }
  return std::nullopt;
}

/// Returns the class of the error, with `!` if it is permanent; `sent` on success.
std::string outcome_of(transport& transport, const domain::outgoing_mail& mail = sample_mail()) {
  const auto failed = failure_of(transport, mail);
  return failed ? failed->error_class + (failed->permanent ? "!" : "") : "sent";
}

std::string outcome_of(const smtp_server& server) {
  return outcome_of(*smtp_transport(server, sample_sender));
}

std::string outcome_with(smtp_behavior behavior) {
  const support::smtp_server server(options{.behavior = behavior});
  return outcome_of(at(server));
}

TEST(SmtpTransport, SendsTheMessageUnchanged) {
  const support::smtp_server server;
  send_unrecorded(*smtp_transport(at(server), sample_sender), sample_mail());
  const auto mails = server.mails();
  ASSERT_EQ(mails.size(), 1U);
  EXPECT_EQ(mails[0].sender, sample_sender);
  EXPECT_EQ(mails[0].recipient, sample_mail().to);
  EXPECT_EQ(mails[0].content, to_rfc5322(sample_mail(), sample_sender));
}

TEST(SmtpTransport, KeepsLongLinesLeadingDotsAndNonAsciiText) {
  auto mail = sample_mail();
  mail.subject = "Reserva rechazada: Ático 2 – 日本語";
  mail.text = ".\n..\n.hidden\n" + std::string(5000, '.') + "\nBegoña pasará el año aquí 🏠 \n.\n";
  mail.html = "<p>" + std::string(100'000, 'x') + "</p>";
  const support::smtp_server server;
  send_unrecorded(*smtp_transport(at(server), sample_sender), mail);
  ASSERT_EQ(server.mails().size(), 1U);
  const auto decoded = decode(server.mails()[0].content);
  EXPECT_EQ(decoded.subject, mail.subject);
  EXPECT_EQ(decoded.parts.at("text/plain; charset=utf-8"), mail.text);
  EXPECT_EQ(decoded.parts.at("text/html; charset=utf-8"), mail.html);
}

TEST(SmtpTransport, UsesOneConnectionForABurst) {
  const support::smtp_server server;
  const auto transport = smtp_transport(at(server), sample_sender);
  for (int i = 0; i < 3; ++i) send_unrecorded(*transport, sample_mail());
  EXPECT_EQ(server.mails().size(), 3U);
  const auto is_greeting = [](const std::string& command) { return command.starts_with("EHLO"); };
  EXPECT_EQ(std::ranges::count_if(server.commands(), is_greeting), 1);
}

TEST(SmtpTransport, MayBeSharedByThreads) {
  const support::smtp_server server;
  const auto transport = smtp_transport(at(server), sample_sender);
  {
    std::vector<std::jthread> senders;
    for (int i = 0; i < 4; ++i)
      senders.emplace_back([&transport] {
        for (int j = 0; j < 5; ++j) send_unrecorded(*transport, sample_mail());
      });
  }
  EXPECT_EQ(server.mails().size(), 20U);
}

TEST(SmtpTransport, ReportsADeferredRecipientAsTemporary) {
  EXPECT_EQ(outcome_with(smtp_behavior::defer_recipient), "deferred");
}

TEST(SmtpTransport, ReportsARejectedRecipientAsPermanent) {
  EXPECT_EQ(outcome_with(smtp_behavior::reject_recipient), "rejected_recipient!");
}

TEST(SmtpTransport, ReportsARejectedMessageAsPermanent) {
  EXPECT_EQ(outcome_with(smtp_behavior::reject_message), "refused!");
}

TEST(SmtpTransport, ReportsARejectedSenderAsTemporary) {
  EXPECT_EQ(outcome_with(smtp_behavior::reject_sender), "refused");
}

TEST(SmtpTransport, ReportsALostConnectionAsTemporary) {
  EXPECT_EQ(outcome_with(smtp_behavior::hang_up_at_data), "interrupted");
}

TEST(SmtpTransport, TimesOut) {
  const support::smtp_server server(options{.behavior = smtp_behavior::never_respond});
  auto silent = at(server);
  silent.connect_timeout = 200ms;
  EXPECT_EQ(outcome_of(silent), "timeout");
}

TEST(SmtpTransport, ReportsAnUnreachableServerAsTemporary) {
  auto unreachable = smtp_server{.host = "127.0.0.1"};
  {
    const support::smtp_server gone;
    unreachable.port = gone.port();
  }
  EXPECT_EQ(outcome_of(unreachable), "unreachable");
}

TEST(SmtpTransport, WorksAgainAfterAFailure) {
  support::smtp_server server(options{.behavior = smtp_behavior::hang_up_at_data});
  const auto transport = smtp_transport(at(server), sample_sender);
  EXPECT_EQ(outcome_of(*transport), "interrupted");
  server.set_behavior(smtp_behavior::reject_recipient);
  EXPECT_EQ(outcome_of(*transport), "rejected_recipient!");
  server.set_behavior(smtp_behavior::accept);
  EXPECT_EQ(outcome_of(*transport), "sent");
  EXPECT_EQ(server.mails().size(), 1U);
}

TEST(SmtpTransport, Authenticates) {
  const support::smtp_server server(options{.auth_plain = right_credentials});
  EXPECT_EQ(outcome_of(with_password(at(server), "secret")), "sent");
}

TEST(SmtpTransport, ReportsFailedAuthenticationAsTemporary) {
  const support::smtp_server server(options{.auth_plain = right_credentials});
  EXPECT_EQ(outcome_of(with_password(at(server), "wrong")), "authentication");
  EXPECT_EQ(outcome_of(at(server)), "authentication");
  EXPECT_TRUE(server.mails().empty());
}

TEST(SmtpTransport, SendsNoPasswordToAnotherMachineInPlainText) {
  const support::smtp_server server(options{.auth_plain = right_credentials, .address = "127.0.0.2"});
  EXPECT_EQ(outcome_of(with_password({.host = "127.0.0.2", .port = server.port()}, "secret")), "tls");
  for (const auto& command : server.commands()) EXPECT_FALSE(command.starts_with("AUTH")) << command;
}

TEST(SmtpTransport, SendsNothingInPlainTextIfTlsIsImplicit) {
  const support::smtp_server server;
  auto encrypted = at(server);
  encrypted.implicit_tls = true;
  EXPECT_EQ(outcome_of(encrypted), "tls");
  EXPECT_TRUE(server.mails().empty());
}

TEST(SmtpTransport, CannotBeInjectedWithCommandsByARecipient) {
  const support::smtp_server server;
  auto mail = sample_mail();
  mail.to = "a@b.example>\r\nRCPT TO:<c@d.example";
  const auto transport = smtp_transport(at(server), sample_sender);
  EXPECT_EQ(outcome_of(*transport, mail), "rejected_recipient!");
  EXPECT_TRUE(server.commands().empty());
}

TEST(SmtpTransport, ReportsAnErrorThatMayBeLogged) {
  const support::smtp_server server(options{.behavior = smtp_behavior::reject_recipient});
  const auto transport = smtp_transport(at(server), sample_sender);
  const auto failed = failure_of(*transport, sample_mail());
  ASSERT_TRUE(failed);
  EXPECT_STREQ(failed->what(), "rejected_recipient: SMTP 550");
  EXPECT_EQ(failed->error_class, "rejected_recipient");
}

TEST(SmtpTransport, ReturnsTheLastReplyOfTheServer) {
  const support::smtp_server server;
  const auto transport = smtp_transport(at(server), sample_sender);
  EXPECT_EQ(send_unrecorded(*transport, sample_mail()), "250 taken");
  EXPECT_EQ(send_unrecorded(*transport, sample_mail()), "250 taken") << "on the same connection";
}

/// Returns the message for operators about a failure.
std::string server_message_with(options options) {
  const support::smtp_server server(std::move(options));
  const auto failed = failure_of(*smtp_transport(at(server), sample_sender), sample_mail());
  return failed ? failed->server_message : "sent";
}

TEST(SmtpTransport, ReportsTheReplyOfTheServer) {
  using enum smtp_behavior;
  EXPECT_EQ(server_message_with({.behavior = reject_recipient}),
            "RCPT failed: 550; its last response: 550 no such recipient");
  EXPECT_EQ(server_message_with({.behavior = defer_recipient}),
            "RCPT failed: 451; its last response: 451 later");
  EXPECT_EQ(server_message_with({.behavior = reject_sender}),
            "MAIL failed: 550; its last response: 550 not from you");
  EXPECT_THAT(server_message_with({.behavior = reject_message}),
              ::testing::EndsWith("; its last response: 554 no"));
  EXPECT_THAT(server_message_with({.behavior = hang_up_at_data}),
              ::testing::EndsWith("; its last response: 250 ok"));
}

TEST(SmtpTransport, ReportsAllLinesOfAReply) {
  EXPECT_EQ(
      server_message_with(
          {.behavior = smtp_behavior::reject_recipient,
           .rejection = "550-5.1.1 No such user here\r\n550-5.1.1 \x1b[1mTry\r\n550 5.1.1 another"}),
      "RCPT failed: 550; its last response: 550-5.1.1 No such user here 550-5.1.1 [1mTry 550 5.1.1 another");
}

TEST(SmtpTransport, ReportsTheErrorOfTheLibraryIfNoServerReplies) {
  std::uint16_t port = support::smtp_server().port(); // the server no longer listens there
  const auto failed =
      failure_of(*smtp_transport({.host = "127.0.0.1", .port = port}, sample_sender), sample_mail());
  ASSERT_TRUE(failed);
  EXPECT_THAT(failed->server_message,
              ::testing::AllOf(::testing::HasSubstr("127.0.0.1 port " + std::to_string(port)),
                               ::testing::Not(::testing::HasSubstr("response"))));
}

/// Returns what outcome_of() returns, with `?` if the message may have been delivered.
std::string certainty_of(transport& transport) {
  const auto failed = failure_of(transport, sample_mail());
  if (!failed) return "sent";
  return failed->error_class + (failed->permanent ? "!" : "") + (failed->possibly_delivered ? "?" : "");
}

TEST(SmtpTransport, WaitsLongerForTheConfirmationThanForTheRest) {
  const support::smtp_server server(options{.confirmation_delay = 2s});
  auto slow = at(server);
  slow.send_timeout = 100ms;
  EXPECT_EQ(certainty_of(*smtp_transport(slow, sample_sender)), "sent");
  EXPECT_EQ(server.mails().size(), 1U);
}

TEST(SmtpTransport, WaitsTenMinutesForTheConfirmation) {
  EXPECT_EQ(smtp_server{}.confirmation_timeout, 10min);
}

TEST(SmtpTransport, ReportsAMessageWithoutConfirmationAsPossiblyDelivered) {
  support::smtp_server server(options{.behavior = smtp_behavior::never_confirm});
  auto impatient = at(server);
  impatient.confirmation_timeout = 200ms;
  const auto transport = smtp_transport(impatient, sample_sender);
  EXPECT_EQ(certainty_of(*transport), "unconfirmed?");
  server.set_behavior(smtp_behavior::accept);
  EXPECT_EQ(certainty_of(*transport), "sent") << "on a new connection, whose replies belong to its message";
  EXPECT_EQ(server.mails().size(), 2U);
}

TEST(SmtpTransport, ReportsAConnectionLostAfterTheMessageAsPossiblyDelivered) {
  const support::smtp_server server(options{.behavior = smtp_behavior::hang_up_after_message});
  EXPECT_EQ(certainty_of(*smtp_transport(at(server), sample_sender)), "unconfirmed?");
}

TEST(SmtpTransport, KnowsThatOtherFailuresDeliveredNothing) {
  using enum smtp_behavior;
  for (const auto behavior : {reject_message, reject_recipient, defer_recipient, hang_up_at_data}) {
    const support::smtp_server server(options{.behavior = behavior});
    EXPECT_EQ(certainty_of(*smtp_transport(at(server), sample_sender)).find('?'), std::string::npos);
  }
}

TEST(SmtpTransport, EndsAnExchangeThatIsInterrupted) {
  const support::smtp_server server(options{.behavior = smtp_behavior::never_confirm});
  const auto started_at = std::chrono::steady_clock::now();
  {
    const auto transport = smtp_transport(at(server), sample_sender);
    std::jthread interrupting([&] {
      while (server.mails().empty()) std::this_thread::yield();
      transport->interrupt();
    });
    EXPECT_EQ(certainty_of(*transport), "unconfirmed?");
  }
  EXPECT_LT(std::chrono::steady_clock::now() - started_at, 10s) << "including the end of the connection";
}

TEST(SmtpTransport, EndsWithoutWaitingForAServerThatIgnoresQuit) {
  const support::smtp_server server(options{.behavior = smtp_behavior::ignore_quit});
  auto transport = smtp_transport(at(server), sample_sender);
  send_unrecorded(*transport, sample_mail());
  const auto start = std::chrono::steady_clock::now();
  transport.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
  EXPECT_TRUE(roost::testing::eventually([&] { return server.commands().back() == "QUIT"; }));
}

TEST(SmtpTransport, SendsConcurrentMessagesOnTheirOwnConnections) {
  const support::smtp_server server(options{.confirmation_delay = 1s});
  const auto transport = smtp_transport(at(server), sample_sender);
  const auto started_at = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> senders;
    for (int i = 0; i < 10; ++i)
      senders.emplace_back([&transport] { send_unrecorded(*transport, sample_mail()); });
  }
  EXPECT_EQ(server.mails().size(), 10U);
  EXPECT_LT(std::chrono::steady_clock::now() - started_at, 9s);
}

TEST(SmtpTransport, PassesTheGateBeforeTheServerReceivesTheMessage) {
  const support::smtp_server server;
  const auto transport = smtp_transport(at(server), sample_sender);
  const auto mail = sample_mail();
  std::vector<domain::uuid> passed;
  transport->send({&mail, 1}, [&](std::span<const domain::uuid> ids) {
    passed.assign(ids.begin(), ids.end());
    EXPECT_EQ(server.commands().back(), "DATA");
    EXPECT_TRUE(server.mails().empty());
  });
  EXPECT_EQ(passed, std::vector{mail.id});
  EXPECT_EQ(server.mails().size(), 1U);
}

TEST(SmtpTransport, SendsNoMessageThatTheGateStops) {
  const support::smtp_server server;
  const auto transport = smtp_transport(at(server), sample_sender);
  const auto mail = sample_mail();
  const auto results = transport->send({&mail, 1}, [](auto) { throw send_failed("stopped", false); });
  ASSERT_TRUE(results.at(0).failure);
  EXPECT_EQ(results[0].failure->error_class, "stopped");
  EXPECT_FALSE(results[0].failure->possibly_delivered);
  EXPECT_EQ(outcome_of(*transport), "sent") << "the next one";
  EXPECT_EQ(server.mails().size(), 1U);
}

TEST(SmtpTransport, PassesNoGateIfTheServerRejectsTheRecipient) {
  const support::smtp_server server(options{.behavior = smtp_behavior::reject_recipient});
  const auto mail = sample_mail();
  smtp_transport(at(server), sample_sender)->send({&mail, 1}, [](auto) { ADD_FAILURE(); });
}

domain::outgoing_mail mail_to(const char* recipient) {
  auto mail = sample_mail();
  mail.to = recipient;
  return mail;
}

TEST(SmtpTransport, SendsToInternationalDomainsInAscii) {
  const support::smtp_server server;
  EXPECT_EQ(outcome_of(*smtp_transport(at(server), sample_sender), mail_to("max@münchen.example")), "sent");
  EXPECT_EQ(server.mails().at(0).recipient, "max@xn--mnchen-3ya.example");
}

TEST(SmtpTransport, SendsToInternationalAddressesIfTheServerSupportsThem) {
  const support::smtp_server server(options{.smtputf8 = true});
  const auto transport = smtp_transport(at(server), sample_sender);
  EXPECT_EQ(outcome_of(*transport, mail_to("josé@münchen.example")), "sent");
  EXPECT_EQ(server.mails().at(0).recipient, "josé@xn--mnchen-3ya.example");
  const auto declares = [](const std::string& command) {
    return command.starts_with("MAIL FROM") && command.find(" SMTPUTF8") != std::string::npos;
  };
  EXPECT_EQ(std::ranges::count_if(server.commands(), declares), 1);
  EXPECT_EQ(outcome_of(*transport), "sent") << "an address in ASCII, on the same connection";
  EXPECT_EQ(std::ranges::count_if(server.commands(), declares), 1);
}

TEST(SmtpTransport, SendsNoInternationalAddressToAServerThatDoesNotSupportThem) {
  const support::smtp_server server;
  const auto transport = smtp_transport(at(server), sample_sender);
  for (int connections = 1; connections <= 2; ++connections) {
    const auto failed = failure_of(*transport, mail_to("josé@casaverde.example"));
    ASSERT_TRUE(failed);
    EXPECT_STREQ(failed->what(), "rejected_recipient: no SMTPUTF8");
    EXPECT_TRUE(failed->permanent);
    EXPECT_FALSE(failed->possibly_delivered);
  }
  EXPECT_EQ(outcome_of(*transport), "sent");
  for (const auto& command : server.commands()) EXPECT_EQ(command.find("jos"), std::string::npos) << command;
}

TEST(SmtpTransport, SendsNothingInPlainTextToAnotherMachine) {
  const support::smtp_server server(options{.address = "127.0.0.2"});
  smtp_server other{.host = "127.0.0.2", .port = server.port()};
  EXPECT_EQ(outcome_of(other), "tls");
  for (const auto& command : server.commands()) EXPECT_FALSE(command.starts_with("MAIL")) << command;
  other.opportunistic_tls = true;
  EXPECT_EQ(outcome_of(other), "sent") << "if the operator allows it";
}

TEST(SmtpTransport, UsesTheAddressOfASenderWithAName) {
  const support::smtp_server server;
  EXPECT_EQ(outcome_of(*smtp_transport(at(server), "Casa Verde <no-reply@münchen.example>")), "sent");
  EXPECT_EQ(server.mails().at(0).sender, "no-reply@xn--mnchen-3ya.example");
}

TEST(SmtpTransport, RequiresAValidSender) {
  EXPECT_THROW(smtp_transport({.host = "127.0.0.1", .port = 25}, "a@b>\r\n"), std::invalid_argument);
}

} // namespace roost::mail::smtp_transport_test
