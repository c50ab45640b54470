#include "actors/mailing/mailer.hpp"

#include "actors/mailing/mail_sender.hpp"
#include "actors/runtime/group_commit.hpp"
#include "log/log.hpp"
#include "store/messages/messages.hpp"

#include <algorithm>
#include <deque>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace roost::actors {

namespace {

constexpr std::size_t max_due_mails = 200;
constexpr std::size_t max_deliveries = 32;           // at the same time; fewer than max_due_mails
constexpr std::size_t max_retries_per_interval = 20; // of mails that the store rejected
constexpr std::size_t max_deleted_mails = 1'000;
constexpr std::chrono::minutes cleanup_interval{10};

class mailer_state : public actor_state<mailer> {
public:
  static constexpr const char* name = "mailer";
  using actor_state::actor_state;

  behavior open(runtime* rt, mailer_setup setup) {
    runtime_ = rt;
    setup_ = std::move(setup);
    pending_ = setup_.registry->gauge("roost_outbox_pending", "Mails waiting to be sent");
    for (const auto* outcome : {"sent", "failed", "given_up"})
      attempt_counter(outcome); // create the counters at startup
    open_commit();
    wait();
    return {[this](const send_due_mail&) { check_outbox(); },
            [this](const outbox_interval_over&) { interval_over(); },
            [this](const delivery_is_slow&) { send_due(); }, [this](const stop_mailer&) { return stop(); }};
  }

  /// Starts one interval, independently of send_due_mail messages.
  void wait() { self_->delayed_send(self_, setup_.interval, outbox_interval_over{}); }

  void interval_over() {
    wait();
    pausing_ = false;
    retry_set_aside();
    record();
    check_outbox();
    delete_old();
  }

  void check_outbox() {
    if (busy_) {
      more_ = true; // may have been added after the current check began
      return;
    }
    if (!setup_.lease->holds()) pending_->set(0); // the server that holds the lease reports the number
    if (pausing_ || stopping_ || setup_.on_hold || !setup_.lease->holds()) return;
    if (commit_.size() > 0) {
      more_ = true;
      return record();
    }
    if (due_.empty()) return read_due();
    send_due();
  }

  /// Sends nothing more, and responds once the outcomes of all deliveries are recorded, or cannot be.
  caf::result<void> stop() {
    stopping_ = true;
    due_.clear();
    auto promise = self_->make_response_promise<void>();
    stop_promises_.push_back(promise);
    respond_if_stopped();
    return promise;
  }

private:
  using clock = std::chrono::steady_clock;

  struct delivery {
    std::shared_ptr<const mail_batch> batch;
    clock::time_point started;
  };

  /// A mail that is not read again until `retry_at`.
  struct mail_set_aside {
    std::vector<domain::uuid> ids;
    std::optional<store::mail_attempt> outcome = {}; ///< not recorded yet; nullopt if it was not sent
    clock::time_point retry_at{};
  };

  /// No caller waits for an outcome.
  struct no_ticket {};
  struct outcomes_recorded {};
  using outcome_commit = group_commit<mailer::base, store::mail_attempt, no_ticket, outcomes_recorded>;

  void open_commit() {
    outcome_commit::setup options;
    options.kind = "record_attempts";
    options.lanes = {setup_.storage};
    options.lease = setup_.lease;
    options.begin = [] {
      return [](store::session& db, const store::lease& lease,
                const std::vector<store::mail_attempt>& attempts) {
        store::record_attempts(db, lease, attempts);
        return outcomes_recorded{};
      };
    };
    options.written = [this](outcome_commit::group outcomes, const outcomes_recorded&) {
      for (const auto& attempt : outcomes.items) forget(attempt.ids);
      send_due();
      respond_if_stopped();
    };
    options.failed = [this](outcome_commit::group outcomes, storage_error error) {
      not_recorded(outcomes, error);
    };
    commit_.open(self_, std::move(options));
  }

  void delete_old() {
    const auto lease = setup_.lease->current();
    if (setup_.on_hold || !lease || deleting_ || std::chrono::steady_clock::now() < delete_at_) return;
    deleting_ = true;
    in_storage(
        self_, setup_.storage, "forget_mails",
        [lease = *lease, now = setup_.now(), keep = setup_.keep,
         is_trusted = setup_.is_time_trusted](store::session& db) {
          return is_trusted(db, now) ? store::delete_old_mails(db, lease, now - keep, max_deleted_mails)
                                     : std::int64_t{0};
        },
        [this](std::int64_t mails) { deleted(static_cast<std::size_t>(mails)); },
        [this](storage_error) { deleted(0); });
  }

  void deleted(std::size_t mails) {
    deleting_ = false;
    if (mails > 0) log::info("mails_deleted", {{"mails", mails}});
    if (mails < max_deleted_mails) delete_at_ = std::chrono::steady_clock::now() + cleanup_interval;
  }

  void read_due() {
    busy_ = true;
    const auto limit = max_due_mails + set_aside_.size(); // those set aside are still due
    in_storage(
        self_, setup_.storage, "due_mails",
        [now = setup_.now(), pending = *pending_, limit](store::session& db) {
          pending.set(static_cast<double>(store::pending_mail_count(db, now)));
          return store::due_mails(db, now, limit);
        },
        [this, limit](std::vector<store::due_mail>& due) {
          busy_ = false;
          take(due);
          more_ |= due.size() == limit && !due_.empty();
          record();
          send_due();
        },
        [this](storage_error) { pause(); });
  }

  /// Queues the mails that are not being sent, and gives up those that may have been delivered often enough.
  void take(std::vector<store::due_mail>& due) {
    for (auto& mail : due) {
      if (std::ranges::any_of(mail.ids, [this](const auto& id) { return in_progress_.contains(id); }))
        continue;
      in_progress_.insert(mail.ids.begin(), mail.ids.end());
      if (mail.possible_deliveries < store::max_possible_deliveries)
        due_.push_back(std::move(mail));
      else
        commit_.add(failure(mail, mail::send_failed{"unconfirmed", true}), {});
    }
  }

  /// Starts deliveries one after the other. A slow one does not delay the next one any longer.
  void send_due() {
    while (!due_.empty() && may_send()) start_delivery();
    finish_if_idle();
  }

  bool may_send() const {
    if (pausing_ || stopping_ || !setup_.lease->holds()) return false;
    const auto is_slow = [now = clock::now(), this](const delivery& each) {
      return now - each.started >= setup_.patience;
    };
    return deliveries_.size() < max_deliveries && std::ranges::all_of(deliveries_, is_slow);
  }

  void start_delivery() {
    auto batch = std::make_shared<mail_batch>();
    for (auto room = setup_.transport->batch_size(); room > 0 && !due_.empty(); --room) {
      batch->mails.push_back(std::move(due_.front()));
      due_.pop_front();
    }
    auto sender = idle_sender();
    deliveries_.push_back({batch, clock::now()});
    self_->delayed_send(self_, setup_.patience, delivery_is_slow{});
    self_->request(sender, caf::infinite, send_batch{batch}).then([this, sender](const batch_sent& sent) {
      idle_.push_back(sender);
      end_delivery(sent.batch);
    });
  }

  /// Returns a sender that waits for work, or a new one, which ends with this actor.
  mail_sender idle_sender() {
    if (idle_.empty()) {
      auto sender = spawn_mail_sender(*runtime_, setup_.storage, setup_.lease, setup_.transport);
      self_->link_to(sender);
      return sender;
    }
    auto sender = std::move(idle_.back());
    idle_.pop_back();
    return sender;
  }

  void end_delivery(const std::shared_ptr<mail_batch>& batch) {
    std::erase_if(deliveries_, [&](const delivery& each) { return each.batch == batch; });
    for (std::size_t i = 0; i < batch->mails.size(); ++i) settle(batch->mails[i], batch->failures[i]);
    if (pausing_) drop_due();
    record();
    send_due();
    respond_if_stopped();
  }

  void settle(const store::due_mail& mail, const std::optional<mail::send_failed>& failed) {
    const auto reason = failed ? std::string_view(failed->error_class) : std::string_view{};
    if (reason == unrecorded) {
      forget(mail.ids);
      pausing_ = true;
    } else if (reason == changed_meanwhile) {
      forget(mail.ids);
    } else if (reason == rejected_by_store) {
      set_aside("begin_deliveries", {.ids = mail.ids});
    } else {
      commit_.add(failed ? failure(mail, *failed) : success(mail), {});
    }
  }

  /// Records outcomes while further mails are being sent. If the store is unavailable, nothing is sent until
  /// that succeeds.
  void record() {
    recording_paused_ = false;
    commit_.resume();
  }

  /// An outcome that the store rejects delays no other mail.
  void not_recorded(outcome_commit::group outcomes, storage_error error) {
    if (may_concern_one_row(error)) {
      for (const auto& attempt : outcomes.items)
        set_aside("record_attempts", {.ids = attempt.ids, .outcome = attempt});
      send_due();
    } else {
      if (error == storage_error::lease_lost)
        keep_deliveries_only(outcomes);
      else
        retry_at_next_interval(outcomes);
      pause();
    }
    respond_if_stopped();
  }

  void retry_at_next_interval(outcome_commit::group outcomes) {
    commit_.put_back(outcomes);
    commit_.pause();
    recording_paused_ = true;
  }

  /// After the lease was lost, another server may send the mails: failures here say nothing about them.
  void keep_deliveries_only(outcome_commit::group outcomes) {
    for (const auto& attempt : outcomes.items) {
      if (attempt.sent_at)
        set_aside_.push_back({.ids = attempt.ids, .outcome = attempt});
      else
        forget(attempt.ids);
    }
  }

  /// Leaves a mail alone for a while because the store rejected what this job would have written about it.
  void set_aside(std::string_view job, mail_set_aside mail) {
    mail.retry_at = clock::now() + setup_.rejection_delay;
    const auto delay = std::chrono::ceil<std::chrono::seconds>(setup_.rejection_delay);
    log::warn(
        "mail_not_recordable",
        {{"mail_id", domain::to_string(mail.ids.front())}, {"job", job}, {"retry_in_s", delay.count()}});
    set_aside_.push_back(std::move(mail));
  }

  /// Records outcomes again, and lets the outbox return the other mails again: a few of them, and only while
  /// no other mail waits, so that they delay none.
  void retry_set_aside() {
    std::size_t retries = 0;
    std::erase_if(set_aside_, [&, now = clock::now()](const mail_set_aside& mail) {
      const bool is_outdated = mail.outcome && !mail.outcome->sent_at && !setup_.lease->holds();
      const bool is_due = due_.empty() && now >= mail.retry_at && ++retries <= max_retries_per_interval;
      if (!is_outdated && !is_due) return false;
      if (mail.outcome && !is_outdated)
        commit_.add(*mail.outcome, {});
      else
        forget(mail.ids);
      return true;
    });
  }

  void forget(const std::vector<domain::uuid>& ids) {
    for (const auto& id : ids) in_progress_.erase(id);
  }

  void drop_due() {
    for (const auto& mail : due_) forget(mail.ids);
    due_.clear();
  }

  store::mail_attempt success(const store::due_mail& mail) const {
    attempt_counter("sent").increment();
    log::info("mail_sent", {{"mail_id", domain::to_string(mail.mail.id)},
                            {"attempts", mail.attempts + 1},
                            {"gathered", mail.parts.empty() ? 0 : mail.ids.size()}});
    return {.ids = mail.ids, .sent_at = setup_.now()};
  }

  store::mail_attempt failure(const store::due_mail& mail, const mail::send_failed& failed) const {
    attempt_counter("failed").increment();
    const auto now = setup_.now();
    const auto deliveries = mail.possible_deliveries + (failed.possibly_delivered ? 1 : 0);
    const auto over = failed.permanent || deliveries >= store::max_possible_deliveries;
    const auto wait = over ? std::nullopt : mail::retry_after(mail.attempts + 1);
    store::mail_attempt outcome{.ids = mail.ids,
                                .failed_attempts = mail.attempts + 1,
                                .possible_deliveries = deliveries,
                                .error_class = failed.error_class};
    if (wait) {
      outcome.next_attempt_at = now + *wait;
    } else {
      outcome.given_up_at = now;
      attempt_counter("given_up").increment();
    }
    log::warn("mail_failed",
              {{"mail_id", domain::to_string(mail.mail.id)},
               {"reason", failed.error_class},
               {"attempts", mail.attempts + 1},
               {"next_attempt", wait ? domain::to_string(*outcome.next_attempt_at) : "never"}});
    return outcome;
  }

  /// Pauses until the next interval after a failure of the store, even if send_due_mail arrives before.
  void pause() {
    pausing_ = true;
    more_ = false;
    busy_ = false;
    drop_due();
  }

  void finish_if_idle() {
    if (!pausing_ && !setup_.lease->holds()) drop_due();
    if (due_.empty() && !busy_ && std::exchange(more_, false)) self_->send(self_, send_due_mail{});
  }

  void respond_if_stopped() {
    const bool is_recording = commit_.size() > 0 && !recording_paused_;
    if (!deliveries_.empty() || is_recording) return;
    for (auto& promise : std::exchange(stop_promises_, {}))
      static_cast<caf::response_promise&>(promise).deliver(caf::unit);
  }

  metrics::counter attempt_counter(const char* outcome) const {
    return setup_.registry->counter("roost_mails_total", "Mails by outcome of an attempt",
                                    {{"outcome", outcome}});
  }

  runtime* runtime_ = nullptr;
  mailer_setup setup_;
  std::optional<metrics::gauge> pending_;
  std::deque<store::due_mail> due_;
  std::vector<delivery> deliveries_; ///< those in progress
  std::vector<mail_sender> idle_;
  outcome_commit commit_;
  bool recording_paused_ = false; ///< until the next interval or the end of a delivery
  std::vector<mail_set_aside> set_aside_;
  /// All mails that were read and whose outcomes are not recorded: the outbox still returns them.
  std::unordered_set<domain::uuid, domain::uuid_hash> in_progress_;
  bool busy_ = false, more_ = false, pausing_ = false, stopping_ = false, deleting_ = false;
  std::vector<caf::typed_response_promise<void>> stop_promises_;
  clock::time_point delete_at_{};
};

} // namespace

mailer spawn_mailer(runtime& rt, mailer_setup setup) {
  return rt.spawn_detached<mailer_state>(&rt, std::move(setup));
}

} // namespace roost::actors
