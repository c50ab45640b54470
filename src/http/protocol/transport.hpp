#pragma once

#include "http/protocol/server_core.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/buffers_suffix.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>
#include <sys/sendfile.h>
#include <type_traits>
#include <utility>

namespace roost::http {

/// A connection's bytes and deadlines, over TCP or TLS (`Stream` is tcp::socket or ssl::stream<tcp::socket>).
/// Nothing here throws: a client that is gone or was too slow shows as 0 bytes or false.
template <class Stream>
class transport final : public timed_connection {
public:
  static constexpr bool secure = !std::is_same_v<Stream, boost::asio::ip::tcp::socket>;
  /// The parts of an answer: what varies, a prebuilt head, a body.
  using buffers = std::array<asio::const_buffer, 3>;

  template <class... Arguments>
  transport(server_core& core, shard& shard, Arguments&&... arguments)
      : core_(core), stream_(std::forward<Arguments>(arguments)...) {
    shard.connections.push_back(*this);
  }

  void expire() override {
    expired_ = true;
    boost::system::error_code ignored;
    socket().cancel(ignored);
  }

  void stop_receiving() override {
    boost::system::error_code ignored;
    if (receiving_) socket().cancel(ignored);
    if (lingering_) deadline_ = std::min(deadline_, std::chrono::steady_clock::now() + short_linger);
  }

  void close() override {
    boost::system::error_code ignored;
    socket().close(ignored);
  }

  void set_deadline(std::chrono::milliseconds from_now) {
    deadline_ = std::chrono::steady_clock::now() + from_now;
    expired_ = false;
  }
  void clear_deadline() { deadline_ = never; }
  /// Whether the deadline ended the last operation.
  bool expired() const { return expired_; }

  /// Bytes read and written since the last call.
  std::pair<std::size_t, std::size_t> take_traffic() {
    return {std::exchange(received_, 0), std::exchange(sent_, 0)};
  }

  /// Prepares the socket and shakes hands where there is TLS.
  asio::awaitable<bool> open() {
    boost::system::error_code ignored;
    socket().set_option(boost::asio::ip::tcp::no_delay(true), ignored);
    socket().non_blocking(true, ignored);
    if constexpr (secure) {
      set_deadline(core_.settings.header_timeout);
      receiving_ = true;
      auto [failure] = co_await stream_.async_handshake(boost::asio::ssl::stream_base::server, outcome);
      receiving_ = false;
      co_return !failure;
    }
    co_return true;
  }

  boost::asio::ip::address peer() {
    boost::system::error_code ignored;
    return socket().remote_endpoint(ignored).address();
  }

  /// Reads what has come into `space`; 0 when nothing will come any more.
  asio::awaitable<std::size_t> read_some(asio::mutable_buffer space) {
    receiving_ = true;
    auto [failure, count] = co_await stream_.async_read_some(space, outcome);
    receiving_ = false;
    received_ += count;
    co_return failure ? 0 : count;
  }

  /// Whether a part should go out by sendfile(2).
  static bool prefers_file(const bytes::shared_body::part& part) { return !secure && part.file() >= 0; }

  /// Writes all parts, in one system call where the socket takes them. Short ones become one TLS record;
  /// `scratch` is the buffer that the first part is in. MSG_MORE in `flags` says that a file follows.
  asio::awaitable<bool> write(std::string& scratch, buffers parts, int flags = 0) {
    if (secure && asio::buffer_size(parts) <= record_size) {
      for (std::size_t i = 1; i < parts.size(); ++i)
        scratch.append(static_cast<const char*>(parts[i].data()), parts[i].size());
      parts = {asio::buffer(scratch)};
    }
    answer_until_ = never;
    boost::beast::buffers_suffix<buffers> rest(parts);
    auto left = asio::buffer_size(parts);
    while (left > 0) {
      const auto count = co_await write_some(rest, flags);
      if (count == 0) co_return false;
      sent_ += count;
      rest.consume(count);
      left -= count;
    }
    co_return true;
  }

  /// Sends a body, or what is left of it, after a write() with MSG_MORE: what is in files without a copy.
  asio::awaitable<bool> send_body(std::span<const bytes::shared_body::part> body) {
    std::size_t turn = turn_size;
    for (const auto& part : body) {
      const bool last = &part == &body.back();
      bool sent = false; // GCC 12 may take the wrong side of a conditional expression with co_await in both
      if (prefers_file(part))
        sent = co_await send_file(part, turn);
      else
        sent = co_await send_bytes(part.bytes(), last);
      if (!sent) co_return false;
    }
    co_return true;
  }

  /// Says that no more will be sent, and waits a little for the client's end: closing with unread input at
  /// once would reset the connection, and the client might lose the answer it has not read yet.
  asio::awaitable<void> finish() {
    set_deadline(core_.load.stopped() ? short_linger : linger);
    lingering_ = true;
    if constexpr (secure) co_await stream_.async_shutdown(outcome);
    boost::system::error_code ignored;
    socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
    std::array<char, 4096> unread;
    while (!expired_) {
      auto [failure, count] = co_await socket().async_read_some(asio::buffer(unread), outcome);
      if (failure) break;
    }
  }

private:
  static constexpr auto outcome = asio::as_tuple(asio::use_awaitable);

  /// A TLS record's worth.
  static constexpr std::size_t record_size = 16 * 1024;
  /// How much of a file goes out in one turn of the event loop: a fast reader could otherwise keep the thread
  /// for all of it. A feed of a thousand units fits.
  static constexpr std::size_t turn_size = 2 << 20;
  static constexpr std::chrono::milliseconds linger{2000};
  /// While the server drains: its end must not wait for a client that does not close.
  static constexpr std::chrono::milliseconds short_linger{300};
  /// A reader may rest for write_timeout, but the whole answer must be taken within so many of them: one byte
  /// now and then does not hold a connection for ever.
  static constexpr int write_timeouts_an_response = 10;

  boost::asio::ip::tcp::socket& socket() {
    if constexpr (secure)
      return stream_.next_layer();
    else
      return stream_;
  }

  void set_write_deadline() {
    const auto timeout = core_.settings.write_timeout;
    set_deadline(timeout);
    if (answer_until_ == never)
      answer_until_ = std::chrono::steady_clock::now() + write_timeouts_an_response * timeout;
    deadline_ = std::min(deadline_, answer_until_);
  }

  /// `turn`: how much may still go out before the thread's other connections have theirs.
  asio::awaitable<bool> send_file(const bytes::shared_body::part& part, std::size_t& turn) {
    auto at = static_cast<off_t>(part.at);
    bool full = false;
    for (auto left = part.size; left > 0;) {
      if (full || turn == 0) {
        if (!co_await writable()) co_return false;
        turn = turn_size;
      }
      const auto wanted = std::min(left, turn);
      const auto count = ::sendfile(socket().native_handle(), part.file(), &at, wanted);
      if (count < 0 && errno == EINTR) continue;
      if (count == 0 || (count < 0 && errno != EAGAIN)) co_return false;
      const auto sent = count > 0 ? static_cast<std::size_t>(count) : 0;
      full = sent < wanted;
      sent_ += sent;
      left -= sent;
      turn -= sent;
    }
    co_return true;
  }

  asio::awaitable<bool> send_bytes(std::string_view bytes, bool last) {
    std::string scratch;
    const buffers parts{asio::buffer(scratch), asio::buffer(bytes)};
    co_return co_await write(scratch, parts, last ? 0 : MSG_MORE);
  }

  template <class Buffers>
  asio::awaitable<std::size_t> write_some(const Buffers& rest, [[maybe_unused]] int flags) {
    if constexpr (secure) {
      set_write_deadline();
      auto [failure, count] = co_await stream_.async_write_some(rest, outcome);
      co_return failure ? 0 : count;
    } else {
      // Trying at once saves most answers a turn of the event loop.
      boost::system::error_code failure;
      auto count = stream_.send(rest, flags, failure);
      while (failure == asio::error::would_block) {
        if (!co_await writable()) co_return 0;
        count = stream_.send(rest, flags, failure);
      }
      co_return failure ? 0 : count;
    }
  }

  asio::awaitable<bool> writable() {
    set_write_deadline();
    auto [refused] = co_await socket().async_wait(boost::asio::ip::tcp::socket::wait_write, outcome);
    co_return !refused;
  }

  server_core& core_;
  Stream stream_;
  bool expired_ = false;
  bool lingering_ = false;          ///< waits for the client's end
  bool receiving_ = false;          ///< waits for the client's part of a handshake or for more of a request
  time_point answer_until_ = never; ///< from the first time its reader was waited for
  std::size_t received_ = 0, sent_ = 0;
};

} // namespace roost::http
