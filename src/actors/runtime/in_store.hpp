#pragma once

#include "actors/runtime/ask.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/storage.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/weak_intrusive_ptr.hpp>

#include <any>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

/// Awaiting the store in a coroutine of an I/O thread, for data that no actor owns:
///
///     auto status = co_await in_store(lane, "find_platform_booking", std::move(work));
///
/// The work runs on the lane's own thread, unless the ask has timed out by then. It runs at most once, and to
/// its end even if the client hangs up: everything that must follow a write belongs in the work, after the
/// transaction. Throws ask_error with a storage_error as its reason.
///
/// In a coroutine, pass work that owns memory as a moved local: GCC 12 copies temporaries of a co_await
/// expression bit by bit (GCC bug 99576).
namespace roost::actors {

/// A weak reference to a storage actor, for handlers: the thread of a detached actor never ends while a
/// strong reference exists.
class storage_lane {
public:
  storage_lane() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): stands for the actor
  storage_lane(const storage_actor& actor) : actor_(caf::actor_cast<caf::weak_actor_ptr>(actor)) {}

  /// Returns null once the actor has ended and is not referenced: asking it then fails with receiver_down.
  storage_actor actor() const {
    const auto strong = actor_.lock();
    return strong ? caf::actor_cast<storage_actor>(strong) : storage_actor{};
  }

private:
  caf::weak_actor_ptr actor_;
};

/// The lane for a coroutine's writes, and the lease that they require.
struct leased_lane {
  storage_lane lane;
  std::shared_ptr<const held_lease> lease;
};

namespace detail {

/// Work is passed as std::function: for a lambda type, GCC warns about the linkage of the coroutine's frame.
template <typename Result>
asio::awaitable<Result> read_in_store(storage_lane lane, const char* kind,
                                      std::function<Result(store::session&)> work) {
  auto job = make_storage_job(kind, response_deadline(), std::move(work));
  auto actor = lane.actor();
  auto done = co_await ask(std::move(actor), std::move(job));
  if constexpr (!std::is_void_v<Result>) co_return std::any_cast<Result&&>(std::move(done.value));
}

template <typename Result>
asio::awaitable<Result> write_in_store(leased_lane to, const char* kind,
                                       std::function<Result(store::session&, const store::lease&)> work) {
  auto lease = to.lease->current();
  if (!lease) throw ask_error{ask_failure::refused, make_error(storage_error::lease_lost)};
  std::function<Result(store::session&)> leased =
      [lease = *std::move(lease), work = std::move(work)](store::session& db) { return work(db, lease); };
  co_return co_await read_in_store<Result>(std::move(to.lane), kind, std::move(leased));
}

} // namespace detail

/// Runs `work` (store::session& → Result) and returns its result.
template <typename Work, typename Result = std::invoke_result_t<Work&, store::session&>>
asio::awaitable<Result> in_store(storage_lane lane, const char* kind, Work work) {
  return detail::read_in_store<Result>(std::move(lane), kind, std::move(work));
}

/// Runs a write: `work` is called with (store::session&, const store::lease&). Fails with
/// storage_error::lease_lost while this server does not hold the lease.
template <typename Work, typename Result = std::invoke_result_t<Work&, store::session&, const store::lease&>>
asio::awaitable<Result> in_store(leased_lane to, const char* kind, Work work) {
  return detail::write_in_store<Result>(std::move(to), kind, std::move(work));
}

} // namespace roost::actors
