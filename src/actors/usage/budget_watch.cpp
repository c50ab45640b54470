#include "actors/usage/budget_watch.hpp"

#include "log/log.hpp"

#include <utility>

namespace roost::actors {

namespace {

class budget_watch_state : public actor_state<budget_watch> {
public:
  static constexpr const char* name = "budget_watch";
  using actor_state::actor_state;

  behavior open(budget_watch_setup setup) {
    setup_ = std::move(setup);
    if (!setup_.on_hold) self_->send(self_, check_budgets{});
    return {[this](const check_budgets&) { check(); }};
  }

private:
  /// Runs one check at a time, so that they do not pile up while the store is down.
  void check() {
    const auto lease = setup_.lease->current();
    if (!lease) return wait();
    const auto now = setup_.now();
    in_storage(
        self_, setup_.storage, "warn_of_budgets",
        [lease = *lease, now, roles = setup_.roles, mail = setup_.mail](store::session& db) {
          const auto mail_now = [&](const auto& warning, const auto& user) {
            return mail(warning, user, now);
          };
          return store::warn_of_budgets(db, lease, {now, roles, mail_now});
        },
        [this](const std::vector<store::budget_warning>& warnings) {
          for (const auto& each : warnings) report(each);
          if (!warnings.empty()) self_->send(setup_.mailer, send_due_mail{});
          wait();
        },
        [this](storage_error) { wait(); });
  }

  static void report(const store::budget_warning& warning) {
    log::info("ai_budget_reached", {{"account", domain::to_string(warning.account_id)},
                                    {"month", domain::to_string(warning.month)},
                                    {"percent", warning.thresholds.back()},
                                    {"mails", warning.mails}});
  }

  void wait() { self_->delayed_send(self_, setup_.interval, check_budgets{}); }

  budget_watch_setup setup_;
};

} // namespace

budget_watch spawn_budget_watch(runtime& rt, budget_watch_setup setup) {
  return rt.spawn_at<budget_watch_state>(0, std::move(setup));
}

} // namespace roost::actors
