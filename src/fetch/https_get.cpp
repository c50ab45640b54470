#include "fetch/https_get.hpp"

#include "bytes/ascii.hpp"
#include "fetch/freshness.hpp"
#include "fetch/public_address.hpp"

#include <curl/curl.h>

#include <memory>
#include <string_view>
#include <sys/socket.h>

namespace roost::fetch {

namespace {

constexpr std::size_t max_header_bytes = 32 * 1024;

struct curl_deleter {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using owned_handle = std::unique_ptr<CURL, curl_deleter>;
using owned_list = std::unique_ptr<curl_slist, curl_deleter>;

/// What libcurl's callbacks see of a fetch.
struct transfer {
  const fetch_limits& limits;
  std::string body;
  std::size_t header_bytes = 0;
  bool too_long = false;
  bool refused = false; ///< an address was not connected to
  bool opened = false;  ///< one was

  bool has_room(std::size_t used, std::size_t more, std::size_t most) {
    too_long = too_long || more > most - used;
    return !too_long;
  }
};

/// `value` has the type that libcurl documents for the option: it goes through a variadic function.
template <typename Value>
void set_option(CURL* handle, CURLoption option, Value value) {
  const auto result = curl_easy_setopt(handle, option, value);
  if (result != CURLE_OK) throw fetch_failed(fetch_failure::unavailable, curl_easy_strerror(result));
}

std::size_t take_body(char* bytes, std::size_t, std::size_t count, void* into) {
  auto& seen = *static_cast<transfer*>(into);
  if (!seen.has_room(seen.body.size(), count, seen.limits.bytes)) return 0;
  seen.body.append(bytes, count);
  return count;
}

std::size_t take_header(char*, std::size_t, std::size_t count, void* into) {
  auto& seen = *static_cast<transfer*>(into);
  if (!seen.has_room(seen.header_bytes, count, max_header_bytes)) return 0;
  seen.header_bytes += count;
  return count;
}

/// Here the address is certain: it is the one that is connected to next.
curl_socket_t open_socket(void* into, curlsocktype, curl_sockaddr* to) {
  auto& seen = *static_cast<transfer*>(into);
  if (!seen.limits.private_addresses && !is_public_address(&to->addr, to->addrlen)) {
    seen.refused = true;
    return CURL_SOCKET_BAD;
  }
  seen.opened = true;
  return ::socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

void set_place(CURL* curl, const std::string& url, const curl_slist* names) {
  set_option(curl, CURLOPT_URL, url.c_str());
  set_option(curl, CURLOPT_PROTOCOLS_STR, "https");
  set_option(curl, CURLOPT_FOLLOWLOCATION, 0L);
  set_option(curl, CURLOPT_RESOLVE, names);
  set_option(curl, CURLOPT_USERAGENT, "roost");
}

void set_limits(CURL* curl, transfer& seen) {
  const auto& limits = seen.limits;
  set_option(curl, CURLOPT_SSL_VERIFYPEER, 1L);
  set_option(curl, CURLOPT_SSL_VERIFYHOST, 2L);
  if (!limits.trusted_certificates.empty())
    set_option(curl, CURLOPT_CAINFO, limits.trusted_certificates.c_str());
  set_option(curl, CURLOPT_NOSIGNAL, 1L);
  set_option(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(limits.time.count()));
  set_option(curl, CURLOPT_QUICK_EXIT, 1L); // a name that is still looked up then holds nobody up
  if (!limits.private_addresses) set_option(curl, CURLOPT_PROXY, ""); // it would connect for us
  set_option(curl, CURLOPT_OPENSOCKETFUNCTION, &open_socket);
  set_option(curl, CURLOPT_OPENSOCKETDATA, static_cast<void*>(&seen));
  set_option(curl, CURLOPT_WRITEFUNCTION, &take_body);
  set_option(curl, CURLOPT_WRITEDATA, static_cast<void*>(&seen));
  set_option(curl, CURLOPT_HEADERFUNCTION, &take_header);
  set_option(curl, CURLOPT_HEADERDATA, static_cast<void*>(&seen));
}

/// The header's lines, joined with commas.
std::string header_of(CURL* curl, const char* name) {
  std::string joined;
  curl_header* line = nullptr;
  for (std::size_t i = 0; curl_easy_header(curl, name, i, CURLH_HEADER, -1, &line) == CURLHE_OK; ++i)
    joined.append(i > 0 ? "," : "").append(line->value);
  return joined;
}

/// Whatever its parameters, as the charset, are.
bool is_of_type(std::string_view content_type, std::string_view wanted) {
  return ascii::equal_ignoring_case(ascii::trim(content_type.substr(0, content_type.find(';'))), wanted);
}

class fetcher {
public:
  fetcher(const std::string& url, const fetch_limits& limits) : url_(url), seen_{.limits = limits} {
    static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
    handle_.reset(started == CURLE_OK ? curl_easy_init() : nullptr);
    if (!handle_) fail(fetch_failure::unavailable, "libcurl does not start");
    for (const auto& name : limits.names) names_.reset(curl_slist_append(names_.release(), name.c_str()));
    set_place(handle_.get(), url, names_.get());
    set_limits(handle_.get(), seen_);
  }

  fetched fetch() {
    const auto result = curl_easy_perform(handle_.get());
    if (seen_.too_long) fail(fetch_failure::bad_response, "it is too long");
    if (seen_.refused && !seen_.opened)
      fail(fetch_failure::private_address, "its address is not on the internet");
    if (result != CURLE_OK) fail(fetch_failure::unavailable, curl_easy_strerror(result));
    check_status();
    check_type();
    return {std::move(seen_.body),
            freshness_of(header_of(handle_.get(), "cache-control"), header_of(handle_.get(), "age"))};
  }

private:
  [[noreturn]] void fail(fetch_failure kind, const std::string& why) const {
    throw fetch_failed(kind, "cannot read " + url_ + ": " + why);
  }

  void check_status() const {
    constexpr long ok = 200, too_many = 429, server_error = 500;
    long status = 0;
    curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &status);
    if (status == ok) return;
    fail(status == too_many || status >= server_error ? fetch_failure::unavailable
                                                      : fetch_failure::bad_response,
         "the answer is " + std::to_string(status));
  }

  void check_type() const {
    const auto& wanted = seen_.limits.content_type;
    if (!wanted.empty() && !is_of_type(header_of(handle_.get(), "content-type"), wanted))
      fail(fetch_failure::bad_response, "its type is not " + wanted);
  }

  const std::string& url_;
  transfer seen_;
  owned_list names_; // the handle uses it to its end
  owned_handle handle_;
};

} // namespace

fetched https_get(const std::string& url, const fetch_limits& limits) { return fetcher(url, limits).fetch(); }

} // namespace roost::fetch
