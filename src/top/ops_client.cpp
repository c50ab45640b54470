#include "top/ops_client.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include <stdexcept>
#include <utility>

namespace roost::top {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;

constexpr std::chrono::seconds timeout{2};
constexpr std::uint64_t max_response_size = 64ULL << 20U;

std::string connectable(std::string address) {
  if (address == "0.0.0.0") return "127.0.0.1";
  if (address == "::") return "::1";
  return address;
}

bool is_v6(const std::string& address) { return address.find(':') != std::string::npos; }

} // namespace

ops_client::ops_client(std::string address, std::uint16_t port)
    : address_(connectable(std::move(address))), port_(port),
      server_((is_v6(address_) ? "[" + address_ + "]" : address_) + ":" + std::to_string(port)) {}

void ops_client::read() {
  const auto metrics = get("/metrics");
  if (metrics.find("\nroost_lease_held") == std::string::npos)
    throw std::runtime_error("the server at " + server_ +
                             " is not a Roost operations listener; check ops.listen");
  reading next{samples::parse(metrics), get("/readyz"), get("/busiest")};
  const auto read_at = std::chrono::steady_clock::now();
  before_ = std::exchange(now_, std::move(next));
  seconds_ = std::chrono::duration<double>(read_at - std::exchange(read_at_, read_at)).count();
}

/// Uses asynchronous operations because one timeout must cover all of them: synchronous ones have none.
std::string ops_client::get(const std::string& path) const {
  asio::io_context io;
  beast::tcp_stream stream{io};
  stream.expires_after(timeout);
  http::request<http::empty_body> request{http::verb::get, path, 11};
  request.set(http::field::host, server_);
  request.set(http::field::connection, "close");
  beast::flat_buffer buffer;
  http::response_parser<http::string_body> response;
  response.body_limit(max_response_size);
  boost::system::error_code failed;
  const auto step = [&failed](auto next) {
    return [&failed, next](boost::system::error_code error, auto&&...) {
      failed = error;
      if (!error) next();
    };
  };
  stream.async_connect({asio::ip::make_address(address_), port_}, step([&] {
                         http::async_write(stream, request, step([&] {
                                             http::async_read(stream, buffer, response, step([] {}));
                                           }));
                       }));
  io.run();
  if (failed)
    throw std::runtime_error("no server answers at " + server_ + " (ops.listen): " + failed.message());
  return response.get().body();
}

} // namespace roost::top
