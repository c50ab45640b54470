#pragma once

#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/storage.hpp"

#include <caf/typed_response_promise.hpp>

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace roost::actors {

/// Commits the items of one actor in groups: items that arrive during a commit share the next one, so that
/// disk latency limits the response time but not the throughput. If the store rejects a group, its halves
/// are committed separately, so that only the rejected items fail. An item that conflicts with another row is
/// committed once more, alone: if it conflicts again, it fails with storage_error::invalid_value. Part of the
/// actor's state, used on its thread only.
///
/// An item is passed to the store; its ticket stays with the actor and identifies the caller.
template <typename Self, typename Item, typename Ticket, typename Result>
class group_commit {
public:
  using clock = deadline::clock;

  /// Items and tickets in the order of their arrival.
  struct group {
    std::vector<Item>& items;
    std::vector<Ticket>& tickets;
  };

  /// Runs in storage.
  using work = std::function<Result(store::session&, const store::lease&, const std::vector<Item>&)>;

  struct setup {
    const char* kind = "";            ///< for the metrics
    std::vector<storage_actor> lanes; ///< each commits one group at a time
    std::shared_ptr<const held_lease> lease;
    std::function<work()> begin; ///< called for each group
    std::function<void(group, Result&)> written;
    /// Called also for items that expired or without a lease. If the store rejected an item, the group
    /// contains only that one. Items to be retried are passed to put_back().
    std::function<void(group, storage_error)> failed;
    std::size_t max_items = 500; ///< of a group
    /// Estimates the rows of an item, if items differ much. Items share a group of at most `max_weight`; a
    /// heavier one is committed alone.
    std::function<std::size_t(const Item&)> weight;
    std::size_t max_weight = 0;
    std::optional<metrics::histogram> sizes;                      ///< of groups
    std::optional<metrics::histogram> waiting_time, writing_time; ///< seconds, of each item
  };

  void open(Self* self, setup options) {
    self_ = self;
    setup_ = std::move(options);
    idle_ = setup_.lanes;
  }

  /// Queues an item until the next run(). It expires if its commit has not started by `until`.
  void add(Item item, Ticket ticket, deadline until = {}) {
    waiting_.push_back({std::move(item), std::move(ticket), until, clock::now()});
  }

  /// Starts groups on idle lanes, as far as there are items. Runs again after each commit.
  void run() {
    while (!is_paused_ && !idle_.empty() && !halves_.empty()) {
      auto next = std::move(halves_.front());
      halves_.pop_front();
      commit(std::move(next));
    }
    while (should_commit()) commit(std::make_shared<batch>(take()));
  }

  /// Returns the items of a failed group to the front of the queue, in their order.
  void put_back(group group) {
    const auto now = clock::now();
    for (auto i = group.items.size(); i-- > 0;)
      waiting_.push_front({std::move(group.items[i]), std::move(group.tickets[i]), {}, now});
  }

  /// Starts no group until resume().
  void pause() { is_paused_ = true; }
  void resume() {
    is_paused_ = false;
    run();
  }

  /// Drops the waiting items and returns their number.
  std::size_t drop_waiting() {
    const auto dropped = size() - writing_;
    waiting_.clear();
    halves_.clear();
    return dropped;
  }

  /// Returns the number of items that wait or are being written.
  std::size_t size() const {
    auto total = waiting_.size() + writing_;
    for (const auto& half : halves_) total += half->items->size();
    return total;
  }

private:
  struct entry {
    Item item;
    Ticket ticket;
    deadline until;
    clock::time_point added_at;
  };
  /// A group being committed. Only the items are shared with the storage thread; tickets are released on the
  /// actor's thread.
  struct batch {
    std::shared_ptr<std::vector<Item>> items = std::make_shared<std::vector<Item>>();
    std::vector<Ticket> tickets;
    deadline until{clock::time_point::min()}; ///< the latest of all
    bool has_conflicted = false;              ///< its only item, with another row
    group view() { return {*items, tickets}; }
  };

  /// Returns whether to start a group. While another one is being committed, the next group waits until it
  /// has the usual size or that commit ends. Otherwise the first of many items that arrive together would get
  /// its own commit, which would make up half of all commits.
  bool should_commit() const {
    if (is_paused_ || idle_.empty() || waiting_.empty()) return false;
    return groups_in_progress_ == 0 || static_cast<double>(waiting_.size()) >= usual_size_;
  }

  /// Removes the next group from the queue, and fails items that have expired. Items need not be in the order
  /// of their deadlines.
  batch take() {
    batch next, expired;
    std::size_t weight = 0;
    const auto now = clock::now();
    for (; !waiting_.empty() && next.items->size() < setup_.max_items; waiting_.pop_front()) {
      auto& first = waiting_.front();
      auto& to = first.until.has_passed(now) ? expired : next;
      if (&to == &next && setup_.weight) {
        weight += setup_.weight(first.item);
        if (weight > setup_.max_weight && !next.items->empty()) break;
      }
      to.until = std::max(to.until, first.until);
      if (&to == &next && setup_.waiting_time)
        setup_.waiting_time->observe(seconds_between(first.added_at, now));
      to.items->push_back(std::move(first.item));
      to.tickets.push_back(std::move(first.ticket));
    }
    if (!expired.items->empty()) setup_.failed(expired.view(), storage_error::unavailable);
    return next;
  }

  void commit(std::shared_ptr<batch> batch) {
    if (batch->items->empty()) return;
    const auto lease = setup_.lease->current();
    if (!lease) return setup_.failed(batch->view(), storage_error::lease_lost);
    const auto lane = started(batch->items->size());
    const auto started_at = clock::now();
    in_storage(
        self_, lane, setup_.kind,
        [lease = *lease, items = batch->items, run = setup_.begin()](store::session& db) {
          return run(db, lease, *items);
        },
        [this, lane, batch, started_at](Result& result) {
          observe_writing_time(*batch, started_at);
          ended(lane, batch->items->size());
          setup_.written(batch->view(), result);
          run();
        },
        [this, lane, batch](storage_error error) {
          ended(lane, batch->items->size());
          if (batch->items->size() > 1 && may_concern_one_row(error))
            split(*batch);
          else
            retry_or_fail(batch, error);
          run();
        },
        batch->until);
  }

  /// Queues the halves of a rejected group before all other items.
  void split(batch& rejected) {
    const auto middle = rejected.items->size() / 2;
    const auto first = std::make_shared<batch>(), second = std::make_shared<batch>();
    first->until = second->until = rejected.until;
    for (std::size_t i = 0; i < rejected.items->size(); ++i) {
      const auto& to = i < middle ? first : second;
      to->items->push_back(std::move((*rejected.items)[i]));
      to->tickets.push_back(std::move(rejected.tickets[i]));
    }
    halves_.push_front(second);
    halves_.push_front(first);
  }

  /// The row that an item conflicts with may be gone by now. If it stays, every retry fails, so the error
  /// must not invite the client to retry.
  void retry_or_fail(const std::shared_ptr<batch>& refused, storage_error error) {
    const bool conflicts = error == storage_error::conflicting_row;
    if (conflicts && !std::exchange(refused->has_conflicted, true)) return halves_.push_front(refused);
    setup_.failed(refused->view(), conflicts ? storage_error::invalid_value : error);
  }

  storage_actor started(std::size_t size) {
    constexpr double weight = 1.0 / 8; // of the newest group: the mean follows the load within some groups
    usual_size_ += (static_cast<double>(size) - usual_size_) * weight;
    if (setup_.sizes) setup_.sizes->observe(static_cast<double>(size));
    ++groups_in_progress_;
    writing_ += size;
    auto lane = std::move(idle_.back());
    idle_.pop_back();
    return lane;
  }

  void ended(const storage_actor& lane, std::size_t size) {
    idle_.push_back(lane);
    --groups_in_progress_;
    writing_ -= size;
  }

  void observe_writing_time(const batch& batch, clock::time_point started_at) {
    if (!setup_.writing_time) return;
    const auto took = seconds_between(started_at, clock::now());
    for (std::size_t i = 0; i < batch.items->size(); ++i) setup_.writing_time->observe(took);
  }

  static double seconds_between(clock::time_point from, clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
  }

  Self* self_ = nullptr;
  setup setup_;
  std::vector<storage_actor> idle_;
  std::deque<entry> waiting_;
  std::deque<std::shared_ptr<batch>> halves_; ///< of rejected groups; items to be committed once more
  std::size_t groups_in_progress_ = 0;
  std::size_t writing_ = 0; ///< items
  double usual_size_ = 0;   ///< running mean of the group size
  bool is_paused_ = false;
};

/// A group commit of requests whose callers wait for the commit: each gets its own outcome or its own
/// storage_error.
template <typename Self, typename Request, typename Outcome>
class request_commit {
  using promise = caf::typed_response_promise<Outcome>;
  using commit = group_commit<Self, Request, promise, std::vector<Outcome>>;

public:
  /// Returns the outcomes in the order of the requests.
  using work = typename commit::work;
  /// `written` and `failed` must not be set.
  using setup = typename commit::setup;

  /// `settled` is called for each request that was written, before its caller gets the outcome.
  void open(Self* self, setup options, std::function<void(const Request&, const Outcome&)> settled = {}) {
    self_ = self;
    options.written = [settled = std::move(settled)](auto group, std::vector<Outcome>& outcomes) {
      for (std::size_t i = 0; i < group.tickets.size(); ++i) {
        if (settled) settled(group.items[i], outcomes[i]);
        group.tickets[i].deliver(std::move(outcomes[i]));
      }
    };
    options.failed = [](auto group, storage_error error) {
      for (auto& caller : group.tickets) caller.deliver(make_error(error));
    };
    commit_.open(self, std::move(options));
  }

  promise add(Request request, deadline until) {
    auto caller = self_->template make_response_promise<Outcome>();
    commit_.add(std::move(request), caller, until);
    commit_.run();
    return caller;
  }

private:
  Self* self_ = nullptr;
  commit commit_;
};

} // namespace roost::actors
