#pragma once

#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/storage.hpp"
#include "actors/sessions/password_hasher.hpp"
#include "domain/email_address.hpp"
#include "security/live_keys.hpp"
#include "store/sessions/sign_ins.hpp"

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace roost::actors {

/// Queues of jobs by budget. Each queue runs one job at a time, in order of arrival. Not thread-safe.
class sign_in_queues {
public:
  using job = std::function<void()>;

  /// Runs the job now, or when the earlier ones are done. Returns false if the queue of this budget is full.
  bool add(const std::string& budget, job begin) {
    const auto [at, was_idle] = queues_.try_emplace(budget);
    if (was_idle) {
      begin();
      return true;
    }
    if (at->second.size() >= max_waiting) return false;
    at->second.push_back(std::move(begin));
    return true;
  }

  /// Ends the running job and starts the next one.
  void done(const std::string& budget) {
    const auto at = queues_.find(budget);
    if (at == queues_.end()) return;
    if (at->second.empty()) {
      queues_.erase(at);
      return;
    }
    const auto next = std::move(at->second.front());
    at->second.pop_front();
    next();
  }

private:
  static constexpr std::size_t max_waiting = 64;

  std::unordered_map<std::string, std::deque<job>> queues_;
};

/// The time limit of each step of a sign-in.
inline constexpr std::chrono::seconds sign_in_timeout{10};

/// Returns the budget for wrong passwords that anyone may enter for an address.
inline std::string address_budget(std::string_view email) {
  return security::key_hash(domain::email_key(email));
}
/// Returns the budget of a user who is signed in and enters the old password.
inline std::string user_budget(const domain::uuid& user) {
  return security::key_hash("user " + domain::to_string(user));
}
/// Returns the budget of a remembered browser.
inline std::string browser_budget(std::string_view token) {
  return security::key_hash("browser " + std::string(token));
}
/// Returns the budgets that a new password clears. Those of browsers end with it, because it forgets them.
inline std::vector<std::string> budgets_of(const store::sign_in_user& user) {
  return {address_budget(user.email), user_budget(user.id)};
}

/// A password to be checked. Exactly one of the functions is called, once.
struct password_attempt {
  std::string email, password;
  std::string remembered_token; ///< of the browser's cookie, which may be invalid; empty: none
  /// Set if the user is signed in. Strangers who use up the address's budget must not lock out the owner, so
  /// signed-in users and remembered browsers have their own.
  std::optional<domain::uuid> signed_in_user;
  std::string budget; ///< set by the gate: wrong passwords are counted by it, and its attempts form a queue
  /// Called with the user if the password is correct. It must eventually leave the gate.
  std::function<void(const store::sign_in_user&)> right;
  std::function<void()> wrong;
  std::function<void(store::rate_limited)> rate_limited;
  std::function<void(caf::error)> failed;
};

/// The dependencies and limits of a password_gate.
struct password_gate_setup {
  storage_actor storage;
  std::shared_ptr<const held_lease> lease;
  password_hasher hasher;
  domain::sign_in_limits limits;
  wall_clock now;
  std::function<domain::uuid()> new_id;
};

/// Checks passwords, those of one budget one after another; part of an actor. A wrong password is counted
/// before the client gets a response.
template <typename Self>
class password_gate {
public:
  using attempt_pointer = std::shared_ptr<password_attempt>;

  /// Both arguments must outlive the gate.
  password_gate(Self* self, const password_gate_setup& setup) : self_(self), setup_(setup) {}

  void enter(const attempt_pointer& attempt) {
    attempt->budget =
        attempt->signed_in_user ? user_budget(*attempt->signed_in_user) : address_budget(attempt->email);
    if (attempt->remembered_token.empty()) return queue(attempt);
    in_storage(
        self_, setup_.storage, "is_remembered_browser",
        [attempt, now = setup_.now()](store::session& db) {
          return store::is_remembered_browser(db, attempt->email,
                                              security::key_hash(attempt->remembered_token), now);
        },
        [this, attempt](bool is_remembered) {
          if (is_remembered) attempt->budget = browser_budget(attempt->remembered_token);
          queue(attempt);
        },
        [attempt](storage_error error) { attempt->failed(make_error(error)); },
        deadline::in(sign_in_timeout));
  }

  /// Ends an attempt with a correct password, so that the next one in the queue can start.
  void leave(const std::string& budget) { queues_.done(budget); }

private:
  void queue(const attempt_pointer& attempt) {
    if (!queues_.add(attempt->budget, [this, attempt] { look_up(attempt); }))
      attempt->failed(make_error(storage_error::unavailable));
  }

  /// Reports the result and starts the next attempt in the queue.
  void finish(const attempt_pointer& attempt, const std::function<void()>& report) {
    report();
    queues_.done(attempt->budget);
  }

  void fail(const attempt_pointer& attempt, caf::error error) {
    finish(attempt, [&] { attempt->failed(std::move(error)); });
  }

  void look_up(const attempt_pointer& attempt) {
    in_storage(
        self_, setup_.storage, "read_sign_in",
        [attempt, lease = setup_.lease->current(), now = setup_.now(),
         limits = setup_.limits](store::session& db) {
          return store::read_sign_in(db, lease, attempt->email, attempt->budget, now, limits);
        },
        [this, attempt](store::sign_in_facts facts) {
          if (facts.wrong_passwords)
            return finish(attempt, [&] { attempt->rate_limited(*facts.wrong_passwords); });
          verify(attempt, std::move(facts.user));
        },
        [this, attempt](storage_error error) { fail(attempt, make_error(error)); },
        deadline::in(sign_in_timeout));
  }

  /// Does the same work whether or not the user exists, so that timing does not reveal it.
  void verify(const attempt_pointer& attempt, std::optional<store::sign_in_user> user) {
    auto encoded = user ? user->password_hash : std::nullopt;
    self_
        ->request(setup_.hasher, caf::infinite,
                  verify_password{attempt->password, std::move(encoded), deadline::in(sign_in_timeout)})
        .then(
            [this, attempt, user = std::move(user)](bool matches) {
              if (matches)
                attempt->right(*user);
              else
                record_wrong(attempt);
            },
            [this, attempt](caf::error& error) { fail(attempt, std::move(error)); });
  }

  void record_wrong(const attempt_pointer& attempt) {
    const auto lease = setup_.lease->current();
    if (!lease) return fail(attempt, make_error(storage_error::lease_lost));
    in_storage(
        self_, setup_.storage, "record_wrong_password",
        [attempt, lease = *lease, id = setup_.new_id(), now = setup_.now()](store::session& db) {
          store::record_wrong_password(db, lease, id, attempt->budget, now);
        },
        [this, attempt] { finish(attempt, attempt->wrong); },
        [this, attempt](storage_error error) { fail(attempt, make_error(error)); },
        deadline::in(sign_in_timeout));
  }

  Self* self_;
  const password_gate_setup& setup_;
  sign_in_queues queues_;
};

} // namespace roost::actors
