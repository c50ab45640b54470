#pragma once

#include "domain/booking.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

/// Mails to users about sign-ins and passwords (Management API, Authentication).
namespace roost::mail {

struct mailed_user {
  std::string_view email, first_name;
};

/// The browser and address of a sign-in.
struct sign_in_place {
  std::string_view user_agent; ///< as the browser sent it
  std::string_view address;    ///< the client's
};

/// Returns the mail with a sign-in code, which also starts the subject.
domain::outgoing_mail sign_in_code_mail(const domain::uuid& id, domain::timestamp now,
                                        const mailed_user& user, std::string_view code,
                                        std::chrono::seconds lifetime);

/// Returns the mail that reports a sign-in with a User-Agent that no stored session of the user has.
domain::outgoing_mail new_browser_mail(const domain::uuid& id, domain::timestamp now, const mailed_user& user,
                                       const sign_in_place& place, std::string_view base_url);

/// The names of a user's connected assistants, and whether a password change ended their connections.
struct mailed_assistants {
  std::vector<std::string> names;
  bool ended = false;
};

/// Returns the mail that reports a changed password, the end of all sessions, and the assistants that stay
/// connected or were disconnected.
domain::outgoing_mail password_changed_mail(const domain::uuid& id, domain::timestamp now,
                                            const mailed_user& user, const mailed_assistants& assistants,
                                            std::string_view base_url);

/// Returns the mail with the link for resetting a forgotten password. `token` must be safe in a URL.
domain::outgoing_mail password_reset_mail(const domain::uuid& id, domain::timestamp now,
                                          const mailed_user& user, std::string_view base_url,
                                          std::string_view token, std::chrono::seconds lifetime);

/// Who gave a new user access to which account.
struct inviter {
  std::string_view email, company_name;
};

/// Returns the mail to a new user with the link for choosing a password. `token` must be safe in a URL.
domain::outgoing_mail invitation_mail(const domain::uuid& id, domain::timestamp now, const mailed_user& user,
                                      const inviter& from, std::string_view base_url, std::string_view token,
                                      std::chrono::seconds lifetime);

} // namespace roost::mail
