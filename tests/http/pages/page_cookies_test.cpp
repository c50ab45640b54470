#include "http/pages/page_cookies.hpp"
#include "http/protocol/error.hpp"

#include <gtest/gtest.h>

namespace roost::http::testing::page_cookies_test {

security::named_key key_of(unsigned char number) {
  security::named_key made{std::to_string(number), {}, {}};
  made.key.fill(number);
  return made;
}

class FormGuard : public ::testing::Test {
protected:
  FormGuard() { use({key_of(1)}); }

  void use(std::vector<security::named_key> ring) {
    keys.set(std::make_shared<const security::key_ring>(std::move(ring)));
  }

  static request with_cookie(const std::string& header) {
    request req;
    if (!header.empty()) req.fields.push_back({"Cookie", header});
    return req;
  }

  bool accepts(const std::string& cookie, const std::string& value) const {
    const auto header = "roost_form=" + cookie;
    try {
      guard.check(with_cookie(cookie.empty() ? "" : header), {{"form", value}});
      return true;
    } catch (const error& refusal) {
      EXPECT_EQ(refusal.status, 403U);
      EXPECT_EQ(refusal.message, "This form is out of date. Please open the page again.");
      return false;
    }
  }

  actors::published<security::key_ring> keys;
  form_guard guard{keys, "http://roost.example"};
};

TEST_F(FormGuard, AcceptsItsFormsFromTheSameBrowser) {
  const auto issued = guard.issue({});
  ASSERT_FALSE(issued.new_cookie.empty());
  EXPECT_TRUE(accepts(issued.new_cookie, issued.value));
  EXPECT_TRUE(accepts(issued.new_cookie, issued.value)); // the user may go back in the browser
}

TEST_F(FormGuard, KeepsTheBrowsersCookie) {
  const auto first = guard.issue({});
  const auto header = "roost_form=" + first.new_cookie;
  const auto second = guard.issue(with_cookie(header));
  EXPECT_EQ(second.value, first.value);
  EXPECT_TRUE(second.new_cookie.empty());
  response result;
  guard.remember(result, second);
  EXPECT_TRUE(result.fields.empty());
  guard.remember(result, first);
  EXPECT_EQ(result.fields.size(), 1U);
}

TEST_F(FormGuard, RefusesTheFormOfAnotherBrowser) {
  const auto mine = guard.issue({}), other = guard.issue({});
  EXPECT_FALSE(accepts(mine.new_cookie, other.value));
  EXPECT_FALSE(accepts(mine.new_cookie, ""));
  EXPECT_FALSE(accepts(mine.new_cookie, mine.new_cookie));
  EXPECT_FALSE(accepts("", mine.value));
  EXPECT_THROW(guard.check(with_cookie("roost_form=x"), {}), error);
  EXPECT_THROW(guard.check(with_cookie("roost_form="), {{"form", mine.value}}), error);
}

TEST_F(FormGuard, AcceptsFormsFromBeforeAKeyRotation) {
  const auto before = guard.issue({});
  use({key_of(2), key_of(1)});
  EXPECT_TRUE(accepts(before.new_cookie, before.value));
  use({key_of(2)});
  EXPECT_FALSE(accepts(before.new_cookie, before.value));
}

const challenge_cookie cookie{"http://roost.example"};

std::optional<open_challenge> read(const std::string& header) {
  request req;
  req.fields.push_back({"Cookie", header});
  return cookie.in(req);
}

TEST(ChallengeCookie, CarriesTheChallengeToTheCodePage) {
  const open_challenge open{"tok-en_1", "ä***@casaverde.example",
                            *domain::parse_timestamp("2026-11-20T09:40:00.000Z"),
                            *domain::parse_timestamp("2026-11-20T09:30:00.500Z")};
  response result;
  cookie.set(result, open);
  const auto field = result.fields.at(0).second;
  const auto read_back = read(field.substr(0, field.find(';')));
  ASSERT_TRUE(read_back);
  EXPECT_EQ(read_back->token, open.token);
  EXPECT_EQ(read_back->email, open.email);
  EXPECT_EQ(read_back->expires_at, open.expires_at);
  EXPECT_EQ(read_back->sent_at, open.sent_at);
}

TEST(ChallengeCookie, IsIgnoredIfMissingOrMalformed) {
  for (const auto* malformed :
       {"", "a=b", "roost_challenge=", "roost_challenge=token", "roost_challenge=~61~1~1",
        "roost_challenge=token~6~1~1", "roost_challenge=token~ff~1~1", "roost_challenge=token~61~x~1",
        "roost_challenge=token~61~1~-1", "roost_challenge=token~61~1~9999999999999999"})
    EXPECT_FALSE(read(malformed)) << malformed;
  EXPECT_TRUE(read("roost_challenge=token~61~1~1"));
}

TEST(ReturnPath, AcceptsOnlyConsentPagesThatFitIntoACookie) {
  EXPECT_TRUE(return_path::is_allowed("/oauth/authorize?client_id=a"));
  EXPECT_FALSE(return_path::is_allowed("/oauth/authorize?" + std::string(1'900, 'a')));
  for (const auto* path : {"", "/account", "//evil.example/oauth/authorize?", "/oauth/authorize?a b",
                           "/oauth/authorize?a#b", "/oauth/authorize?\\"})
    EXPECT_FALSE(return_path::is_allowed(path)) << path;
}

} // namespace roost::http::testing::page_cookies_test
