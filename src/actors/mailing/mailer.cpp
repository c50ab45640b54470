#include "actors/mailing/mailer.hpp"

#include "log/log.hpp"
#include "mail/notices.hpp"
#include "store/messages/messages.hpp"

#include <deque>

namespace roost::actors {

namespace {

constexpr std::size_t max_due_mails = 100;
constexpr std::chrono::milliseconds max_unrecorded_time{50};
constexpr std::size_t max_deleted_mails = 1'000;
constexpr std::chrono::minutes cleanup_interval{10};

class mailer_state : public actor_state<mailer> {
public:
  static constexpr const char* name = "mailer";
  using actor_state::actor_state;

  behavior open(mailer_setup setup) {
    setup_ = std::move(setup);
    pending_ = setup_.registry->gauge("roost_outbox_pending", "Mails waiting to be sent");
    for (const auto* outcome : {"sent", "failed", "given_up"})
      attempt_counter(outcome); // create the counters at startup
    wait();
    return {[this](const send_due_mail&) { check_outbox(); },
            [this](const outbox_interval_over&) { interval_over(); }};
  }

  /// Starts one interval, independently of send_due_mail messages.
  void wait() { self_->delayed_send(self_, setup_.interval, outbox_interval_over{}); }

  void interval_over() {
    wait();
    pausing_ = false;
    check_outbox();
    delete_old();
  }

  void check_outbox() {
    if (busy_) {
      more_ = true; // may have been added after the current check began
      return;
    }
    if (!setup_.lease->holds()) pending_->set(0); // the server that holds the lease reports the number
    if (pausing_ || setup_.on_hold || !setup_.lease->holds()) return;
    busy_ = true;
    if (unrecorded_.empty()) return read_due();
    more_ = true;
    record();
  }

private:
  void delete_old() {
    const auto lease = setup_.lease->current();
    if (setup_.on_hold || !lease || deleting_ || std::chrono::steady_clock::now() < delete_at_) return;
    deleting_ = true;
    in_storage(
        self_, setup_.storage, "forget_mails",
        [lease = *lease, before = setup_.now() - setup_.keep](store::session& db) {
          return store::delete_old_mails(db, lease, before, max_deleted_mails);
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
    in_storage(
        self_, setup_.storage, "due_mails",
        [now = setup_.now(), pending = *pending_](store::session& db) {
          pending.set(static_cast<double>(store::pending_mail_count(db, now)));
          return store::due_mails(db, now, max_due_mails);
        },
        [this](std::vector<store::due_mail>& due) {
          due_.assign(std::make_move_iterator(due.begin()), std::make_move_iterator(due.end()));
          more_ |= due_.size() == max_due_mails;
          send_due();
        },
        [this](storage_error) { pause(); });
  }

  /// Sends mail for a short time only before recording it: unrecorded mail is sent again after a crash.
  void send_due() {
    if (due_.empty() || !setup_.lease->holds()) return finish();
    unrecorded_ = settled(send_some());
    record();
  }

  /// Records the attempts before anything else is sent: otherwise the outbox would return the same mails
  /// again.
  void record() {
    const auto lease = setup_.lease->current();
    if (!lease) return finish();
    in_storage(
        self_, setup_.storage, "record_attempts",
        [lease = *lease, attempts = unrecorded_](store::session& db) {
          store::record_attempts(db, lease, attempts);
        },
        [this] {
          unrecorded_.clear();
          send_due();
        },
        [this](storage_error) { pause(); });
  }

  struct attempt {
    store::due_mail mail;
    std::optional<mail::send_failed> failed;
  };

  std::vector<attempt> send_some() {
    std::vector<attempt> attempts;
    const auto end = std::chrono::steady_clock::now() + max_unrecorded_time;
    do {
      auto& next = attempts.emplace_back(attempt{std::move(due_.front()), {}});
      due_.pop_front();
      next.failed = failure_of([&] { setup_.transport->send(to_send(next.mail)); });
    } while (!due_.empty() && std::chrono::steady_clock::now() < end);
    return attempts;
  }

  /// Returns the outcomes of the attempts. Mails that the transport cannot settle count as not sent.
  std::vector<store::mail_attempt> settled(const std::vector<attempt>& attempts) const {
    const auto settle_failure = failure_of([&] { setup_.transport->settle(); });
    const auto now = setup_.now();
    std::vector<store::mail_attempt> outcomes;
    for (const auto& entry : attempts) {
      const auto& failed = entry.failed ? entry.failed : settle_failure;
      outcomes.push_back(failed ? failure(entry.mail, *failed) : success(entry.mail, now));
    }
    return outcomes;
  }

  static domain::outgoing_mail to_send(const store::due_mail& due) {
    return due.parts.empty() ? due.mail : mail::gathered_refusals(due.parts, due.ids.size());
  }

  template <typename Action>
  static std::optional<mail::send_failed> failure_of(Action action) {
    try {
      action();
      return std::nullopt;
    } catch (const mail::send_failed& failed) {
      return failed;
    } catch (const std::exception&) {
      return mail::send_failed{"unexpected", false};
    }
  }

  store::mail_attempt success(const store::due_mail& mail, domain::timestamp now) const {
    attempt_counter("sent").increment();
    log::info("mail_sent", {{"mail_id", domain::to_string(mail.mail.id)},
                            {"attempts", mail.attempts + 1},
                            {"gathered", mail.parts.empty() ? 0 : mail.ids.size()}});
    return {.ids = mail.ids, .sent_at = now};
  }

  store::mail_attempt failure(const store::due_mail& mail, const mail::send_failed& failed) const {
    attempt_counter("failed").increment();
    const auto now = setup_.now();
    const auto wait = failed.permanent ? std::nullopt : mail::retry_after(mail.attempts + 1);
    store::mail_attempt outcome{
        .ids = mail.ids, .failed_attempts = mail.attempts + 1, .error_class = failed.error_class};
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
    finish();
  }

  void finish() {
    busy_ = false;
    due_.clear();
    if (std::exchange(more_, false)) self_->send(self_, send_due_mail{});
  }

  metrics::counter attempt_counter(const char* outcome) const {
    return setup_.registry->counter("roost_mails_total", "Mails by outcome of an attempt",
                                    {{"outcome", outcome}});
  }

  mailer_setup setup_;
  std::optional<metrics::gauge> pending_;
  std::deque<store::due_mail> due_;
  std::vector<store::mail_attempt> unrecorded_; ///< attempts that may not be recorded in the store
  bool busy_ = false, more_ = false, pausing_ = false, deleting_ = false;
  std::chrono::steady_clock::time_point delete_at_{};
};

} // namespace

mailer spawn_mailer(runtime& rt, mailer_setup setup) {
  return rt.spawn_detached<mailer_state>(std::move(setup));
}

} // namespace roost::actors
