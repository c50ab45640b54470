#include "fetch/https_get.hpp"

#include "bytes/ascii.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <memory>
#include <netinet/in.h>
#include <new>
#include <optional>
#include <system_error>

namespace roost::fetch {

namespace {

constexpr std::size_t max_header_bytes = 32 * 1024;

struct curl_deleter {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using owned_handle = std::unique_ptr<CURL, curl_deleter>;
using owned_list = std::unique_ptr<curl_slist, curl_deleter>;

/// The state of a fetch that libcurl's callbacks use.
struct transfer {
  const fetch_limits& limits;
  std::string body;
  std::size_t header_bytes = 0;
  bool too_long = false;
  bool refused = false; ///< a private address was refused, since the last response
  bool opened = false;  ///< a socket was opened, since the last response

  bool has_room(std::size_t used, std::size_t more, std::size_t max) {
    too_long = too_long || more > max - used;
    return !too_long;
  }
};

/// Sets an option. `value` must have exactly the type that libcurl documents, as the function is variadic.
template <typename Value>
void set_option(CURL* handle, CURLoption option, Value value) {
  const auto result = curl_easy_setopt(handle, option, value);
  if (result != CURLE_OK) throw fetch_failed(fetch_failure::unavailable, curl_easy_strerror(result));
}

std::size_t take_body(char* bytes, std::size_t, std::size_t count, void* context) {
  auto& state = *static_cast<transfer*>(context);
  if (!state.has_room(state.body.size(), count, state.limits.bytes)) return 0;
  state.body.append(bytes, count);
  return count;
}

std::size_t take_header(char*, std::size_t, std::size_t count, void* context) {
  auto& state = *static_cast<transfer*>(context);
  if (!state.has_room(state.header_bytes, count, max_header_bytes)) return 0;
  state.header_bytes += count;
  state.refused = state.opened = false; // later connections are those of a redirect
  return count;
}

bool is_allowed(const fetch_limits& limits, const curl_sockaddr& address) {
  if (limits.private_addresses || is_public_address(&address.addr, address.addrlen)) return true;
  if (limits.public_address.empty() || address.family != AF_INET) return false;
  sockaddr_in its{};
  std::memcpy(&its, &address.addr, sizeof its);
  std::array<char, INET_ADDRSTRLEN> text{};
  return ::inet_ntop(AF_INET, &its.sin_addr, text.data(), text.size()) != nullptr &&
         limits.public_address == text.data();
}

/// Opens a socket for the address that libcurl connects to next, and refuses private ones.
curl_socket_t open_socket(void* context, curlsocktype, curl_sockaddr* address) {
  auto& state = *static_cast<transfer*>(context);
  if (!is_allowed(state.limits, *address)) {
    state.refused = true;
    return CURL_SOCKET_BAD;
  }
  state.opened = true;
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

void set_url(CURL* curl, const std::string& url, const curl_slist* names, long max_redirects) {
  set_option(curl, CURLOPT_URL, url.c_str());
  set_option(curl, CURLOPT_PROTOCOLS_STR, "https");
  set_option(curl, CURLOPT_REDIR_PROTOCOLS_STR, "https");
  set_option(curl, CURLOPT_FOLLOWLOCATION, max_redirects > 0 ? 1L : 0L);
  set_option(curl, CURLOPT_MAXREDIRS, max_redirects);
  set_option(curl, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
  set_option(curl, CURLOPT_RESOLVE, names);
  set_option(curl, CURLOPT_USERAGENT, "roost");
}

void append(owned_list& list, const std::string& text) {
  auto* const longer = curl_slist_append(list.get(), text.c_str());
  if (longer == nullptr) throw std::bad_alloc();
  static_cast<void>(list.release());
  list.reset(longer);
}

/// Whether a validator can be stored and sent back.
bool is_usable(std::string_view validator) {
  constexpr std::size_t max_length = 1024;
  return !validator.empty() && validator.size() <= max_length &&
         std::ranges::all_of(validator, [](char c) { return c >= ' ' && c <= '~'; }); // a store holds UTF-8
}

/// Returns the header fields of a conditional request.
owned_list conditions_of(const validators& known) {
  owned_list lines;
  if (is_usable(known.etag)) append(lines, "If-None-Match: " + known.etag);
  if (is_usable(known.last_modified)) append(lines, "If-Modified-Since: " + known.last_modified);
  return lines;
}

void set_limits(CURL* curl, transfer& state) {
  const auto& limits = state.limits;
  set_option(curl, CURLOPT_SSL_VERIFYPEER, 1L);
  set_option(curl, CURLOPT_SSL_VERIFYHOST, 2L);
  if (!limits.trusted_certificates.empty())
    set_option(curl, CURLOPT_CAINFO, limits.trusted_certificates.c_str());
  set_option(curl, CURLOPT_NOSIGNAL, 1L);
  set_option(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(limits.time.count()));
  set_option(curl, CURLOPT_QUICK_EXIT, 1L); // does not wait for a pending DNS look-up
  if (!limits.private_addresses)
    set_option(curl, CURLOPT_PROXY, ""); // a proxy would connect on our behalf, unchecked
  set_option(curl, CURLOPT_OPENSOCKETFUNCTION, &open_socket);
  set_option(curl, CURLOPT_OPENSOCKETDATA, static_cast<void*>(&state));
  set_option(curl, CURLOPT_WRITEFUNCTION, &take_body);
  set_option(curl, CURLOPT_WRITEDATA, static_cast<void*>(&state));
  set_option(curl, CURLOPT_HEADERFUNCTION, &take_header);
  set_option(curl, CURLOPT_HEADERDATA, static_cast<void*>(&state));
}

/// Returns all values of a header field, joined by commas.
std::string header_of(CURL* curl, const char* name) {
  std::string joined;
  curl_header* line = nullptr;
  for (std::size_t i = 0; curl_easy_header(curl, name, i, CURLH_HEADER, -1, &line) == CURLHE_OK; ++i)
    joined.append(i > 0 ? "," : "").append(line->value);
  return joined;
}

/// Compares media types, ignoring parameters such as the charset.
bool is_of_type(std::string_view content_type, std::string_view type) {
  return ascii::equal_ignoring_case(ascii::trim(content_type.substr(0, content_type.find(';'))), type);
}

/// Larger values are read as this one (RFC 9111, 1.2.2).
constexpr std::int64_t max_delta_seconds = 2'147'483'648;

std::optional<std::int64_t> delta_seconds(std::string_view text) {
  text = ascii::trim(text);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  if (text.empty() || !std::ranges::all_of(text, ascii::is_digit)) return std::nullopt;
  std::int64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  return parsed.ec == std::errc{} ? std::min(value, max_delta_seconds) : max_delta_seconds;
}

/// Returns a URL without user name and password.
std::string without_credentials(const std::string& url) {
  const auto host = url.find("//");
  if (host == std::string::npos) return url;
  const auto at = url.substr(0, url.find_first_of("/?#", host + 2)).rfind('@');
  return at == std::string::npos ? url : url.substr(0, host + 2) + url.substr(at + 1);
}

[[noreturn]] void fail(fetch_failure kind, const std::string& url, const std::string& reason) {
  throw fetch_failed(kind, "cannot read " + without_credentials(url) + ": " + reason, reason);
}

void check_transfer(CURL* curl, CURLcode result, const transfer& state, const std::string& url) {
  if (state.too_long) fail(fetch_failure::bad_response, url, "it is too long");
  if (result == CURLE_OK) return;
  if (state.refused && !state.opened)
    fail(fetch_failure::private_address, url, "its address is not on the internet");
  if (result == CURLE_TOO_MANY_REDIRECTS)
    fail(fetch_failure::bad_response, url,
         "it redirects more than " + std::to_string(state.limits.max_redirects) + " times");
  if (result == CURLE_LOGIN_DENIED)
    fail(fetch_failure::unavailable, url, "addresses with a user name are not supported");
  long redirects = 0;
  curl_easy_getinfo(curl, CURLINFO_REDIRECT_COUNT, &redirects);
  if (result == CURLE_UNSUPPORTED_PROTOCOL && redirects > 0)
    fail(fetch_failure::bad_response, url, "it redirects to an address without https");
  fail(fetch_failure::unavailable, url, curl_easy_strerror(result));
}

/// Returns whether the response is 304. Throws fetch_failed unless it is that or the document.
bool is_not_modified(CURL* curl, const std::string& url, const std::string& content_type,
                     bool is_conditional) {
  constexpr long ok = 200, not_modified = 304, too_many = 429, server_error = 500;
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  if (status == not_modified && is_conditional) return true;
  if (status != ok)
    fail(status == too_many || status >= server_error ? fetch_failure::unavailable
                                                      : fetch_failure::bad_response,
         url, "the response status is " + std::to_string(status));
  if (!content_type.empty() && !is_of_type(header_of(curl, "content-type"), content_type))
    fail(fetch_failure::bad_response, url, "its type is not " + content_type);
  return false;
}

/// Returns the validators of the last response, without those that cannot be sent back.
validators validators_of(CURL* curl) {
  validators current{header_of(curl, "etag"), header_of(curl, "last-modified")};
  for (auto* const each : {&current.etag, &current.last_modified})
    if (!is_usable(*each)) each->clear();
  return current;
}

} // namespace

fetched https_get(const std::string& url, const fetch_limits& limits, const validators& known) {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  transfer state{.limits = limits};
  owned_list names, conditions = conditions_of(known); // must outlive the handle
  for (const auto& name : limits.names) append(names, name);
  const owned_handle handle(started == CURLE_OK ? curl_easy_init() : nullptr);
  auto* const curl = handle.get();
  if (curl == nullptr) fail(fetch_failure::unavailable, url, "libcurl does not start");
  set_url(curl, url, names.get(), limits.max_redirects);
  set_option(curl, CURLOPT_HTTPHEADER, conditions.get());
  set_limits(curl, state);
  check_transfer(curl, curl_easy_perform(curl), state, url);
  const bool not_modified = is_not_modified(curl, url, limits.content_type, conditions != nullptr);
  const auto fresh = freshness_of(header_of(curl, "cache-control"), header_of(curl, "age"));
  if (!not_modified) return {std::move(state.body), fresh, false, validators_of(curl)};
  auto current = validators_of(curl);
  if (current.etag.empty() && current.last_modified.empty()) current = known;
  return {{}, fresh, true, std::move(current)};
}

std::chrono::seconds freshness_of(std::string_view cache_control, std::string_view age) {
  std::int64_t lifetime = 0;
  for (auto element = ascii::next_element(cache_control); !element.empty();
       element = ascii::next_element(cache_control)) {
    const auto equals = element.find('=');
    const auto name = ascii::trim(element.substr(0, equals));
    if (ascii::equal_ignoring_case(name, "no-store") || ascii::equal_ignoring_case(name, "no-cache"))
      return {};
    if (ascii::equal_ignoring_case(name, "max-age") && equals != std::string_view::npos)
      lifetime = delta_seconds(element.substr(equals + 1)).value_or(0);
  }
  return std::chrono::seconds{std::max<std::int64_t>(0, lifetime - delta_seconds(age).value_or(0))};
}

} // namespace roost::fetch
