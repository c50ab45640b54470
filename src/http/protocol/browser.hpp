#pragma once

#include "http/protocol/router.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

/// Cookies, and the protection against cross-site requests from browsers.
namespace roost::http {

/// Returns the value of a request's cookie (RFC 6265, 4.2). nullopt without a cookie of this name, and if
/// there are two with different values: another site of the same domain can set a second one, and the order
/// in which a browser sends them does not identify ours. Takes linear time and does not allocate.
std::optional<std::string_view> cookie_of(const request& req, std::string_view name);

/// A cookie that only this service reads, on all its paths: HttpOnly, SameSite=Lax, Path=/. If the service is
/// reached by https, it is Secure and its name starts with `__Host-`, so that browsers accept it neither from
/// other hosts nor over plain connections (RFC 6265bis, 4.1.3.2).
class own_cookie {
public:
  /// Throws std::invalid_argument if `name` is not a token.
  own_cookie(std::string_view name, std::string_view base_url);

  const std::string& name() const { return name_; }

  /// Returns the value of this cookie; see cookie_of().
  std::optional<std::string_view> in(const request& req) const { return cookie_of(req, name_); }

  /// Throws std::invalid_argument if the value contains characters that are invalid in a cookie.
  void set(response& response, std::string_view value, std::chrono::seconds max_age) const;

  /// Deletes the cookie from the browser.
  void clear(response& response) const;

private:
  std::string name_;
  bool secure_;
};

/// Returns the origin of an http(s) URL as browsers write it: lower case, no default port (RFC 6454, 6.2).
std::string origin_of(std::string_view url);

/// Returns a check that refuses requests from other sites' pages with 403 "Forbidden resource", so that they
/// cannot act with a user's cookies. Browsers declare the source of a request in Origin, else in
/// Sec-Fetch-Site (Fetch Metadata), else in Referer. A request without these is no browser's and passes.
check origin_check(std::string_view base_url);

} // namespace roost::http
