#include "domain/email_address.hpp"

#include <gtest/gtest.h>

#include <string>

namespace roost::domain::email_address_test {

TEST(EmailAddress, IsALocalPartAtADomainName) {
  for (const auto* good :
       {"a@b.co", "a+b@c.co", "a/b@c.co", "a@ü.de", "ü@c.de", "\"a b\"@c.co", "a@xn--bcher-kva.ch",
        "a@c.museum", "a.b.c@d.e-f.org", "1@2.xn--p1ai", "A@B.CO", "o'hara@c.ie", "\"a@b\"@c.co"})
    EXPECT_TRUE(is_email_address(good)) << good;
}

TEST(EmailAddress, IsNotWhatMailCannotGoTo) {
  for (const auto* bad : {"",         "a",        "a@",        "@b.co",         "a@b",         "a@b.c",
                          "a@b.co ",  " a@b.co",  "a..b@c.co", ".a@c.co",       "a.@c.co",     "a@-b.co",
                          "a@b-.co",  "a@b..co",  "a@.co",     "a@[127.0.0.1]", "a@127.0.0.1", "Ana <a@b.co>",
                          "a@b.co\n", "a,b@c.co", "a@b.123",   "a@b.c1",        "a b@c.co",    "a@b_c.co",
                          "\"a@c.co", "a@b.co.",  "a@\xff.co", "\x01@c.co"})
    EXPECT_FALSE(is_email_address(bad)) << bad;
}

TEST(EmailAddress, HasALocalPartOfAtMost64BytesAndADomainOf254) {
  const std::string long_local(64, 'x');
  EXPECT_TRUE(is_email_address(long_local + "@b.co"));
  EXPECT_FALSE(is_email_address(long_local + "x@b.co"));
  std::string name;
  for (int i = 0; i < 4; ++i) name += std::string(62, 'b') + ".";
  EXPECT_TRUE(is_email_address("a@" + name + "de"));
  EXPECT_FALSE(is_email_address("a@" + name + "deu"));
  EXPECT_TRUE(is_email_address("a@" + std::string(63, 'b') + ".co"));
  EXPECT_FALSE(is_email_address("a@" + std::string(64, 'b') + ".co"));
}

TEST(EmailAddress, IsMaskedToItsFirstCharacter) {
  EXPECT_EQ(masked_email("ana@casaverde.example"), "a***@casaverde.example");
  EXPECT_EQ(masked_email("ümit@c.de"), "ü***@c.de");
  EXPECT_EQ(masked_email("no address"), "***");
}

} // namespace roost::domain::email_address_test
