#include "http/connection.hpp"

#include "http/access_log.hpp"
#include "http/admission.hpp"
#include "http/chunked.hpp"
#include "http/head.hpp"
#include "log/log.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/buffers_suffix.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/sendfile.h>
#include <type_traits>
#include <utility>

namespace roost::http {
namespace {

namespace ip = boost::asio::ip;
namespace ssl = boost::asio::ssl;
using clock = std::chrono::steady_clock;

constexpr auto outcome = asio::as_tuple(asio::use_awaitable);

/// Most headers are a few hundred bytes; the buffer grows up to twice max_head, which is also the read-ahead
/// of a client that pipelines.
constexpr std::size_t initial_buffer = 4096;
/// Left free behind a header, for a chunked body to come in by.
constexpr std::size_t body_window = 1024;
/// A body is read in steps, so that a length that is only announced takes no memory.
constexpr std::size_t body_step = 64 * 1024;
/// simdjson reads this far past the end of a document.
constexpr std::size_t body_padding = 64;
/// An unread body up to this size is read away to keep the connection.
constexpr std::size_t max_discard = 64 * 1024;
/// A TLS record's worth: answers up to here go out as one.
constexpr std::size_t record_size = 16 * 1024;
/// How much of a file goes out in one turn of the event loop: a fast reader could otherwise keep the thread
/// for all of it. A feed of a thousand units fits.
constexpr std::size_t turn_size = 2 << 20;
/// How long a closing connection waits for the client's end. Closing with unread input at once would reset
/// the connection, and the client might lose the answer it has not read yet.
constexpr std::chrono::milliseconds linger{2000};
/// The same while the server drains: its end must not wait for a client that does not close.
constexpr std::chrono::milliseconds short_linger{300};

/// A reader may rest for write_timeout, but the whole answer must be taken within so many of them: one byte
/// now and then does not hold a connection for ever.
constexpr int write_timeouts_an_answer = 10;

/// The client went away, or was sent away, in the middle of a request: there is nobody to answer.
struct disconnected {};

/// Counts a request in flight for as long as it lives.
class flight {
public:
  explicit flight(server_core& core) : core_(core) {
    if (core_.in_flight.fetch_add(1, std::memory_order_relaxed) < core_.settings.max_in_flight) return;
    core_.in_flight.fetch_sub(1, std::memory_order_relaxed);
    throw busy();
  }
  ~flight() { core_.in_flight.fetch_sub(1, std::memory_order_relaxed); }
  flight(const flight&) = delete;
  flight& operator=(const flight&) = delete;

private:
  server_core& core_;
};

template <class Stream>
class connection final : public timed_connection {
public:
  template <class... Arguments>
  connection(std::shared_ptr<server_core> core, shard& shard, bool over_limit, Arguments&&... arguments)
      : core_(std::move(core)), shard_(shard), stream_(std::forward<Arguments>(arguments)...),
        over_limit_(over_limit), buffer_(initial_buffer) {
    shard_.connections.push_back(*this);
    core_->open_connections.fetch_add(1, std::memory_order_relaxed);
  }

  ~connection() override {
    unlink(); // while core_ still keeps the list alive
    core_->open_connections.fetch_sub(1, std::memory_order_relaxed);
  }

  void expire() override {
    expired_ = true;
    boost::system::error_code ignored;
    socket().cancel(ignored);
  }

  void close() override {
    boost::system::error_code ignored;
    socket().close(ignored);
  }

  asio::awaitable<void> run() {
    prepare_socket();
    if (!co_await handshake()) co_return;
    while (true) {
      const auto next = co_await exchange();
      if (next == after::abandon) co_return;
      if (next == after::finish) break;
      consume(head_size_);
    }
    co_await finish();
  }

private:
  static constexpr bool secure = !std::is_same_v<Stream, ip::tcp::socket>;

  /// What becomes of the connection after a request.
  enum class after { go_on, finish, abandon };

  ip::tcp::socket& socket() {
    if constexpr (secure)
      return stream_.next_layer();
    else
      return stream_;
  }

  void set_deadline(std::chrono::milliseconds from_now) {
    deadline_ = clock::now() + from_now;
    expired_ = false;
  }

  void set_write_deadline() {
    const auto timeout = core_->settings.write_timeout;
    set_deadline(timeout);
    if (answer_until_ == never) answer_until_ = clock::now() + write_timeouts_an_answer * timeout;
    deadline_ = std::min(deadline_, answer_until_);
  }

  void prepare_socket() {
    boost::system::error_code ignored;
    socket().set_option(ip::tcp::no_delay(true), ignored);
    socket().non_blocking(true, ignored);
    peer_ = socket().remote_endpoint(ignored).address();
    peer_is_proxy_ = core_->proxies.contains(peer_);
    remote_ = peer_.to_string();
  }

  asio::awaitable<bool> handshake() {
    if constexpr (secure) {
      set_deadline(core_->settings.header_timeout);
      idle_ = true;
      auto [failure] = co_await stream_.async_handshake(ssl::stream_base::server, outcome);
      idle_ = false;
      co_return !failure;
    }
    co_return true;
  }

  // ---- one request and its answer

  asio::awaitable<after> exchange() {
    response answer;
    begin_request();
    try {
      // TLS is owed a close_notify, else its end could be a cut made by somebody else (RFC 8446, 6.1).
      if (!co_await read_head()) co_return secure ? after::finish : after::abandon;
      answer = co_await respond();
    } catch (const disconnected&) {
      co_return after::abandon;
    } catch (const error& refusal) {
      answer = to_response(refusal);
    } catch (...) {
      answer = failed(std::current_exception());
    }
    const bool unread = body_state_ == body::unread;
    goes_on_ = goes_on_ && !core_->draining.load(std::memory_order_relaxed) && (!unread || can_discard());
    const bool written = co_await send(answer);
    finish_request(answer);
    if (!written) co_return after::abandon;
    if (!goes_on_) co_return after::finish;
    if (unread && !co_await discard_body()) co_return after::finish;
    co_return after::go_on;
  }

  void begin_request() {
    request_.method = request_.target = request_.path = request_.query = {};
    request_.parameters.clear();
    request_.fields.clear();
    request_.context.reset();
    if (request_.body.capacity() > body_step)
      request_.body = {};
    else
      request_.body.clear();
    id_ = shard_.ids.next();
    request_.request_id = {id_.data(), id_.size()};
    request_.remote_address = remote_;
    head_ = {};
    head_size_ = 0;
    scanner_ = {};
    route_ = router::npos;
    // Until the header is understood nothing that follows can be trusted to be a request.
    goes_on_ = false;
    body_state_ = body::done;
    started_ = clock::now();
  }

  asio::awaitable<response> respond() {
    head_ = parse_head(buffer_.data(), head_size_, request_);
    goes_on_ = head_.keep_alive && !over_limit_;
    body_state_ = head_.body == framing::none ? body::done : body::unread;
    request_.deadline = started_ + core_->settings.request_budget;
    if (peer_is_proxy_) {
      client_ = core_->proxies.client_of(request_, peer_).to_string();
      request_.remote_address = client_;
    }
    if (over_limit_) throw busy();
    const flight counted(*core_);
    admit(*core_, head_, request_, route_);
    const route& route = core_->router.entries()[route_].definition;
    if (body_state_ == body::unread) co_await read_body();
    check_body(route.body, request_);
    if (const auto* immediate = std::get_if<immediate_handler>(&route.handle))
      co_return (*immediate)(request_);
    co_return co_await std::get<handler>(route.handle)(request_);
  }

  response failed(const std::exception_ptr& failure) {
    record_failure(*core_, request_, route_, failure);
    return to_response(internal());
  }

  void finish_request(const response& answer) {
    record(*core_, request_, route_, answer.shared ? answer.shared->status() : answer.status,
           clock::now() - started_);
    core_->meter.received_bytes.increment(static_cast<double>(std::exchange(received_, 0)));
    core_->meter.sent_bytes.increment(static_cast<double>(std::exchange(sent_, 0)));
  }

  // ---- reading

  std::string_view buffered(std::size_t from = 0) const { return {buffer_.data() + from, filled_ - from}; }

  /// Takes bytes out of the buffer, from `at` on.
  void consume(std::size_t count, std::size_t at = 0) {
    if (filled_ > at + count)
      std::memmove(buffer_.data() + at, buffer_.data() + at + count, filled_ - at - count);
    filled_ -= count;
  }

  /// Reads what has come into `space`; false when nothing will come any more.
  asio::awaitable<std::size_t> read_some(asio::mutable_buffer space) {
    auto [failure, count] = co_await stream_.async_read_some(space, outcome);
    received_ += count;
    co_return failure ? 0 : count;
  }

  /// Waits for a whole header block. False when the connection ends between two requests.
  asio::awaitable<bool> read_head() {
    bool skipped_empty_line = false;
    const bool first = !served_;
    bool waiting = filled_ == 0;
    set_deadline(waiting && !first ? core_->settings.idle_timeout : core_->settings.header_timeout);
    if (waiting) shrink_buffer();
    while (true) {
      // One empty line before a request is left over from clients of old (RFC 9112, 2.2).
      if (!skipped_empty_line && buffered().starts_with("\r\n")) {
        consume(2);
        skipped_empty_line = true;
      }
      if (const auto size = scanner_.scan(buffered())) {
        head_size_ = *size;
        break;
      }
      idle_ = filled_ == 0;
      if (idle_ && core_->draining.load(std::memory_order_relaxed)) co_return false;
      if (filled_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
      const auto count = co_await read_some(asio::buffer(buffer_.data() + filled_, buffer_.size() - filled_));
      idle_ = false;
      if (count == 0) {
        if (expired_ && filled_ > 0) throw request_timeout();
        co_return false;
      }
      filled_ += count;
      if (std::exchange(waiting, false)) begin_header();
    }
    served_ = true;
    deadline_ = never;
    if (buffer_.size() < head_size_ + body_window) buffer_.resize(head_size_ + body_window);
    co_return true;
  }

  /// The first byte of a request is here: its time starts now.
  void begin_header() {
    set_deadline(core_->settings.header_timeout);
    started_ = clock::now();
  }

  void shrink_buffer() {
    if (buffer_.size() > initial_buffer) std::vector<char>(initial_buffer).swap(buffer_);
  }

  asio::awaitable<void> read_body() {
    // What is left of a body that fails is unknown: the connection cannot go on, unless all of it comes.
    const bool goes_on = std::exchange(goes_on_, false);
    body_state_ = body::done;
    set_deadline(core_->settings.body_timeout);
    if (head_.expects_continue && filled_ == head_size_) co_await send_continue();
    if (head_.body == framing::chunked)
      co_await read_chunked_body();
    else
      co_await read_sized_body();
    request_.body.reserve(request_.body.size() + body_padding);
    deadline_ = never;
    goes_on_ = goes_on;
  }

  asio::awaitable<void> send_continue() {
    constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
    if (!co_await write({asio::buffer(go_on), {}, {}})) throw disconnected();
    set_deadline(core_->settings.body_timeout);
  }

  asio::awaitable<void> read_sized_body() {
    std::string& body = request_.body;
    const auto size = static_cast<std::size_t>(head_.content_length);
    const auto here = std::min(size, filled_ - head_size_);
    body.reserve(std::min(size, body_step) + body_padding);
    body.assign(buffered(head_size_).substr(0, here));
    consume(here, head_size_);
    while (body.size() < size) {
      const auto before = body.size();
      body.resize(std::min(size, before + std::max(before, body_step)));
      const auto count = co_await read_some(asio::buffer(body.data() + before, body.size() - before));
      if (count == 0) refuse_end_of_body();
      body.resize(before + count);
    }
  }

  asio::awaitable<void> read_chunked_body() {
    chunk_decoder decoder(core_->settings.max_body);
    while (true) {
      const auto used = decoder.feed(buffered(head_size_), request_.body);
      consume(used, head_size_);
      if (decoder.done()) break;
      const auto count = co_await read_some(asio::buffer(buffer_.data() + filled_, buffer_.size() - filled_));
      if (count == 0) refuse_end_of_body();
      filled_ += count;
    }
  }

  [[noreturn]] void refuse_end_of_body() {
    if (expired_) throw request_timeout();
    throw disconnected();
  }

  /// Whether an unread body may be read away. One that was to wait for 100 Continue may come or not.
  bool can_discard() const {
    return head_.body == framing::length && head_.content_length <= max_discard && !head_.expects_continue;
  }

  asio::awaitable<bool> discard_body() {
    try {
      co_await read_body();
      co_return true;
    } catch (const error&) {
    } catch (const disconnected&) {
    }
    co_return false;
  }

  // ---- writing

  using buffers = std::array<asio::const_buffer, 3>;

  /// Sends an answer, in one write where the socket takes it; false when the client is gone.
  asio::awaitable<bool> send(response& answer) {
    out_.clear();
    answer_until_ = never;
    try {
      wire::append_head(out_, answer, envelope());
    } catch (const std::invalid_argument&) {
      answer = failed(std::current_exception());
      out_.clear();
      wire::append_head(out_, answer, envelope());
    }
    const bool with_body = request_.method != "HEAD";
    buffers parts{};
    if (answer.shared) {
      parts[1] = asio::buffer(answer.shared->head());
      if (with_body && !secure && answer.shared->file() >= 0) {
        parts[0] = asio::buffer(out_);
        co_return co_await write(parts, MSG_MORE) && co_await send_file(*answer.shared);
      }
      if (with_body) parts[2] = asio::buffer(answer.shared->body());
    } else if (with_body && wire::may_have_body(answer.status)) {
      parts[1] = asio::buffer(answer.body);
    }
    if (secure && asio::buffer_size(parts) <= record_size) {
      for (auto& part : parts) out_.append(static_cast<const char*>(part.data()), part.size());
      parts = {};
    }
    parts[0] = asio::buffer(out_);
    co_return co_await write(parts);
  }

  wire::envelope envelope() {
    return {shard_.date.now(), request_.request_id, !goes_on_, goes_on_ && head_.minor_version == 0};
  }

  /// MSG_MORE in `flags` says that a file follows.
  asio::awaitable<bool> write(buffers parts, int flags = 0) {
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

  /// Writes what can be written; 0 when the client is gone or has taken nothing for write_timeout.
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

  asio::awaitable<bool> send_file(const prebuilt& answer) {
    const std::size_t size = answer.body().size();
    for (off_t at = 0; static_cast<std::size_t>(at) < size;) {
      const auto part = std::min(size - static_cast<std::size_t>(at), turn_size);
      const auto count = ::sendfile(socket().native_handle(), answer.file(), &at, part);
      if (count < 0 && errno == EINTR) continue;
      if (count == 0 || (count < 0 && errno != EAGAIN)) co_return false;
      if (count > 0) sent_ += static_cast<std::size_t>(count);
      // Also after a whole part: the other connections of the thread have a turn before the next one.
      if (static_cast<std::size_t>(at) < size && !co_await writable()) co_return false;
    }
    co_return true;
  }

  asio::awaitable<bool> writable() {
    set_write_deadline();
    auto [refused] = co_await socket().async_wait(ip::tcp::socket::wait_write, outcome);
    co_return !refused;
  }

  // ---- the end

  asio::awaitable<void> finish() {
    set_deadline(core_->draining.load(std::memory_order_relaxed) ? short_linger : linger);
    if constexpr (secure) co_await stream_.async_shutdown(outcome);
    boost::system::error_code ignored;
    socket().shutdown(ip::tcp::socket::shutdown_send, ignored);
    while (!expired_) {
      auto [failure, count] = co_await socket().async_read_some(asio::buffer(buffer_), outcome);
      if (failure) break;
    }
  }

  enum class body { done, unread };

  std::shared_ptr<server_core> core_;
  shard& shard_;
  Stream stream_;
  const bool over_limit_;
  bool peer_is_proxy_ = false;
  bool served_ = false; ///< has had a request
  bool expired_ = false;
  bool goes_on_ = false; ///< may have another request
  body body_state_ = body::done;

  ip::address peer_;
  std::string remote_, client_;

  std::vector<char> buffer_; ///< the request's header, then what has come after it
  std::size_t filled_ = 0;
  std::size_t head_size_ = 0;
  head_scanner scanner_;

  request request_;
  head head_;
  std::array<char, 16> id_{};
  std::size_t route_ = router::npos;
  clock::time_point started_;
  std::string out_;                 ///< the answer's header
  time_point answer_until_ = never; ///< from the first time its reader was waited for
  std::size_t received_ = 0, sent_ = 0;
};

template <class Stream>
void spawn(shard& shard, std::shared_ptr<connection<Stream>> connection) {
  asio::co_spawn(
      shard.context, [connection] { return connection->run(); },
      [](const std::exception_ptr& failure) {
        // Only what no request can be blamed for comes here, e.g. memory that ran out: this connection ends.
        if (failure) log::error("connection_failed");
      });
}

} // namespace

void serve_connection(std::shared_ptr<server_core> core, shard& shard, ip::tcp::socket socket,
                      bool over_limit) {
  using secure_stream = ssl::stream<ip::tcp::socket>;
  if (core->tls)
    spawn(shard, std::make_shared<connection<secure_stream>>(core, shard, over_limit, std::move(socket),
                                                             *core->tls));
  else
    spawn(shard, std::make_shared<connection<ip::tcp::socket>>(core, shard, over_limit, std::move(socket)));
}

} // namespace roost::http
