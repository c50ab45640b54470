#include "domain/email_address.hpp"
#include "domain/text.hpp"
#include "mail/transport.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <utility>
#include <vector>

namespace roost::mail {

namespace {

using curl_handle = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;
using curl_list = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

curl_handle new_handle() {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  curl_handle handle(started == CURLE_OK ? curl_easy_init() : nullptr, &curl_easy_cleanup);
  if (!handle) throw std::runtime_error("libcurl cannot be initialized");
  return handle;
}

/// The last reply of a server, possibly of several lines (RFC 5321, 4.2.1).
class last_reply {
public:
  void add(std::string_view line) {
    constexpr std::size_t code_length = 3, max_length = 2'000;
    if (line.starts_with("221")) return; // replies to the QUIT that libcurl sends after a failure
    if (complete_) text_.clear();
    complete_ = line.size() <= code_length || line[code_length] != '-';
    if (text_.size() < max_length) text_.append(line.substr(0, max_length));
  }

  std::string text() const { return domain::one_line(text_); }

private:
  std::string text_;
  bool complete_ = true;
};

bool is_local_host(std::string_view host) {
  return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

/// The result of an exchange with a server.
struct outcome {
  CURLcode result = CURLE_OK;
  long code = 0;                 ///< the server's last reply code, or 0
  std::string_view curl_message; ///< libcurl's description of the error
  bool message_sent = false;     ///< completely, as far as known
  std::string reply;             ///< the server's last one
};

std::string describe(const outcome& outcome) {
  const auto message = outcome.curl_message;
  auto text = domain::one_line(message.empty() ? curl_easy_strerror(outcome.result) : message);
  if (!outcome.reply.empty()) text += "; its last response: " + outcome.reply;
  return text;
}

/// Classifies a failure. Only 5xx replies to the recipient or to the message itself are permanent: a server
/// that refuses the sender or this client is misconfigured, which may be fixed while the mail is queued.
send_failed classify(const outcome& outcome) {
  if (outcome.message_sent && outcome.code < 400) {
    send_failed unconfirmed{"unconfirmed", false};
    unconfirmed.possibly_delivered = true;
    return unconfirmed;
  }
  switch (outcome.result) {
  case CURLE_COULDNT_RESOLVE_HOST:
  case CURLE_COULDNT_CONNECT:
    return {"unreachable", false};
  case CURLE_OPERATION_TIMEDOUT:
    return {"timeout", false};
  case CURLE_LOGIN_DENIED:
  case CURLE_AUTH_ERROR:
    return {"authentication", false};
  case CURLE_SSL_CONNECT_ERROR:
  case CURLE_PEER_FAILED_VERIFICATION:
  case CURLE_USE_SSL_FAILED:
    return {"tls", false};
  default:
    break;
  }
  if (outcome.code < 400) return {"interrupted", false};
  const auto reply = "SMTP " + std::to_string(outcome.code);
  if (outcome.code < 500) return {"deferred", false, reply};
  if (outcome.code == 530 || outcome.code == 535) return {"authentication", false, reply};
  if (outcome.curl_message.starts_with("RCPT failed")) return {"rejected_recipient", true, reply};
  return {"refused", outcome.message_sent || outcome.curl_message.starts_with("DATA failed"), reply};
}

/// Watches whether libcurl declares an international address to the server (RFC 6531, 3.4). It would send
/// such an address to a server that does not support it, too.
struct address_support {
  bool needed = false;
  bool missing = false;
};

int note_command(CURL*, curl_infotype type, char* data, std::size_t size, void* support) {
  auto& address = *static_cast<address_support*>(support);
  const std::string_view line(data, size);
  if (type == CURLINFO_HEADER_OUT && line.starts_with("MAIL FROM"))
    address.missing = address.needed && line.find(" SMTPUTF8") == std::string_view::npos;
  return 0;
}

send_failed failure_of(const outcome& outcome) {
  auto failure = classify(outcome);
  failure.server_message = describe(outcome);
  return failure;
}

using deadline_clock = std::chrono::steady_clock;

/// A message that libcurl reads piece by piece, with the time until which the exchange may last.
class upload {
public:
  upload(std::string_view message, std::function<void()> gate, const smtp_server& server)
      : rest_(message), gate_(std::move(gate)), confirmation_timeout_(server.confirmation_timeout),
        deadline_(deadline_clock::now() + server.send_timeout) {}

  /// Copies the next piece. Reading begins when the server is ready for the message, and the final dot is
  /// sent after the last piece: until then, the message cannot be delivered.
  std::size_t read(char* buffer, std::size_t size) {
    if (!pass_gate()) return CURL_READFUNC_ABORT;
    const auto length = std::min(size, rest_.size());
    rest_.copy(buffer, length);
    rest_.remove_prefix(length);
    if (rest_.empty()) deadline_ = deadline_clock::now() + confirmation_timeout_;
    return length;
  }

  bool is_read() const { return rest_.empty(); }
  bool is_overdue() const { return deadline_clock::now() > deadline_; }
  /// Returns the gate's exception, or null.
  const std::exception_ptr& refusal() const { return refusal_; }

private:
  /// libcurl is C code, so no exception may pass through it.
  bool pass_gate() {
    try {
      if (const auto gate = std::exchange(gate_, nullptr)) gate();
    } catch (...) {
      refusal_ = std::current_exception();
    }
    return !refusal_;
  }

  std::string_view rest_;
  std::function<void()> gate_;
  std::chrono::milliseconds confirmation_timeout_;
  deadline_clock::time_point deadline_;
  std::exception_ptr refusal_;
};

std::size_t read_message(char* buffer, std::size_t size, std::size_t count, void* message) {
  return static_cast<upload*>(message)->read(buffer, size * count);
}

/// A connection to the server, opened by the first message. Used by one thread at a time.
class connection {
public:
  connection(const smtp_server& server, const std::atomic<bool>& interrupted)
      : server_(server), interrupted_(interrupted), handle_(new_handle()) {}
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;
  /// Sends QUIT without waiting for the server's response, for which libcurl would wait longest_wait().
  ~connection() { shut_down_socket(SHUT_RD); }

  /// Returns the server's reply. Throws send_failed, or what the gate throws; the connection is then
  /// unusable.
  std::string send(const std::string& from, const std::string& to, std::string_view message,
                   std::function<void()> gate) {
    const curl_list recipients(curl_slist_append(nullptr, to.c_str()), &curl_slist_free_all);
    if (!recipients) throw send_failed("internal", false, "out of memory");
    upload upload(message, std::move(gate), server_);
    upload_ = &upload;
    curl_easy_reset(handle_.get()); // keeps open connections only
    prepare_connection();
    address_support_ = {.needed = domain::needs_smtputf8(to)};
    set(CURLOPT_MAIL_FROM, from.c_str());
    set(CURLOPT_MAIL_RCPT, recipients.get());
    set(CURLOPT_UPLOAD, 1L);
    set(CURLOPT_READFUNCTION, &read_message);
    set(CURLOPT_READDATA, static_cast<void*>(&upload));
    set(CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(message.size()));
    perform();
    return reply_.text();
  }

private:
  /// Sets an option. `value` must have exactly the type that libcurl documents, as the function is variadic.
  template <typename Value>
  void set(CURLoption option, Value value) {
    const auto result = curl_easy_setopt(handle_.get(), option, value);
    if (result != CURLE_OK) throw send_failed("internal", false, curl_easy_strerror(result));
  }

  void perform() {
    reply_ = {};
    outcome outcome{.result = curl_easy_perform(handle_.get())};
    if (outcome.result == CURLE_OK) return;
    shut_down_socket(SHUT_RDWR); // otherwise libcurl would send QUIT and wait, as above
    if (upload_->refusal()) std::rethrow_exception(upload_->refusal());
    if (address_support_.missing) throw unsupported_address();
    if (outcome.result == CURLE_ABORTED_BY_CALLBACK && !interrupted_)
      outcome.result = CURLE_OPERATION_TIMEDOUT;
    curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &outcome.code);
    outcome.curl_message = curl_error_.data();
    outcome.message_sent = upload_->is_read();
    outcome.reply = reply_.text();
    throw failure_of(outcome);
  }

  static send_failed unsupported_address() {
    send_failed failure{"rejected_recipient", true, "no SMTPUTF8"};
    failure.server_message = "the server does not support addresses with letters beyond ASCII (SMTPUTF8)";
    return failure;
  }

  void shut_down_socket(int directions) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    curl_easy_getinfo(handle_.get(), CURLINFO_ACTIVESOCKET, &socket);
    if (socket != CURL_SOCKET_BAD) ::shutdown(socket, directions);
  }

  /// Records a line from the server, which libcurl passes as if it were a header. Any result but the line's
  /// length ends the exchange, which must not go on to an address that the server does not support.
  static std::size_t note_reply(char* line, std::size_t size, std::size_t count, void* self) {
    auto& connection = *static_cast<class connection*>(self);
    connection.reply_.add({line, size * count});
    return connection.address_support_.missing ? 0 : size * count;
  }

  static int keep_going(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    const auto& connection = *static_cast<const class connection*>(self);
    return connection.interrupted_ || connection.upload_->is_overdue() ? 1 : 0;
  }

  void prepare_connection() {
    constexpr long reusable_seconds = 10; // servers may close connections that are idle for longer
    const auto url =
        (server_.implicit_tls ? "smtps://" : "smtp://") + server_.host + ":" + std::to_string(server_.port);
    set(CURLOPT_URL, url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    set(CURLOPT_PROXY, ""); // only the configuration decides where mail goes, not the environment
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_ERRORBUFFER, curl_error_.data());
    set(CURLOPT_HEADERFUNCTION, &note_reply);
    set(CURLOPT_HEADERDATA, static_cast<void*>(this));
    set(CURLOPT_VERBOSE, 1L); // passes everything to this function, which prints nothing
    set(CURLOPT_DEBUGFUNCTION, &note_command);
    set(CURLOPT_DEBUGDATA, static_cast<void*>(&address_support_));
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &keep_going); // called about once a second even without progress
    set(CURLOPT_XFERINFODATA, static_cast<void*>(this));
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(server_.connect_timeout.count()));
    set(CURLOPT_SERVER_RESPONSE_TIMEOUT, longest_wait());
    set(CURLOPT_MAXAGE_CONN, reusable_seconds);
    prepare_security();
  }

  /// In seconds. keep_going() ends an exchange earlier: libcurl's own limits do not depend on its phase.
  long longest_wait() const {
    const auto longest =
        std::max(server_.send_timeout, server_.confirmation_timeout) + std::chrono::minutes{1};
    return static_cast<long>(std::chrono::ceil<std::chrono::seconds>(longest).count());
  }

  void prepare_security() {
    const bool authenticates = !server_.user.empty();
    if (authenticates) {
      set(CURLOPT_USERNAME, server_.user.c_str());
      set(CURLOPT_PASSWORD, server_.password.c_str());
    }
    const bool requires_tls = !is_local_host(server_.host) && (authenticates || !server_.opportunistic_tls);
    if (server_.implicit_tls || requires_tls) {
      set(CURLOPT_USE_SSL, static_cast<long>(CURLUSESSL_ALL));
      return; // libcurl verifies the certificate by default
    }
    // Opportunistic security (RFC 7435): plain text is acceptable, so an unverified certificate does no harm.
    set(CURLOPT_USE_SSL, static_cast<long>(CURLUSESSL_TRY));
    set(CURLOPT_SSL_VERIFYPEER, 0L);
    set(CURLOPT_SSL_VERIFYHOST, 0L);
  }

  const smtp_server& server_;
  const std::atomic<bool>& interrupted_;
  upload* upload_ = nullptr; ///< the current one
  address_support address_support_;
  std::array<char, CURL_ERROR_SIZE> curl_error_{}; // must outlive the handle, which writes to it
  last_reply reply_;                               // must outlive the handle as well
  curl_handle handle_;
};

class server_transport final : public transport {
public:
  server_transport(smtp_server server, std::string from)
      : server_(std::move(server)), from_(std::move(from)), address_(sender_of(from_).address) {}

  std::vector<send_result> send(std::span<const domain::outgoing_mail> mails,
                                const delivery_gate& gate) override {
    std::vector<send_result> results;
    for (const auto& mail : mails) {
      try {
        results.push_back({send_one(mail, gate)});
      } catch (const send_failed& failed) {
        results.push_back({{}, failed});
      }
    }
    return results;
  }

  void interrupt() override { interrupted_ = true; }

private:
  std::string send_one(const domain::outgoing_mail& mail, const delivery_gate& gate) {
    const auto message = to_rfc5322(mail, from_);
    auto connection = take_connection();
    auto reply = connection->send(address_, recipient_of(mail), message, [&] { gate({&mail.id, 1}); });
    const std::scoped_lock lock(mutex_);
    idle_.push_back(std::move(connection));
    return reply;
  }

  /// Returns the connection that was used last, which is most likely still open, or a new one.
  std::unique_ptr<connection> take_connection() {
    const std::scoped_lock lock(mutex_);
    if (idle_.empty()) return std::make_unique<connection>(server_, interrupted_);
    auto last = std::move(idle_.back());
    idle_.pop_back();
    return last;
  }

  const smtp_server server_;
  const std::string from_;
  const std::string address_; ///< in from_
  std::atomic<bool> interrupted_ = false;
  std::mutex mutex_;
  std::vector<std::unique_ptr<connection>> idle_;
};

} // namespace

std::unique_ptr<transport> smtp_transport(smtp_server server, std::string from) {
  sender_of(from);
  return std::make_unique<server_transport>(std::move(server), std::move(from));
}

} // namespace roost::mail
