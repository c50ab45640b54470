#pragma once

#include "support/patterns.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstdint>
#include <functional>
#include <list>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace roost::testing {

/// Stands between clients and PostgreSQL, as connection poolers do. Connects each client to the database, and
/// lets a function serve it on a thread of its own. Its end waits until the clients have left.
class postgresql_proxy {
public:
  using tcp = boost::asio::ip::tcp;
  using service = std::function<void(tcp::socket& client, tcp::socket& server)>;

  postgresql_proxy(const std::string& url, service serve) : serve_(std::move(serve)) {
    const auto matches = all_matches(url, "^(.*@)([^:/]+):([0-9]+)(/.*)$");
    if (matches.empty()) throw std::runtime_error("no host and port in the store's URL");
    const auto& parts = matches.front();
    server_ = {boost::asio::ip::make_address(parts[2]), static_cast<std::uint16_t>(std::stoi(parts[3]))};
    url_ = parts[1] + "127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()) + parts[4];
    acceptor_thread_ = std::jthread([this](const std::stop_token& stop) { accept(stop); });
  }
  ~postgresql_proxy() {
    acceptor_thread_.request_stop();
    boost::system::error_code ignored;
    tcp::socket(io_).connect(acceptor_.local_endpoint(), ignored);
    acceptor_thread_.join();
  }
  postgresql_proxy(const postgresql_proxy&) = delete;
  postgresql_proxy& operator=(const postgresql_proxy&) = delete;

  /// The store's URL for clients of the proxy.
  const std::string& url() const { return url_; }

private:
  struct connection {
    explicit connection(boost::asio::io_context& io) : client(io), server(io) {}
    tcp::socket client, server;
    std::jthread thread;
  };

  void accept(const std::stop_token& stop) {
    for (;;) {
      auto& next = connections_.emplace_back(io_);
      acceptor_.accept(next.client);
      if (stop.stop_requested()) return;
      next.server.connect(server_);
      next.thread = std::jthread([this, &next] { serve_(next.client, next.server); });
    }
  }

  service serve_;
  boost::asio::io_context io_;
  tcp::acceptor acceptor_{io_, {boost::asio::ip::address_v4::loopback(), 0}};
  tcp::endpoint server_;
  std::string url_;
  std::list<connection> connections_;
  std::jthread acceptor_thread_;
};

} // namespace roost::testing
