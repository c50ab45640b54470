#include "http/support/running_server.hpp"
#include "support/certificate.hpp"
#include "support/raw_client.hpp"
#include "temporary_folder.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <gtest/gtest.h>

namespace roost::http::testing {
namespace {

using namespace std::chrono_literals;
namespace ssl = asio::ssl;
namespace ip = asio::ip;
using roost::testing::certificate;
using tests::temporary_folder;

const std::string hello = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n";

/// A server with a certificate of its own.
struct secure_server {
  explicit secure_server(settings chosen = {})
      : made(folder.path()), server(with_certificate(std::move(chosen))) {}

  settings with_certificate(settings chosen) const {
    chosen.tls_certificate = made.certificate_file;
    chosen.tls_key = made.key_file;
    return chosen;
  }

  temporary_folder folder;
  certificate made;
  running_server server;
};

/// A blocking TLS client that can be told what to offer.
struct tls_client {
  explicit tls_client(const secure_server& server) : context(ssl::context::tls_client) {
    context.set_verify_mode(ssl::verify_peer);
    context.load_verify_file(server.made.certificate_file);
    port = server.server.port();
  }

  void connect(SSL_SESSION* session = nullptr) {
    stream.emplace(io, context);
    if (session != nullptr) SSL_set_session(stream->native_handle(), session);
    stream->next_layer().connect({ip::address_v4::loopback(), port});
    stream->handshake(ssl::stream_base::client);
  }

  answer exchange(const std::string& request) {
    asio::write(*stream, asio::buffer(request));
    std::string text;
    char chunk[16384];
    while (true) {
      if (auto parsed = take_answer(text)) return *parsed;
      text.append(chunk, stream->read_some(asio::buffer(chunk)));
    }
  }

  asio::io_context io;
  ssl::context context;
  std::uint16_t port;
  std::optional<ssl::stream<ip::tcp::socket>> stream;
};

TEST(Tls, ServesRequestsWithKeepAlive) {
  secure_server server;
  tls_client client(server);
  client.connect();
  EXPECT_EQ(client.exchange(hello).body, R"("hello")");
  EXPECT_EQ(client
                .exchange("POST /any HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n\r\n" +
                          std::string(70'000, 'x'))
                .body,
            std::string(70'000, 'x'));
  EXPECT_EQ(client.exchange(hello).status, 200U);
}

TEST(Tls, SendsBigAnswersWhole) {
  secure_server server;
  tls_client client(server);
  client.connect();
  EXPECT_EQ(client.exchange("GET /files/big HTTP/1.1\r\nHost: a\r\n\r\n").body.size(), std::size_t{32} << 20);
}

TEST(Tls, ClosesInOrder) {
  secure_server server;
  tls_client client(server);
  client.connect();
  EXPECT_EQ(client.exchange("GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").status, 200U);
  char byte;
  boost::system::error_code end;
  client.stream->read_some(asio::buffer(&byte, 1), end);
  EXPECT_EQ(end, asio::error::eof); // a close_notify, not a cut
}

TEST(Tls, ChoosesHttp11AmongWhatIsOffered) {
  secure_server server;
  tls_client client(server);
  const std::string offered = "\x02h2\x08http/1.1";
  SSL_CTX_set_alpn_protos(client.context.native_handle(),
                          reinterpret_cast<const unsigned char*>(offered.data()),
                          static_cast<unsigned>(offered.size()));
  client.connect();
  const unsigned char* chosen = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(client.stream->native_handle(), &chosen, &size);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(chosen), size), "http/1.1");
  EXPECT_EQ(client.exchange(hello).status, 200U);
}

TEST(Tls, RefusesAClientThatOnlySpeaksHttp2) {
  secure_server server;
  tls_client client(server);
  const std::string offered = "\x02h2";
  SSL_CTX_set_alpn_protos(client.context.native_handle(),
                          reinterpret_cast<const unsigned char*>(offered.data()),
                          static_cast<unsigned>(offered.size()));
  EXPECT_THROW(client.connect(), boost::system::system_error);
}

TEST(Tls, RefusesVersion11) {
  secure_server server;
  tls_client client(server);
  SSL_CTX_set_security_level(client.context.native_handle(), 0);
  SSL_CTX_set_min_proto_version(client.context.native_handle(), TLS1_1_VERSION);
  SSL_CTX_set_max_proto_version(client.context.native_handle(), TLS1_1_VERSION);
  EXPECT_THROW(client.connect(), boost::system::system_error);
}

class TlsVersions : public ::testing::TestWithParam<int> {};

TEST_P(TlsVersions, ResumeASession) {
  secure_server server;
  tls_client client(server);
  SSL_CTX_set_min_proto_version(client.context.native_handle(), GetParam());
  SSL_CTX_set_max_proto_version(client.context.native_handle(), GetParam());
  client.connect();
  EXPECT_EQ(client.exchange(hello).status, 200U);
  SSL_SESSION* const session = SSL_get1_session(client.stream->native_handle());
  boost::system::error_code ignored;
  client.stream->shutdown(ignored); // OpenSSL gives up a session whose connection was cut
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

TEST(Tls, EndsAHandshakeThatDoesNotCome) {
  settings impatient;
  impatient.header_timeout = 200ms;
  secure_server server(impatient);
  raw_client client(server.server.port());
  EXPECT_TRUE(client.is_closed_within(3s));
}

TEST(Tls, EndsASlowHeaderWithAnAnswer) {
  settings impatient;
  impatient.header_timeout = 200ms;
  secure_server server(impatient);
  tls_client client(server);
  client.connect();
  EXPECT_EQ(client.exchange("GET /hel").status, 408U);
}

TEST(Tls, SaysWhichFileCannotBeUsed) {
  temporary_folder folder;
  const certificate made(folder.path());
  const auto message = [](const std::string& certificate_file, const std::string& key_file) -> std::string {
    settings chosen;
    chosen.tls_certificate = certificate_file;
    chosen.tls_key = key_file;
    try {
      running_server server(chosen);
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

} // namespace
} // namespace roost::http::testing
