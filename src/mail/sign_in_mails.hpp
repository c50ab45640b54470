#pragma once

#include "domain/booking.hpp"

#include <chrono>
#include <string>
#include <string_view>

/// What users are sent about signing in (Management API, Authentication).
namespace roost::mail {

/// Whom a mail is for.
struct mailed_user {
  std::string_view email, first_name;
};

/// Where somebody signed in.
struct sign_in_place {
  std::string_view user_agent; ///< as the browser sent it
  std::string_view address;    ///< the client's
};

/// The code that a sign-in asks for; it is the first thing in the subject, too.
domain::outgoing_mail sign_in_code_mail(const domain::uuid& id, domain::timestamp now, const mailed_user& to,
                                        std::string_view code, std::chrono::seconds lifetime);

/// Tells of a sign-in in a browser that was not remembered.
domain::outgoing_mail new_browser_mail(const domain::uuid& id, domain::timestamp now, const mailed_user& to,
                                       const sign_in_place& where, std::string_view base_url);

/// Tells that the password has changed, and with it all sessions have ended.
domain::outgoing_mail password_changed_mail(const domain::uuid& id, domain::timestamp now,
                                            const mailed_user& to, std::string_view base_url);

/// The link by which a user who has forgotten his password sets another one. `token` needs no escaping in a
/// URL.
domain::outgoing_mail password_reset_mail(const domain::uuid& id, domain::timestamp now,
                                          const mailed_user& to, std::string_view base_url,
                                          std::string_view token, std::chrono::seconds lifetime);

} // namespace roost::mail
