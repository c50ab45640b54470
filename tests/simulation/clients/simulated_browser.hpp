#pragma once

#include "service/support/mixed_requests.hpp"
#include "simulation/simulated_response.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace roost::testing {

using form_fields = std::vector<std::pair<std::string, std::string>>;

/// Returns the encoded fields of a form or a query.
std::string form_body(const form_fields& fields);

/// A user's browser: its cookies, and requests with them.
class simulated_browser {
public:
  explicit simulated_browser(std::string name) : name_(std::move(name)) {}

  http_call get(const std::string& path) const { return call("GET", path, "", ""); }
  http_call post_json(const std::string& path, const std::string& json) const {
    return call("POST", path, json, "application/json");
  }
  http_call post_form(const std::string& path, const form_fields& fields) const {
    return call("POST", path, form_body(fields), "application/x-www-form-urlencoded");
  }

  /// Stores the cookies that a response sets.
  void store_cookies(const simulated_response& response);

  /// Returns the value of a cookie; empty if there is none.
  std::string cookie(const std::string& name) const;
  void set_cookie(const std::string& name, const std::string& value) { cookies_[name] = value; }
  void forget_cookie(const std::string& name) { cookies_.erase(name); }

private:
  http_call call(std::string method, std::string path, std::string body, const std::string& type) const;

  std::string name_;
  std::map<std::string, std::string> cookies_;
};

inline const std::string refresh_cookie = "roost_session";

/// Returns the text as a JSON string; it must not contain special characters.
inline std::string json_string(const std::string& text) { return '"' + text + '"'; }

/// Returns the value of a hidden field of a page; empty if there is none.
std::string hidden_field(const std::string& page, const std::string& name);

/// Returns a string of a JSON body; empty if there is none. Throws contradiction if the body is not JSON.
std::string text_at(const simulated_response& response, const std::string& pointer);

} // namespace roost::testing
