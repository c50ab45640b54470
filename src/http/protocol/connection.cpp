#include "actors/runtime/ask.hpp"
#include "http/protocol/request_parser.hpp"
#include "http/protocol/transport.hpp"
#include "log/log.hpp"

#include <boost/asio/co_spawn.hpp>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace roost::http {
namespace {

namespace ip = boost::asio::ip;
using clock = std::chrono::steady_clock;

/// Most headers have a few hundred bytes. The buffer grows up to twice max_head, which also limits the
/// read-ahead from a pipelining client.
constexpr std::size_t initial_buffer = 4096;
/// Free space after a header for receiving a chunked body.
constexpr std::size_t body_window = 1024;
/// Bodies are read in steps, so that an announced length alone takes no memory.
constexpr std::size_t body_step = 64 * 1024;
/// simdjson reads this far past the end of a document.
constexpr std::size_t body_padding = 64;
/// Unread bodies up to this size are discarded to keep the connection open.
constexpr std::size_t max_discard = 64 * 1024;

/// Thrown when the connection ends in the middle of a request: no response can be sent.
struct disconnected {};

template <class Stream>
class connection {
public:
  template <class... Arguments>
  connection(std::shared_ptr<server_core> core, shard& shard, bool over_limit, Arguments&&... arguments)
      : core_(std::move(core)), shard_(shard),
        transport_(*core_, shard, std::forward<Arguments>(arguments)...), over_limit_(over_limit),
        buffer_(initial_buffer) {
    request_.load = &core_->load;
    core_->open_connections.fetch_add(1, std::memory_order_relaxed);
  }
  ~connection() { core_->open_connections.fetch_sub(1, std::memory_order_relaxed); }
  connection(const connection&) = delete;

  asio::awaitable<void> run() {
    peer_ = transport_.peer();
    peer_is_proxy_ = core_->proxies.contains(peer_);
    remote_ = peer_.to_string();
    if (!co_await transport_.open()) co_return;
    while (true) {
      const auto next = co_await exchange();
      if (next == next_step::abandon) co_return;
      if (next == next_step::finish) break;
      consume(head_size_);
    }
    co_await transport_.finish();
  }

private:
  /// The fate of the connection after a request.
  enum class next_step { keep_alive, finish, abandon };

  // One request and its response

  asio::awaitable<next_step> exchange() {
    response result;
    begin_request();
    try {
      // TLS requires a close_notify to distinguish the end from a truncation attack (RFC 8446, 6.1).
      if (!co_await read_head()) co_return transport<Stream>::secure ? next_step::finish : next_step::abandon;
      result = co_await respond();
    } catch (const disconnected&) {
      co_return next_step::abandon;
    } catch (const error& refusal) {
      result = rendered(refusal);
    } catch (const actors::ask_error& failed) {
      result = rendered(refusal_of(failed));
    } catch (...) {
      result = failure_response(std::current_exception());
    }
    keep_alive_ = keep_alive_ && !core_->load.stopped() && (!body_unread_ || can_discard());
    if (route_ != router::npos && !still_holds(route(), result)) result = rendered(busy());
    if (result.parts && !head_.knows_chunks()) keep_alive_ = false;
    const bool written = co_await send(result);
    finish_request(result);
    if (!written) co_return next_step::abandon;
    if (result.parts && request_.method != "HEAD" && !co_await stream(result)) co_return next_step::abandon;
    if (!keep_alive_) co_return next_step::finish;
    if (body_unread_ && !co_await discard_body()) co_return next_step::finish;
    co_return next_step::keep_alive;
  }

  void begin_request() {
    request_.method = request_.target = request_.path = request_.query = {};
    request_.parameters.clear();
    request_.fields.clear();
    request_.context.reset();
    request_.waited = {};
    request_.body.clear();
    if (request_.body.capacity() > body_step) request_.body = {};
    id_ = shard_.ids.next();
    request_.request_id = {id_.data(), id_.size()};
    request_.remote_address = remote_;
    head_ = {};
    head_size_ = 0;
    scanner_ = {};
    parser_.reset();
    route_ = router::npos;
    // Until the header has been parsed, later bytes cannot be trusted to be a request.
    keep_alive_ = false;
    body_unread_ = false;
    started_ = clock::now();
  }

  asio::awaitable<response> respond() {
    head_ = parser_.emplace(core_->settings.max_body).read_head(buffer_.data(), head_size_, request_);
    keep_alive_ = head_.keep_alive && !over_limit_;
    body_unread_ = head_.body != framing::none;
    client_ = peer_;
    if (peer_is_proxy_) {
      client_ = core_->proxies.client_of(request_, peer_);
      request_.remote_address = client_text_ = client_.to_string();
    }
    if (over_limit_ || core_->load.stopped()) throw busy();
    admit(*core_, head_, request_, route_);
    parser_->limit_body(max_body(*core_, route_));
    if (body_unread_) co_await read_body(request_.prefix);
    const workload::request_in_flight counted(core_->load, request_.prefix, !only_reads(route()));
    check_body(route().body, request_);
    if (const auto* immediate = std::get_if<immediate_handler>(&route().handle))
      co_return (*immediate)(request_);
    co_return co_await std::get<handler>(route().handle)(request_);
  }

  const http::route& route() const { return core_->router.entries()[route_].definition; }

  response failure_response(const std::exception_ptr& failure) {
    record_failure(*core_, request_, route_, failure);
    return rendered(internal());
  }

  response rendered(const error& refusal) const {
    if (route_ == router::npos || !route().render_error) return to_response(refusal);
    return route().render_error(request_, refusal);
  }

  void finish_request(const response& response) {
    record(*core_, request_, route_, response.status, clock::now() - started_);
    count_traffic();
  }

  void count_traffic() {
    const auto [received, sent] = transport_.take_traffic();
    core_->meter.received_bytes.increment(static_cast<double>(received));
    core_->meter.sent_bytes.increment(static_cast<double>(sent));
  }

  // Reading

  std::string_view buffered(std::size_t from = 0) const { return {buffer_.data() + from, filled_ - from}; }

  /// Removes bytes from the buffer, starting at `at`.
  void consume(std::size_t count, std::size_t at = 0) {
    if (filled_ > at + count)
      std::memmove(buffer_.data() + at, buffer_.data() + at + count, filled_ - at - count);
    filled_ -= count;
  }

  /// Waits for a complete header block. Returns false if the connection ends between two requests.
  asio::awaitable<bool> read_head() {
    bool skipped_empty_line = false;
    const bool first = !served_;
    bool waiting = filled_ == 0;
    transport_.set_deadline(waiting && !first ? core_->settings.idle_timeout
                                              : core_->settings.header_timeout);
    if (waiting && buffer_.size() > initial_buffer) std::vector<char>(initial_buffer).swap(buffer_);
    while (true) {
      // Some old clients send an empty line before a request (RFC 9112, 2.2).
      if (!skipped_empty_line && buffered().starts_with("\r\n")) {
        consume(2);
        skipped_empty_line = true;
      }
      if (const auto size = scanner_.scan(buffered())) {
        head_size_ = *size;
        break;
      }
      if (core_->load.stopped()) {
        if (filled_ == 0) co_return false;
        throw busy();
      }
      if (filled_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
      const auto count =
          co_await transport_.read_some(asio::buffer(buffer_.data() + filled_, buffer_.size() - filled_));
      if (count == 0) {
        if (core_->load.stopped()) continue;
        if (transport_.expired() && filled_ > 0) throw request_timeout();
        co_return false;
      }
      filled_ += count;
      if (std::exchange(waiting, false)) { // the request's time starts with its first byte
        transport_.set_deadline(core_->settings.header_timeout);
        started_ = clock::now();
      }
    }
    served_ = true;
    transport_.clear_deadline();
    if (buffer_.size() < head_size_ + body_window) buffer_.resize(head_size_ + body_window);
    co_return true;
  }

  asio::awaitable<void> read_body(std::size_t prefix) {
    // Close the connection unless the body is read completely: its remaining length would be unknown.
    const bool keep_alive = std::exchange(keep_alive_, false);
    body_unread_ = false;
    transport_.set_deadline(core_->settings.body_timeout);
    std::optional<workload::awaited_body> awaited;
    const auto wait_for_more = [&] {
      if (core_->load.stopped()) throw busy();
      if (!awaited) awaited.emplace(core_->load, prefix, client_);
    };
    if (head_.expects_continue && filled_ == head_size_) {
      wait_for_more();
      co_await send_continue();
    }
    if (head_.body == framing::chunked)
      co_await read_chunked_body(wait_for_more);
    else
      co_await read_sized_body(wait_for_more);
    request_.body.reserve(request_.body.size() + body_padding);
    transport_.clear_deadline();
    keep_alive_ = keep_alive;
  }

  asio::awaitable<void> send_continue() {
    const bool sent = co_await transport_.send("HTTP/1.1 100 Continue\r\n\r\n");
    if (!sent) throw disconnected();
    transport_.set_deadline(core_->settings.body_timeout);
  }

  template <class WaitForMore>
  asio::awaitable<void> read_sized_body(const WaitForMore& wait_for_more) {
    std::string& body = request_.body;
    const auto size = static_cast<std::size_t>(head_.content_length);
    const auto available = std::min(size, filled_ - head_size_);
    body.reserve(std::min(size, body_step) + body_padding);
    body.assign(buffered(head_size_).substr(0, available));
    consume(available, head_size_);
    while (body.size() < size) {
      wait_for_more();
      const auto before = body.size();
      body.resize(std::min(size, before + std::max(before, body_step)));
      const auto count =
          co_await transport_.read_some(asio::buffer(body.data() + before, body.size() - before));
      if (count == 0) throw_end_of_body();
      body.resize(before + count);
    }
  }

  template <class WaitForMore>
  asio::awaitable<void> read_chunked_body(const WaitForMore& wait_for_more) {
    while (true) {
      const auto used = parser_->read_chunks(buffered(head_size_), request_.body);
      consume(used, head_size_);
      if (parser_->body_is_complete()) break;
      wait_for_more();
      const auto count =
          co_await transport_.read_some(asio::buffer(buffer_.data() + filled_, buffer_.size() - filled_));
      if (count == 0) throw_end_of_body();
      filled_ += count;
    }
  }

  [[noreturn]] void throw_end_of_body() {
    if (transport_.expired()) throw request_timeout();
    if (core_->load.stopped()) throw busy();
    throw disconnected();
  }

  /// Whether to discard an unread body. After `Expect: 100-continue` the client may not send it.
  bool can_discard() const {
    return head_.body == framing::length && head_.content_length <= max_discard && !head_.expects_continue;
  }

  /// Discards the body. It is not counted in the workload, as the response has been sent already.
  asio::awaitable<bool> discard_body() {
    const auto size = static_cast<std::size_t>(head_.content_length);
    const auto available = std::min(size, filled_ - head_size_);
    consume(available, head_size_);
    co_return co_await transport_.discard(size - available);
  }

  // Writing

  /// Sends a response, in one write if the socket accepts it. Returns false if the client has disconnected.
  asio::awaitable<bool> send(response& response) {
    if (response.shared) response.status = response.shared->status();
    out_.clear();
    try {
      wire::append_head(out_, response, envelope());
    } catch (const std::invalid_argument&) {
      response = failure_response(std::current_exception());
      out_.clear();
      wire::append_head(out_, response, envelope());
    }
    const bool with_body = request_.method != "HEAD" && bytes::may_have_body(response.status);
    typename transport<Stream>::buffers parts{asio::buffer(out_)};
    if (!response.shared) {
      if (with_body) parts[1] = asio::buffer(response.body);
      co_return co_await transport_.write(out_, parts);
    }
    parts[1] = asio::buffer(response.shared->head());
    std::span<const bytes::shared_body::part> body;
    if (with_body) body = response.shared->body().parts();
    if (!body.empty() && !transport_.prefers_file(body.front())) {
      parts[2] = asio::buffer(body.front().bytes());
      body = body.subspan(1);
    }
    if (body.empty()) co_return co_await transport_.write(out_, parts);
    co_return co_await transport_.write(out_, parts, MSG_MORE) && co_await transport_.send_body(body);
  }

  /// Sends the parts of a response whose head has been sent. Returns false if the connection must end.
  asio::awaitable<bool> stream(const response& result) {
    auto part = std::make_optional<std::string>();
    try {
      while (!core_->load.stopped()) {
        part = co_await result.parts();
        if (!part) break;
        if (head_.knows_chunks()) part = wire::chunk_of(*part);
        const bool sent = co_await transport_.send(*part);
        count_traffic();
        if (!sent) co_return false;
      }
    } catch (...) {
      record_failure(*core_, request_, route_, std::current_exception());
      co_return false;
    }
    if (part && result.parts_must_end) co_return false; // without the last chunk
    if (!head_.knows_chunks()) co_return true;          // with ||, GCC 12 evaluates both operands
    co_return co_await transport_.send(wire::last_chunk);
  }

  wire::envelope envelope() {
    return {shard_.date.now(),    request_.request_id,
            !keep_alive_,         keep_alive_ && head_.minor_version == 0,
            head_.knows_chunks(), core_->settings.https_only};
  }

  std::shared_ptr<server_core> core_;
  shard& shard_;
  transport<Stream> transport_;
  const bool over_limit_;
  bool peer_is_proxy_ = false;
  bool served_ = false;     ///< has received a request
  bool keep_alive_ = false; ///< accepts another request
  bool body_unread_ = false;

  ip::address peer_, client_; ///< client_: of the current request, as reported by trusted proxies
  std::string remote_, client_text_;

  std::vector<char> buffer_; ///< the request's header and the bytes after it
  std::size_t filled_ = 0;
  std::size_t head_size_ = 0;
  head_scanner scanner_;
  std::optional<request_parser> parser_; ///< a new one for each request

  request request_;
  head head_;
  std::array<char, 16> id_{};
  std::size_t route_ = router::npos;
  clock::time_point started_;
  std::string out_; ///< the response's header
};

template <class Stream>
void spawn(shard& shard, std::shared_ptr<connection<Stream>> connection) {
  asio::co_spawn(
      shard.context, [connection] { return connection->run(); },
      [](const std::exception_ptr& failure) {
        // Exceptions not caused by a request, such as a lack of memory; the connection ends.
        if (failure) log::error("connection_failed");
      });
}

} // namespace

void serve_connection(std::shared_ptr<server_core> core, shard& shard, ip::tcp::socket socket,
                      bool over_limit) {
  if (shard.tls)
    spawn(shard, std::make_shared<connection<tls_stream>>(core, shard, over_limit, std::move(socket),
                                                          shard.tls->native_handle()));
  else
    spawn(shard, std::make_shared<connection<ip::tcp::socket>>(core, shard, over_limit, std::move(socket)));
}

} // namespace roost::http
