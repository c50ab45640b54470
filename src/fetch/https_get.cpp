#include "fetch/https_get.hpp"

#include "bytes/ascii.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <memory>
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
  bool refused = false; ///< a private address was refused
  bool opened = false;  ///< a socket was opened

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
  return count;
}

/// Opens a socket for the address that libcurl connects to next, and refuses private ones.
curl_socket_t open_socket(void* context, curlsocktype, curl_sockaddr* address) {
  auto& state = *static_cast<transfer*>(context);
  if (!state.limits.private_addresses && !is_public_address(&address->addr, address->addrlen)) {
    state.refused = true;
    return CURL_SOCKET_BAD;
  }
  state.opened = true;
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

void set_url(CURL* curl, const std::string& url, const curl_slist* names) {
  set_option(curl, CURLOPT_URL, url.c_str());
  set_option(curl, CURLOPT_PROTOCOLS_STR, "https");
  set_option(curl, CURLOPT_FOLLOWLOCATION, 0L);
  set_option(curl, CURLOPT_RESOLVE, names);
  set_option(curl, CURLOPT_USERAGENT, "roost");
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

[[noreturn]] void fail(fetch_failure kind, const std::string& url, const std::string& reason) {
  throw fetch_failed(kind, "cannot read " + url + ": " + reason);
}

void check_response(CURL* curl, const std::string& url, const std::string& content_type) {
  constexpr long ok = 200, too_many = 429, server_error = 500;
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  if (status != ok)
    fail(status == too_many || status >= server_error ? fetch_failure::unavailable
                                                      : fetch_failure::bad_response,
         url, "the response status is " + std::to_string(status));
  if (!content_type.empty() && !is_of_type(header_of(curl, "content-type"), content_type))
    fail(fetch_failure::bad_response, url, "its type is not " + content_type);
}

} // namespace

fetched https_get(const std::string& url, const fetch_limits& limits) {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  transfer state{.limits = limits};
  owned_list names; // must outlive the handle
  for (const auto& name : limits.names) names.reset(curl_slist_append(names.release(), name.c_str()));
  const owned_handle handle(started == CURLE_OK ? curl_easy_init() : nullptr);
  auto* const curl = handle.get();
  if (curl == nullptr) fail(fetch_failure::unavailable, url, "libcurl does not start");
  set_url(curl, url, names.get());
  set_limits(curl, state);
  const auto result = curl_easy_perform(curl);
  if (state.too_long) fail(fetch_failure::bad_response, url, "it is too long");
  if (state.refused && !state.opened)
    fail(fetch_failure::private_address, url, "its address is not on the internet");
  if (result != CURLE_OK) fail(fetch_failure::unavailable, url, curl_easy_strerror(result));
  check_response(curl, url, limits.content_type);
  return {std::move(state.body), freshness_of(header_of(curl, "cache-control"), header_of(curl, "age"))};
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
