#include "simulation/clients/user_client.hpp"

#include <iterator>
#include <utility>

namespace roost::testing {

namespace {

using namespace std::chrono_literals;

constexpr auto code_patience = 20s; ///< how long a user waits for a mailed code
/// The grace period of replaced cookies.
constexpr auto refresh_grace = 30s;
constexpr const char* remembered_cookie = "roost_browser";

} // namespace

std::string session_id_of(const std::string& token) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const auto begin = token.find('.') + 1;
  std::string claims;
  unsigned bits = 0, count = 0;
  for (const char c : token.substr(begin, token.find('.', begin) - begin)) {
    bits = bits << 6U | static_cast<unsigned>(digits.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    claims += static_cast<char>(bits >> count & 0xffU);
  }
  return text_at({200, {}, claims}, "/sid");
}

void user_client::forget() {
  user_->forget(history_.generation());
  browser_ = simulated_browser(name());
  remembered_after_ = 0;
}

client_task<user_client::session_pointer> user_client::sign_in(unsigned mistake_percent) {
  const auto password = password_to_enter(mistake_percent);
  const auto sent = user_->current_state();
  const auto sent_at = latest();
  const auto mails_before = history_.mails().size();
  const bool is_remembered = !browser_.cookie(remembered_cookie).empty();
  const bool is_forgotten = sent.acknowledged_through > remembered_after_;
  ++user_->logins_sent;
  if (user_->possible_passwords().contains(password)) ++user_->codes_requested;
  browser_.forget_cookie(refresh_cookie);
  auto call = browser_.post_json("/auth/login", R"({"email":)" + json_string(user_->email) +
                                                    R"(,"password":)" + json_string(password) + "}");
  const auto response = co_await ask("to sign in with " + password, std::move(call));
  if (response.status == 401) {
    user_->reject_password(password, sent);
    if (!is_remembered) user_->count_wrong_password(sent, latest());
  } else if (response.status == 429) {
    const bool is_code_limit = response.body.find("codes") != std::string::npos;
    if (is_code_limit ? !user_->may_exceed_code_limit() : !user_->may_exceed_password_limit())
      fail("was refused before a budget was used up: " + response.body);
  } else if (response.status == 201) {
    user_->accept_password(password, sent);
    browser_.store_cookies(response);
    if (const auto token = text_at(response, "/challengeToken"); !token.empty()) {
      challenge opened{token, mails_before};
      auto session = co_await enter_codes(std::move(opened), mistake_percent);
      co_return session;
    }
    if (!is_remembered || is_forgotten) fail("signed in without a code");
    co_return started(response, sent, sent_at);
  } else if (response.status != 0 && response.status != 503) {
    fail("got an unexpected response to a login: " + response.body);
  }
  co_return nullptr;
}

/// Returns a password that may be valid, or at the given probability an old or invented one.
std::string user_client::password_to_enter(unsigned mistake_percent) {
  if (chance(mistake_percent)) {
    const auto replaced = user_->current_state().replaced;
    if (replaced.empty() || chance(50)) return "invented-" + std::to_string(random_index(1'000));
    return *std::next(replaced.begin(), static_cast<std::ptrdiff_t>(random_index(replaced.size())));
  }
  const auto& possible = user_->possible_passwords();
  return *std::next(possible.begin(), static_cast<std::ptrdiff_t>(random_index(possible.size())));
}

client_task<user_client::session_pointer> user_client::enter_codes(challenge opened,
                                                                   unsigned mistake_percent) {
  for (int attempts = 0; attempts < 8; ++attempts) {
    if (chance(mistake_percent / 2)) {
      const bool is_sent = co_await resend(opened);
      if (!is_sent) co_return nullptr;
    }
    while (chance(mistake_percent)) co_await enter_code(opened, "wrong", true);
    const auto code = co_await next_code(opened.mails_before);
    if (code.empty()) co_return nullptr;
    const auto session = co_await enter_code(opened, code, false);
    if (session && chance(20)) co_await enter_code(opened, code, true); // a code works once
    if (session) co_return session;
    co_await wait(between(1ms, 500ms));
  }
  co_return nullptr;
}

/// Waits for the next mail with a code for the user, which may belong to an older challenge.
client_task<std::string> user_client::next_code(std::size_t& mails_before) {
  constexpr std::string_view subject = " is your Roost sign-in code";
  const auto end = now() + code_patience;
  while (now() < end) {
    while (mails_before < history_.mails().size()) {
      const auto& mail = history_.mails()[mails_before++];
      if (mail.to == user_->email && mail.subject.ends_with(subject))
        co_return mail.subject.substr(0, mail.subject.size() - subject.size());
    }
    co_await wait(100ms);
  }
  co_return std::string();
}

/// Enters a code; `is_wrong` if it must be rejected, for example because it has been used.
client_task<user_client::session_pointer> user_client::enter_code(challenge& opened, std::string code,
                                                                  bool is_wrong) {
  const auto sent = user_->current_state();
  const auto sent_at = latest();
  const bool has_tries = opened.wrong_codes < sign_in_budgets::code_tries;
  const bool remember = chance(30);
  auto call = browser_.post_json("/auth/verify-otp",
                                 R"({"challengeToken":)" + json_string(opened.token) + R"(,"otp":)" +
                                     json_string(code == "wrong" ? "000000" : code) +
                                     R"(,"rememberDevice":)" + (remember ? "true}" : "false}"));
  const auto response = co_await ask("whether the code " + code + " is correct", std::move(call));
  if (response.status == 401 && text_at(response, "/reason") == "invalid_code") {
    if (++opened.wrong_codes > sign_in_budgets::code_tries)
      fail("more wrong codes were checked than the budget allows");
  }
  if (response.status != 200) co_return nullptr;
  if (is_wrong) fail("a wrong or used code was accepted");
  if (!has_tries) fail("a code was accepted after too many wrong ones");
  browser_.store_cookies(response);
  if (remember) remembered_after_ = user_->current_state().changes_sent;
  co_return started(response, sent, sent_at);
}

client_task<bool> user_client::resend(challenge& opened) {
  ++user_->codes_requested;
  const auto sent_at = now();
  auto call =
      browser_.post_json("/auth/resend-otp", R"({"challengeToken":)" + json_string(opened.token) + "}");
  const auto response = co_await ask("for another code", std::move(call));
  if (response.status == 429 && !user_->may_exceed_code_limit())
    fail("was refused a code before the budget was used up");
  if (response.status == 200 && ++opened.resends > sign_in_budgets::code_resends)
    fail("more codes were sent for a sign-in than the budget allows");
  opened.wrong_codes = 0; // even if the response was lost
  // If the request may still be executed, the valid code is unknown.
  co_return response.status != 401 && !was_abandoned(response, sent_at);
}

user_client::session_pointer user_client::started(const simulated_response& response,
                                                  const known_user::state& sent, time_point sent_at) {
  known_session session{{}, text_at(response, "/token"), browser_, sent_at};
  session.id = session_id_of(session.access_token);
  add_to_story("has the session " + session.id);
  return user_->add_session(std::move(session), sent);
}

client_task<bool> user_client::use(session_pointer session) {
  const bool had_ended = user_->has_ended(*session);
  auto call = session->browser.get("/auth/me");
  call.fields.emplace_back("Authorization", "Bearer " + session->access_token);
  const auto response = co_await ask("who it is, in the session " + session->id, std::move(call));
  if (response.status == 200) check_accepted(*session, had_ended, "a request");
  const bool is_expired = latest() > session->issued_at + token_lifetime;
  if (response.status == 401 && !is_expired) check_rejected(*session, "a request");
  co_return response.status == 200;
}

client_task<bool> user_client::refresh(session_pointer session) {
  const bool had_ended = user_->has_ended(*session);
  const auto sent_at = now(), latest_at = latest();
  const auto may_be_replaced_at = session->refreshing_since.value_or(latest_at);
  session->refreshing_since = may_be_replaced_at;
  auto call = session->browser.post_form("/auth/refresh", {});
  const auto response = co_await ask("to refresh the session " + session->id, std::move(call));
  // Repeating a replaced cookie after the grace period ends the session, and a lost request may still arrive.
  if (latest() > may_be_replaced_at + refresh_grace || was_abandoned(response, sent_at))
    session->may_have_ended = true;
  if (response.status == 401) check_rejected(*session, "a refresh");
  if (response.status != 201) co_return false;
  check_accepted(*session, had_ended, "a refresh");
  session->browser.store_cookies(response);
  session->access_token = text_at(response, "/token");
  session->issued_at = latest_at;
  session->refreshing_since.reset();
  co_return true;
}

void user_client::check_accepted(const known_session& session, bool had_ended,
                                 const std::string& request) const {
  if (had_ended)
    fail(request + " was accepted, although the end of its session " + session.id + " was acknowledged");
}

void user_client::check_rejected(const known_session& session, const std::string& request) const {
  if (!user_->may_have_ended(session))
    fail(request + " was rejected, although its session " + session.id + " cannot have ended");
}

} // namespace roost::testing
