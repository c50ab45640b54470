#pragma once

#include "actors/bookings/decision_group.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

namespace roost::actors {

/// A group that is decided while its transaction keeps the store from changing, for accounts that change so
/// often that their decisions are always outdated. Shared by the queue and a storage thread. Thread-safe.
class locked_group {
public:
  /// Locks the store's changes, waits until memory holds the newest one, reads the requests with `load`, and
  /// waits for the queue's decisions. Returns nullopt if there are none in time. Throws as
  /// store::record_locked_decisions(). For the storage thread.
  std::optional<store::recorded_decisions> write(store::session& db, const store::lease& held,
                                                 const replication_position& followed,
                                                 const std::function<next_group(store::session&)>& load);

  /// Returns the requests to decide, once; nullopt before they have been read.
  std::optional<next_group> take_requests();

  /// Returns false, without taking the decisions, if the transaction has ended.
  bool submit(store::decided_group decisions);

  /// Ends the transaction, unless the decisions have been submitted.
  void abandon();

  /// Whether submit() would return false.
  bool has_ended() const;
  bool was_submitted() const;

private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<next_group> requests_;
  std::optional<store::decided_group> decisions_;
  bool submitted_ = false, ended_ = false;
};

/// Starts the transaction of the oldest requests; `setup` is the queue's. Calls `ended()` in `self` when the
/// transaction has ended, and then, if decisions were submitted, `recorded(store::recorded_decisions)` or
/// `failed(storage_error)`.
template <typename Self, typename Setup, typename Ended, typename Recorded, typename Failed>
std::shared_ptr<locked_group> begin_locked_group(Self* self, const Setup& setup, const store::lease& lease,
                                                 group_limits limits, Ended ended, Recorded recorded,
                                                 Failed failed) {
  auto group = std::make_shared<locked_group>();
  const auto load = [followed = setup.followed, directory = setup.directory,
                     platforms = setup.decisions.platforms, limits = std::move(limits)](store::session& db) {
    return load_group(db, *followed, *directory, platforms, limits);
  };
  in_storage(
      self, setup.writing, "record_locked_decisions",
      [group, lease, followed = setup.followed, load](store::session& db) {
        return group->write(db, lease, *followed, load);
      },
      [ended, recorded](const std::optional<store::recorded_decisions>& outcome) {
        ended();
        if (outcome) recorded(*outcome);
      },
      [group, ended, failed](storage_error error) {
        ended();
        group->abandon();
        if (group->was_submitted()) failed(error);
      });
  return group;
}

} // namespace roost::actors
