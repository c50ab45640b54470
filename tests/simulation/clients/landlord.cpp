#include "simulation/clients/landlord.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace roost::testing {

namespace {

using namespace std::chrono_literals;

/// The number of recent sessions to check again: enough to include some that have ended.
constexpr std::size_t recent_sessions = 10;
constexpr unsigned usage_per_page = 20;
constexpr std::size_t id_size = 36;

} // namespace

landlord::landlord(history& in, std::string name, std::shared_ptr<known_user> user)
    : user_client(in, std::move(name), std::move(user)), mistake_percent_(chance(30) ? 40 : 8) {}

client_task<> landlord::run() {
  while (!history_.is_completing()) {
    co_await wait(between(1ms, 800ms));
    if (session_)
      co_await act_once();
    else
      session_ = co_await sign_in(mistake_percent_);
  }
  if (--user_->clients == 0) co_await check_everything();
}

void landlord::forget() {
  user_client::forget();
  session_.reset();
}

client_task<> landlord::act_once() {
  const auto choice = random_index(100);
  if (choice < 40) {
    // Another client may have ended this session, or may have one that this client has ended.
    const auto count = std::min(user_->sessions.size(), recent_sessions);
    const auto chosen =
        chance(50) ? session_ : user_->sessions[user_->sessions.size() - 1 - random_index(count)];
    const bool is_live = co_await use(chosen);
    if (chosen == session_ && !is_live && user_->may_have_ended(*session_)) session_.reset();
  } else if (choice < 45) {
    co_await list_usage();
  } else if (choice < 62) {
    co_await refresh(session_);
  } else if (choice < 82) {
    co_await list_sessions();
  } else if (choice < 92) {
    co_await sign_out();
  } else if (!user_->is_changing()) {
    co_await change_password();
  }
}

client_task<> landlord::sign_out() {
  const auto leaving = std::exchange(session_, nullptr);
  leaving->may_have_ended = true;
  auto call = leaving->browser.post_form("/auth/logout", {});
  const auto response = co_await ask("to sign out", std::move(call));
  if (response.status == 200) leaving->has_ended = true;
}

client_task<> landlord::change_password() {
  const auto& possible = user_->possible_passwords();
  const auto old_password = chance(20) ? "invented" : *possible.begin();
  const auto new_password = "password-" + std::to_string(history_.random() % 1'000'000'000);
  const bool had_ended = user_->has_ended(*session_);
  const auto sent = user_->current_state();
  const auto number = user_->begin_change(new_password);
  auto call = session_->browser.post_json("/auth/password", R"({"oldPassword":)" + json_string(old_password) +
                                                                R"(,"newPassword":)" +
                                                                json_string(new_password) + "}");
  call.fields.emplace_back("Authorization", "Bearer " + session_->access_token);
  const auto response =
      co_await ask("to change the password to " + new_password, std::move(call), user_->end_of_change());
  if (response.status == 200) {
    check_accepted(*session_, had_ended, "a change of the password");
    if (sent.replaced.contains(old_password) || old_password == "invented")
      fail("changed the password with a wrong one");
    user_->acknowledge_change(number, new_password);
    session_.reset();
  } else if (response.status == 401 || response.status == 429) {
    user_->refuse_change(new_password);
    const bool is_wrong = response.body.find("Invalid credentials") != std::string::npos;
    if (response.status == 401 && !is_wrong) check_rejected(*session_, "a change of the password");
    if (!is_wrong) co_return;
    if (user_->possible_passwords() == std::set<std::string>{old_password})
      fail("could not change the password with the correct one");
  } else if (response.status != 0 && response.status != 503) {
    fail("got an unexpected response to a change of the password: " + response.body);
  }
}

/// Reads all pages of AI usage. While records are added, pages may repeat some, but omit none.
client_task<> landlord::list_usage() {
  const auto here = session_;
  const auto known = user_->shown_usage;
  std::set<std::string> shown;
  for (unsigned page = 1, on_page = usage_per_page; on_page == usage_per_page; ++page) {
    auto call = here->browser.get("/ai-usage?limit=" + std::to_string(usage_per_page) +
                                  "&page=" + std::to_string(page));
    call.fields.emplace_back("Authorization", "Bearer " + here->access_token);
    const auto response = co_await ask("for a page of AI usage", std::move(call));
    if (response.status != 200) co_return;
    on_page = 0;
    constexpr std::string_view begin = R"({"id":")";
    for (auto at = response.body.find(begin); at != std::string::npos;
         at = response.body.find(begin, at + 1)) {
      shown.insert(response.body.substr(at + begin.size(), id_size));
      ++on_page;
    }
  }
  for (const auto& id : known)
    if (!shown.contains(id)) fail("the pages of AI usage omit the record " + id);
  user_->shown_usage.merge(shown);
}

/// Opens the account page, and sometimes ends one of the sessions there.
client_task<> landlord::list_sessions() {
  const auto here = session_;
  const bool had_ended = user_->has_ended(*here);
  const auto known = user_->sessions;
  auto ended = known;
  std::erase_if(ended, [&](const auto& each) { return !user_->has_ended(*each); });
  auto call = here->browser.get("/account");
  const auto response = co_await ask("for the account page", std::move(call));
  if (response.status == 303 && !here->refreshing_since) check_rejected(*here, "the account page");
  if (response.status != 200) co_return;
  check_accepted(*here, had_ended, "the account page");
  here->browser.store_cookies(response);
  check_list(response.body, known, ended);
  if (chance(40)) co_await end_session(hidden_field(response.body, "form"));
}

/// Checks that the page lists every session that cannot have ended, and none that had ended before.
void landlord::check_list(const std::string& page, const std::vector<session_pointer>& known,
                          const std::vector<session_pointer>& ended) const {
  const auto is_listed = [&](const known_session& session) {
    return page.find("/account/sessions/" + session.id + "/end") != std::string::npos;
  };
  for (const auto& each : ended)
    if (is_listed(*each)) fail("the account page lists the ended session " + each->id);
  for (const auto& each : known)
    if (!user_->may_have_ended(*each) && !is_listed(*each))
      fail("the account page does not list the session " + each->id);
}

client_task<> landlord::end_session(std::string form) {
  const auto count = std::min(user_->sessions.size(), recent_sessions);
  const auto chosen = user_->sessions[user_->sessions.size() - 1 - random_index(count)];
  chosen->may_have_ended = true;
  auto call = session_->browser.post_form("/account/sessions/" + chosen->id + "/end", {{"form", form}});
  const auto response = co_await ask("to end the session " + chosen->id, std::move(call));
  const auto place = field_of(response, "Location");
  if (response.status == 303 && place.find("notice=") != std::string::npos) chosen->has_ended = true;
  if (chosen->has_ended && chosen == session_) session_.reset();
}

/// Checks, once faults have ended, that all sessions are as the clients know them, and that the user can sign
/// in.
client_task<> landlord::check_everything() {
  while (user_->is_changing()) co_await wait(100ms);
  const auto sessions = user_->sessions;
  for (const auto& each : sessions) {
    const bool has_ended = user_->has_ended(*each), may_have_ended = user_->may_have_ended(*each);
    if (latest() > each->issued_at + token_lifetime || (may_have_ended && !has_ended)) continue;
    auto call = each->browser.get("/auth/me");
    call.fields.emplace_back("Authorization", "Bearer " + each->access_token);
    const auto response = co_await ask_until_served("who it is, at the end", std::move(call));
    if (!has_ended && user_->may_have_ended(*each)) continue; // meanwhile
    if ((response.status == 200) == has_ended)
      fail("the session " + each->id + (has_ended ? " has not ended" : " has ended"));
  }
  for (int attempts = 0; attempts < 20; ++attempts) {
    const auto session = co_await sign_in(0);
    bool is_live = false;
    if (session) is_live = co_await use(session);
    if (is_live) session_ = session;
    if (is_live) co_await list_usage();
    if (is_live || user_->may_exceed_code_limit() || user_->may_exceed_password_limit()) co_return;
    co_await wait(500ms);
  }
  fail("cannot sign in, although nothing fails any more");
}

} // namespace roost::testing
