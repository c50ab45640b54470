#include "domain/text.hpp"
#include "mail/message.hpp"
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
  if (!handle) throw std::runtime_error("libcurl does not start");
  return handle;
}

/// `value` has the type that libcurl documents for the option: it goes through a variadic function.
template <typename Value>
void set(CURL* handle, CURLoption option, Value value) {
  const auto result = curl_easy_setopt(handle, option, value);
  if (result != CURLE_OK) throw send_failed("internal", false, curl_easy_strerror(result));
}

/// libcurl asks for the next piece of the message; the std::string_view is what is left of it.
std::size_t hand_over(char* to, std::size_t size, std::size_t count, void* message) {
  auto& rest = *static_cast<std::string_view*>(message);
  const auto length = std::min(size * count, rest.size());
  rest.copy(to, length);
  rest.remove_prefix(length);
  return length;
}

/// The last reply of a server, which may have several lines (RFC 5321, 4.2.1).
class last_reply {
public:
  void add(std::string_view line) {
    constexpr std::size_t code = 3, longest = 2'000;
    if (line.starts_with("221")) return; // to the QUIT that libcurl sends after a failure
    if (ended_) text_.clear();
    ended_ = line.size() <= code || line[code] != '-';
    if (text_.size() < longest) text_.append(line.substr(0, longest));
  }

  std::string text() const { return domain::one_line(text_); }

private:
  std::string text_;
  bool ended_ = true;
};

/// libcurl passes on each line that the server sends as if it were a header.
std::size_t note_reply(char* line, std::size_t size, std::size_t count, void* reply) {
  static_cast<last_reply*>(reply)->add({line, size * count});
  return size * count;
}

bool is_this_machine(std::string_view host) {
  return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

/// How an exchange with a server ended.
struct outcome {
  CURLcode result = CURLE_OK;
  long answer = 0;       ///< the server's last reply code, or 0
  std::string_view said; ///< libcurl's own words
  bool handed_over = false;
  std::string reply; ///< the server's last one
};

std::string words_of(const outcome& of) {
  auto words = domain::one_line(of.said.empty() ? curl_easy_strerror(of.result) : of.said);
  if (!of.reply.empty()) words += "; its last answer: " + of.reply;
  return words;
}

/// Which 5xx answers end a mail for good: those to the recipient and to the message itself. A server that
/// refuses the sender, or us, is misconfigured, and somebody may mend that while the mail waits.
send_failed class_of(const outcome& of) {
  switch (of.result) {
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
  if (of.answer < 400) return {"interrupted", false};
  const auto reply = "SMTP " + std::to_string(of.answer);
  if (of.answer < 500) return {"deferred", false, reply};
  if (of.answer == 530 || of.answer == 535) return {"authentication", false, reply};
  if (of.said.starts_with("RCPT failed")) return {"rejected_recipient", true, reply};
  return {"refused", of.handed_over || of.said.starts_with("DATA failed"), reply};
}

send_failed failure(const outcome& of) {
  auto failed = class_of(of);
  failed.said = words_of(of);
  return failed;
}

class to_server final : public transport {
public:
  to_server(smtp_server server, std::string from)
      : server_(std::move(server)), from_(std::move(from)), handle_(new_handle()) {}

  std::string send(const domain::outgoing_mail& mail) override {
    const auto message = to_rfc5322(mail, from_);
    const curl_list recipients(curl_slist_append(nullptr, mail.to.c_str()), &curl_slist_free_all);
    if (!recipients) throw send_failed("internal", false, "out of memory");

    const std::scoped_lock turn(turns_);
    std::string_view rest = message;
    CURL* const curl = handle_.get();
    curl_easy_reset(curl); // forgets all but the open connections
    prepare_connection();
    set(curl, CURLOPT_ERRORBUFFER, said_.data());
    set(curl, CURLOPT_HEADERFUNCTION, &note_reply);
    set(curl, CURLOPT_HEADERDATA, static_cast<void*>(&reply_));
    set(curl, CURLOPT_MAIL_FROM, from_.c_str());
    set(curl, CURLOPT_MAIL_RCPT, recipients.get());
    set(curl, CURLOPT_UPLOAD, 1L);
    set(curl, CURLOPT_READFUNCTION, &hand_over);
    set(curl, CURLOPT_READDATA, static_cast<void*>(&rest));
    set(curl, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(message.size()));
    perform(rest);
    return reply_.text();
  }

  void interrupt() override { interrupted_ = true; }

private:
  /// `rest` is what the server has not taken of the message.
  void perform(const std::string_view& rest) {
    CURL* const curl = handle_.get();
    reply_ = {};
    outcome ended{.result = curl_easy_perform(curl)};
    if (ended.result == CURLE_OK) return;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &ended.answer);
    ended.said = said_.data();
    ended.handed_over = rest.empty();
    ended.reply = reply_.text();
    throw failure(ended);
  }

  static int keep_going(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<const to_server*>(self)->interrupted_ ? 1 : 0;
  }

  void prepare_connection() {
    constexpr long reusable_seconds = 10; // a server that waited longer may have closed it
    CURL* const curl = handle_.get();
    const auto url =
        (server_.implicit_tls ? "smtps://" : "smtp://") + server_.host + ":" + std::to_string(server_.port);
    set(curl, CURLOPT_URL, url.c_str());
    set(curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    set(curl, CURLOPT_PROXY, ""); // the configuration alone says where mail goes, not the environment
    set(curl, CURLOPT_NOSIGNAL, 1L);
    set(curl, CURLOPT_NOPROGRESS, 0L);
    set(curl, CURLOPT_XFERINFOFUNCTION, &keep_going); // called about once a second also while nothing moves
    set(curl, CURLOPT_XFERINFODATA, static_cast<void*>(this));
    set(curl, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(server_.connect_timeout.count()));
    set(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(server_.total_timeout.count()));
    set(curl, CURLOPT_MAXAGE_CONN, reusable_seconds);
    prepare_protection();
  }

  void prepare_protection() {
    CURL* const curl = handle_.get();
    const bool signs_in = !server_.user.empty();
    if (signs_in) {
      set(curl, CURLOPT_USERNAME, server_.user.c_str());
      set(curl, CURLOPT_PASSWORD, server_.password.c_str());
    }
    if (server_.implicit_tls || (signs_in && !is_this_machine(server_.host))) {
      set(curl, CURLOPT_USE_SSL, static_cast<long>(CURLUSESSL_ALL));
      return; // libcurl verifies the certificate unless told otherwise
    }
    // Opportunistic security (RFC 7435): plain text would do, so an unverified certificate does no harm.
    set(curl, CURLOPT_USE_SSL, static_cast<long>(CURLUSESSL_TRY));
    set(curl, CURLOPT_SSL_VERIFYPEER, 0L);
    set(curl, CURLOPT_SSL_VERIFYHOST, 0L);
  }

  smtp_server server_;
  std::string from_;
  std::array<char, CURL_ERROR_SIZE> said_{}; // outlives the handle, which writes into it
  last_reply reply_;                         // the same
  curl_handle handle_;
  std::mutex turns_;
  std::atomic<bool> interrupted_ = false;
};

} // namespace

std::unique_ptr<transport> smtp_transport(smtp_server server, std::string from) {
  if (!is_address(from)) throw std::invalid_argument("the sender of mail is not an address");
  return std::make_unique<to_server>(std::move(server), std::move(from));
}

} // namespace roost::mail
