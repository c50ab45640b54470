#include "actors/mailing/mailer.hpp"

#include "log/log.hpp"
#include "mail/notices.hpp"
#include "mail/transport.hpp"
#include "store/messages/outbox.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <deque>

namespace roost::actors {

namespace {

constexpr std::size_t mails_at_once = 100;
constexpr std::chrono::milliseconds longest_unrecorded{50};
constexpr std::size_t mails_to_forget = 1'000;
constexpr std::chrono::minutes forget_interval{10};

class mailer_state {
public:
  static constexpr const char* name = "mailer";
  using self_pointer = mailer::stateful_pointer<mailer_state>;

  void open(self_pointer self, mailer_setup setup) {
    self_ = self;
    setup_ = std::move(setup);
    pending_ = setup_.registry->gauge("roost_outbox_pending", "Mails that wait to be sent");
    for (const auto* outcome : {"sent", "failed", "given_up"})
      attempts(outcome); // they exist from the beginning
    wait();
  }

  /// One interval at a time, however often somebody else says that there is mail.
  void wait() { self_->delayed_send(self_, setup_.interval, outbox_interval_over{}); }

  void interval_over() {
    wait();
    pausing_ = false;
    look();
    forget_old();
  }

  void look() {
    if (busy_) {
      more_ = true; // perhaps too new for the look under way
      return;
    }
    if (!setup_.lease->holds()) pending_->set(0); // the writer tells how many there are
    if (pausing_ || setup_.on_hold || !setup_.lease->holds()) return;
    busy_ = true;
    if (unrecorded_.empty()) return read_due();
    more_ = true;
    record();
  }

private:
  void forget_old() {
    const auto lease = setup_.lease->current();
    if (setup_.on_hold || !lease || forgetting_ || std::chrono::steady_clock::now() < forget_at_) return;
    forgetting_ = true;
    in_storage(
        self_, setup_.storage, "forget_mails",
        [lease = *lease, before = setup_.now() - setup_.keep](store::session& db) {
          return store::delete_old_mails(db, lease, before, mails_to_forget);
        },
        [this](std::int64_t forgotten) { forgot(static_cast<std::size_t>(forgotten)); },
        [this](storage_error) { forgot(0); });
  }

  void forgot(std::size_t mails) {
    forgetting_ = false;
    if (mails > 0) log::info("mails_deleted", {{"mails", mails}});
    if (mails < mails_to_forget) forget_at_ = std::chrono::steady_clock::now() + forget_interval;
  }

  void read_due() {
    in_storage(
        self_, setup_.storage, "due_mails",
        [now = setup_.now(), pending = *pending_](store::session& db) {
          pending.set(static_cast<double>(store::pending_mail_count(db, now)));
          return store::due_mails(db, now, mails_at_once);
        },
        [this](std::vector<store::due_mail>& due) {
          due_.assign(std::make_move_iterator(due.begin()), std::make_move_iterator(due.end()));
          more_ |= due_.size() == mails_at_once;
          send_due();
        },
        [this](storage_error) { pause(); });
  }

  /// What was sent and not yet written down is sent again after a crash, so it is a moment's mail at most.
  void send_due() {
    if (due_.empty() || !setup_.lease->holds()) return finish();
    unrecorded_ = settled(send_some());
    record();
  }

  /// Nothing more is sent until it is written down what was: while the store refuses that, the outbox would
  /// give the same mails again.
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
    std::vector<attempt> made;
    const auto until = std::chrono::steady_clock::now() + longest_unrecorded;
    do {
      auto& next = made.emplace_back(attempt{std::move(due_.front()), {}});
      due_.pop_front();
      next.failed = failure_of([&] { setup_.transport->send(to_send(next.mail)); });
    } while (!due_.empty() && std::chrono::steady_clock::now() < until);
    return made;
  }

  /// What cannot be settled was not sent.
  std::vector<store::mail_attempt> settled(const std::vector<attempt>& made) const {
    const auto lost = failure_of([&] { setup_.transport->settle(); });
    const auto now = setup_.now();
    std::vector<store::mail_attempt> outcomes;
    for (const auto& each : made) {
      const auto& failed = each.failed ? each.failed : lost;
      outcomes.push_back(failed ? failure(each.mail, *failed) : success(each.mail, now));
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
    attempts("sent").increment();
    log::info("mail_sent", {{"mail_id", domain::to_string(mail.mail.id)},
                            {"attempts", mail.attempts + 1},
                            {"gathered", mail.parts.empty() ? 0 : mail.ids.size()}});
    return {.ids = mail.ids, .sent_at = now};
  }

  store::mail_attempt failure(const store::due_mail& mail, const mail::send_failed& failed) const {
    attempts("failed").increment();
    const auto now = setup_.now();
    const auto wait = failed.permanent ? std::nullopt : mail::retry_after(mail.attempts + 1);
    store::mail_attempt outcome{
        .ids = mail.ids, .failed_attempts = mail.attempts + 1, .error_class = failed.error_class};
    if (wait) {
      outcome.next_attempt_at = now + *wait;
    } else {
      outcome.given_up_at = now;
      attempts("given_up").increment();
    }
    log::warn("mail_failed",
              {{"mail_id", domain::to_string(mail.mail.id)},
               {"reason", failed.error_class},
               {"attempts", mail.attempts + 1},
               {"next_attempt", wait ? domain::to_string(*outcome.next_attempt_at) : "never"}});
    return outcome;
  }

  /// The store does not take or give what it should: the next try is the interval's, whoever asks before.
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

  metrics::counter attempts(const char* outcome) const {
    return setup_.registry->counter("roost_mails_total", "Mails by outcome of an attempt",
                                    {{"outcome", outcome}});
  }

  self_pointer self_ = nullptr;
  mailer_setup setup_;
  std::optional<metrics::gauge> pending_;
  std::deque<store::due_mail> due_;
  std::vector<store::mail_attempt> unrecorded_; ///< made, and not known to be written down
  bool busy_ = false, more_ = false, pausing_ = false, forgetting_ = false;
  std::chrono::steady_clock::time_point forget_at_{};
};

mailer::behavior_type mailer_behavior(mailer::stateful_pointer<mailer_state> self, mailer_setup setup) {
  auto& state = self->state;
  state.open(self, std::move(setup));
  return {
      [&state](const send_due_mail&) { state.look(); },
      [&state](const outbox_interval_over&) { state.interval_over(); },
  };
}

} // namespace

mailer spawn_mailer(runtime& rt, mailer_setup setup) {
  return rt.spawn_detached(mailer_behavior, std::move(setup));
}

} // namespace roost::actors
