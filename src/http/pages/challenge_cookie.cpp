#include "http/pages/challenge_cookie.hpp"

#include "http/protocol/text_encoding.hpp"
#include "security/digest.hpp"

#include <array>
#include <charconv>
#include <chrono>

namespace roost::http {

namespace {

constexpr char divider = '~';
/// Somewhat longer than any code is good, so that the page can say that it is not any more.
constexpr std::chrono::hours challenge_cookie_lifetime{1};

std::string written(domain::timestamp moment) { return std::to_string(moment.time_since_epoch().count()); }

std::optional<domain::timestamp> parsed_moment(std::string_view text) {
  constexpr std::size_t max_digits = 15;
  std::int64_t count = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (failure != std::errc() || end != text.data() + text.size() || count < 0 || text.size() > max_digits)
    return std::nullopt;
  return domain::timestamp{std::chrono::milliseconds{count}};
}

std::string hex_of(std::string_view text) {
  return security::to_hex({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
}

} // namespace

std::optional<open_challenge> challenge_cookie::in(const request& req) const {
  const auto value = cookie_.in(req);
  if (!value) return std::nullopt;
  std::array<std::string_view, 4> parts;
  auto rest = *value;
  for (auto& part : parts) {
    const auto end = rest.find(divider);
    part = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
  }
  const auto email = security::from_hex(parts[1]);
  const auto expires_at = parsed_moment(parts[2]), sent_at = parsed_moment(parts[3]);
  if (parts[0].empty() || !email || !is_utf8(*email) || !expires_at || !sent_at) return std::nullopt;
  return open_challenge{std::string(parts[0]), *email, *expires_at, *sent_at};
}

void challenge_cookie::set(response& answer, const open_challenge& challenge) const {
  cookie_.set(answer,
              challenge.token + divider + hex_of(challenge.email) + divider + written(challenge.expires_at) +
                  divider + written(challenge.sent_at),
              challenge_cookie_lifetime);
}

} // namespace roost::http
