#include "store/copy/kept_lease.hpp"

#include "store/copy/copy_errors.hpp"
#include "store/database/error.hpp"

namespace roost::store {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds between_renewals = 2s;
/// A holder that was killed is known to be gone after a moment.
constexpr std::chrono::milliseconds take_patience = 1s, between_tries = 100ms;

std::string holder_of(session& db, const std::string& what) {
  const auto other = current_lease(db);
  if (!other) return what + ": the lease changes hands: try again";
  return what + " is held by " + other->holder.node + " until " + domain::to_string(other->expires_at) +
         ": stop it first (`roost lease show` tells more)";
}

} // namespace

kept_lease::kept_lease(const std::string& url, const std::string& node, const std::string& what)
    : db_(url), claim_(url, node, lease_length, lease_use::copy) {
  take(what);
  keeper_ = std::thread([this] { keep(); });
}

kept_lease::~kept_lease() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ends_.notify_all();
  keeper_.join();
  try {
    claim_.release(db_, held_);
  } catch (const std::exception&) { // it runs out
  }
}

void kept_lease::check() const {
  if (is_lost_) throw lease_lost();
}

void kept_lease::take(const std::string& what) {
  const auto give_up = std::chrono::steady_clock::now() + take_patience;
  for (;;) {
    if (const auto taken = claim_.try_take(db_)) {
      held_ = taken->held;
      return;
    }
    if (std::chrono::steady_clock::now() >= give_up) throw copy_refused(holder_of(db_, what));
    std::this_thread::sleep_for(between_tries);
  }
}

void kept_lease::keep() {
  std::unique_lock lock(mutex_);
  while (!ends_.wait_for(lock, between_renewals, [this] { return ended_; })) {
    lock.unlock();
    try {
      if (claim_.renew(db_, held_) == lease_claim::renewal::lost) is_lost_ = true;
    } catch (const error&) { // the next one, or whoever writes under the lease, tells
    }
    lock.lock();
  }
}

} // namespace roost::store
