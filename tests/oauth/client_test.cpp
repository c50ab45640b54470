#include "oauth/client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace roost::oauth::client_test {

using ::testing::ElementsAre;

TEST(ClientNames, StayInOneLine) {
  EXPECT_EQ(stored_client_name(" My\r\n assistant\t"), "My assistant");
  EXPECT_EQ(stored_client_name(std::string_view("a\0b", 3)), "a b");
  EXPECT_EQ(stored_client_name(""), "");
}

TEST(ClientNames, HaveNoInvisibleCharacters) {
  for (const auto* invisible :
       {"\u200b",     "\u200c",     "\u200d",     "\u2060", "\ufeff", "\u00ad", "\u034f", "\u061c",
        "\u115f",     "\u180e",     "\u2061",     "\u206a", "\u3164", "\ufe0f", "\uffa0", "\ufff9",
        "\U000e0041", "\U000e0100", "\U0001d173", "\u202e", "\u2066", "\ue000", "\u0378"}) {
    const std::string text(invisible);
    EXPECT_EQ(stored_client_name("Cla" + text + "ude" + text), "Claude") << text;
    EXPECT_EQ(stored_client_name(text), "") << text;
  }
}

TEST(ClientNames, HavePlainSpaces) {
  for (const auto* space : {"\u00a0", "\u2003", "\u2009", "\u202f", "\u3000", "\u2028", "\u0085", "\u2800"})
    EXPECT_EQ(stored_client_name(space + std::string("My") + space + " assistant" + space), "My assistant");
}

TEST(ClientNames, KeepTheLettersOfEveryScript) {
  for (const auto* name : {"Ñandú é", "助手", "помощник", "مساعد", "सहायक", "e\u0301", "\U0001F600 ok"})
    EXPECT_EQ(stored_client_name(name), name);
}

TEST(ClientNames, AreCutTo255Characters) {
  EXPECT_EQ(stored_client_name(std::string(255, 'a')), std::string(255, 'a'));
  EXPECT_EQ(stored_client_name(std::string(256, 'a')), std::string(255, 'a'));
}

TEST(ClientNames, AreNotCutWithinACharacter) {
  const std::string start(254, 'a');
  EXPECT_EQ(stored_client_name(start + "éé"), start + "é");
  EXPECT_EQ(stored_client_name(start + "\U0001F600\U0001F600"), start + "\U0001F600");
}

TEST(GrantTypes, AreKeptIfSupported) {
  EXPECT_THAT(stored_grant_types({"refresh_token", "implicit", "authorization_code", "refresh_token"}),
              ElementsAre("authorization_code", "refresh_token"));
  EXPECT_THAT(stored_grant_types({"authorization_code"}), ElementsAre("authorization_code"));
}

TEST(GrantTypes, DefaultToAllIfNoneIsSupported) {
  EXPECT_THAT(stored_grant_types({}), ElementsAre("authorization_code", "refresh_token"));
  EXPECT_THAT(stored_grant_types({"implicit", ""}), ElementsAre("authorization_code", "refresh_token"));
}

} // namespace roost::oauth::client_test
