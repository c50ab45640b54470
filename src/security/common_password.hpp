#pragma once

#include <string_view>

namespace roost::security {

/// Returns whether a password is one of the most common ones, in any letter case: one of the more than 22,000
/// in common_passwords.txt, which leaked often, or a date in eight digits, which are many of the common ones.
/// They are the first that attackers try, so they must not be chosen as new passwords. Passwords of fewer
/// than six characters are refused for their length and are not listed.
bool is_common_password(std::string_view password);

/// The message for a person who chose one.
inline constexpr std::string_view common_password_text =
    "The new password is one of the most common ones, which attackers try first. Please choose another.";

} // namespace roost::security
