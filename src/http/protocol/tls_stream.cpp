#include "http/protocol/tls_stream.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <openssl/bio.h>
#include <openssl/err.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <utility>

namespace roost::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr auto with_failure = asio::as_tuple(asio::use_awaitable);

int size_of(std::size_t bytes) {
  return static_cast<int>(std::min<std::size_t>(bytes, std::numeric_limits<int>::max()));
}

std::function<int(SSL*)> reading(asio::mutable_buffer space) {
  return [space](SSL* tls) { return SSL_read(tls, space.data(), size_of(space.size())); };
}

std::function<int(SSL*)> writing(asio::const_buffer bytes) {
  return [bytes](SSL* tls) { return SSL_write(tls, bytes.data(), size_of(bytes.size())); };
}

} // namespace

tls_stream::tls_stream(tcp::socket socket, SSL_CTX* context)
    : socket_(std::move(socket)), tls_(SSL_new(context)) {
  using bio = std::unique_ptr<BIO, decltype(&BIO_free)>;
  bio input(BIO_new(BIO_s_mem()), BIO_free);
  bio output(BIO_new_socket(socket_.native_handle(), BIO_NOCLOSE), BIO_free);
  if (!tls_ || !input || !output) throw std::bad_alloc();
  SSL_set_bio(tls_.get(), input.release(), output.release());
  SSL_set_accept_state(tls_.get());
  // A write returns after each record, and may continue from another buffer.
  SSL_set_mode(tls_.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}

asio::awaitable<bool> tls_stream::handshake() {
  std::array<char, 4096> scratch; // more than a client's messages usually take
  co_return co_await complete(SSL_do_handshake, asio::buffer(scratch)) > 0;
}

asio::awaitable<std::size_t> tls_stream::read_some(asio::mutable_buffer space) {
  co_return static_cast<std::size_t>(co_await complete(reading(space), space));
}

asio::awaitable<std::size_t> tls_stream::write_some(asio::const_buffer bytes) {
  co_return static_cast<std::size_t>(co_await complete(writing(bytes), {}));
}

asio::awaitable<void> tls_stream::close_notify() { co_await complete(SSL_shutdown, {}); }

asio::awaitable<int> tls_stream::complete(std::function<int(SSL*)> operation, asio::mutable_buffer scratch) {
  while (socket_.is_open()) { // OpenSSL only knows the descriptor's number, which another socket may have now
    // Other connections of this thread may have left errors, which SSL_get_error() would report.
    ERR_clear_error();
    const int result = operation(tls_.get());
    if (result > 0) co_return result;
    bool can_continue = false;
    switch (SSL_get_error(tls_.get(), result)) {
    case SSL_ERROR_WANT_READ:
      can_continue = co_await receive(scratch);
      break;
    case SSL_ERROR_WANT_WRITE:
      can_continue = co_await writable();
      break;
    default:
      break;
    }
    if (!can_continue) break;
  }
  co_return 0;
}

asio::awaitable<bool> tls_stream::receive(asio::mutable_buffer scratch) {
  if (scratch.size() == 0) co_return false;
  // OpenSSL keeps the memory of the longest input until the connection ends.
  const auto [failure, count] =
      co_await socket_.async_read_some(asio::buffer(scratch, max_record_size), with_failure);
  co_return !failure && BIO_write(SSL_get_rbio(tls_.get()), scratch.data(), size_of(count)) == size_of(count);
}

asio::awaitable<bool> tls_stream::writable() {
  const auto [failure] = co_await socket_.async_wait(tcp::socket::wait_write, with_failure);
  co_return !failure;
}

} // namespace roost::http
