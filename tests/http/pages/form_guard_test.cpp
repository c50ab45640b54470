#include "http/pages/form_guard.hpp"
#include "http/protocol/error.hpp"

#include <gtest/gtest.h>

namespace roost::http::testing::form_guard_test {

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

TEST_F(FormGuard, TakesTheFormsOfABrowserThatItGaveThemTo) {
  const auto issued = guard.issue({});
  ASSERT_FALSE(issued.new_cookie.empty());
  EXPECT_TRUE(accepts(issued.new_cookie, issued.value));
  EXPECT_TRUE(accepts(issued.new_cookie, issued.value)); // going back in the browser is no attack
}

TEST_F(FormGuard, KeepsTheCookieThatABrowserHas) {
  const auto first = guard.issue({});
  const auto header = "roost_form=" + first.new_cookie;
  const auto second = guard.issue(with_cookie(header));
  EXPECT_EQ(second.value, first.value);
  EXPECT_TRUE(second.new_cookie.empty());
  response answer;
  guard.remember(answer, second);
  EXPECT_TRUE(answer.fields.empty());
  guard.remember(answer, first);
  EXPECT_EQ(answer.fields.size(), 1U);
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

TEST_F(FormGuard, TakesFormsFromBeforeAChangeOfKeys) {
  const auto before = guard.issue({});
  use({key_of(2), key_of(1)});
  EXPECT_TRUE(accepts(before.new_cookie, before.value));
  use({key_of(2)});
  EXPECT_FALSE(accepts(before.new_cookie, before.value));
}

} // namespace roost::http::testing::form_guard_test
