#include "http/pages/form_guard.hpp"

#include "http/protocol/error.hpp"
#include "security/live_keys.hpp"

#include <algorithm>
#include <chrono>

namespace roost::http {

namespace {

constexpr std::string_view form_purpose = "form of a page";
constexpr std::string_view form_field = "form";
/// As long as somebody may leave a page open.
constexpr std::chrono::hours form_lifetime{24};

std::string value_of(const security::named_key& key, std::string_view cookie) {
  return security::to_base64url(security::keyed_hash(key.key, form_purpose, cookie));
}

} // namespace

form_guard::form_guard(const actors::published<security::key_ring>& keys, std::string_view base_url)
    : keys_(keys), cookie_("roost_form", base_url) {}

form_guard::issued form_guard::issue(const request& req) const {
  const auto& newest = keys_.get()->newest();
  if (const auto known = cookie_.in(req); known && !known->empty()) return {value_of(newest, *known), {}};
  auto fresh = security::random_secret();
  auto value = value_of(newest, fresh);
  return {std::move(value), std::move(fresh)};
}

void form_guard::remember(response& answer, const issued& with) const {
  if (!with.new_cookie.empty()) cookie_.set(answer, with.new_cookie, form_lifetime);
}

void form_guard::check(const request& req, const form_fields& form) const {
  const auto cookie = cookie_.in(req);
  const auto sent = form.find(form_field);
  const auto keys = keys_.get();
  const auto matches = [&](const security::named_key& key) {
    return security::equal_in_constant_time(value_of(key, *cookie), sent->second);
  };
  if (cookie && !cookie->empty() && sent != form.end() && std::ranges::any_of(keys->all(), matches)) return;
  throw forbidden("This form is out of date. Please open the page again.");
}

} // namespace roost::http
