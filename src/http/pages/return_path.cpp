#include "http/pages/return_path.hpp"

#include "security/digest.hpp"

#include <algorithm>
#include <chrono>

namespace roost::http {

namespace {

constexpr std::string_view consent_page = "/oauth/authorize?";
constexpr std::size_t longest_path = 1'900; // a cookie holds about 4,000 characters, and each is two digits
constexpr std::chrono::hours kept{1};

} // namespace

bool return_path::is_good(std::string_view path) {
  return path.starts_with(consent_page) && path.size() <= longest_path &&
         std::ranges::all_of(path,
                             [](char c) { return c > ' ' && c < 0x7f && c != '"' && c != '\\' && c != '#'; });
}

void return_path::remember(response& answer, std::string_view path) const {
  if (!is_good(path)) return;
  cookie_.set(answer, security::to_hex({reinterpret_cast<const unsigned char*>(path.data()), path.size()}),
              kept);
}

std::optional<std::string> return_path::in(const request& req) const {
  const auto value = cookie_.in(req);
  auto path = value ? security::from_hex(*value) : std::nullopt;
  if (!path || !is_good(*path)) return std::nullopt;
  return path;
}

} // namespace roost::http
