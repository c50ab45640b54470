#include "mail/sample_mail.hpp"
#include "mail/transport.hpp"
#include "support/decoded_message.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace roost::mail::message_test {
using ::testing::HasSubstr;
using ::testing::Not;

std::string with_subject(std::string subject) {
  auto mail = sample_mail();
  mail.subject = std::move(subject);
  return to_rfc5322(mail, sample_sender);
}

std::string with_text(std::string text) {
  auto mail = sample_mail();
  mail.text = std::move(text);
  return to_rfc5322(mail, sample_sender);
}

std::string decoded_text(const std::string& message) {
  return decode(message).parts.at("text/plain; charset=utf-8");
}

std::size_t longest_line(const std::string& message) {
  std::size_t longest = 0;
  for (const auto& line : lines_of(message)) longest = std::max(longest, line.size());
  return longest;
}

TEST(Message, HasTheRequiredHeaders) {
  const auto headers = decode(to_rfc5322(sample_mail(), sample_sender)).headers;
  EXPECT_EQ(headers.at("Date"), "Fri, 20 Nov 2026 09:30:00 +0000");
  EXPECT_EQ(headers.at("From"), "no-reply@roost.example");
  EXPECT_EQ(headers.at("To"), "landlord@casa-sol.example");
  EXPECT_EQ(headers.at("Subject"), "Booking refused: Room 2");
  EXPECT_EQ(headers.at("Message-ID"), "<5f0c3f2e-8a44-4d6f-9a51-0d7f3f6f2a10@roost.example>");
  EXPECT_EQ(headers.at("MIME-Version"), "1.0");
  EXPECT_EQ(headers.at("Auto-Submitted"), "auto-generated");
  EXPECT_THAT(headers.at("Content-Type"), ::testing::StartsWith("multipart/alternative; boundary="));
}

TEST(Message, IsTheSameForTheSameMail) {
  EXPECT_EQ(to_rfc5322(sample_mail(), sample_sender), to_rfc5322(sample_mail(), sample_sender));
}

TEST(Message, PreservesTextAndHtml) {
  const auto mail = sample_mail();
  const auto decoded = decode(to_rfc5322(mail, sample_sender));
  ASSERT_EQ(decoded.parts.size(), 2U);
  EXPECT_EQ(decoded.parts.at("text/plain; charset=utf-8"), mail.text);
  EXPECT_EQ(decoded.parts.at("text/html; charset=utf-8"), mail.html);
}

TEST(Message, OmitsMissingHtml) {
  auto mail = sample_mail();
  mail.html.clear();
  EXPECT_EQ(decode(to_rfc5322(mail, sample_sender)).parts.size(), 1U);
}

TEST(Message, EndsEveryLineWithCarriageReturnAndLineFeed) {
  const auto message = with_text("one\ntwo\r\nthree\rfour");
  for (const auto& line : lines_of(message))
    EXPECT_THAT(line, Not(::testing::ContainsRegex("[\r\n]"))) << line;
  EXPECT_EQ(decoded_text(message), "one\ntwo\nthree\rfour");
}

TEST(Message, FoldsLongLinesOfText) {
  const auto text =
      std::string(500, 'x') + "\n" + std::string(200, '=') + "\n" + std::string(75, 'y') + "é\n";
  const auto message = with_text(text);
  EXPECT_LE(longest_line(message), 76U);
  EXPECT_EQ(decoded_text(message), text);
}

TEST(Message, KeepsSpacesAtTheEndsOfLines) {
  const std::string text = "one \ntwo\t\n \n three  four";
  const auto message = with_text(text);
  for (const auto& line : lines_of(message))
    EXPECT_FALSE(line.ends_with(' ') || line.ends_with('\t')) << line;
  EXPECT_EQ(decoded_text(message), text);
}

TEST(Message, NeverStartsALineWithADot) {
  const std::string text = ".\n..\n.hidden\n" + std::string(300, '.') + "\n";
  const auto message = with_text(text);
  for (const auto& line : lines_of(message)) EXPECT_FALSE(line.starts_with('.')) << line;
  EXPECT_EQ(decoded_text(message), text);
}

TEST(Message, KeepsTextThatLooksLikeItsBoundary) {
  const std::string text = "--=_5f0c3f2e-8a44-4d6f-9a51-0d7f3f6f2a10--\n";
  EXPECT_EQ(decoded_text(with_text(text)), text);
}

TEST(Message, IsPureAscii) {
  auto mail = sample_mail();
  mail.subject = "Reserva de Ángela";
  mail.text = "Begoña pasará el año aquí – 日本語 🏠\n";
  const auto message = to_rfc5322(mail, sample_sender);
  EXPECT_TRUE(std::ranges::all_of(message, [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
  EXPECT_EQ(decoded_text(message), mail.text);
}

TEST(MessageSubject, IsReadableWhenItIsAscii) {
  EXPECT_THAT(with_subject("Booking refused: Room 2"), HasSubstr("\r\nSubject: Booking refused: Room 2\r\n"));
}

TEST(MessageSubject, IsFoldedBetweenWords) {
  std::string subject = "word";
  for (int i = 0; i < 60; ++i) subject += " word";
  const auto message = with_subject(subject);
  EXPECT_LE(longest_line(message), 76U);
  EXPECT_EQ(decode(message).headers.at("Subject"), subject);
}

TEST(MessageSubject, SupportsAllLanguages) {
  std::string subject;
  for (int i = 0; i < 20; ++i) subject += "Ático número 2 = 日本語 🏠 ";
  subject += "?_.";
  const auto message = with_subject(subject);
  EXPECT_LE(longest_line(message), 76U);
  EXPECT_EQ(decode(message).subject, subject);
}

TEST(MessageSubject, IsEncodedWhenAWordIsTooLongForALine) {
  const std::string subject(300, 'x');
  const auto message = with_subject(subject);
  EXPECT_LE(longest_line(message), 76U);
  EXPECT_EQ(decode(message).subject, subject);
}

TEST(MessageSubject, IsNotTakenForAnEncodedWord) {
  EXPECT_EQ(decode(with_subject("=?UTF-8?Q?Hello?=")).subject, "=?UTF-8?Q?Hello?=");
}

TEST(MessageSubject, MayBeEmpty) { EXPECT_EQ(decode(with_subject("")).subject, ""); }

TEST(MessageSubject, CannotInjectAHeader) {
  const auto decoded = decode(with_subject("Hello\r\nBcc: everyone@elsewhere.example\n\nbody"));
  EXPECT_EQ(decoded.subject, "Hello Bcc: everyone@elsewhere.example body");
  EXPECT_FALSE(decoded.headers.contains("Bcc"));
}

const std::vector<std::string> invalid_addresses{"",
                                                 "landlord",
                                                 "@casa-sol.example",
                                                 "landlord@",
                                                 "a@b@c.example",
                                                 "a@b.example\r\nBcc: c@d.example",
                                                 "a@b.example\n",
                                                 "a@b.example>\r\nRCPT TO:<c@d.example",
                                                 "<a@b.example>",
                                                 "a b@c.example",
                                                 "a@b.example,c@d.example",
                                                 "a\tb@c.example",
                                                 std::string("a\0b@c.example", 13),
                                                 "john..doe@docomo.example",
                                                 "\"a\r\nRCPT TO:<c@d.example>\"@b.example",
                                                 std::string(250, 'a') + "@b.example"};

TEST(Address, IsPermanentlyRefusedAsARecipientIfInvalid) {
  for (const auto& text : invalid_addresses) {
    auto mail = sample_mail();
    mail.to = text;
    try {
      to_rfc5322(mail, sample_sender);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const send_failed& failed) {
      EXPECT_EQ(failed.error_class, "rejected_recipient") << text;
      EXPECT_TRUE(failed.permanent) << text;
    }
  }
}

TEST(Address, IsRefusedAsTheSenderIfInvalid) {
  for (const auto& text : invalid_addresses) {
    if (text.starts_with('<')) continue; // a display name may be empty
    EXPECT_THROW(to_rfc5322(sample_mail(), text), std::invalid_argument) << text;
  }
}

std::string from_header(const char* sender) {
  return decode(to_rfc5322(sample_mail(), sender)).headers.at("From");
}

TEST(SenderAddress, MayHaveADisplayName) {
  EXPECT_EQ(from_header("Roost <no-reply@roost.example>"), "\"Roost\" <no-reply@roost.example>");
  EXPECT_EQ(from_header(R"("Verde, \"Casa\"" <a@b.example>)"), R"("Verde, \"Casa\"" <a@b.example>)");
  EXPECT_EQ(from_header("no-reply@roost.example"), "no-reply@roost.example");
  EXPECT_THAT(to_rfc5322(sample_mail(), "Münchner Zimmer <max@münchen.example>"),
              HasSubstr("\r\nFrom: =?UTF-8?Q?M=C3=BCnchner_Zimmer?=\r\n <max@xn--mnchen-3ya.example>\r\n"));
}

TEST(SenderAddress, GivesItsDomainToTheMessageIdDespiteAName) {
  EXPECT_THAT(decode(to_rfc5322(sample_mail(), "Roost <no-reply@münchen.example>")).headers.at("Message-ID"),
              ::testing::EndsWith("@xn--mnchen-3ya.example>"));
}

TEST(SenderAddress, MustBeAsciiBeforeTheAt) {
  EXPECT_THROW(to_rfc5322(sample_mail(), "josé@c.example"), std::invalid_argument);
}

TEST(RecipientAddress, HasItsDomainInAscii) {
  auto mail = sample_mail();
  mail.to = "max@münchen.example";
  EXPECT_EQ(decode(to_rfc5322(mail, sample_sender)).headers.at("To"), "max@xn--mnchen-3ya.example");
}

} // namespace roost::mail::message_test
