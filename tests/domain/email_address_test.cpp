#include "domain/email_address.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace roost::domain::email_address_test {
TEST(EmailAddress, IsALocalPartAtADomainName) {
  for (const auto* good :
       {"a@b.co", "a+b@c.co", "a/b@c.co", "a@ü.de", "ü@c.de", "\"a b\"@c.co", "a@xn--bcher-kva.ch",
        "a@c.museum", "a.b.c@d.e-f.org", "1@2.xn--p1ai", "A@B.CO", "o'hara@c.ie", "\"a@b\"@c.co"})
    EXPECT_TRUE(is_email_address(good)) << good;
}

TEST(EmailAddress, RejectsInvalidAddresses) {
  for (const auto* bad : {"",
                          "a",
                          "a@",
                          "@b.co",
                          "a@b",
                          "a@b.c",
                          "a@b.co ",
                          " a@b.co",
                          "a..b@c.co",
                          ".a@c.co",
                          "a.@c.co",
                          "a@-b.co",
                          "a@b-.co",
                          "a@b..co",
                          "a@.co",
                          "a@[127.0.0.1]",
                          "a@127.0.0.1",
                          "Ana <a@b.co>",
                          "a@b.co\n",
                          "a,b@c.co",
                          "a@b.123",
                          "a@b.c1",
                          "a b@c.co",
                          "a@b_c.co",
                          "\"a@c.co",
                          "a@b.co.",
                          "a@\xff.co",
                          "\x01@c.co",
                          "john..doe@docomo.example",
                          "\"a\r\nRCPT TO:<b@c.co>\"@c.co",
                          "\"a\\\nb\"@c.co",
                          "\"a\tb\"@c.co"})
    EXPECT_FALSE(is_email_address(bad)) << bad;
}

TEST(EmailAddress, HasALocalPartOfAtMost64BytesAnd254Bytes) {
  const std::string long_local(64, 'x');
  EXPECT_TRUE(is_email_address(long_local + "@b.co"));
  EXPECT_FALSE(is_email_address(long_local + "x@b.co"));
  std::string name;
  for (int i = 0; i < 4; ++i) name += std::string(61, 'b') + ".";
  EXPECT_TRUE(is_email_address("a@" + name + "demo"));
  EXPECT_FALSE(is_email_address("a@" + name + "demos"));
  EXPECT_TRUE(is_email_address("a@" + std::string(63, 'b') + ".co"));
  EXPECT_FALSE(is_email_address("a@" + std::string(64, 'b') + ".co"));
}

TEST(EmailAddress, IsMaskedToItsFirstCharacter) {
  EXPECT_EQ(masked_email("ana@casaverde.example"), "a***@casaverde.example");
  EXPECT_EQ(masked_email("ümit@c.de"), "ü***@c.de");
  EXPECT_EQ(masked_email("no address"), "***");
}

TEST(EmailKey, IgnoresLetterCaseAndComposition) {
  EXPECT_EQ(email_key("Ana.B@CasaVerde.Example"), "ana.b@casaverde.example");
  EXPECT_EQ(email_key("RENE\u0301@casaverde.example"), email_key("ren\u00e9@casaverde.example"));
  EXPECT_EQ(email_key("Größe@Дом.example"), email_key("GRÖSSE@дОМ.example"));
  EXPECT_NE(email_key("Größe@Дом.example"), email_key("grosse@дом.example"));
}

TEST(EmailKey, IgnoresWhetherTheDomainIsInAscii) {
  for (const auto* same : {"Max@MÜNCHEN.example", "max@mu\u0308nchen.example", "max@xn--mnchen-3ya.example",
                           "MAX@XN--MNCHEN-3YA.EXAMPLE", "max@münchen\u3002example"})
    EXPECT_EQ(email_key(same), "max@münchen.example") << same;
  EXPECT_EQ(email_key("eva@xn--strae-oqa.example"), email_key("eva@straße.example"));
}

TEST(EmailKey, HasTheDomainInAsciiForAnInvalidALabel) {
  const auto* const address = "x@xn--eeeee3eeeeeeeenen-pya.\u03c2p";
  const auto mailable = mailable_address(address);
  ASSERT_TRUE(mailable);
  EXPECT_EQ(email_key(address), *mailable);
  EXPECT_EQ(email_key(*mailable), *mailable);
}

TEST(EmailKey, FoldsATextThatIsNoAddress) {
  EXPECT_EQ(email_key("Landlord-1"), "landlord-1");
  EXPECT_EQ(email_key("a@B\u2026c.example"), "a@b\u2026c.example");
  EXPECT_EQ(email_key("a@xn--\u00fc.Example"), "a@xn--\u00fc.example");
  EXPECT_EQ(email_key("a@xn--a.example"), "a@xn--a.example") << "stands for a control character";
  EXPECT_NE(email_key(std::string("a@\u00fc.example\0x", 13)), email_key("a@\u00fc.example"));
  EXPECT_EQ(email_key(""), "");
}

TEST(MailableAddress, HasItsDomainInAscii) {
  EXPECT_EQ(mailable_address("max@münchen.example"), "max@xn--mnchen-3ya.example");
  EXPECT_EQ(mailable_address("max@MÜNCHEN.example"), "max@xn--mnchen-3ya.example");
  EXPECT_EQ(mailable_address("max@mu\u0308nchen.example"), "max@xn--mnchen-3ya.example") << "decomposed";
  EXPECT_EQ(mailable_address("eva@straße.example"), "eva@xn--strae-oqa.example") << "IDNA2008 keeps the ß";
  EXPECT_EQ(mailable_address("ivan@пример.испытание"), "ivan@xn--e1afmkfd.xn--80akhbyknj4f");
}

TEST(MailableAddress, IsUnchangedInAscii) {
  for (const auto* address :
       {"Ana.B+tag@Casa-Verde.example", "a@xn--mnchen-3ya.example", "\"a b\"@c.example"})
    EXPECT_EQ(mailable_address(address), address);
}

TEST(MailableAddress, KeepsLettersBeforeTheAt) {
  EXPECT_EQ(mailable_address("josé@münchen.example"), "josé@xn--mnchen-3ya.example");
  EXPECT_TRUE(needs_smtputf8(*mailable_address("josé@casaverde.example")));
  EXPECT_FALSE(needs_smtputf8(*mailable_address("max@münchen.example")));
}

TEST(MailableAddress, HasADomainThatIdnaAllows) {
  for (const auto* bad : {"a@b\u2026c.example", "a@\u00ad.example", "a@ab--\u00fc.example"})
    EXPECT_EQ(mailable_address(bad), std::nullopt) << bad;
  std::string long_label; // 63 bytes at most once it is in ASCII
  for (int i = 0; i < 60; ++i) long_label += i % 2 == 0 ? "ü" : "я";
  EXPECT_EQ(mailable_address("a@" + long_label + ".example"), std::nullopt);
}

TEST(MailableAddress, IsWhatIsAcceptedAsAnEmailAddress) {
  for (const auto* text :
       {"max@münchen.example", "a@b.co", "john..doe@docomo.example", "a@b\u2026c.example", "a"})
    EXPECT_EQ(is_email_address(text), mailable_address(text).has_value()) << text;
}

TEST(Mailbox, IsAnAddressWithOrWithoutAName) {
  struct example {
    const char *text, *name, *address;
  };
  for (const auto& [text, name, address] : std::vector<example>{
           {"no-reply@roost.example", "", "no-reply@roost.example"},
           {"Roost <no-reply@roost.example>", "Roost", "no-reply@roost.example"},
           {"Casa Verde Rentals<a@b.example>", "Casa Verde Rentals", "a@b.example"},
           {"\"Verde, Casa (Madrid)\" <a@b.example>", "Verde, Casa (Madrid)", "a@b.example"},
           {R"("The \"Best\" \\ Rooms" <a@b.example>)", R"(The "Best" \ Rooms)", "a@b.example"},
           {"Münchner Zimmer <max@münchen.example>", "Münchner Zimmer", "max@xn--mnchen-3ya.example"},
           {"  <a@b.example> ", "", "a@b.example"}}) {
    const auto mailbox = parse_mailbox(text);
    ASSERT_TRUE(mailbox) << text;
    EXPECT_EQ(mailbox->name, name);
    EXPECT_EQ(mailbox->address, address);
  }
}

TEST(Mailbox, IsRejectedWithAnInvalidNameOrAddress) {
  for (const auto* bad :
       {"", "Roost", "Roost <roost>", "Roost a@b.example", "Roost <a@b.example", "a@b.example>",
        "\"Roost <a@b.example>", "\"Roost\" x <a@b.example>", "Ro\r\nBcc: c@d.example <a@b.example>",
        "<x> <a@b.example>", "Roost <a@b.example>, Eva <c@d.example>"})
    EXPECT_FALSE(parse_mailbox(bad)) << bad;
}

} // namespace roost::domain::email_address_test
