#include "actors/runtime/ask.hpp"
#include "actors/sessions/identity_keys.hpp"
#include "support/identity_issuer.hpp"
#include "support/tls_server.hpp"
#include "temporary_folder.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <caf/all.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>

namespace roost::actors::identity_keys_test {

using namespace std::chrono_literals;
using roost::testing::http_response;
using roost::testing::identity_issuer_key;
using roost::testing::jwk_set;
using roost::testing::tls_server;
using security::identity_refusal;
using ::testing::HasSubstr;

/// An issuer whose keys and availability the test controls and whose reads it counts.
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
    ++reads;
    const std::lock_guard lock{mutex};
    if (published.empty()) throw std::runtime_error("the issuer is down");
    return published;
  }

  void publish(std::string set) {
    const std::lock_guard lock{mutex};
    published = std::move(set);
  }

  identity_checked verify(std::string token, deadline until = {}) {
    verify_identity message{std::move(token), until};
    return asio::co_spawn(rt.io_contexts().front().get(), ask(keys, std::move(message)), asio::use_future)
        .get();
  }

  /// Verifies a valid token signed with this key.
  identity_checked verify(const identity_issuer_key& key) {
    return verify(key.token(
        R"({"iss":"https://id.example","aud":"roost-web","sub":"1","email":"ana@casaverde.example",)"
        R"("email_verified":true,"exp":1800003600})"));
  }

  bool accepts(const identity_issuer_key& key) {
    return std::holds_alternative<security::identity_claims>(verify(key).verdict);
  }

  bool is_unavailable(const identity_issuer_key& key) {
    try {
      verify(key);
      return false;
    } catch (const ask_error& error) {
      EXPECT_EQ(error.kind(), ask_failure::refused);
      return error.reason() == make_error(identity_error::keys_unavailable);
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
  std::atomic<int> reads = 0;
  std::mutex mutex;
  std::string published = jwk_set({first().jwk()});
  metrics::registry registry;
  runtime rt{{}};
  identity_keys keys;
};

void pass(std::atomic<deadline::clock::duration>& elapsed, deadline::clock::duration time) {
  elapsed = elapsed.load() + time;
}

TEST_F(IdentityKeys, AreReadWhenFirstNeededAndThenCached) {
  EXPECT_EQ(reads, 0);
  const auto checked = verify(first());
  EXPECT_EQ(std::get<security::identity_claims>(checked.verdict).email, "ana@casaverde.example");
  EXPECT_TRUE(accepts(first()));
  pass(elapsed, 1h - 1s);
  EXPECT_TRUE(accepts(first()));
  EXPECT_EQ(reads, 1);
}

TEST_F(IdentityKeys, AreReadAgainAfterAnHour) {
  ASSERT_TRUE(accepts(first()));
  publish(jwk_set({second().jwk()}));
  pass(elapsed, 1h);
  EXPECT_FALSE(accepts(first())); // the issuer has removed it
  EXPECT_TRUE(accepts(second()));
  EXPECT_EQ(reads, 2);
}

TEST_F(IdentityKeys, AreReadAgainForANewKey) {
  ASSERT_TRUE(accepts(first()));
  publish(jwk_set({first().jwk(), second().jwk()}));
  pass(elapsed, 30s);
  EXPECT_TRUE(accepts(second()));
  EXPECT_TRUE(accepts(first()));
  EXPECT_EQ(reads, 2);
}

TEST_F(IdentityKeys, AreNotReadForEveryTokenWithAnUnknownKey) {
  ASSERT_TRUE(accepts(first()));
  pass(elapsed, 29s);
  EXPECT_EQ(std::get<identity_refusal>(verify(second()).verdict), identity_refusal::unknown_key);
  EXPECT_EQ(reads, 1);
  pass(elapsed, 1s);
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(std::get<identity_refusal>(verify(second()).verdict), identity_refusal::unknown_key);
  EXPECT_EQ(reads, 2);
}

TEST_F(IdentityKeys, RemainInUseWhileTheIssuerIsDown) {
  ASSERT_TRUE(accepts(first()));
  publish("");
  pass(elapsed, 24h);
  EXPECT_TRUE(accepts(first()));
  EXPECT_TRUE(accepts(first()));
  EXPECT_EQ(reads, 2); // not once per token
  pass(elapsed, 30s);
  EXPECT_TRUE(accepts(first()));
  EXPECT_EQ(reads, 3);
}

TEST_F(IdentityKeys, RemainInUseWhenTheIssuerSendsNonsense) {
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
  EXPECT_EQ(reads, 1);
  publish(jwk_set({first().jwk()}));
  pass(elapsed, 5s);
  EXPECT_TRUE(accepts(first()));
}

TEST_F(IdentityKeys, AreNotReadAfterTheDeadline) {
  EXPECT_THROW(verify("x", deadline::in(-1ms)), ask_error);
  EXPECT_EQ(reads, 0);
}

TEST_F(IdentityKeys, CountTokensByOutcome) {
  ASSERT_TRUE(accepts(first()));
  verify("no token");
  const auto text = registry.scrape();
  EXPECT_NE(text.find(R"(roost_identity_tokens_total{outcome="verified"} 1)"), std::string::npos);
  EXPECT_NE(text.find(R"(roost_identity_tokens_total{outcome="malformed"} 1)"), std::string::npos);
  EXPECT_NE(text.find(R"(roost_identity_keys_reads_total{outcome="done"} 1)"), std::string::npos);
}

std::string error_of(const key_source& source) {
  try {
    source();
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

class KeySource : public ::testing::Test {
protected:
  fetch::fetch_limits trusting() const {
    auto limits = key_source_limits();
    limits.trusted_certificates = own.certificate_file;
    return limits;
  }

  tests::temporary_folder folder;
  roost::testing::certificate own{folder.path()};
};

TEST_F(KeySource, ReadsAFileEachTime) {
  const auto path = (folder.path() / "keys.json").string();
  const auto source = key_source_at(path);
  EXPECT_THAT(error_of(source), HasSubstr("keys.json: No such file or directory"));
  folder.write("keys.json", "one");
  EXPECT_EQ(source(), "one");
  folder.write("keys.json", "two");
  EXPECT_EQ(source(), "two");
}

TEST_F(KeySource, ReadsAFileUpToTheSizeLimit) {
  folder.write("keys.json", std::string(100, 'x'));
  const auto path = (folder.path() / "keys.json").string();
  EXPECT_EQ(key_source_at(path, {.bytes = 100})().size(), 100U);
  EXPECT_THAT(error_of(key_source_at(path, {.bytes = 99})), HasSubstr("it is too long"));
}

TEST_F(KeySource, DoesNotReadAFolder) {
  EXPECT_THAT(error_of(key_source_at(folder.path().string())), HasSubstr(": Is a directory"));
}

TEST_F(KeySource, HasAnErrorUnlessItContainsKeys) {
  const auto source = key_source_at((folder.path() / "keys.json").string());
  EXPECT_THAT(key_source_error(source).value_or(""), HasSubstr("keys.json: No such file or directory"));
  folder.write("keys.json", "no keys");
  EXPECT_NE(key_source_error(source).value_or(""), "");
  folder.write("keys.json", jwk_set({identity_issuer_key::ec("first").jwk()}));
  EXPECT_EQ(key_source_error(source), std::nullopt);
}

TEST_F(KeySource, ReadsAPrivateAddressEachTime) {
  int requests = 0;
  const tls_server server(
      own, [&](const std::string&) { return http_response("keys" + std::to_string(++requests)); });
  const auto source = key_source_at(server.url(), trusting());
  EXPECT_EQ(source(), "keys1");
  EXPECT_EQ(source(), "keys2");
}

TEST_F(KeySource, ReportsWhyAUrlCannotBeRead) {
  const tls_server server(own, http_response("keys", "404 Not Found"));
  EXPECT_EQ(error_of(key_source_at(server.url(), trusting())),
            "cannot read " + server.url() + ": the response status is 404");
}

} // namespace roost::actors::identity_keys_test
