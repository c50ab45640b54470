#include "domain/text.hpp"
#include "mail/transport.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

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

/// Copies the next piece of the message for libcurl; `message` is a std::string_view of the rest.
std::size_t read_message(char* buffer, std::size_t size, std::size_t count, void* message) {
  auto& rest = *static_cast<std::string_view*>(message);
  const auto length = std::min(size * count, rest.size());
  rest.copy(buffer, length);
  rest.remove_prefix(length);
  return length;
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

/// Records a line from the server, which libcurl passes as if it were a header.
std::size_t note_reply(char* line, std::size_t size, std::size_t count, void* reply) {
  static_cast<last_reply*>(reply)->add({line, size * count});
  return size * count;
}

bool is_local_host(std::string_view host) {
  return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

/// The result of an exchange with a server.
struct outcome {
  CURLcode result = CURLE_OK;
  long code = 0;                 ///< the server's last reply code, or 0
  std::string_view curl_message; ///< libcurl's description of the error
  bool message_sent = false;     ///< completely
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

send_failed failure_of(const outcome& outcome) {
  auto failure = classify(outcome);
  failure.server_message = describe(outcome);
  return failure;
}

class server_transport final : public transport {
public:
  server_transport(smtp_server server, std::string from)
      : server_(std::move(server)), from_(std::move(from)), handle_(new_handle()) {}

  std::string send(const domain::outgoing_mail& mail) override {
    const auto message = to_rfc5322(mail, from_);
    const curl_list recipients(curl_slist_append(nullptr, mail.to.c_str()), &curl_slist_free_all);
    if (!recipients) throw send_failed("internal", false, "out of memory");

    const std::scoped_lock lock(mutex_);
    std::string_view rest = message;
    curl_easy_reset(handle_.get()); // keeps open connections only
    prepare_connection();
    set(CURLOPT_ERRORBUFFER, curl_error_.data());
    set(CURLOPT_HEADERFUNCTION, &note_reply);
    set(CURLOPT_HEADERDATA, static_cast<void*>(&reply_));
    set(CURLOPT_MAIL_FROM, from_.c_str());
    set(CURLOPT_MAIL_RCPT, recipients.get());
    set(CURLOPT_UPLOAD, 1L);
    set(CURLOPT_READFUNCTION, &read_message);
    set(CURLOPT_READDATA, static_cast<void*>(&rest));
    set(CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(message.size()));
    perform(rest);
    return reply_.text();
  }

  void interrupt() override { interrupted_ = true; }

private:
  /// Sets an option. `value` must have exactly the type that libcurl documents, as the function is variadic.
  template <typename Value>
  void set(CURLoption option, Value value) {
    const auto result = curl_easy_setopt(handle_.get(), option, value);
    if (result != CURLE_OK) throw send_failed("internal", false, curl_easy_strerror(result));
  }

  /// Performs the exchange. `rest` is the part of the message that has not been sent.
  void perform(const std::string_view& rest) {
    reply_ = {};
    outcome outcome{.result = curl_easy_perform(handle_.get())};
    if (outcome.result == CURLE_OK) return;
    curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &outcome.code);
    outcome.curl_message = curl_error_.data();
    outcome.message_sent = rest.empty();
    outcome.reply = reply_.text();
    throw failure_of(outcome);
  }

  static int keep_going(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<const server_transport*>(self)->interrupted_ ? 1 : 0;
  }

  void prepare_connection() {
    constexpr long reusable_seconds = 10; // servers may close connections that are idle for longer
    const auto url =
        (server_.implicit_tls ? "smtps://" : "smtp://") + server_.host + ":" + std::to_string(server_.port);
    set(CURLOPT_URL, url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    set(CURLOPT_PROXY, ""); // only the configuration decides where mail goes, not the environment
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &keep_going); // called about once a second even without progress
    set(CURLOPT_XFERINFODATA, static_cast<void*>(this));
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(server_.connect_timeout.count()));
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(server_.total_timeout.count()));
    set(CURLOPT_MAXAGE_CONN, reusable_seconds);
    prepare_security();
  }

  void prepare_security() {
    const bool authenticates = !server_.user.empty();
    if (authenticates) {
      set(CURLOPT_USERNAME, server_.user.c_str());
      set(CURLOPT_PASSWORD, server_.password.c_str());
    }
    if (server_.implicit_tls || (authenticates && !is_local_host(server_.host))) {
      set(CURLOPT_USE_SSL, static_cast<long>(CURLUSESSL_ALL));
      return; // libcurl verifies the certificate by default
    }
    // Opportunistic security (RFC 7435): plain text is acceptable, so an unverified certificate does no harm.
    set(CURLOPT_USE_SSL, static_cast<long>(CURLUSESSL_TRY));
    set(CURLOPT_SSL_VERIFYPEER, 0L);
    set(CURLOPT_SSL_VERIFYHOST, 0L);
  }

  smtp_server server_;
  std::string from_;
  std::array<char, CURL_ERROR_SIZE> curl_error_{}; // must outlive the handle, which writes to it
  last_reply reply_;                               // must outlive the handle as well
  curl_handle handle_;
  std::mutex mutex_;
  std::atomic<bool> interrupted_ = false;
};

} // namespace

std::unique_ptr<transport> smtp_transport(smtp_server server, std::string from) {
  if (!is_address(from)) throw std::invalid_argument("the sender of mail is not an address");
  return std::make_unique<server_transport>(std::move(server), std::move(from));
}

} // namespace roost::mail
