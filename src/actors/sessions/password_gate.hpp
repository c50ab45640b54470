#pragma once

#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/storage.hpp"
#include "actors/sessions/password_hasher.hpp"
#include "domain/text.hpp"
#include "security/live_keys.hpp"
#include "store/sessions/sign_ins.hpp"

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

namespace roost::actors {

/// Work in lines, one for each address: one piece of a line at a time, in the order in which they came.
class sign_in_lines {
public:
  using work = std::function<void()>;

  /// Runs it now, or when those before it are done. False: too many of this address wait already.
  bool add(const std::string& address, work begin) {
    const auto [at, is_free] = lines_.try_emplace(address);
    if (is_free) {
      begin();
      return true;
    }
    if (at->second.size() >= longest_line) return false;
    at->second.push_back(std::move(begin));
    return true;
  }

  /// The piece under way is done.
  void done(const std::string& address) {
    const auto at = lines_.find(address);
    if (at == lines_.end()) return;
    if (at->second.empty()) {
      lines_.erase(at);
      return;
    }
    const auto next = std::move(at->second.front());
    at->second.pop_front();
    next();
  }

private:
  static constexpr std::size_t longest_line = 64;

  std::unordered_map<std::string, std::deque<work>> lines_;
};

/// How long a step of signing in is waited for.
inline constexpr std::chrono::seconds sign_in_patience{10};

/// A password that is being checked. One of the functions is called, once.
struct password_try {
  std::string email, password;
  std::string line;         ///< whose turn it is: the address, whatever its letter case
  std::string address_hash; ///< by which wrong passwords are counted
  /// With the user whose password it is. Whoever is called leaves the gate in the end.
  std::function<void(const store::sign_in_user&)> right;
  std::function<void()> wrong;
  std::function<void(store::rate_limited)> too_many;
  std::function<void(caf::error)> failed;
};

/// What passwords are tried with.
struct password_gate_setup {
  storage_actor storage;
  std::shared_ptr<const held_lease> lease;
  password_hasher hasher;
  store::sign_in_limits limits;
  wall_clock now;
  std::function<domain::uuid()> new_id;
};

/// Lets passwords be tried, those of one address one after the other; a part of an actor. A wrong one is
/// counted before anybody is told.
template <typename Self>
class password_gate {
public:
  using try_pointer = std::shared_ptr<password_try>;

  /// Both must outlive it.
  password_gate(Self* self, const password_gate_setup& setup) : self_(self), setup_(setup) {}

  void enter(try_pointer attempt) {
    attempt->line = domain::folded_case(attempt->email);
    attempt->address_hash = security::key_hash(attempt->line);
    if (!lines_.add(attempt->line, [this, attempt] { look_up(attempt); }))
      attempt->failed(make_error(storage_error::unavailable));
  }

  /// After a right password: the next one of the line may be tried.
  void leave(const std::string& line) { lines_.done(line); }

private:
  /// The line's turn is over, without anything more to do.
  void finish(const try_pointer& attempt, const std::function<void()>& tell_it) {
    tell_it();
    lines_.done(attempt->line);
  }

  void fail(const try_pointer& attempt, caf::error why) {
    finish(attempt, [&] { attempt->failed(std::move(why)); });
  }

  void look_up(const try_pointer& attempt) {
    in_storage(
        self_, setup_.storage, "read_sign_in",
        [attempt, now = setup_.now(), limits = setup_.limits](store::session& db) {
          return store::read_sign_in(db, attempt->email, attempt->address_hash, now, limits);
        },
        [this, attempt](store::sign_in_facts facts) {
          if (facts.wrong_passwords)
            return finish(attempt, [&] { attempt->too_many(*facts.wrong_passwords); });
          verify(attempt, std::move(facts.user));
        },
        [this, attempt](storage_error why) { fail(attempt, make_error(why)); },
        deadline::in(sign_in_patience));
  }

  /// The same work whether or not there is such a user.
  void verify(const try_pointer& attempt, std::optional<store::sign_in_user> user) {
    auto encoded = user ? user->password_hash : std::nullopt;
    self_
        ->request(setup_.hasher, caf::infinite,
                  verify_password{attempt->password, std::move(encoded), deadline::in(sign_in_patience)})
        .then(
            [this, attempt, user = std::move(user)](bool matches) {
              if (matches)
                attempt->right(*user);
              else
                record_wrong(attempt);
            },
            [this, attempt](caf::error& why) { fail(attempt, std::move(why)); });
  }

  void record_wrong(const try_pointer& attempt) {
    const auto lease = setup_.lease->current();
    if (!lease) return fail(attempt, make_error(storage_error::lease_lost));
    in_storage(
        self_, setup_.storage, "record_wrong_password",
        [attempt, lease = *lease, id = setup_.new_id(), now = setup_.now()](store::session& db) {
          store::record_wrong_password(db, lease, id, attempt->address_hash, now);
        },
        [this, attempt] { finish(attempt, attempt->wrong); },
        [this, attempt](storage_error why) { fail(attempt, make_error(why)); },
        deadline::in(sign_in_patience));
  }

  Self* self_;
  const password_gate_setup& setup_;
  sign_in_lines lines_;
};

} // namespace roost::actors
