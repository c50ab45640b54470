#include "actors/usage/usage_recorder.hpp"

#include "log/log.hpp"
#include "store/usage/usage_writes.hpp"

#include <caf/stateful_actor.hpp>

#include <algorithm>
#include <deque>
#include <optional>

namespace roost::actors {

namespace {

constexpr std::size_t largest_batch = 500;
constexpr std::chrono::seconds retry_interval{1};

using batch = std::vector<domain::ai_usage_record>;

class recorder_state {
public:
  static constexpr const char* name = "usage_recorder";
  using self_pointer = usage_recorder::stateful_pointer<recorder_state>;
  using flush_promise = caf::typed_response_promise<usage_flushed>;

  void open(self_pointer self, usage_recorder_setup setup) {
    self_ = self;
    setup_ = std::move(setup);
    auto& registry = *setup_.registry;
    recorded_ = registry.counter("roost_ai_usage_recorded_total", "Records added to the AI usage ledger");
    const auto dropped = [&](const char* reason) {
      return registry.counter("roost_ai_usage_dropped_total",
                              "Records that the AI usage ledger could not take", {{"reason", reason}});
    };
    no_room_ = dropped("no_room");
    no_account_ = dropped("no_account");
    not_written_ = dropped("not_written");
    depth_ = registry.gauge("roost_ai_usage_waiting", "Records that wait to be added to the AI usage ledger");
  }

  usage_taken take(record_usage& offered) {
    const auto room = setup_.max_waiting - std::min(setup_.max_waiting, waiting_.size() + under_way_);
    const auto taken = std::min(room, offered.records.size());
    std::move(offered.records.begin(), offered.records.begin() + static_cast<std::ptrdiff_t>(taken),
              std::back_inserter(waiting_));
    no_room_.increment(static_cast<double>(offered.records.size() - taken));
    if (!pausing_) write_next();
    show_depth();
    return {taken};
  }

  void retry() {
    pausing_ = false;
    write_next();
  }

  caf::result<usage_flushed> flush() {
    auto answer = self_->make_response_promise<usage_flushed>();
    flushing_ = answer;
    pausing_ = false;
    write_next();
    return answer;
  }

private:
  void write_next() {
    if (under_way_ > 0) return;
    if (waiting_.empty()) return finish_flush();
    const auto lease = setup_.lease->current();
    if (!lease) return wait();
    const auto size = std::min(waiting_.size(), alone_ > 0 ? std::size_t{1} : largest_batch);
    const auto records = std::make_shared<batch>();
    for (std::size_t i = 0; i < size; ++i) {
      records->push_back(std::move(waiting_.front()));
      waiting_.pop_front();
    }
    under_way_ = size;
    in_storage(
        self_, setup_.storage, "record_usage",
        [lease = *lease, records](store::session& db) { return store::record_usage(db, lease, *records); },
        [this](const store::usage_written& done) { written(done); },
        [this, records](storage_error why) { not_written(*records, why); });
  }

  void written(const store::usage_written& done) {
    recorded_.increment(static_cast<double>(done.recorded));
    no_account_.increment(static_cast<double>(done.refused));
    next();
  }

  /// What the store cannot take now waits for it; of a batch that it refuses, each record is tried alone.
  void not_written(batch& records, storage_error why) {
    if (why == storage_error::failed && records.size() == 1) {
      not_written_.increment();
      return next();
    }
    const bool refused = why == storage_error::failed;
    if (refused) alone_ = records.size() + 1; // next() takes one off
    std::move(records.rbegin(), records.rend(), std::front_inserter(waiting_));
    under_way_ = 0;
    if (refused) return next();
    wait();
  }

  void next() {
    under_way_ = 0;
    if (alone_ > 0) --alone_;
    show_depth();
    write_next();
  }

  /// At the end there is no later time.
  void wait() {
    if (flushing_) return give_up();
    pausing_ = true;
    self_->delayed_send(self_, retry_interval, retry_usage{});
  }

  void give_up() {
    log::warn("ai_usage_lost", {{"records", std::to_string(waiting_.size())}});
    not_written_.increment(static_cast<double>(waiting_.size()));
    waiting_.clear();
    finish_flush();
  }

  void finish_flush() {
    if (flushing_) flushing_->deliver(usage_flushed{});
    flushing_.reset();
  }

  void show_depth() { depth_->set(static_cast<double>(waiting_.size() + under_way_)); }

  self_pointer self_ = nullptr;
  usage_recorder_setup setup_;
  metrics::counter recorded_, no_room_, no_account_, not_written_;
  std::optional<metrics::gauge> depth_;
  std::deque<domain::ai_usage_record> waiting_;
  std::size_t under_way_ = 0; ///< records that are being written
  std::size_t alone_ = 0;     ///< how many of the next writes are of one record each
  bool pausing_ = false;
  std::optional<flush_promise> flushing_;
};

usage_recorder::behavior_type usage_recorder_behavior(usage_recorder::stateful_pointer<recorder_state> self,
                                                      usage_recorder_setup setup) {
  auto& state = self->state;
  state.open(self, std::move(setup));
  return {
      [&state](record_usage& offered) { return state.take(offered); },
      [&state](const retry_usage&) { state.retry(); },
      [&state](const flush_usage&) { return state.flush(); },
  };
}

} // namespace

usage_recorder spawn_usage_recorder(runtime& rt, usage_recorder_setup setup) {
  return rt.spawn_at(0, usage_recorder_behavior, std::move(setup));
}

} // namespace roost::actors
