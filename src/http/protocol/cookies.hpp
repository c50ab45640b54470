#pragma once

#include "http/protocol/message.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace roost::http {

/// The value of a request's cookie (RFC 6265, 4.2). Nothing when there is none of this name, and when there
/// are two with different values: a neighbouring site of the same domain can place a second one, and which of
/// them a browser sends first says nothing about which is ours. Takes time by the length of the header, and
/// no memory.
std::optional<std::string_view> cookie_of(const request& req, std::string_view name);

/// A cookie that only this service reads, on all its paths: HttpOnly, SameSite=Lax, Path=/. Where the service
/// is reached by https it is Secure, and its name begins with `__Host-`, by which browsers let no other host
/// and no plain connection set it (RFC 6265bis, 4.1.3.2).
class own_cookie {
public:
  /// Throws std::invalid_argument when `name` is no token.
  own_cookie(std::string_view name, std::string_view base_url);

  const std::string& name() const { return name_; }

  /// As cookie_of().
  std::optional<std::string_view> in(const request& req) const { return cookie_of(req, name_); }

  /// Throws std::invalid_argument when the value has characters that a cookie's value cannot have.
  void set(response& answer, std::string_view value, std::chrono::seconds max_age) const;

  /// Lets the browser forget it.
  void clear(response& answer) const;

private:
  std::string name_;
  bool secure_;
};

} // namespace roost::http
