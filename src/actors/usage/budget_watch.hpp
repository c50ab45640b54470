#pragma once

#include "actors/mailing/mailer.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/runtime.hpp"
#include "actors/runtime/storage.hpp"
#include "domain/booking.hpp"
#include "store/usage/ai_budgets.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace roost::actors {

/// Compares the costs of AI calls with the budgets.
struct check_budgets {};

/// Mails users when the costs of their account's AI calls reach a threshold of its budget. Looks into the
/// store at intervals, because records also come from commands and from servers that held the lease before,
/// and because budgets change. Only the holder of the lease mails.
using budget_watch = caf::typed_actor<caf::reacts_to<check_budgets>>;

struct budget_watch_setup {
  storage_actor storage;
  std::shared_ptr<const held_lease> lease;
  actors::mailer mailer;
  wall_clock now;
  std::vector<std::string> roles; ///< those whose users are mailed
  std::function<domain::outgoing_mail(const store::budget_warning&, const store::warned_user&,
                                      domain::timestamp now)>
      mail;
  bool on_hold = false; ///< checks nothing
  std::chrono::milliseconds interval{std::chrono::seconds{10}};
};

budget_watch spawn_budget_watch(runtime& rt, budget_watch_setup setup);

} // namespace roost::actors
