#pragma once

#include "actors/runtime/published.hpp"
#include "http/protocol/browser.hpp"
#include "http/protocol/text_encoding.hpp"
#include "security/secrets.hpp"

#include <string>
#include <string_view>

namespace roost::http {

/// Keeps other sites from sending forms in a user's name, beside the check of the Origin: each form holds a
/// value that follows, by a keyed hash, from a random cookie of the browser. Another site can read neither.
class form_guard {
public:
  form_guard(const actors::published<security::key_ring>& keys, std::string_view base_url);

  /// What a page's forms hold in their field `form`, and the cookie that it belongs to.
  struct issued {
    std::string value;
    std::string new_cookie; ///< to be set; empty: the browser has one
  };
  issued issue(const request& req) const;

  /// Sets the cookie of what was issued.
  void remember(response& answer, const issued& with) const;

  /// Throws forbidden() for a form that this browser did not get from here.
  void check(const request& req, const form_fields& form) const;

  /// Who signs in or out begins with a new cookie: a value from before is worth nothing afterwards.
  void forget(response& answer) const { cookie_.clear(answer); }

private:
  const actors::published<security::key_ring>& keys_;
  own_cookie cookie_;
};

} // namespace roost::http
