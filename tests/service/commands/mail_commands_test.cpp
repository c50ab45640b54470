#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/workplace.hpp"
#include "store/database/connection.hpp"
#include "support/decoded_message.hpp"
#include "support/smtp_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

/// roost mail: the operator's view of the outbox, and a test of the mail server.
namespace roost::testing::mail_commands_test {
using support::smtp_behavior;
using support::smtp_server;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

ROOST_FOR_EACH_STORE(MailCommands);

std::string quoted(const std::string& text) { return '"' + text + '"'; }

std::string url_of(const smtp_server& server) { return "smtp://127.0.0.1:" + std::to_string(server.port()); }

/// A server that has attempted to mail a refusal of u1 to Ana.
struct mail_fixture {
  mail_fixture(store_kind kind, const smtp_server& mail_server) : place(kind) {
    place.set("mail.transport", quoted(url_of(mail_server)));
    place.import(portfolio_of(1));
    server.emplace(place);
    server->partner_of("marketplace-a").post("/bookings", booking("u1", 30, 30));
    EXPECT_TRUE(eventually([&] {
      return !list({"--state", "sent"}).empty() || !list({"--state", "given-up"}).empty();
    }));
    id = list().substr(0, 36);
  }

  std::string list(const std::vector<std::string>& options = {}) const {
    std::vector<std::string> words{"mail", "list"};
    words.insert(words.end(), options.begin(), options.end());
    return place.run_or_throw(words);
  }

  void change_outbox(const std::string& sql) {
    auto session = place.store().open();
    session.internals().script("outbox", sql);
  }

  workplace place;
  std::optional<running_roost> server;
  std::string id;
};

void expect_refused(const workplace& place, const std::vector<std::string>& words, int status,
                    const std::string& error) {
  const auto run = place.run(words);
  EXPECT_EQ(run.status, status) << error;
  EXPECT_EQ(run.errors, "roost: " + error + "\n");
  EXPECT_THAT(run.output, IsEmpty());
}

TEST_P(MailCommands, ListMailsByStateAndRecipient) {
  const smtp_server mail_server;
  const mail_fixture fixture(GetParam(), mail_server);
  const auto line = fixture.id + "  20[-0-9:.TZ]+  ana@casaverde.example  Booking refused: Room 1, Madrid, "
                                 "[^\n]*  sent 20[-0-9:.TZ]+\n";
  EXPECT_THAT(fixture.list(), MatchesRegex(line));
  EXPECT_THAT(fixture.list({"--state", "sent", "--limit", "1"}), MatchesRegex(line));
  EXPECT_THAT(fixture.list({"--state", "Sent"}), MatchesRegex(line));
  EXPECT_THAT(fixture.list({"--state", "waiting"}), IsEmpty());
  EXPECT_THAT(fixture.list({"--state", "given-up"}), IsEmpty());
  EXPECT_THAT(fixture.list({"--to", "ana@casaverde.example"}), MatchesRegex(line));
  EXPECT_THAT(fixture.list({"--to", "ANA@CasaVerde.example"}), MatchesRegex(line));
  EXPECT_THAT(fixture.list({"--to", "ana@casaverde.example", "--state", "waiting"}), IsEmpty());
  const auto json = fixture.list({"--json"});
  EXPECT_EQ(json_at(json, "/0/id"), quoted(fixture.id));
  EXPECT_EQ(json_at(json, "/0/state"), "\"sent\"");
  EXPECT_EQ(json_at(json, "/0/attempts"), "0");
  EXPECT_EQ(json_at(json, "/0/given_up_at"), "null");
}

TEST_P(MailCommands, RefuseUnknownMailsAndStates) {
  const workplace place(GetParam());
  expect_refused(place, {"mail", "list", "--to", "ana@casaverde.example"}, 1,
                 "there is no mail to ana@casaverde.example");
  expect_refused(place, {"mail", "list", "--state", "lost"}, 2,
                 "--state: 'lost' is not one of waiting, sent, given-up");
  expect_refused(place, {"mail", "show", unit_id(9)}, 1, "there is no mail with the id " + unit_id(9));
  expect_refused(place, {"mail", "retry", unit_id(9)}, 1,
                 "there is no unsent mail with the id " + unit_id(9));
  expect_refused(place, {"mail", "test", "ana"}, 2, "'ana' is not an email address");
}

TEST_P(MailCommands, ShowAMailWithItsText) {
  const smtp_server mail_server;
  const mail_fixture fixture(GetParam(), mail_server);
  EXPECT_THAT(
      fixture.place.run_or_throw({"mail", "show", fixture.id}),
      AllOf(StartsWith("Mail           " + fixture.id +
                       "\nTo             ana@casaverde.example\nSubject        Booking refused: Room 1, "),
            HasSubstr("\nState          sent 20"), Not(HasSubstr("Gathered for")),
            HasSubstr("\n\nHello Casa Verde Rentals,\n\nwe could not accept a booking from marketplace-a.")));
}

TEST_P(MailCommands, HideCodesAndLinks) {
  const smtp_server mail_server;
  mail_fixture fixture(GetParam(), mail_server);
  fixture.change_outbox("update outgoing_mail set confidential = (1 = 1), text_body = 'code 123456'");
  EXPECT_THAT(fixture.place.run_or_throw({"mail", "show", fixture.id}),
              AllOf(EndsWith("\n\nThe text contains a secret code or link and is not shown.\n"),
                    Not(HasSubstr("123456"))));
}

TEST_P(MailCommands, ShowTheAccountOfGatheredRefusals) {
  workplace place(GetParam());
  place.set("mail.refusals", "\"hourly\"");
  place.import(portfolio_of(1));
  running_roost server(place);
  server.partner_of("marketplace-a").post("/bookings", booking("u1", 30, 30));
  server.wait_for_event("booking_refused");
  const auto listed = place.run_or_throw({"mail", "list", "--state", "waiting"});
  EXPECT_THAT(listed,
              MatchesRegex("[^\n]*  ana@casaverde.example  Room 1, Madrid  waiting until 20[-0-9:.TZ]+\n"));
  EXPECT_THAT(
      place.run_or_throw({"mail", "show", listed.substr(0, 36)}),
      AllOf(HasSubstr("\nGathered for   Casa Verde Rentals\n"), HasSubstr("\n\nEva Lindqvist, from ")));
}

TEST_P(MailCommands, RetryAbandonedMails) {
  smtp_server mail_server({.behavior = smtp_behavior::reject_recipient});
  mail_fixture fixture(GetParam(), mail_server);
  EXPECT_THAT(fixture.list({"--state", "given-up"}),
              MatchesRegex("[^\n]*  given up 20[-0-9:.TZ]+, 1 failure: rejected_recipient\n"));
  mail_server.set_behavior(smtp_behavior::accept);
  EXPECT_EQ(fixture.place.run_or_throw({"mail", "retry"}),
            "1 due now; a running server sends them within seconds\n");
  fixture.server->wait_for_event("mail_sent", {{"mail_id", fixture.id}});
  EXPECT_EQ(mail_server.mails().size(), 1U);
  EXPECT_TRUE(eventually([&] { return !fixture.list({"--state", "sent"}).empty(); }));
  EXPECT_THAT(fixture.place.run_or_throw({"audit", "list"}), HasSubstr("mail retry"));
  expect_refused(fixture.place, {"mail", "retry", fixture.id}, 1,
                 "there is no unsent mail with the id " + fixture.id);
}

TEST_P(MailCommands, DoNotRecordARetryWithoutMails) {
  const workplace place(GetParam());
  EXPECT_EQ(place.run_or_throw({"mail", "retry"}), "0 due now; a running server sends them within seconds\n");
  EXPECT_THAT(place.run_or_throw({"audit", "list"}), Not(HasSubstr("mail retry")));
}

TEST_P(MailCommands, RetryOneMail) {
  smtp_server mail_server({.behavior = smtp_behavior::reject_recipient});
  mail_fixture fixture(GetParam(), mail_server);
  const auto other = unit_id(1);
  fixture.change_outbox("insert into outgoing_mail (id, recipient, subject, text_body, html_body, created_at,"
                        " given_up_at) select '" +
                        other + "', recipient, subject, text_body, html_body, created_at, given_up_at" +
                        " from outgoing_mail");
  mail_server.set_behavior(smtp_behavior::accept);
  fixture.place.run_or_throw({"mail", "retry", fixture.id});
  fixture.server->wait_for_event("mail_sent", {{"mail_id", fixture.id}});
  EXPECT_TRUE(eventually([&] { return !fixture.list({"--state", "sent"}).empty(); }));
  EXPECT_THAT(fixture.list({"--state", "given-up"}), StartsWith(other));
}

/// `roost mail test` needs no store.
class MailTest : public ::testing::Test {
protected:
  void send_to(const std::string& transport) { place.set("mail.transport", quoted(transport)); }

  command_result test() const { return place.run({"mail", "test", "ana@casaverde.example"}); }

  /// Runs a failing test and returns its error.
  std::string error_of_test() const {
    const auto run = test();
    EXPECT_EQ(run.status, 1);
    EXPECT_THAT(run.output, IsEmpty());
    return run.errors;
  }

  workplace place{store_kind::sqlite};
};

TEST_F(MailTest, SendsAMessageWithoutTheOutbox) {
  const smtp_server mail_server;
  send_to(url_of(mail_server));
  const auto run = test();
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(run.output, "127.0.0.1:" + std::to_string(mail_server.port()) +
                            " accepted a message to ana@casaverde.example: 250 taken\n");
  ASSERT_EQ(mail_server.mails().size(), 1U);
  EXPECT_EQ(mail_server.mails()[0].recipient, "ana@casaverde.example");
  EXPECT_EQ(mail::decode(mail_server.mails()[0].content).subject, "A test of Roost's mail");
  EXPECT_THAT(place.run_or_throw({"mail", "list"}), IsEmpty());
}

TEST_F(MailTest, ReportsTheResponseOfTheServer) {
  const smtp_server mail_server(
      {.behavior = smtp_behavior::reject_recipient, .rejection = "550 5.1.1 No such user here"});
  send_to(url_of(mail_server));
  EXPECT_EQ(error_of_test(),
            "roost: 127.0.0.1:" + std::to_string(mail_server.port()) +
                " did not accept the message: rejected_recipient: RCPT failed: 550; its last response: "
                "550 5.1.1 No such user here\n");
}

TEST_F(MailTest, ReportsAnUnreachableServer) {
  const auto server =
      "127.0.0.1:" + std::to_string(smtp_server().port()); // the port of a server that has ended
  send_to("smtp://" + server);
  EXPECT_THAT(error_of_test(),
              AllOf(StartsWith("roost: " + server + " did not accept the message: unreachable: "),
                    HasSubstr("Couldn't connect to server")));
}

TEST_F(MailTest, ReportsATlsError) {
  const smtp_server mail_server; // without TLS
  send_to("smtps://127.0.0.1:" + std::to_string(mail_server.port()));
  EXPECT_THAT(error_of_test(),
              MatchesRegex("roost: 127.0.0.1:[0-9]+ did not accept the message: tls: [^\n]*SSL[^\n]*\n"));
}

TEST_F(MailTest, ReportsAWrongPasswordWithoutShowingIt) {
  const smtp_server mail_server({.auth_plain = "AHUAc2VjcmV0"}); // "\0u\0secret"
  send_to("smtp://u:mistyped@127.0.0.1:" + std::to_string(mail_server.port()));
  EXPECT_THAT(error_of_test(),
              AllOf(HasSubstr(" did not accept the message: authentication: "),
                    EndsWith("; its last response: 535 wrong credentials\n"), Not(HasSubstr("mistyped"))));
}

TEST_F(MailTest, ReportsThatMailInAFolderIsNotSent) {
  std::filesystem::create_directory(place.folder() / "outbox");
  send_to("file:./outbox");
  const auto run = test();
  EXPECT_EQ(run.status, 0) << run.errors;
  const auto before = "mail.transport is a folder, so no mail is sent; the message is in " +
                      (place.folder() / "outbox").string() + "/20";
  EXPECT_THAT(run.output, AllOf(StartsWith(before), EndsWith(".eml\n")));
  const auto file = run.output.substr(run.output.rfind(' ') + 1);
  EXPECT_TRUE(std::filesystem::is_regular_file(file.substr(0, file.size() - 1))) << file;
  ASSERT_EQ(place.mails().size(), 1U);
  EXPECT_EQ(mail::decode(place.mails()[0]).headers.at("To"), "ana@casaverde.example");
}

TEST_F(MailTest, DoesNotCreateTheFolder) {
  send_to("file:var/outbox");
  EXPECT_EQ(error_of_test(), "roost: mail.transport is a folder, so no mail is sent; there is no folder " +
                                 (place.folder() / "var/outbox").string() +
                                 "; relative paths are relative to the current folder\n");
  EXPECT_FALSE(std::filesystem::exists(place.folder() / "var"));
}

} // namespace roost::testing::mail_commands_test
