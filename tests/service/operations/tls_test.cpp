#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "support/certificate.hpp"
#include "support/tls_client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>

/// HTTPS with the configured certificate.
namespace roost::testing::tls_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

ROOST_FOR_SQLITE(Https);

/// A server with a certificate, one unit and a partner's token.
struct secure_service {
  explicit secure_service(store_kind kind) : place(kind), installed(place.folder().path()) {
    place.set("server.tls_certificate", '"' + installed.certificate_file + '"');
    place.set("server.tls_key", '"' + installed.key_file + '"');
    place.import(portfolio_of(1));
    server.emplace(place);
    authorization = "Bearer " + place.issue_token("marketplace-a");
  }
  tls_client client() const { return {server->port(), installed.certificate_file}; }
  raw_response list(tls_client& client) const {
    return client.exchange(to_request("GET", "/marketplace-a/listings", {{"Authorization", authorization}}));
  }

  workplace place;
  certificate installed;
  std::optional<running_roost> server;
  std::string authorization;
};

TEST_P(Https, SupportsOnlyTls12And13) {
  const secure_service service(GetParam());
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    auto client = service.client();
    client.offer_version(version);
    client.connect();
    EXPECT_EQ(SSL_version(client.stream->native_handle()), version);
    EXPECT_EQ(array_size(service.list(client).body), 1U);
    EXPECT_EQ(service.list(client).status, 200U); // on the same connection
  }
  for (const int version : {TLS1_VERSION, TLS1_1_VERSION}) {
    auto client = service.client();
    client.offer_version(version);
    EXPECT_THROW(client.connect(), boost::system::system_error) << version;
  }
}

TEST_P(Https, IsRequiredOfBrowsersIfTheBaseUrlIsHttps) {
  secure_service service(GetParam());
  const auto requirement = [&] {
    auto client = service.client();
    client.connect();
    return service.list(client).header("strict-transport-security");
  };
  EXPECT_EQ(requirement(), "");
  service.place.set("server.base_url", R"("https://roost.example")");
  service.server.reset();
  service.server.emplace(service.place);
  EXPECT_EQ(requirement(), "max-age=31536000");
}

TEST_P(Https, SpeaksHttp11) {
  const secure_service service(GetParam());
  auto client = service.client();
  client.offer_protocols("\x02h2\x08http/1.1");
  client.connect();
  EXPECT_EQ(client.chosen_protocol(), "http/1.1");
  EXPECT_EQ(service.list(client).status, 200U);

  auto without_alpn = service.client(); // is served as well
  without_alpn.connect();
  EXPECT_EQ(without_alpn.chosen_protocol(), "");
  EXPECT_EQ(service.list(without_alpn).status, 200U);
}

TEST_P(Https, IsTheOnlyProtocolOfThePublicListener) {
  const secure_service service(GetParam());
  raw_client plain(service.server->port());
  plain.send(to_request("GET", "/marketplace-a/listings", {{"Authorization", service.authorization}}));
  EXPECT_EQ(plain.receive_until_close().find("HTTP/"), std::string::npos);
  EXPECT_EQ(service.server->ops("/healthz").status, 200U); // the operations listener stays without TLS
}

class HttpsCertificate : public ::testing::TestWithParam<store_kind> {
protected:
  static event reload(secure_service& service, std::string_view outcome) {
    service.server->process().send_signal(SIGHUP);
    return service.server->wait_for_event(outcome);
  }
  /// Connects and returns the fingerprint of the server's certificate.
  static std::string fingerprint(tls_client& client) {
    client.connect();
    const std::unique_ptr<X509, decltype(&X509_free)> peer(
        SSL_get1_peer_certificate(client.stream->native_handle()), &X509_free);
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    X509_digest(peer.get(), EVP_sha256(), digest.data(), &size);
    return {digest.begin(), digest.begin() + size};
  }
};
ROOST_ON_SQLITE(HttpsCertificate);

TEST_P(HttpsCertificate, ChangesForNewConnectionsAfterAReload) {
  secure_service service(GetParam());
  auto open = service.client();
  const auto first = fingerprint(open);
  service.installed = certificate(service.place.folder().path(), 90 * 24h);
  EXPECT_THAT(reload(service, "configuration_reloaded").at("changed"), HasSubstr("the certificate, until "));
  EXPECT_EQ(service.server->wait_for_event("certificate_loaded").at("file"),
            service.installed.certificate_file);
  auto later = service.client(); // trusts only the new certificate
  EXPECT_TRUE(eventually([&] {
    try {
      return fingerprint(later) != first;
    } catch (const boost::system::system_error&) { // its I/O thread still has the old certificate
      return false;
    }
  }));
  EXPECT_EQ(service.list(later).status, 200U);
  EXPECT_EQ(service.list(open).status, 200U); // on the open connection
}

TEST_P(HttpsCertificate, CanBeReloadedFromAnotherPath) {
  secure_service service(GetParam());
  const tests::temporary_folder elsewhere;
  const certificate other(elsewhere.path(), 90 * 24h);
  service.place.set("server.tls_certificate", '"' + other.certificate_file + '"');
  service.place.set("server.tls_key", '"' + other.key_file + '"');
  EXPECT_THAT(reload(service, "configuration_reloaded").at("changed"),
              AllOf(HasSubstr("the certificate, until "), HasSubstr("server.tls_key = ")));
  tls_client client(service.server->port(), other.certificate_file);
  EXPECT_TRUE(eventually([&] {
    try {
      client.connect();
      return true;
    } catch (const boost::system::system_error&) {
      return false;
    }
  }));
  EXPECT_TRUE(service.server->events("configuration_needs_restart").empty());
}

TEST_P(HttpsCertificate, IsKeptWhenTheNewPairIsInvalid) {
  secure_service service(GetParam());
  auto before = service.client();
  const auto first = fingerprint(before);
  const tests::temporary_folder elsewhere;
  const certificate other(elsewhere.path());
  std::filesystem::copy_file(other.key_file, service.installed.key_file,
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(reload(service, "configuration_refused").at("problems"),
              HasSubstr("does not belong to the certificate"));
  std::ofstream{service.installed.certificate_file} << "-----BEGIN CERTIFICATE-----\nhalf of";
  service.server->process().send_signal(SIGHUP);
  ASSERT_TRUE(eventually([&] { return service.server->events("configuration_refused").size() == 2; }));
  EXPECT_THAT(service.server->events("configuration_refused").back().at("problems"),
              HasSubstr("cannot use the TLS certificate " + service.installed.certificate_file));
  EXPECT_EQ(fingerprint(before), first);
  EXPECT_EQ(service.list(before).status, 200U);
  EXPECT_TRUE(service.server->events("configuration_reloaded").empty());
}

TEST_P(HttpsCertificate, IsMonitoredForItsExpiration) {
  secure_service service(GetParam());
  EXPECT_EQ(service.server->wait_for_event("certificate_expires").level, "warn");
  const auto in_an_hour =
      std::chrono::duration<double>((std::chrono::system_clock::now() + 1h).time_since_epoch()).count();
  const auto metric = [&] {
    return service.server->metric("roost_certificate_expiration_timestamp_seconds");
  };
  EXPECT_NEAR(metric().value_or(0), in_an_hour, 120);
  service.installed = certificate(service.place.folder().path(), -1s);
  reload(service, "configuration_reloaded");
  EXPECT_EQ(service.server->wait_for_event("certificate_expired").level, "error");
  EXPECT_LT(metric().value_or(0), in_an_hour - 3000);
}

TEST(HttpsFiles, AreNamedInErrors) {
  workplace place(store_kind::sqlite);
  const certificate installed(place.folder().path());
  const tests::temporary_folder elsewhere;
  const certificate other(elsewhere.path());
  const auto refusal = [&](const std::string& certificate_file, const std::string& key_file) {
    place.set("server.tls_certificate", '"' + certificate_file + '"');
    place.set("server.tls_key", '"' + key_file + '"');
    const auto result = place.run({"serve"});
    EXPECT_NE(result.status, 0);
    EXPECT_EQ(std::ranges::count(result.errors, '\n'), 1) << result.errors;
    return result.errors;
  };
  EXPECT_THAT(refusal((place.folder() / "none.pem").string(), installed.key_file), HasSubstr("none.pem"));
  EXPECT_THAT(refusal(installed.certificate_file, (place.folder() / "none.pem").string()),
              HasSubstr("none.pem"));
  EXPECT_THAT(refusal(installed.key_file, installed.key_file), HasSubstr(installed.key_file));
  EXPECT_THAT(refusal(installed.certificate_file, other.key_file), HasSubstr("key"));
  EXPECT_THAT(refusal(installed.certificate_file, ""),
              AllOf(HasSubstr("tls_certificate"), HasSubstr("tls_key")));
}

TEST(HttpsFiles, WithAPasswordAreRefusedWithTheCommandThatRemovesIt) {
  workplace place(store_kind::sqlite);
  const certificate installed(place.folder().path());
  const auto locked = place.folder() / "locked.pem";
  {
    const std::unique_ptr<std::FILE, decltype(&std::fclose)> in(std::fopen(installed.key_file.c_str(), "r"),
                                                                &std::fclose),
        out(std::fopen(locked.c_str(), "w"), &std::fclose);
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
        PEM_read_PrivateKey(in.get(), nullptr, nullptr, nullptr), &EVP_PKEY_free);
    const unsigned char password[] = "password";
    ASSERT_EQ(PEM_write_PrivateKey(out.get(), key.get(), EVP_aes_256_cbc(), password, 8, nullptr, nullptr),
              1);
  }
  place.set("server.tls_certificate", '"' + installed.certificate_file + '"');
  place.set("server.tls_key", '"' + locked.string() + '"');
  const auto result = place.run({"serve"});
  EXPECT_NE(result.status, 0);
  EXPECT_THAT(result.errors, HasSubstr("the TLS key " + locked.string() + " has a password"));
  EXPECT_THAT(result.errors, HasSubstr("openssl pkey -in "));
}

} // namespace roost::testing::tls_test
