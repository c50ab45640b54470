#include "actors/sessions/key_source.hpp"

#include <curl/curl.h>

#include <fstream>
#include <memory>
#include <stdexcept>
#include <string_view>

namespace roost::actors {

namespace {

[[noreturn]] void fail(const std::string& place, const std::string& why) {
  throw std::runtime_error("cannot read " + place + ": " + why);
}

/// What has come of a document so far.
struct document {
  std::string text;
  std::size_t most;

  bool append(std::string_view more) {
    if (text.size() + more.size() > most) return false;
    text += more;
    return true;
  }
};

std::string read_file(const std::string& path, std::size_t most) {
  std::ifstream file(path, std::ios::binary);
  std::string text(most + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad()) fail(path, "it cannot be opened");
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > most) fail(path, "it is too long");
  return text;
}

/// `value` has the type that libcurl documents for the option: it goes through a variadic function.
template <typename Value>
void set_option(CURL* handle, CURLoption option, Value value) {
  const auto result = curl_easy_setopt(handle, option, value);
  if (result != CURLE_OK) throw std::runtime_error(curl_easy_strerror(result));
}

std::size_t take_piece(char* bytes, std::size_t, std::size_t count, void* into) {
  return static_cast<document*>(into)->append({bytes, count}) ? count : 0;
}

std::string fetch(const std::string& url, const key_source_limits& limits) {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> handle(
      started == CURLE_OK ? curl_easy_init() : nullptr, &curl_easy_cleanup);
  if (!handle) fail(url, "libcurl does not start");
  CURL* const curl = handle.get();
  document received{{}, limits.bytes};
  set_option(curl, CURLOPT_URL, url.c_str());
  set_option(curl, CURLOPT_PROTOCOLS_STR, "https");
  set_option(curl, CURLOPT_FOLLOWLOCATION, 0L);
  set_option(curl, CURLOPT_SSL_VERIFYPEER, 1L);
  set_option(curl, CURLOPT_SSL_VERIFYHOST, 2L);
  if (!limits.trusted_certificates.empty())
    set_option(curl, CURLOPT_CAINFO, limits.trusted_certificates.c_str());
  set_option(curl, CURLOPT_NOSIGNAL, 1L);
  set_option(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(limits.time.count()));
  set_option(curl, CURLOPT_WRITEFUNCTION, &take_piece);
  set_option(curl, CURLOPT_WRITEDATA, static_cast<void*>(&received));
  const auto result = curl_easy_perform(curl);
  if (result == CURLE_WRITE_ERROR) fail(url, "it is too long");
  if (result != CURLE_OK) fail(url, curl_easy_strerror(result));
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  constexpr long ok = 200;
  if (status != ok) fail(url, "the answer is " + std::to_string(status));
  return std::move(received.text);
}

} // namespace

key_source key_source_at(std::string place, key_source_limits limits) {
  if (place.starts_with("https://"))
    return [place = std::move(place), limits = std::move(limits)] { return fetch(place, limits); };
  return [place = std::move(place), most = limits.bytes] { return read_file(place, most); };
}

} // namespace roost::actors
