#pragma once

#include "actors/sessions/sign_in.hpp"
#include "actors/sessions/sign_in_lines.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace roost::actors {

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
  std::function<void(store::too_many)> too_many;
  std::function<void(caf::error)> failed;
};

/// Lets passwords be tried, those of one address one after the other; a part of the actor sign_in. A wrong
/// one is counted before anybody is told.
class password_gate {
public:
  using try_pointer = std::shared_ptr<password_try>;

  /// Both must outlive it.
  password_gate(sign_in::pointer self, const sign_in_setup& setup) : self_(self), setup_(setup) {}

  void enter(try_pointer attempt);
  /// After a right password: the next one of the line may be tried.
  void leave(const std::string& line) { lines_.done(line); }

private:
  void finish(const try_pointer& attempt, const std::function<void()>& tell_it);
  void fail(const try_pointer& attempt, caf::error why);
  void look_up(const try_pointer& attempt);
  void verify(const try_pointer& attempt, std::optional<store::sign_in_user> user);
  void record_wrong(const try_pointer& attempt);

  sign_in::pointer self_;
  const sign_in_setup& setup_;
  sign_in_lines lines_;
};

} // namespace roost::actors
