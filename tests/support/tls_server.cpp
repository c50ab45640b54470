#include "support/tls_server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include <atomic>
#include <thread>

namespace roost::testing {

namespace asio = boost::asio;

class tls_server::listener {
public:
  listener(const certificate& own, responder respond)
      : context_(asio::ssl::context::tls_server), acceptor_(io_, {asio::ip::address_v4::loopback(), 0}),
        respond_(std::move(respond)) {
    context_.use_certificate_chain_file(own.certificate_file);
    context_.use_private_key_file(own.key_file, asio::ssl::context::pem);
    thread_ = std::jthread([this](const std::stop_token& stop) {
      while (true) {
        auto socket = acceptor_.accept();
        if (stop.stop_requested()) return;
        serve(std::move(socket));
      }
    });
  }
  ~listener() {
    thread_.request_stop();
    boost::system::error_code ignored;
    asio::ip::tcp::socket(io_).connect(acceptor_.local_endpoint(), ignored);
  }

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  int connections() const { return connections_; }

private:
  void serve(asio::ip::tcp::socket socket) {
    ++connections_;
    boost::system::error_code error;
    asio::ssl::stream<asio::ip::tcp::socket> stream(std::move(socket), context_);
    stream.handshake(asio::ssl::stream_base::server, error);
    std::string request;
    if (!error) asio::read_until(stream, asio::dynamic_buffer(request), "\r\n\r\n", error);
    if (error) return;
    const auto response = respond_(request);
    if (response.empty()) {
      char byte = 0;
      stream.read_some(asio::buffer(&byte, 1), error);
      return;
    }
    asio::write(stream, asio::buffer(response), error);
    stream.shutdown(error);
  }

  asio::io_context io_;
  asio::ssl::context context_;
  asio::ip::tcp::acceptor acceptor_;
  responder respond_;
  std::atomic<int> connections_ = 0;
  std::jthread thread_;
};

tls_server::tls_server(const certificate& own, responder respond)
    : listener_(std::make_unique<listener>(own, std::move(respond))) {}

tls_server::tls_server(const certificate& own, const std::string& response)
    : tls_server(own, [response](const std::string&) { return response; }) {}

tls_server::~tls_server() = default;

std::uint16_t tls_server::port() const { return listener_->port(); }

std::string tls_server::url(const std::string& host, const std::string& path) const {
  return "https://" + host + ":" + std::to_string(port()) + path;
}

int tls_server::connections() const { return listener_->connections(); }

std::string http_response(const std::string& body, const std::string& status,
                          const std::string& extra_headers) {
  return "HTTP/1.1 " + status + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         extra_headers + "Connection: close\r\n\r\n" + body;
}

} // namespace roost::testing
