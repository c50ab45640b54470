#include "actors/sessions/identity_keys.hpp"
#include "support/identity_issuer.hpp"
#include "support/tls_server.hpp"
#include "temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::actors::key_source_test {

using roost::testing::http_response;
using roost::testing::tls_server;
using ::testing::HasSubstr;

std::string failure_of(const key_source& source) {
  try {
    source();
    return "";
  } catch (const std::runtime_error& failed) {
    return failed.what();
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
  EXPECT_THAT(failure_of(source), HasSubstr("keys.json: No such file or directory"));
  folder.write("keys.json", "one");
  EXPECT_EQ(source(), "one");
  folder.write("keys.json", "two");
  EXPECT_EQ(source(), "two");
}

TEST_F(KeySource, ReadsAFileUpToItsBound) {
  folder.write("keys.json", std::string(100, 'x'));
  const auto path = (folder.path() / "keys.json").string();
  EXPECT_EQ(key_source_at(path, {.bytes = 100})().size(), 100U);
  EXPECT_THAT(failure_of(key_source_at(path, {.bytes = 99})), HasSubstr("it is too long"));
}

TEST_F(KeySource, DoesNotReadAFolder) {
  EXPECT_THAT(failure_of(key_source_at(folder.path().string())), HasSubstr(": Is a directory"));
}

TEST_F(KeySource, HasAFaultUnlessItHoldsKeys) {
  const auto source = key_source_at((folder.path() / "keys.json").string());
  EXPECT_THAT(fault_of(source).value_or(""), HasSubstr("keys.json: No such file or directory"));
  folder.write("keys.json", "no keys");
  EXPECT_NE(fault_of(source).value_or(""), "");
  folder.write("keys.json",
               roost::testing::jwk_set({roost::testing::identity_issuer_key::ec("first").jwk()}));
  EXPECT_EQ(fault_of(source), std::nullopt);
}

TEST_F(KeySource, ReadsAnAddressOfItsOwnNetworkEachTime) {
  int asked = 0;
  const tls_server server(
      own, [&](const std::string&) { return http_response("keys" + std::to_string(++asked)); });
  const auto source = key_source_at(server.url(), trusting());
  EXPECT_EQ(source(), "keys1");
  EXPECT_EQ(source(), "keys2");
}

TEST_F(KeySource, TellsWhyAnAddressCannotBeRead) {
  const tls_server server(own, http_response("keys", "404 Not Found"));
  EXPECT_EQ(failure_of(key_source_at(server.url(), trusting())),
            "cannot read " + server.url() + ": the answer is 404");
}

} // namespace roost::actors::key_source_test
