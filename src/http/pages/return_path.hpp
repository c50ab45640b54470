#pragma once

#include "http/protocol/browser.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace roost::http {

/// Where somebody goes on who was asked to sign in first: the consent page of an assistant, and nothing else,
/// so that no link can lead a user who has just signed in elsewhere.
class return_path {
public:
  explicit return_path(std::string_view base_url) : cookie_("roost_return", base_url) {}

  /// Whether it is a path of this service where one may return to.
  static bool is_good(std::string_view path);

  /// Kept in a cookie from one page of signing in to the next. What is longer than a cookie can hold is not
  /// kept.
  void remember(response& answer, std::string_view path) const;
  void forget(response& answer) const { cookie_.clear(answer); }

  /// Nothing: the account's page.
  std::optional<std::string> in(const request& req) const;

private:
  own_cookie cookie_;
};

} // namespace roost::http
