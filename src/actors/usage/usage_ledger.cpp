#include "actors/usage/usage_ledger.hpp"

#include "actors/runtime/group_commit.hpp"
#include "log/log.hpp"
#include "store/usage/usage.hpp"
#include "store/usage/usage_groups.hpp"

#include <algorithm>
#include <optional>

namespace roost::actors {

namespace {

constexpr std::chrono::seconds retry_interval{1};

class recorder_state : public actor_state<usage_recorder> {
public:
  static constexpr const char* name = "usage_recorder";
  using actor_state::actor_state;
  using flush_promise = caf::typed_response_promise<usage_flushed>;

  behavior open(usage_recorder_setup setup) {
    setup_ = std::move(setup);
    auto& registry = *setup_.registry;
    recorded_ = registry.counter("roost_ai_usage_recorded_total", "Records added to the AI usage ledger");
    const auto dropped = [&](const char* reason) {
      return registry.counter("roost_ai_usage_dropped_total",
                              "Records that could not be added to the AI usage ledger", {{"reason", reason}});
    };
    no_room_ = dropped("no_room");
    no_account_ = dropped("no_account");
    not_written_ = dropped("not_written");
    depth_ = registry.gauge("roost_ai_usage_waiting", "Records that wait to be added to the AI usage ledger");
    open_commit();
    return {[this](record_usage& offered) { return take(offered); },
            [this](const retry_usage&) { commit_.resume(); }, [this](const flush_usage&) { return flush(); }};
  }

  usage_taken take(record_usage& offered) {
    const auto capacity = setup_.max_waiting - std::min(setup_.max_waiting, commit_.size());
    const auto taken = std::min(capacity, offered.records.size());
    for (std::size_t i = 0; i < taken; ++i) commit_.add(std::move(offered.records[i]), {});
    commit_.run();
    no_room_.increment(static_cast<double>(offered.records.size() - taken));
    show_depth();
    return {taken};
  }

  caf::result<usage_flushed> flush() {
    auto promise = self_->make_response_promise<usage_flushed>();
    flushing_ = promise;
    commit_.resume();
    finish_flush();
    return promise;
  }

private:
  /// No caller waits for a record.
  struct no_ticket {};
  using record_commit =
      group_commit<usage_recorder::base, domain::ai_usage_record, no_ticket, store::usage_written>;

  void open_commit() {
    record_commit::setup options;
    options.kind = "record_usage";
    options.lanes = {setup_.storage};
    options.lease = setup_.lease;
    options.begin = [] {
      return [](store::session& db, const store::lease& lease,
                const std::vector<domain::ai_usage_record>& records) {
        return store::record_usage(db, lease, records);
      };
    };
    options.written = [this](auto, const store::usage_written& done) {
      recorded_.increment(static_cast<double>(done.recorded));
      no_account_.increment(static_cast<double>(done.refused));
      settled();
    };
    options.failed = [this](auto records, storage_error error) { not_written(records, error); };
    commit_.open(self_, std::move(options));
  }

  /// Retries the records later if the store is unavailable; drops a record that it rejected.
  void not_written(record_commit::group records, storage_error error) {
    if (may_concern_one_row(error)) {
      not_written_.increment();
      return settled();
    }
    commit_.put_back(records);
    wait();
  }

  void settled() {
    show_depth();
    finish_flush();
  }

  /// Retries later, or gives up when flushing: there is no later attempt.
  void wait() {
    if (flushing_) return give_up();
    commit_.pause();
    self_->delayed_send(self_, retry_interval, retry_usage{});
  }

  void give_up() {
    const auto lost = commit_.drop_waiting();
    log::warn("ai_usage_lost", {{"records", std::to_string(lost)}});
    not_written_.increment(static_cast<double>(lost));
    finish_flush();
  }

  void finish_flush() {
    if (!flushing_ || commit_.size() > 0) return;
    flushing_->deliver(usage_flushed{});
    flushing_.reset();
  }

  void show_depth() { depth_->set(static_cast<double>(commit_.size())); }

  usage_recorder_setup setup_;
  metrics::counter recorded_, no_room_, no_account_, not_written_;
  std::optional<metrics::gauge> depth_;
  record_commit commit_;
  std::optional<flush_promise> flushing_;
};

} // namespace

usage_recorder spawn_usage_recorder(runtime& rt, usage_recorder_setup setup) {
  return rt.spawn_at<recorder_state>(0, std::move(setup));
}

asio::awaitable<domain::ai_usage_page> usage_ledger::page(usage_selection selection, std::int64_t skip,
                                                          std::int64_t limit) const {
  return in_store(lane_, "read_usage_page",
                  [selection = std::move(selection), skip, limit](store::session& db) {
                    return store::read_usage_page(db, selection.account_id, selection.filter, skip, limit);
                  });
}

asio::awaitable<domain::ai_usage_summary>
usage_ledger::summary(usage_selection selection, std::optional<domain::ai_usage_grouping> group_by) const {
  return in_store(lane_, "read_usage_summary",
                  [selection = std::move(selection), group_by](store::session& db) {
                    const auto& [account, filter] = selection;
                    return group_by ? store::read_usage_groups(db, account, filter, *group_by)
                                    : store::read_usage_summary(db, account, filter);
                  });
}

asio::awaitable<std::vector<domain::ai_usage_day>> usage_ledger::days(usage_selection selection) const {
  return in_store(lane_, "read_usage_days", [selection = std::move(selection)](store::session& db) {
    return store::read_usage_days(db, selection.account_id, selection.filter);
  });
}

} // namespace roost::actors
