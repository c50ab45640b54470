#include "security/last_uses.hpp"

#include <iterator>

namespace roost::security {

std::shared_ptr<last_use> last_uses::of(const domain::uuid& credential) {
  const std::lock_guard guard(mutex_);
  return all_[credential].use;
}

std::vector<domain::credential_use> last_uses::take() {
  std::vector<domain::credential_use> taken;
  const std::lock_guard guard(mutex_);
  for (auto each = all_.begin(); each != all_.end();) {
    auto& [credential, noted] = *each;
    const bool has_ended = noted.use.use_count() == 1;
    if (const auto minute = noted.use->minute(); minute != noted.taken) {
      noted.taken = minute;
      taken.push_back({credential, domain::timestamp{last_use::minutes{minute}}});
    }
    each = has_ended ? all_.erase(each) : std::next(each);
  }
  return taken;
}

} // namespace roost::security
