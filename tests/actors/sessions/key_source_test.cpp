#include "actors/sessions/key_source.hpp"
#include "support/certificate.hpp"
#include "temporary_folder.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <thread>

namespace roost::actors::key_source_test {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using ::testing::HasSubstr;

/// Sends one answer over TLS, to the first who asks; none when `answer` is empty.
class tls_server {
public:
  tls_server(const roost::testing::certificate& own, std::string answer)
      : context_(asio::ssl::context::tls_server), acceptor_(io_, {asio::ip::address_v4::loopback(), 0}) {
    context_.use_certificate_chain_file(own.certificate_file);
    context_.use_private_key_file(own.key_file, asio::ssl::context::pem);
    thread_ = std::jthread([this, answer = std::move(answer)] { serve(answer); });
  }
  ~tls_server() {
    boost::system::error_code ignored; // in case that nobody has come
    asio::ip::tcp::socket(io_).connect(acceptor_.local_endpoint(), ignored);
  }

  std::string url(const std::string& host = "localhost") const {
    return "https://" + host + ":" + std::to_string(acceptor_.local_endpoint().port()) + "/keys";
  }

private:
  void serve(const std::string& answer) {
    boost::system::error_code failure;
    asio::ssl::stream<asio::ip::tcp::socket> stream(acceptor_.accept(), context_);
    stream.handshake(asio::ssl::stream_base::server, failure);
    std::string request;
    if (!failure) asio::read_until(stream, asio::dynamic_buffer(request), "\r\n\r\n", failure);
    if (failure) return;
    if (answer.empty()) { // until the client goes away
      char byte = 0;
      stream.read_some(asio::buffer(&byte, 1), failure);
      return;
    }
    asio::write(stream, asio::buffer(answer), failure);
    stream.shutdown(failure);
  }

  asio::io_context io_;
  asio::ssl::context context_;
  asio::ip::tcp::acceptor acceptor_;
  std::jthread thread_;
};

std::string answer_with(const std::string& body, const std::string& status = "200 OK",
                        const std::string& more = "") {
  return "HTTP/1.1 " + status + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + more +
         "Connection: close\r\n\r\n" + body;
}

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
  /// What the server's answer is read as, by somebody who trusts its certificate.
  key_source trusting(const std::string& url, key_source_limits limits = {}) const {
    limits.trusted_certificates = own.certificate_file;
    return key_source_at(url, limits);
  }

  tests::temporary_folder folder;
  roost::testing::certificate own{folder.path()};
};

TEST_F(KeySource, ReadsAFileEachTime) {
  const auto path = (folder.path() / "keys.json").string();
  const auto source = key_source_at(path);
  EXPECT_THAT(failure_of(source), HasSubstr("keys.json: it cannot be opened"));
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

TEST_F(KeySource, DoesNotReadAFolder) { EXPECT_NE(failure_of(key_source_at(folder.path().string())), ""); }

TEST_F(KeySource, ReadsAnAddressWhoseCertificateIsTrusted) {
  const tls_server server(own, answer_with("keys"));
  EXPECT_EQ(trusting(server.url())(), "keys");
}

TEST_F(KeySource, RefusesACertificateThatNobodyVouchesFor) {
  const tls_server server(own, answer_with("keys"));
  EXPECT_NE(failure_of(key_source_at(server.url())), "");
}

TEST_F(KeySource, RefusesTheCertificateOfAnotherHost) {
  const tls_server server(own, answer_with("keys"));
  EXPECT_NE(failure_of(trusting(server.url("127.0.0.1"))), "");
}

TEST_F(KeySource, TakesNothingButASuccess) {
  const tls_server server(own, answer_with("keys", "404 Not Found"));
  EXPECT_THAT(failure_of(trusting(server.url())), HasSubstr("the answer is 404"));
}

TEST_F(KeySource, IsNotSentElsewhere) {
  const tls_server server(own, answer_with("", "302 Found", "Location: file:///etc/passwd\r\n"));
  EXPECT_THAT(failure_of(trusting(server.url())), HasSubstr("the answer is 302"));
}

TEST_F(KeySource, ReadsAnAnswerUpToItsBound) {
  const tls_server enough(own, answer_with(std::string(1000, 'x'))),
      more(own, answer_with(std::string(1001, 'x')));
  EXPECT_EQ(trusting(enough.url(), {.bytes = 1000})().size(), 1000U);
  EXPECT_THAT(failure_of(trusting(more.url(), {.bytes = 1000})), HasSubstr("it is too long"));
}

TEST_F(KeySource, WaitsSoLongAndNoLonger) {
  const tls_server silent(own, "");
  const auto began = std::chrono::steady_clock::now();
  EXPECT_NE(failure_of(trusting(silent.url(), {.time = 200ms})), "");
  EXPECT_LT(std::chrono::steady_clock::now() - began, 5s);
}

} // namespace roost::actors::key_source_test
