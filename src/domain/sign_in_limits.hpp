#pragma once

#include <chrono>

namespace roost::domain {

/// Lifetimes and budgets of sign-ins (Management API, States and transitions, Sign-in challenge).
struct sign_in_limits {
  std::chrono::milliseconds session{};
  std::chrono::milliseconds remembered_browser{};
  std::chrono::milliseconds code{};
  unsigned code_tries = 0;
  unsigned code_resends = 0;
  unsigned codes_per_15m = 0;
  unsigned wrong_passwords_per_15m = 0;
  std::chrono::milliseconds password_reset{};
};

} // namespace roost::domain
