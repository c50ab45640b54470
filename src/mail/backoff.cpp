#include "mail/transport.hpp"

#include <algorithm>

namespace roost::mail {

std::optional<std::chrono::seconds> retry_after(int attempts) {
  using namespace std::chrono_literals;
  constexpr std::chrono::seconds shortest = 30s, longest = 1h, patience = 72h;
  auto wait = shortest;
  std::chrono::seconds waited{};
  for (int failed = 1; failed < attempts; ++failed) {
    waited += wait;
    if (waited >= patience) return std::nullopt;
    wait = std::min(wait * 2, longest);
  }
  return wait;
}

} // namespace roost::mail
