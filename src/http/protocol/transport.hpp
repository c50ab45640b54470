#pragma once

#include "http/protocol/server_core.hpp"
#include "http/protocol/tls_stream.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/buffers_range.hpp>
#include <boost/beast/core/buffers_suffix.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>
#include <sys/sendfile.h>
#include <type_traits>
#include <utility>

namespace roost::http {

/// The input, output and deadlines of a connection over TCP or TLS (`Stream` is tcp::socket or
/// tls_stream). Does not throw: a disconnect or a timeout is reported as 0 bytes or false.
template <class Stream>
class transport final : public timed_connection {
public:
  static constexpr bool secure = !std::is_same_v<Stream, boost::asio::ip::tcp::socket>;
  /// The parts of a response: the variable head, a prebuilt head, a body.
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

  /// Returns the bytes received and sent since the last call.
  std::pair<std::size_t, std::size_t> take_traffic() {
    return {std::exchange(received_, 0), std::exchange(sent_, 0)};
  }

  /// Prepares the socket and performs the TLS handshake, if any.
  asio::awaitable<bool> open() {
    boost::system::error_code ignored;
    socket().set_option(boost::asio::ip::tcp::no_delay(true), ignored);
    socket().non_blocking(true, ignored);
    if constexpr (secure) {
      set_deadline(core_.settings.header_timeout);
      receiving_ = true;
      const bool done = co_await stream_.handshake();
      receiving_ = false;
      co_return done;
    }
    co_return true;
  }

  boost::asio::ip::address peer() {
    boost::system::error_code ignored;
    return socket().remote_endpoint(ignored).address();
  }

  /// Reads available bytes into `space`; returns 0 at the end of input, on timeout and on errors.
  asio::awaitable<std::size_t> read_some(asio::mutable_buffer space) {
    std::size_t count = 0;
    receiving_ = true;
    if constexpr (secure) {
      count = co_await stream_.read_some(space);
    } else {
      const auto [failure, received] = co_await stream_.async_read_some(space, as_result);
      if (!failure) count = received;
    }
    receiving_ = false;
    received_ += count;
    co_return count;
  }

  /// Reads and discards bytes. Returns false on a timeout, and after the workload was stopped.
  asio::awaitable<bool> discard(std::size_t count) {
    set_deadline(core_.settings.body_timeout);
    std::array<char, 4096> unread;
    while (count > 0) {
      if (core_.load.stopped()) co_return false;
      const auto received = co_await read_some(asio::buffer(unread.data(), std::min(count, unread.size())));
      if (received == 0) co_return false;
      count -= received;
    }
    clear_deadline();
    co_return true;
  }

  /// Whether a part should be sent with sendfile(2).
  static bool prefers_file(const bytes::shared_body::part& part) { return !secure && part.file() >= 0; }

  /// Writes all parts, in one system call or TLS record if they fit. `scratch` is the buffer with the first
  /// part. MSG_MORE in `flags` announces a file.
  asio::awaitable<bool> write(std::string& scratch, buffers parts, int flags = 0) {
    if constexpr (secure) fill_record(scratch, parts);
    response_deadline_ = never;
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

  asio::awaitable<bool> send(std::string_view bytes) {
    std::string scratch(bytes);
    const buffers parts{asio::buffer(scratch)};
    co_return co_await write(scratch, parts);
  }

  /// Sends a body, or the rest of it, after a write() with MSG_MORE; parts in files are not copied.
  asio::awaitable<bool> send_body(std::span<const bytes::shared_body::part> body) {
    std::size_t turn = turn_size;
    for (const auto& part : body) {
      const bool last = &part == &body.back();
      bool sent =
          false; // GCC 12 may evaluate the wrong branch of a conditional expression with co_await in both
      if (prefers_file(part))
        sent = co_await send_file(part, turn);
      else
        sent = co_await send_bytes(part.bytes(), last);
      if (!sent) co_return false;
    }
    co_return true;
  }

  /// Shuts down sending and waits briefly for the client to close: closing immediately with unread input
  /// would reset the connection, and the client could lose a response that it has not read yet.
  asio::awaitable<void> finish() {
    set_deadline(core_.load.stopped() ? short_linger : linger);
    lingering_ = true;
    if constexpr (secure) co_await stream_.close_notify();
    boost::system::error_code ignored;
    socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
    std::array<char, 4096> unread;
    while (!expired_) {
      auto [failure, count] = co_await socket().async_read_some(asio::buffer(unread), as_result);
      if (failure) break;
    }
  }

private:
  static constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

  /// How many bytes of a file are sent in one turn of the event loop, so that a fast reader does not
  /// monopolize the thread. A feed of a thousand units fits.
  static constexpr std::size_t turn_size = 2 << 20;
  static constexpr std::chrono::milliseconds linger{2000};
  /// Applies while the server drains: shutdown must not wait for clients that do not close.
  static constexpr std::chrono::milliseconds short_linger{300};
  /// A client may pause for write_timeout, but must accept the whole response within this many of them, so
  /// that an occasional byte does not keep a connection open forever.
  static constexpr int write_timeouts_per_response = 10;

  boost::asio::ip::tcp::socket& socket() {
    if constexpr (secure)
      return stream_.next_layer();
    else
      return stream_;
  }

  void set_write_deadline() {
    const auto timeout = core_.settings.write_timeout;
    set_deadline(timeout);
    if (response_deadline_ == never)
      response_deadline_ = std::chrono::steady_clock::now() + write_timeouts_per_response * timeout;
    deadline_ = std::min(deadline_, response_deadline_);
  }

  /// Moves the beginning of the later parts into the first one, as far as it has room in its TLS record.
  static void fill_record(std::string& scratch, buffers& parts) {
    if (scratch.empty()) return;
    for (auto part = parts.begin() + 1; part != parts.end() && scratch.size() < tls_stream::max_record_size;
         ++part) {
      const auto count = std::min(part->size(), tls_stream::max_record_size - scratch.size());
      scratch.append(static_cast<const char*>(part->data()), count);
      *part += count;
    }
    parts.front() = asio::buffer(scratch);
  }

  /// Sends a part with sendfile(2). `turn` is the number of bytes left in this turn of the event loop.
  asio::awaitable<bool> send_file(const bytes::shared_body::part& part, std::size_t& turn) {
    auto at = static_cast<off_t>(part.at);
    bool full = false;
    for (auto left = part.size; left > 0;) {
      if (full || turn == 0) {
        if (!co_await writable()) co_return false;
        turn = turn_size;
      }
      const auto max_count = std::min(left, turn);
      const auto count = ::sendfile(socket().native_handle(), part.file(), &at, max_count);
      if (count < 0 && errno == EINTR) continue;
      if (count == 0 || (count < 0 && errno != EAGAIN)) co_return false;
      const auto sent = count > 0 ? static_cast<std::size_t>(count) : 0;
      full = sent < max_count;
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
      for (const asio::const_buffer bytes : boost::beast::buffers_range_ref(rest))
        if (bytes.size() > 0) co_return co_await stream_.write_some(bytes);
      co_return 0;
    } else {
      // Trying immediately saves most responses a turn of the event loop.
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
    auto [failure] = co_await socket().async_wait(boost::asio::ip::tcp::socket::wait_write, as_result);
    co_return !failure;
  }

  server_core& core_;
  Stream stream_;
  bool expired_ = false;
  bool lingering_ = false;               ///< waiting for the client to close
  bool receiving_ = false;               ///< waiting for a handshake or for request bytes
  time_point response_deadline_ = never; ///< set when the client first stalls
  std::size_t received_ = 0, sent_ = 0;
};

} // namespace roost::http
