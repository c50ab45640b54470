#include "http/support/running_server.hpp"
#include "support/certificate.hpp"
#include "support/raw_client.hpp"
#include "support/tls_client.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>

namespace roost::http::testing::tls_test {
using namespace std::chrono_literals;
using roost::testing::certificate;
using tests::temporary_folder;

const std::string hello = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n";

/// A server with its own certificate.
struct secure_server {
  explicit secure_server(settings options = {})
      : own(folder.path()), server(with_certificate(std::move(options))) {}

  settings with_certificate(settings options) const {
    options.tls_certificate = own.certificate_file;
    options.tls_key = own.key_file;
    return options;
  }

  temporary_folder folder;
  certificate own;
  running_server server;
};

/// A client of that server.
struct secure_client : roost::testing::tls_client {
  explicit secure_client(const secure_server& server)
      : tls_client(server.server.port(), server.own.certificate_file) {}
};

TEST(Tls, ServesRequestsWithKeepAlive) {
  secure_server server;
  secure_client client(server);
  client.connect();
  EXPECT_EQ(client.exchange(hello).body, R"("hello")");
  EXPECT_EQ(client
                .exchange("POST /any HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n\r\n" +
                          std::string(70'000, 'x'))
                .body,
            std::string(70'000, 'x'));
  EXPECT_EQ(client.exchange(hello).status, 200U);
}

TEST(Tls, SendsLargeResponsesCompletely) {
  secure_server server;
  secure_client client(server);
  client.connect();
  EXPECT_EQ(client.exchange("GET /files/big HTTP/1.1\r\nHost: a\r\n\r\n").body.size(), std::size_t{32} << 20);
}

TEST(Tls, SendsABodyInPartsCompletely) {
  secure_server server;
  secure_client client(server);
  client.connect();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(client.exchange("GET /files/parted HTTP/1.1\r\nHost: a\r\n\r\n").body,
              to_string(parted_body()));
  EXPECT_EQ(client.exchange(hello).status, 200U);
}

TEST(Tls, ClosesWithACloseNotify) {
  secure_server server;
  secure_client client(server);
  client.connect();
  EXPECT_EQ(client.exchange("GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").status, 200U);
  char byte;
  boost::system::error_code end;
  client.stream->read_some(asio::buffer(&byte, 1), end);
  EXPECT_EQ(end, asio::error::eof); // a close_notify, not a truncation
}

TEST(Tls, ChoosesHttp11AmongTheOfferedProtocols) {
  secure_server server;
  secure_client client(server);
  client.offer_protocols("\x02h2\x08http/1.1");
  client.connect();
  EXPECT_EQ(client.chosen_protocol(), "http/1.1");
  EXPECT_EQ(client.exchange(hello).status, 200U);
}

TEST(Tls, RefusesClientsThatOnlySupportHttp2) {
  secure_server server;
  secure_client client(server);
  client.offer_protocols("\x02h2");
  EXPECT_THROW(client.connect(), boost::system::system_error);
}

TEST(Tls, RefusesVersion11) {
  secure_server server;
  secure_client client(server);
  client.offer_version(TLS1_1_VERSION);
  EXPECT_THROW(client.connect(), boost::system::system_error);
}

TEST(Tls, RefusesVersion12WithoutForwardSecrecyOrAuthenticatedEncryption) {
  secure_server server;
  const auto connects = [&](const std::string& ciphers) {
    secure_client client(server);
    client.offer_version(TLS1_2_VERSION);
    client.offer_ciphers(ciphers);
    try {
      client.connect();
      return client.exchange(hello).status == 200U;
    } catch (const boost::system::system_error&) {
      return false;
    }
  };
  for (const auto* accepted : {"ECDHE+AESGCM", "ECDHE+CHACHA20"}) EXPECT_TRUE(connects(accepted)) << accepted;
  for (const auto* refused :
       {"kRSA+AESGCM", "DHE+AESGCM", "ECDHE+AES+SHA1", "ECDHE+SHA256:!AESGCM:!CHACHA20", "kRSA+AES+SHA256"})
    EXPECT_FALSE(connects(refused)) << refused;
}

class TlsVersions : public ::testing::TestWithParam<int> {};

TEST_P(TlsVersions, ResumeASession) {
  secure_server server;
  secure_client client(server);
  client.offer_version(GetParam());
  client.connect();
  EXPECT_EQ(client.exchange(hello).status, 200U);
  SSL_SESSION* const session = SSL_get1_session(client.stream->native_handle());
  boost::system::error_code ignored;
  client.stream->shutdown(ignored); // OpenSSL discards the session of a truncated connection
  EXPECT_FALSE(ignored);
  client.connect(session);
  EXPECT_EQ(SSL_session_reused(client.stream->native_handle()), 1);
  EXPECT_EQ(client.exchange(hello).status, 200U);
  SSL_SESSION_free(session);
}

INSTANTIATE_TEST_SUITE_P(Tls, TlsVersions, ::testing::Values(TLS1_2_VERSION, TLS1_3_VERSION));

TEST(Tls, ClosesOnPlainHttp) {
  secure_server server;
  raw_client client(server.server.port());
  client.send(hello);
  EXPECT_EQ(client.receive_until_close().find("HTTP/1.1"), std::string::npos);
}

TEST(Tls, TimesOutWithoutAHandshake) {
  settings impatient;
  impatient.header_timeout = 200ms;
  secure_server server(impatient);
  raw_client client(server.server.port());
  EXPECT_TRUE(client.is_closed_within(3s));
}

TEST(Tls, EndsASlowHeaderWithAResponse) {
  settings impatient;
  impatient.header_timeout = 200ms;
  secure_server server(impatient);
  secure_client client(server);
  client.connect();
  EXPECT_EQ(client.exchange("GET /hel").status, 408U);
}

TEST(Tls, NamesTheInvalidFile) {
  temporary_folder folder;
  const certificate made(folder.path());
  const auto message = [](const std::string& certificate_file, const std::string& key_file) -> std::string {
    settings options;
    options.tls_certificate = certificate_file;
    options.tls_key = key_file;
    try {
      running_server server(options);
    } catch (const std::runtime_error& refusal) {
      return refusal.what();
    }
    return "";
  };
  EXPECT_NE(message((folder / "nothing.pem").string(), made.key_file).find("nothing.pem"), std::string::npos);
  EXPECT_NE(message(made.certificate_file, "").find("key"), std::string::npos);
  const temporary_folder other_folder;
  const certificate other(other_folder.path());
  EXPECT_NE(message(made.certificate_file, other.key_file).find("key"), std::string::npos);
}

} // namespace roost::http::testing::tls_test
