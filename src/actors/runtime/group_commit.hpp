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
/// disk latency limits the response time but not the throughput. Part of the actor's state, used on its
/// thread only.
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
    /// Called also for items that expired or without a lease. Items to be retried are passed to put_back().
    std::function<void(group, storage_error)> failed;
    std::optional<metrics::histogram> sizes;                      ///< of groups
    std::optional<metrics::histogram> waiting_time, writing_time; ///< seconds, of each item
  };

  static constexpr std::size_t max_group_size = 500;

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
    while (should_commit()) commit(std::make_shared<batch>(take()));
  }

  /// Returns the items of a failed group to the front of the queue, in their order.
  void put_back(group of) {
    const auto now = clock::now();
    for (auto i = of.items.size(); i-- > 0;)
      waiting_.push_front({std::move(of.items[i]), std::move(of.tickets[i]), {}, now});
  }

  /// Starts no group until resume().
  void pause() { is_paused_ = true; }
  void resume() {
    is_paused_ = false;
    run();
  }

  /// Limits the size of groups that start from now on.
  void limit_groups(std::size_t items) { limit_ = items; }

  /// Drops the waiting items and returns their number.
  std::size_t drop_waiting() { return std::exchange(waiting_, {}).size(); }

  /// Returns the number of items that wait or are being written.
  std::size_t size() const { return waiting_.size() + writing_; }

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
    const auto now = clock::now();
    for (; !waiting_.empty() && next.items->size() < limit_; waiting_.pop_front()) {
      auto& first = waiting_.front();
      auto& to = first.until.has_passed(now) ? expired : next;
      to.until = std::max(to.until, first.until);
      if (&to == &next && setup_.waiting_time)
        setup_.waiting_time->observe(seconds_between(first.added_at, now));
      to.items->push_back(std::move(first.item));
      to.tickets.push_back(std::move(first.ticket));
    }
    if (!expired.items->empty()) setup_.failed(expired.view(), storage_error::unavailable);
    return next;
  }

  void commit(std::shared_ptr<batch> of) {
    if (of->items->empty()) return;
    const auto lease = setup_.lease->current();
    if (!lease) return setup_.failed(of->view(), storage_error::lease_lost);
    const auto lane = started(of->items->size());
    const auto started_at = clock::now();
    in_storage(
        self_, lane, setup_.kind,
        [lease = *lease, items = of->items, run = setup_.begin()](store::session& db) {
          return run(db, lease, *items);
        },
        [this, lane, of, started_at](Result& result) {
          observe_writing_time(*of, started_at);
          ended(lane, of->items->size());
          setup_.written(of->view(), result);
          run();
        },
        [this, lane, of](storage_error error) {
          ended(lane, of->items->size());
          setup_.failed(of->view(), error);
          run();
        },
        of->until);
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

  void observe_writing_time(const batch& of, clock::time_point started_at) {
    if (!setup_.writing_time) return;
    const auto took = seconds_between(started_at, clock::now());
    for (std::size_t i = 0; i < of.items->size(); ++i) setup_.writing_time->observe(took);
  }

  static double seconds_between(clock::time_point from, clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
  }

  Self* self_ = nullptr;
  setup setup_;
  std::vector<storage_actor> idle_;
  std::deque<entry> waiting_;
  std::size_t limit_ = max_group_size;
  std::size_t groups_in_progress_ = 0;
  std::size_t writing_ = 0; ///< items
  double usual_size_ = 0;   ///< running mean of the group size
  bool is_paused_ = false;
};

/// A group commit of requests whose callers wait for the commit: each gets its own outcome or the
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
