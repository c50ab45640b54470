#include "store/copy/copy_guard.hpp"

#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/store_state.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace roost::store {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds renewal_interval = 2s;
/// Long enough to detect that a holder was killed.
constexpr std::chrono::milliseconds acquire_timeout = 1s, acquire_interval = 100ms;

std::string holder_text(session& db, const std::string& store_name) {
  const auto current = current_lease(db);
  if (!current) return store_name + ": the lease is changing hands: try again";
  return store_name + " is held by " + current->holder.node + " until " +
         domain::to_string(current->expires_at) + ": stop it first (see `roost lease show`)";
}

/// Counts entries rather than reading the newest one, whose time comes from the writer's clock.
const selection audit_count{"copy_count_of_audit", "select {columns} from audit",
                            named<std::int64_t>("count(*)")};

} // namespace

copy_lease::copy_lease(const std::string& url, const std::string& node, const std::string& store_name)
    : db_(url), claim_(url, node, lease_length, lease_use::copy) {
  acquire(store_name);
  renewal_thread_ = std::jthread([this](const std::stop_token& stop) { keep_renewing(stop); });
}

copy_lease::~copy_lease() {
  renewal_thread_.request_stop();
  renewal_thread_.join();
  try {
    claim_.release(db_, held_);
  } catch (const std::exception&) { // it expires
  }
}

void copy_lease::check() const {
  if (is_lost_) throw lease_lost();
}

void copy_lease::acquire(const std::string& store_name) {
  const auto deadline = std::chrono::steady_clock::now() + acquire_timeout;
  for (;;) {
    if (const auto taken = claim_.try_take(db_)) {
      held_ = taken->held;
      return;
    }
    if (std::chrono::steady_clock::now() >= deadline) throw copy_refused(holder_text(db_, store_name));
    std::this_thread::sleep_for(acquire_interval);
  }
}

void copy_lease::keep_renewing(const std::stop_token& stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any timer;
  for (;;) {
    timer.wait_for(lock, stop, renewal_interval, [] { return false; });
    if (stop.stop_requested()) return;
    try {
      if (claim_.renew(db_, held_) == lease_claim::renewal::lost) is_lost_ = true;
    } catch (const error&) { // the next renewal, or a write under the lease, reports a lasting problem
    }
  }
}

change_counters read_change_counters(session& db) {
  return {newest_point(db), db.internals().read_one(audit_count).value_or(0)};
}

bool mark_as_moved(session& source, const lease& held, const change_counters& expected,
                   const std::string& target) {
  write_transaction txn(source, held);
  lock_stream(source); // waits for commands that have taken a position; later ones wait for the marker
  write_move_marker(source, target); // waits for commands that take no position
  if (read_change_counters(source) != expected) return false;
  txn.commit();
  return true;
}

} // namespace roost::store
