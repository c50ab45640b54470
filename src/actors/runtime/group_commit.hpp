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

/// Commits the items of one actor in groups: what arrives during a commit shares the next one, so that the
/// disk's latency bounds the wait and not the rate. A part of the actor's state; only its thread calls it.
///
/// An item goes to the store; its ticket stays with the actor and says who waits for the item.
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
    std::vector<storage_actor> lanes; ///< as many groups are committed at the same time
    std::shared_ptr<const held_lease> lease;
    std::function<work()> begin; ///< called for each group
    std::function<void(group, Result&)> written;
    /// Of items that expired or may not be written, too. What shall be tried again is put back.
    std::function<void(group, storage_error)> failed;
    std::optional<metrics::histogram> sizes;                      ///< of groups
    std::optional<metrics::histogram> waiting_time, writing_time; ///< seconds, of each item
  };

  static constexpr std::size_t largest_group = 500;

  void open(Self* self, setup with) {
    self_ = self;
    setup_ = std::move(with);
    idle_ = setup_.lanes;
  }

  /// Queues an item until the next run(). After `until` no commit begins for it.
  void add(Item item, Ticket ticket, deadline until = {}) {
    waiting_.push_back({std::move(item), std::move(ticket), until, clock::now()});
  }

  /// Begins what groups there are for idle lanes. What waits is looked at again after each commit.
  void run() {
    while (is_worth_it()) commit(std::make_shared<taken>(take()));
  }

  /// Puts items of a failed group before all others, in their order.
  void put_back(group of) {
    const auto now = clock::now();
    for (auto i = of.items.size(); i-- > 0;)
      waiting_.push_front({std::move(of.items[i]), std::move(of.tickets[i]), {}, now});
  }

  /// Begins no group until resume().
  void pause() { is_paused_ = true; }
  void resume() {
    is_paused_ = false;
    run();
  }

  /// Bounds groups that begin later.
  void limit_groups(std::size_t items) { limit_ = items; }

  /// Forgets the items that wait. Returns how many there were.
  std::size_t drop_waiting() { return std::exchange(waiting_, {}).size(); }

  /// Items that wait or are being written.
  std::size_t size() const { return waiting_.size() + writing_; }

private:
  struct entry {
    Item item;
    Ticket ticket;
    deadline until;
    clock::time_point came;
  };
  /// The storage's thread shares the items only: tickets are released on the actor's.
  struct taken {
    std::shared_ptr<std::vector<Item>> items = std::make_shared<std::vector<Item>>();
    std::vector<Ticket> tickets;
    deadline until{clock::time_point::min()}; ///< the latest of all
    group view() { return {*items, tickets}; }
  };

  /// While one group is committed, the next one waits until it is as large as they usually are, or until that
  /// one is done. Else the first of many items that arrive together would have a commit to itself, half of
  /// all commits.
  bool is_worth_it() const {
    if (is_paused_ || idle_.empty() || waiting_.empty()) return false;
    return under_way_ == 0 || static_cast<double>(waiting_.size()) >= usual_size_;
  }

  /// The next ones, without those that expired: these are refused. They need not come in the order of their
  /// deadlines.
  taken take() {
    taken next, expired;
    const auto now = clock::now();
    for (; !waiting_.empty() && next.items->size() < limit_; waiting_.pop_front()) {
      auto& first = waiting_.front();
      auto& to = first.until.has_passed(now) ? expired : next;
      to.until = std::max(to.until, first.until);
      if (&to == &next && setup_.waiting_time) setup_.waiting_time->observe(seconds_between(first.came, now));
      to.items->push_back(std::move(first.item));
      to.tickets.push_back(std::move(first.ticket));
    }
    if (!expired.items->empty()) setup_.failed(expired.view(), storage_error::unavailable);
    return next;
  }

  void commit(std::shared_ptr<taken> of) {
    if (of->items->empty()) return;
    const auto lease = setup_.lease->current();
    if (!lease) return setup_.failed(of->view(), storage_error::lease_lost);
    const auto lane = started(of->items->size());
    const auto begun = clock::now();
    in_storage(
        self_, lane, setup_.kind,
        [lease = *lease, items = of->items, run = setup_.begin()](store::session& db) {
          return run(db, lease, *items);
        },
        [this, lane, of, begun](Result& result) {
          note_writing_time(*of, begun);
          ended(lane, of->items->size());
          setup_.written(of->view(), result);
          run();
        },
        [this, lane, of](storage_error why) {
          ended(lane, of->items->size());
          setup_.failed(of->view(), why);
          run();
        },
        of->until);
  }

  storage_actor started(std::size_t size) {
    constexpr double weight = 1.0 / 8; // of the newest: a change of load counts within some groups
    usual_size_ += (static_cast<double>(size) - usual_size_) * weight;
    if (setup_.sizes) setup_.sizes->observe(static_cast<double>(size));
    ++under_way_;
    writing_ += size;
    auto lane = std::move(idle_.back());
    idle_.pop_back();
    return lane;
  }

  void ended(const storage_actor& lane, std::size_t size) {
    idle_.push_back(lane);
    --under_way_;
    writing_ -= size;
  }

  void note_writing_time(const taken& of, clock::time_point begun) {
    if (!setup_.writing_time) return;
    const auto took = seconds_between(begun, clock::now());
    for (std::size_t i = 0; i < of.items->size(); ++i) setup_.writing_time->observe(took);
  }

  static double seconds_between(clock::time_point from, clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
  }

  Self* self_ = nullptr;
  setup setup_;
  std::vector<storage_actor> idle_;
  std::deque<entry> waiting_;
  std::size_t limit_ = largest_group;
  std::size_t under_way_ = 0; ///< groups
  std::size_t writing_ = 0;   ///< items
  double usual_size_ = 0;     ///< of a group: the running mean
  bool is_paused_ = false;
};

/// A group commit of requests whose callers wait for it: each gets its own outcome, or the storage_error.
template <typename Self, typename Request, typename Outcome>
class request_commit {
  using promise = caf::typed_response_promise<Outcome>;
  using commit = group_commit<Self, Request, promise, std::vector<Outcome>>;

public:
  /// Returns the outcomes in the order of the requests.
  using work = typename commit::work;
  /// Leave `written` and `failed` out.
  using setup = typename commit::setup;

  /// `settled` is called for each request that was written, before its caller gets the outcome.
  void open(Self* self, setup with, std::function<void(const Request&, const Outcome&)> settled = {}) {
    self_ = self;
    with.written = [settled = std::move(settled)](auto group, std::vector<Outcome>& outcomes) {
      for (std::size_t i = 0; i < group.tickets.size(); ++i) {
        if (settled) settled(group.items[i], outcomes[i]);
        group.tickets[i].deliver(std::move(outcomes[i]));
      }
    };
    with.failed = [](auto group, storage_error why) {
      for (auto& caller : group.tickets) caller.deliver(make_error(why));
    };
    commit_.open(self, std::move(with));
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
