#pragma once

#include "domain/date.hpp"
#include "http/protocol/browser.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace roost::http {

/// A sign-in that waits for its code.
struct open_challenge {
  std::string token;
  std::string email; ///< partly hidden, to be shown
  domain::timestamp expires_at{}, sent_at{};
};

/// Takes a sign-in from the page of the password to that of the code. Only the token counts; the rest is
/// shown to the browser that sends it.
class challenge_cookie {
public:
  explicit challenge_cookie(std::string_view base_url) : cookie_("roost_challenge", base_url) {}

  std::optional<open_challenge> in(const request& req) const;
  void set(response& answer, const open_challenge& challenge) const;
  void clear(response& answer) const { cookie_.clear(answer); }

private:
  own_cookie cookie_;
};

} // namespace roost::http
