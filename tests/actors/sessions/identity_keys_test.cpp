#include "actors/runtime/ask.hpp"
#include "actors/sessions/identity_keys.hpp"
#include "support/identity_issuer.hpp"
#include "temporary_folder.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <caf/all.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>

namespace roost::actors::identity_keys_test {

using namespace std::chrono_literals;
using roost::testing::identity_issuer_key;
using roost::testing::jwk_set;
using security::identity_refusal;

/// An issuer that the test puts keys into, takes down, and whose readings it counts.
class IdentityKeys : public ::testing::Test {
protected:
  void SetUp() override {
    identity_keys_setup setup;
    setup.source = [this] { return read(); };
    setup.expected = {"https://id.example", "roost-web"};
    setup.now = [] { return domain::timestamp{1'800'000'000s}; };
    setup.elapsed = [this] { return deadline::clock::time_point{elapsed.load()}; };
    setup.registry = &registry;
    keys = spawn_identity_keys(rt, std::move(setup));
  }

  void TearDown() override {
    rt.close_ports();
    caf::anon_send_exit(keys, caf::exit_reason::user_shutdown);
    keys = nullptr;
  }

  std::string read() {
    ++readings;
    const std::lock_guard lock{mutex};
    if (published.empty()) throw std::runtime_error("the issuer is down");
    return published;
  }

  void publish(std::string set) {
    const std::lock_guard lock{mutex};
    published = std::move(set);
  }

  identity_checked check(std::string token, deadline until = {}) {
    verify_identity message{std::move(token), until};
    return asio::co_spawn(rt.io_contexts().front().get(), ask(keys, std::move(message)), asio::use_future)
        .get();
  }

  /// What is said of a good token of this key.
  identity_checked check(const identity_issuer_key& key) {
    return check(key.token(
        R"({"iss":"https://id.example","aud":"roost-web","sub":"1","email":"ana@casaverde.example",)"
        R"("email_verified":true,"exp":1800003600})"));
  }

  bool accepts(const identity_issuer_key& key) {
    return std::holds_alternative<security::identity_claims>(check(key).verdict);
  }

  bool is_unavailable(const identity_issuer_key& key) {
    try {
      check(key);
      return false;
    } catch (const ask_error& failed) {
      EXPECT_EQ(failed.kind(), ask_failure::refused);
      return failed.reason() == make_error(identity_error::keys_unavailable);
    }
  }

  static const identity_issuer_key& first() {
    static const auto key = identity_issuer_key::ec("first");
    return key;
  }
  static const identity_issuer_key& second() {
    static const auto key = identity_issuer_key::rsa("second");
    return key;
  }

  std::atomic<deadline::clock::duration> elapsed{1h};
  std::atomic<int> readings = 0;
  std::mutex mutex;
  std::string published = jwk_set({first().jwk()});
  metrics::registry registry;
  runtime rt{{}};
  identity_keys keys;
};

void pass(std::atomic<deadline::clock::duration>& elapsed, deadline::clock::duration time) {
  elapsed = elapsed.load() + time;
}

TEST_F(IdentityKeys, AreReadWhenTheyAreFirstNeededAndThenKept) {
  EXPECT_EQ(readings, 0);
  const auto checked = check(first());
  EXPECT_EQ(std::get<security::identity_claims>(checked.verdict).email, "ana@casaverde.example");
  EXPECT_TRUE(accepts(first()));
  pass(elapsed, 1h - 1s);
  EXPECT_TRUE(accepts(first()));
  EXPECT_EQ(readings, 1);
}

TEST_F(IdentityKeys, AreReadAgainAfterAnHour) {
  ASSERT_TRUE(accepts(first()));
  publish(jwk_set({second().jwk()}));
  pass(elapsed, 1h);
  EXPECT_FALSE(accepts(first())); // the issuer has withdrawn it
  EXPECT_TRUE(accepts(second()));
  EXPECT_EQ(readings, 2);
}

TEST_F(IdentityKeys, AreReadAgainForAKeyThatIsNew) {
  ASSERT_TRUE(accepts(first()));
  publish(jwk_set({first().jwk(), second().jwk()}));
  pass(elapsed, 30s);
  EXPECT_TRUE(accepts(second()));
  EXPECT_TRUE(accepts(first()));
  EXPECT_EQ(readings, 2);
}

TEST_F(IdentityKeys, AreNotReadForEveryTokenWithAStrangeKey) {
  ASSERT_TRUE(accepts(first()));
  pass(elapsed, 29s);
  EXPECT_EQ(std::get<identity_refusal>(check(second()).verdict), identity_refusal::unknown_key);
  EXPECT_EQ(readings, 1);
  pass(elapsed, 1s);
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(std::get<identity_refusal>(check(second()).verdict), identity_refusal::unknown_key);
  EXPECT_EQ(readings, 2);
}

TEST_F(IdentityKeys, StayWhileTheIssuerIsDown) {
  ASSERT_TRUE(accepts(first()));
  publish("");
  pass(elapsed, 24h);
  EXPECT_TRUE(accepts(first()));
  EXPECT_TRUE(accepts(first()));
  EXPECT_EQ(readings, 2); // and it is not asked for every token
  pass(elapsed, 30s);
  EXPECT_TRUE(accepts(first()));
  EXPECT_EQ(readings, 3);
}

TEST_F(IdentityKeys, StayWhenTheIssuerSendsNonsense) {
  ASSERT_TRUE(accepts(first()));
  publish("<html>502</html>");
  pass(elapsed, 1h);
  EXPECT_TRUE(accepts(first()));
  publish(jwk_set({second().jwk()}));
  pass(elapsed, 30s);
  EXPECT_TRUE(accepts(second()));
}

TEST_F(IdentityKeys, AreUnavailableWhileTheIssuerIsDownFromTheStart) {
  publish("");
  EXPECT_TRUE(is_unavailable(first()));
  EXPECT_TRUE(is_unavailable(first()));
  EXPECT_EQ(readings, 1);
  publish(jwk_set({first().jwk()}));
  pass(elapsed, 5s);
  EXPECT_TRUE(accepts(first()));
}

TEST_F(IdentityKeys, AreNotAskedForWhatNobodyWaitsForAnyMore) {
  EXPECT_THROW(check("x", deadline::in(-1ms)), ask_error);
  EXPECT_EQ(readings, 0);
}

TEST_F(IdentityKeys, CountWhatBecameOfTokens) {
  ASSERT_TRUE(accepts(first()));
  check("no token");
  const auto text = registry.scrape();
  EXPECT_NE(text.find(R"(roost_identity_tokens_total{outcome="verified"} 1)"), std::string::npos);
  EXPECT_NE(text.find(R"(roost_identity_tokens_total{outcome="malformed"} 1)"), std::string::npos);
  EXPECT_NE(text.find(R"(roost_identity_keys_reads_total{outcome="done"} 1)"), std::string::npos);
}

} // namespace roost::actors::identity_keys_test
