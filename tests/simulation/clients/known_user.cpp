#include "simulation/clients/known_user.hpp"

#include <chrono>
#include <utility>

namespace roost::testing {

unsigned known_user::begin_change(const std::string& new_password) {
  is_changing_ = true;
  possible_.insert(new_password);
  return ++changes_sent_;
}

void known_user::acknowledge_change(unsigned number, const std::string& new_password) {
  acknowledged_through_ = number;
  for (const auto& each : possible_)
    if (each != new_password) replaced_.insert(each);
  possible_ = {new_password};
}

std::function<void()> known_user::end_of_change() {
  return [user = shared_from_this()] {
    user->is_changing_ = false;
    user->wrong_passwords_.clear(); // a new password clears the budget
  };
}

void known_user::accept_password(const std::string& password, const state& sent) {
  if (sent.replaced.contains(password)) throw contradiction(email + ": a replaced password was accepted");
  if (!possible_.contains(password) && !replaced_.contains(password))
    throw contradiction(email + ": a wrong password was accepted");
  if (!is_stable_since(sent) || possible_.size() == 1) return;
  for (const auto& each : possible_)
    if (each != password) replaced_.insert(each);
  possible_ = {password};
}

void known_user::reject_password(const std::string& password, const state& sent) {
  if (!is_stable_since(sent) || !possible_.contains(password)) return;
  if (possible_.size() == 1) throw contradiction(email + ": the correct password was rejected");
  possible_.erase(password);
  replaced_.insert(password);
}

void known_user::count_wrong_password(const state& sent, history::time_point latest) {
  if (!is_stable_since(sent)) return;        // a change may have cleared it
  constexpr std::chrono::minutes window{14}; // a minute less than the server's: responses take time
  std::erase_if(wrong_passwords_, [&](auto counted) { return counted < latest - window; });
  wrong_passwords_.push_back(latest);
  if (wrong_passwords_.size() > sign_in_budgets::wrong_passwords)
    throw contradiction(email + ": more wrong passwords were checked than the budget allows");
}

void known_user::forget(std::uint64_t generation) {
  if (std::exchange(generation_, generation) == generation) return;
  possible_.merge(replaced_);
  replaced_.clear();
  sessions.clear();
  connections.clear();
  shown_usage.clear();
  wrong_passwords_.clear();
}

std::shared_ptr<known_session> known_user::add_session(known_session added, const state& sent) {
  added.changes_before = changes_sent_;
  added.overlaps_change = !is_stable_since(sent);
  return sessions.emplace_back(std::make_shared<known_session>(std::move(added)));
}

} // namespace roost::testing
