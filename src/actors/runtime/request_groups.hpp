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

/// Requests of one actor that are committed together: what arrives while a commit is under way goes into the
/// next one, so that the disk's latency bounds the wait and not the rate. A part of the actor's state.
template <typename Self, typename Wanted, typename Outcome>
class request_groups {
public:
  /// In storage: the outcomes in the order of what was wanted.
  using work =
      std::function<std::vector<Outcome>(store::session&, const store::lease&, const std::vector<Wanted>&)>;

  struct setup {
    const char* kind = ""; ///< for the metrics
    storage_actor storage;
    std::shared_ptr<const held_lease> lease;
    std::optional<metrics::histogram> sizes;
    std::function<work()> begin; ///< called for each group
    std::function<void(const Wanted&, const Outcome&)>
        settled; ///< called for each request, before its answer
  };

  void open(Self* self, setup with) {
    self_ = self;
    setup_ = std::move(with);
  }

  caf::typed_response_promise<Outcome> add(Wanted wanted, deadline until) {
    auto answer = self_->template make_response_promise<Outcome>();
    waiting_.push_back({std::move(wanted), until, answer});
    if (!under_way_) run_group();
    return answer;
  }

private:
  static constexpr std::size_t largest = 500;

  struct request {
    Wanted wanted;
    actors::deadline until;
    caf::typed_response_promise<Outcome> asker;
  };
  /// What the storage gives back: the requests went there.
  struct done {
    std::vector<Outcome> outcomes;
    std::vector<Wanted> wanted;
  };
  using asker_list = std::shared_ptr<std::vector<request>>;

  void run_group() {
    const auto group = take_group();
    if (group->empty()) return;
    const auto lease = setup_.lease->current();
    if (!lease) {
      refuse(*group, storage_error::lease_lost);
      return next_group();
    }
    std::vector<Wanted> wanted;
    auto until = group->front().until;
    for (auto& each : *group) {
      wanted.push_back(std::move(each.wanted));
      until = std::max(until, each.until);
    }
    under_way_ = true;
    setup_.sizes->observe(static_cast<double>(wanted.size()));
    in_storage(
        self_, setup_.storage, setup_.kind,
        [lease = *lease, wanted = std::move(wanted), run = setup_.begin()](store::session& db) {
          return done{run(db, lease, wanted), wanted};
        },
        [this, group](const done& all) {
          for (std::size_t i = 0; i < group->size(); ++i) {
            setup_.settled(all.wanted[i], all.outcomes[i]);
            (*group)[i].asker.deliver(all.outcomes[i]);
          }
          next_group();
        },
        [this, group](storage_error why) {
          refuse(*group, why);
          next_group();
        },
        until);
  }

  /// Those that somebody still waits for.
  asker_list take_group() {
    auto group = std::make_shared<std::vector<request>>();
    const auto now = deadline::clock::now();
    for (; !waiting_.empty() && group->size() < largest; waiting_.pop_front()) {
      if (waiting_.front().until.is_over(now))
        waiting_.front().asker.deliver(make_error(storage_error::unavailable));
      else
        group->push_back(std::move(waiting_.front()));
    }
    return group;
  }

  static void refuse(std::vector<request>& group, storage_error why) {
    for (auto& each : group) each.asker.deliver(make_error(why));
  }

  void next_group() {
    under_way_ = false;
    if (!waiting_.empty()) run_group();
  }

  Self* self_ = nullptr;
  setup setup_;
  std::deque<request> waiting_;
  bool under_way_ = false;
};

} // namespace roost::actors
