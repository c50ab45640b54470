#pragma once

#include "service/support/web_browser.hpp"

#include <algorithm>

namespace roost::testing {

/// Returns the entity tag of an item in a response, as If-Match takes it.
inline std::string item_tag(const raw_response& response, const std::string& pointer) {
  auto tag = string_at(response, pointer + "/etag");
  std::erase(tag, '\\');
  return tag;
}

/// A server with a landlord's office in which Ana is signed in, and unit u1.
struct office_fixture : management_fixture {
  explicit office_fixture(store_kind kind, const std::map<std::string, std::string>& settings = {},
                          const std::vector<edit>& edits = {})
      : management_fixture(kind, settings, edits), ana(browser()) {
    token = string_at(sign_in(ana), "/token");
  }

  /// Sends a request as Ana.
  raw_response send(const std::string& method, const std::string& path, const std::string& body = "",
                    header_fields fields = {}) {
    fields.emplace_back("Authorization", "Bearer " + token);
    if (!body.empty()) fields.emplace_back("Content-Type", "application/json");
    return send_request(server->port(), method, path, fields, body);
  }

  /// Returns a client of a platform, with a new token.
  partner partner_of(const std::string& platform) {
    return {server->port(), platform, place.issue_token(platform)};
  }

  /// Returns the states of all requests that are decided, sorted.
  std::vector<std::string> decisions() {
    auto states =
        store_rows(place.store().open(), "select state from booking_requests where state <> 'New'", 1);
    std::ranges::sort(states);
    return states;
  }

  void restart() {
    server.reset();
    server.emplace(place);
  }

  web_browser ana;
  std::string token;
};

} // namespace roost::testing
